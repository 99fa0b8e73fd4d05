import { type Actor, may, seesWholeIsp } from "../../../../domain/staff/actor.ts";

/** Whether somebody has to do with money at all: others, as a technician, see none of it. */
export function seesMoney(by: Actor): boolean {
  return ["payment_take", "payment_view", "wallet_view", "report_view"].some((flag) => may(by, flag));
}

/** Routers serve an ISP as a whole. */
export function seesRouters(by: Actor): boolean {
  return may(by, "session_view") && seesWholeIsp(by.scope);
}
