import { randomBytes } from "node:crypto";
import type { Tx } from "../../../../db/open.ts";
import { readBalance } from "../amounts/balance.ts";
import { formatMinor } from "../amounts/money.ts";
import { setting } from "../settings/settings.ts";
import type { Seconds } from "../time/time.ts";
import type { EventData, OtherEvent, SubscriberEvent } from "./types.ts";

interface When {
  readonly at?: Seconds;
  /** Unique for its type. */
  readonly dueKey?: string;
}

/** Data beside the subscriber. */
export type Beside<T extends SubscriberEvent> = Omit<EventData<T>, "seq" | "subscriber">;

/** Writes a subscriber's event in its transaction. Returns its id; null: known already (`dueKey`). */
export function announce<T extends SubscriberEvent>(
  tx: Tx,
  now: Seconds,
  { type, subscriberId, beside, ...when }: When & { type: T; subscriberId: number; beside: Beside<T> },
): number | null {
  if (when.dueKey !== undefined && isKnown(tx, type, when.dueKey)) return null;
  const subscriber = eventSubscriber(tx, subscriberId);
  const seq = nextSeq(tx, subscriberId);
  const data = { seq, subscriber, ...beside };
  return store(tx, now, { ...when, type, ispId: subscriber.isp_id, subscriberId, seq, data });
}

/** Announces an event that is about no subscriber; ISP null: the appliance. */
export function announceOther<T extends OtherEvent>(
  tx: Pick<Tx, "$client">,
  now: Seconds,
  event: When & { type: T; ispId: number | null; data: EventData<T> },
): number | null {
  if (event.dueKey !== undefined && isKnown(tx, event.type, event.dueKey)) return null;
  return store(tx, now, { ...event, subscriberId: null, seq: null });
}

interface Stored extends When {
  readonly type: string;
  readonly ispId: number | null;
  readonly subscriberId: number | null;
  readonly seq: number | null;
  readonly data: object;
}

function store({ $client }: Pick<Tx, "$client">, now: Seconds, event: Stored): number {
  const { type, ispId, subscriberId, seq, dueKey = null, at = now, data } = event;
  const uid = `evt_${randomBytes(16).toString("hex")}`;
  const { lastInsertRowid } = $client
    .query(
      `INSERT INTO events (uid, type, isp_id, subscriber_id, seq, due_key, at, written_at, data)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(uid, type, ispId, subscriberId, seq, dueKey, at, now, JSON.stringify(data));
  return Number(lastInsertRowid);
}

function isKnown({ $client }: Pick<Tx, "$client">, type: string, dueKey: string): boolean {
  return $client.query("SELECT 1 FROM events WHERE type = ? AND due_key = ?").get(type, dueKey) !== null;
}

function nextSeq({ $client }: Tx, subscriberId: number): number {
  const counted = $client
    .query<{ seq: number }, [number]>(
      `INSERT INTO event_counts (subscriber_id, seq) VALUES (?, 1)
       ON CONFLICT (subscriber_id) DO UPDATE SET seq = seq + 1 RETURNING seq`,
    )
    .get(subscriberId);
  if (!counted) throw new Error("an event was not counted");
  return counted.seq;
}

interface Row {
  id: number;
  username: string;
  name: string;
  ispId: number;
  branchId: number | null;
  packageId: number;
  package: string;
  expiresAt: Seconds | null;
}

function eventSubscriber(tx: Tx, id: number): EventData<SubscriberEvent>["subscriber"] {
  const row = tx.$client
    .query<Row, [number]>(
      `SELECT s.id, s.username, s.name, s.isp_id AS ispId, s.branch_id AS branchId, s.package_id AS packageId,
         p.name AS package, v.expires_at AS expiresAt
       FROM subscribers s JOIN packages p ON p.id = s.package_id LEFT JOIN services v ON v.subscriber_id = s.id
       WHERE s.id = ?`,
    )
    .get(id);
  if (!row) throw new Error(`there is no subscriber ${id} to tell of`);
  return {
    id,
    username: row.username,
    name: row.name,
    isp_id: row.ispId,
    branch_id: row.branchId,
    package_id: row.packageId,
    package: row.package,
    expiration: row.expiresAt === null ? null : timestamp(row.expiresAt),
    balance: formatMinor(readBalance(tx, { subscriberId: id })),
    currency: setting(tx, "currency", row.ispId),
  };
}

/** UTC, RFC 3339. */
export function timestamp(seconds: Seconds): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
}
