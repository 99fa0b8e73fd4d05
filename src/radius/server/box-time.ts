import type { Db } from "../../../db/open.ts";
import { followBeat } from "../../domain/machine/access-boxes/hearing.ts";
import { accessState } from "../../domain/machine/access-boxes/state.ts";
import { machineClock } from "../../os/machine.ts";

/** Milliseconds between two looks at the last beat of the books. */
const FOLLOW_EVERY = 5000;

/** On an access box: has the clock of this thread go on from what its books told last, now and from now on; else undefined. */
export function keepTime(db: Db): Timer | undefined {
  if (accessState(db).role !== "access") return undefined;
  const elapsed = machineClock();
  followBeat(db, elapsed);
  return setInterval(() => followBeat(db, elapsed), FOLLOW_EVERY);
}
