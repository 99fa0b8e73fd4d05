import { insert } from "../../../../db/insert.ts";
import { type Db, write } from "../../../../db/open.ts";
import { staffNotes, subscribers } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import { audit } from "../../core/audit/audit.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { isWithin, storedReferences } from "../../core/references/references.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { type ReadSubscriber, subscriberById, subscriberIn } from "./find.ts";

export interface Notes {
  subscriberId: number;
  globalNote: string;
  /** In order. */
  staffNotes: { id: number; note: string; addedBy: number; addedByName: string; createdAt: Seconds }[];
}

export function notesRecord(db: Db, by: Actor, which: number | ReadSubscriber): Notes {
  permit(by, "notesRecord");
  const { id, globalNote } = subscriberIn(db, by.scope, which);
  const staffNotes = db.$client
    .query<Notes["staffNotes"][number], [number]>(
      `SELECT n.id, n.note, n.added_by AS addedBy, a.name AS addedByName, n.created_at AS createdAt
       FROM staff_notes n JOIN staff a ON a.id = n.added_by WHERE n.subscriber_id = ? ORDER BY n.id`,
    )
    .all(id);
  return { subscriberId: id, globalNote, staffNotes };
}

/** "" clears it. Throws not_found. */
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

/** Appends a note, which stays. Returns its id. Throws not_found, refused without an author. */
export function addNote(
  db: Db,
  by: Actor,
  {
    subscriberId,
    note,
    staffId = by.staffId,
  }: { subscriberId: number; note: string; staffId?: number | null },
  { now }: { now: Seconds },
): number {
  permit(by, "addNote");
  if (staffId === null)
    throw new DomainError("refused", phrase`a note is somebody's; name the account that writes it`);
  return write(db, (tx) => {
    const { ispId } = subscriberById(tx, by.scope, subscriberId);
    const owner = storedReferences(tx).findIsp("staff", staffId);
    if (owner === undefined || !isWithin(owner, ispId))
      throw new DomainError(
        "refused",
        phrase`the account is of another ISP than the subscriber; name one of its own`,
        { code: "other_isp" },
      );
    const id = insert(tx, staffNotes, { subscriberId, note, addedBy: staffId, createdAt: now });
    audit(tx, by, now, {
      action: "subscriber.note_add",
      entity: "subscriber",
      entityId: subscriberId,
      ispId,
      after: { note, added_by: staffId },
    });
    return id;
  });
}
