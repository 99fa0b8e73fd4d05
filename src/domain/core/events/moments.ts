import { type Db, type Tx, write } from "../../../../db/open.ts";
import { setting } from "../settings/settings.ts";
import type { Actor } from "../actor/actor.ts";
import { permit } from "../actor/permissions.ts";
import type { Seconds } from "../time/time.ts";
import { announce } from "./announce.ts";
import { announceInvoice } from "./invoices.ts";
import { markOf, setMark } from "./marks.ts";

const DAY = 86_400;
/** Moments that one transaction tells: some milliseconds of the write lock. */
const STEP = 200;

/** Something whose time comes: a service, or an invoice of an id. */
interface Due {
  readonly id: number;
  readonly due: Seconds;
}

interface Kind {
  readonly name: "expiring" | "expired" | "overdue";
  /** Of an ISP, after one (due, id) until a time, in this order. */
  readonly select: string;
  /** Seconds that the moment lies before what the column says. */
  readonly lead: (db: Db, ispId: number) => number;
  /** The id of the event; null: it is known. */
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
      const at = due - setting(tx, "expiring_days", ispOf(tx, id)) * DAY;
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
    tell: (tx, { id, due }, now) =>
      announce(tx, now, {
        type: "subscriber.expired",
        subscriberId: id,
        beside: {},
        at: due,
        dueKey: `${id} ${due}`,
      }),
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
 * Tells what time has done since it was told last: services that end soon or have ended, invoices whose period is over unpaid. Each moment once,
 * dated with itself, however long nobody looked and whatever the clock did. Begins with what comes after the first call; a longer
 * expiring_days tells at once of what it reaches. Returns how many were told. Stops at `signal`.
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
  // the mark is how far the column was read, so that another lead skips nothing
  const end = now + kind.lead(db, ispId);
  const mark = markOf(db, name);
  if (mark === undefined) setMark(db, name, end);
  if (mark === undefined || mark >= end) return 0;
  const next = db.$client.query<Due, [number, Seconds, number, Seconds]>(kind.select);
  let after: Due = { due: mark, id: Number.MAX_SAFE_INTEGER };
  let count = 0;
  for (;;) {
    const found = next.all(ispId, after.due, after.id, end);
    const last = found.at(-1);
    // those of the last second may have come in part, or still come: it is read again, and those told are known by their keys
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

function ispOf({ $client }: Tx, subscriberId: number): number {
  const row = $client
    .query<{ ispId: number }, [number]>("SELECT isp_id AS ispId FROM subscribers WHERE id = ?")
    .get(subscriberId);
  return row?.ispId ?? 0;
}
