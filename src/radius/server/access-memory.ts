import { roomForHolders } from "../../domain/service/access/leases.ts";
import { roomForAccepts } from "../../domain/service/access/pending.ts";
import { roomForGuesses } from "../../domain/service/cards/guesses.ts";
import { roomForDecisions } from "./decision-batches.ts";

/** What access threads remember in common, for a subscriber or a device may come by another router, and outlives each of them. */
export type AccessMemory = ReturnType<typeof accessMemory>;

/** For so many threads. */
export function accessMemory(threads = 1) {
  return {
    accepts: roomForAccepts(threads),
    cardAccepts: roomForAccepts(threads),
    guesses: roomForGuesses(threads),
    holders: roomForHolders(threads),
    decisions: roomForDecisions(),
  };
}

/** The memory, and the thread that uses it: a number from 1 on. */
export interface AccessPlace {
  readonly memory: AccessMemory;
  readonly who: number;
}

export const alone = (): AccessPlace => ({ memory: accessMemory(), who: 1 });
