import type { Db } from "../../../../db/open.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permitSelf } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import type { Part, Window } from "../../desk/portal/history.ts";

/** A message that a subscriber was sent. */
export interface MessageItem {
  readonly id: number;
  readonly sentAt: Seconds;
  /** The number or address that it went to. */
  readonly address: string | null;
  readonly subject: string | null;
  /** What it said; null: that is not kept any more. */
  readonly body: string | null;
}

interface Row extends Omit<MessageItem, "body"> {
  readonly sealed: Uint8Array | null;
}

/** A part of what a subscriber was sent, the newest first. */
export function messageHistory(
  db: Db,
  by: Actor,
  { subscriberId, limit, offset }: Window & { subscriberId: number },
): Part<MessageItem> {
  permitSelf(by, "messageHistory", subscriberId);
  const rows = db.$client
    .query<Row, [number, number, number]>(
      `SELECT id, coalesce(ended_at, created_at) AS sentAt, address, subject, body_sealed AS sealed FROM messages
       WHERE subscriber_id = ? AND state = 'sent' ORDER BY id DESC LIMIT ? OFFSET ?`,
    )
    .all(subscriberId, limit, offset);
  const total = db.$client
    .query<{ total: number }, [number]>(
      "SELECT count(*) AS total FROM messages WHERE subscriber_id = ? AND state = 'sent'",
    )
    .get(subscriberId);
  const items = rows.map(({ sealed, ...row }) =>
    Object.assign(row, { body: sealed === null ? null : (db.vault.openTextIfWhole(sealed) ?? null) }),
  );
  return { items, total: total?.total ?? 0 };
}
