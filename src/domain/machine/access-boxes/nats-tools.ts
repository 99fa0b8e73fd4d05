import type { Actor } from "../../core/actor/actor.ts";
import type { Nkey } from "./boxes.ts";

/** Needs the NATS library. */
export interface NatsTools {
  readonly nkeyMaker: () => Promise<() => Nkey>;
  /** Configuration of nats-server. Rejects with `not_found` without boxes. */
  readonly serverConfig: (by: Actor) => Promise<string>;
}
