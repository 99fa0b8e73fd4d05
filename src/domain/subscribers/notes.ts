import { type Db, write } from "../../../db/open.ts";
import { subscribers } from "../../../db/schema.ts";
import { update } from "../../../db/update.ts";
import { audit } from "../audit.ts";
import type { Actor } from "../staff/actor.ts";
import { permit } from "../staff/permissions.ts";
import type { Seconds } from "../time.ts";
import { subscriberById } from "./find.ts";

export interface Notes {
  subscriberId: number;
  globalNote: string;
  /** In the order they were written. */
  staffNotes: { id: number; note: string; addedBy: number }[];
}

/** The notes of a subscriber. Throws not_found. */
export function notesRecord(db: Db, by: Actor, subscriberId: number): Notes {
  permit(by, "notesRecord");
  const { id, globalNote } = subscriberById(db, by.scope, subscriberId);
  const staffNotes = db.$client
    .query<Notes["staffNotes"][number], [number]>(
      "SELECT id, note, added_by AS addedBy FROM staff_notes WHERE subscriber_id = ? ORDER BY id",
    )
    .all(id);
  return { subscriberId: id, globalNote, staffNotes };
}

/** Replaces the global note; "" clears it. Throws not_found. */
export function setGlobalNote(
  db: Db,
  by: Actor,
  { subscriberId, note }: { subscriberId: number; note: string },
  { now }: { now: Seconds },
): void {
  permit(by, "setGlobalNote");
  write(db, (tx) => {
    const { ispId, globalNote } = subscriberById(tx, by.scope, subscriberId);
    update(tx, subscribers, { globalNote: note, updatedAt: now }, { id: subscriberId });
    audit(tx, by, now, {
      action: "subscriber.note",
      entity: "subscriber",
      entityId: subscriberId,
      ispId,
      before: { global_note: globalNote },
      after: { global_note: note },
    });
  });
}
