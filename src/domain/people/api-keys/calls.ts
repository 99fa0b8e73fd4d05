import { selectColumns } from "../../../../db/columns.ts";
import { all, equal, type Value } from "../../../../db/condition.ts";
import { insert } from "../../../../db/insert.ts";
import { type Db, type Tx, write } from "../../../../db/open.ts";
import { apiKeyCalls } from "../../../../db/schema.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { requireStaffWithin } from "../../core/actor/reach.ts";
import { type ApiKey, keyById } from "./api-keys.ts";

/** Calls that are kept of a key, and of all. */
const OF_ONE = 1000;
const OF_ALL = 100_000;
/** Seconds. */
const BETWEEN_USES = 60;
const LONGEST_PATH = 200;

type Row = typeof apiKeyCalls.$inferSelect;

/** A call that was answered. */
export type KeyCall = Omit<Row, "id">;

/** Writes calls down, and when each key was used last, that at most once a minute. */
export function recordKeyCalls(db: Db, by: Actor, calls: readonly KeyCall[]): void {
  permit(by, "recordKeyCalls");
  write(db, (tx) => {
    for (const [keyId, own] of Map.groupBy(calls, (call) => call.keyId)) {
      markUsed(tx, keyId, own);
      for (const call of own.slice(-OF_ONE))
        insert(tx, apiKeyCalls, { ...call, path: call.path.slice(0, LONGEST_PATH) });
      tx.$client
        .query<unknown, [number, number]>(
          `DELETE FROM api_key_calls WHERE key_id = ?1
             AND id <= (SELECT id FROM api_key_calls WHERE key_id = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)`,
        )
        .run(keyId, OF_ONE);
    }
    tx.$client
      .query<unknown, [number]>(
        "DELETE FROM api_key_calls WHERE id <= (SELECT max(id) FROM api_key_calls) - ?",
      )
      .run(OF_ALL);
  });
}

function markUsed({ $client }: Tx, keyId: number, calls: readonly KeyCall[]): void {
  const last = calls.at(-1);
  if (!last) return;
  $client
    .query<unknown, [Seconds, string, number]>(
      `UPDATE api_keys SET used_at = ?1, used_from = ?2
       WHERE staff_id = ?3 AND (used_at IS NULL OR used_at <= ?1 - ${BETWEEN_USES})`,
    )
    .run(last.at, last.address, keyId);
}

/** Calls of a key by its id or its row, the newest first. Throws `not_found`. */
export function keyCalls(
  db: Db,
  by: Actor,
  { key: named, failed }: { key: number | ApiKey; failed?: 0 | 1 | null | undefined },
  { limit, before }: { limit: number; before: number },
): Row[] {
  permit(by, "keyCalls");
  const key = typeof named === "number" ? keyById(db, by, { id: named }) : named;
  requireStaffWithin(by, key);
  const refused = failed === 1 ? { text: "c.status >= 400", values: [] } : undefined;
  const { text, values } = all(equal("c.key_id", key.id), { text: "c.id < ?", values: [before] }, refused);
  return db.$client
    .query<Row, Value[]>(
      `SELECT ${selectColumns(apiKeyCalls, "c")} FROM api_key_calls c WHERE ${text} ORDER BY c.id DESC LIMIT ? + 0`,
    )
    .all(...values, limit);
}

export type LoggedCall = Row;
