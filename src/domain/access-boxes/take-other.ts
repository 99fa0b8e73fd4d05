import type { Db } from "../../../db/open.ts";
import { type AuthLogEntry, recordDecisions } from "../access/auth-log.ts";
import { recordFirstUses } from "../cards/first-use.ts";
import { latchMessageAuthenticator } from "../nas/sources.ts";
import type { Seconds } from "../time.ts";
import type { Homecoming } from "./journal.ts";

type Decision = Parameters<typeof recordFirstUses>[1][number] & AuthLogEntry;

/** Decisions as a box puts them into its journal: bytes of the Class as base64. */
export function packDecisions(events: readonly Decision[]): unknown {
  return events.map((event) => ({
    ...event,
    class: event.class && Buffer.from(event.class).toString("base64"),
  }));
}

/** Takes what a box tells beside accounting, within the transaction: decisions with first uses of cards, and first Message-Authenticators. */
export function takeOther(db: Db, { kind, at, age, body }: Homecoming, { now }: { now: Seconds }): void {
  const later = now - age - at;
  if (kind === "decided") {
    const told = JSON.parse(body) as (Omit<Decision, "class"> & { class: string | null })[]; // of a box, whose key proves it
    const events = told.map((event) =>
      Object.assign(event, {
        at: event.at + later,
        class: event.class === null ? null : Buffer.from(event.class, "base64"),
      }),
    );
    if (events.some(({ isCardUse }) => isCardUse)) recordFirstUses(db, events);
    recordDecisions(db, events);
  }
  if (kind === "seen")
    latchMessageAuthenticator(db, JSON.parse(body) as { nasId: number; address: string }, now);
}
