import { type Actor, may, seesWholeIsp } from "../../../../domain/core/actor/actor.ts";

/** Routers serve an ISP as a whole. */
export function seesRouters(by: Actor): boolean {
  return may(by, "session_view") && seesWholeIsp(by.scope);
}
