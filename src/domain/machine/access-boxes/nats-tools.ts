import type { Actor } from "../../core/actor/actor.ts";
import type { Nkey } from "./boxes.ts";

/** What only the library of NATS can do. */
export interface NatsTools {
  /** What makes a new user key. */
  readonly nkeyMaker: () => Promise<() => Nkey>;
  /** The configuration of nats-server for these books and their boxes. Rejects with `not_found` where there are none. */
  readonly serverConfig: (by: Actor) => Promise<string>;
}
