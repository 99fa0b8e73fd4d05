import { desc, eq } from "drizzle-orm";
import { type Db, write } from "../../../../db/open.ts";
import { authLog } from "../../../../db/schema.ts";
import { nameInBooks } from "../cards/reader.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { countDecisions } from "../../money/sums/logins.ts";

export type AuthLogEntry = Omit<typeof authLog.$inferInsert, "id" | "accepted" | "class"> & {
  accepted: boolean;
  class: Uint8Array | null;
};

export function recordDecisions(db: Db, entries: readonly AuthLogEntry[]): void {
  const statement = db.$client.query(
    `INSERT INTO auth_log (at, nas_id, nas_address, username, subscriber_id, card_id, accepted, reason, detail, method, mac, class)
     VALUES ($at, $nasId, $nasAddress, $username, $subscriberId, $cardId, $accepted, $reason, $detail, $method, $mac, $class)`,
  );
  write(db, (tx) => {
    countDecisions(tx, entries);
    for (const entry of entries) {
      statement.run({
        at: entry.at,
        nasId: entry.nasId ?? null,
        nasAddress: entry.nasAddress,
        username: entry.username,
        subscriberId: entry.subscriberId ?? null,
        cardId: entry.cardId ?? null,
        accepted: entry.accepted ? 1 : 0,
        reason: entry.reason,
        detail: entry.detail ?? null,
        method: entry.method ?? null,
        mac: entry.mac ?? null,
        class: entry.class,
      });
    }
  });
}

/** The newest decision about a name as a router sends it, a subscriber's or a card's code. */
export function newestDecision(
  db: Db,
  by: Actor,
  username: string,
): { id: number; reason: string } | undefined {
  permit(by, "newestDecision");
  return db
    .select({ id: authLog.id, reason: authLog.reason })
    .from(authLog)
    .where(eq(authLog.username, nameInBooks(db, username)))
    .orderBy(desc(authLog.id))
    .limit(1)
    .get();
}
