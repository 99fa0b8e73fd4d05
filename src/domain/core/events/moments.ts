import { noteChanged } from "../../../../db/record-changes.ts";
import { type Db, type Tx, write } from "../../../../db/open.ts";
import { setting } from "../settings/settings.ts";
import type { Actor } from "../actor/actor.ts";
import { permit } from "../actor/permissions.ts";
import type { Seconds } from "../time/time.ts";
import { announce } from "./announce.ts";
import { announceInvoice } from "./invoices.ts";
import { findMark, setMark } from "./marks.ts";

const DAY = 86_400;
/** Moments announced in a transaction, some milliseconds of the lock. */
const STEP = 200;

/** A service or invoice, and its time. */
interface Due {
  readonly id: number;
  readonly due: Seconds;
}

interface Kind {
  readonly name: "expiring" | "expired" | "overdue";
  /** Of an ISP, after a (due, id) until a time, in order. */
  readonly select: string;
  /** Seconds before the column's time. */
  readonly lead: (db: Db, ispId: number) => number;
  /** The event's id; null: known. */
  readonly tell: (tx: Tx, { id, due }: Due, now: Seconds) => number | null;
}

const services = `SELECT v.subscriber_id AS id, v.expires_at AS due FROM services v CROSS JOIN subscribers s ON s.id = v.subscriber_id
  WHERE s.isp_id = ?1 AND (v.expires_at, v.subscriber_id) > (?2, ?3) AND v.expires_at <= ?4
    AND v.frozen_at IS NULL AND s.archived_at IS NULL
  ORDER BY v.expires_at, v.subscriber_id LIMIT ${STEP}`;

const kinds: readonly Kind[] = [
  {
    name: "expiring",
    select: services,
    lead: (db, ispId) => setting(db, "expiring_days", ispId) * DAY,
    tell: (tx, { id, due }, now) => {
      const at = due - setting(tx, "expiring_days", findIspId(tx, id)) * DAY;
      return announce(tx, now, {
        type: "subscriber.expiring",
        subscriberId: id,
        beside: {},
        at,
        dueKey: `${id} ${due}`,
      });
    },
  },
  {
    name: "expired",
    select: services,
    lead: () => 0,
    tell: (tx, { id, due }, now) => {
      const told = announce(tx, now, {
        type: "subscriber.expired",
        subscriberId: id,
        beside: {},
        at: due,
        dueKey: `${id} ${due}`,
      });
      if (told !== null) noteChanged(tx, "subscriber", id);
      return told;
    },
  },
  {
    name: "overdue",
    select: `SELECT id, period_end AS due FROM invoices
      WHERE isp_id = ?1 AND (period_end, id) > (?2, ?3) AND period_end <= ?4 AND voided_at IS NULL AND paid_at IS NULL
      ORDER BY period_end, id LIMIT ${STEP}`,
    lead: () => 0,
    tell: (tx, { id }, now) => announceInvoice(tx, now, { type: "invoice.overdue", invoiceId: id }),
  },
];

/**
 * Announces due moments: services that end soon or ended, overdue invoices. Each once, dated with itself, whatever the clock
 * did; the first call begins with what follows. A longer expiring_days applies at once. Returns the number. Stops at `signal`.
 */
export async function tellMoments(
  db: Db,
  by: Actor,
  { now, signal }: { now: Seconds; signal?: AbortSignal },
): Promise<number> {
  permit(by, "tellMoments");
  let count = 0;
  const isps = db.$client.query<{ id: number }, []>("SELECT id FROM isps").all();
  for (const { id: ispId } of isps)
    for (const kind of kinds) count += await tellKind(db, kind, ispId, { now, signal });
  return count;
}

async function tellKind(
  db: Db,
  kind: Kind,
  ispId: number,
  { now, signal }: { now: Seconds; signal: AbortSignal | undefined },
): Promise<number> {
  const name = `${kind.name} ${ispId}`;
  // the mark is the position in the column, so that another lead skips nothing
  const end = now + kind.lead(db, ispId);
  const mark = findMark(db, name);
  if (mark === undefined) setMark(db, name, end);
  if (mark === undefined || mark >= end) return 0;
  const next = db.$client.query<Due, [number, Seconds, number, Seconds]>(kind.select);
  let after: Due = { due: mark, id: Number.MAX_SAFE_INTEGER };
  let count = 0;
  for (;;) {
    const found = next.all(ispId, after.due, after.id, end);
    const last = found.at(-1);
    // the last second may be incomplete; it is read again, and keys exclude what is known
    const until = (last && found.length === STEP ? last.due : end) - 1;
    count += write(db, (tx) => {
      if (until > mark) setMark(tx, name, until);
      return found.filter((one) => kind.tell(tx, one, now) !== null).length;
    });
    if (!last || found.length < STEP || signal?.aborted) return count;
    after = last;
    await Bun.sleep(0);
  }
}

function findIspId({ $client }: Tx, subscriberId: number): number {
  const row = $client
    .query<{ ispId: number }, [number]>("SELECT isp_id AS ispId FROM subscribers WHERE id = ?")
    .get(subscriberId);
  return row?.ispId ?? 0;
}
