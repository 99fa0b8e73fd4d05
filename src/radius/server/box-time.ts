import type { Db } from "../../../db/open.ts";
import { followBeat } from "../../domain/machine/access-boxes/hearing.ts";
import { accessState } from "../../domain/machine/access-boxes/state.ts";
import { machineClock } from "../../os/machine.ts";

/** Milliseconds between two checks of the primary's last heartbeat. */
const FOLLOW_EVERY = 5000;

/** Has this thread's clock follow the primary's time on an access box; undefined elsewhere. */
export function keepTime(db: Db): Timer | undefined {
  if (accessState(db).role !== "access") return undefined;
  const elapsed = machineClock();
  followBeat(db, elapsed);
  return setInterval(() => followBeat(db, elapsed), FOLLOW_EVERY);
}
