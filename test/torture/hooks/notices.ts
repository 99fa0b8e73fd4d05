import { Database } from "bun:sqlite";
import type { Call } from "./receiver.ts";

interface Event {
  readonly uid: string;
  readonly type: string;
  readonly subscriber: number | null;
  readonly seq: number | null;
}

/** What of the promises was not kept: `paid` payments were acknowledged. */
export function noticeFaults(
  database: string,
  { calls, paid }: { calls: readonly Call[]; paid: number },
): { faults: string[]; events: number; again: number } {
  using db = new Database(database, { readonly: true });
  const events = db
    .query<Event, []>(
      "SELECT uid, type, subscriber_id AS subscriber, seq FROM events WHERE type = 'payment.received' ORDER BY id",
    )
    .all();
  const payments = Number(db.query("SELECT count(*) FROM payments WHERE kind = 'payment'").values()[0]?.[0]);
  const faults = calls.flatMap(({ fault }) => (fault === undefined ? [] : [`a signature: ${fault}`]));
  if (payments < paid) faults.push(`${paid - payments} acknowledged payments are lost`);
  if (events.length !== payments) faults.push(`${payments} payments have ${events.length} events`);
  const received = calls.filter((call) => call.taken);
  const known = new Map(events.map((event) => [event.uid, event]));
  const byId = new Map<string, Call>();
  for (const call of received) {
    const event = known.get(call.id);
    if (!event || event.seq !== call.seq || event.subscriber !== call.subscriber)
      faults.push(`${call.id} of subscriber ${call.subscriber} is not what the store has under that id`);
    if (!byId.has(call.id)) byId.set(call.id, call);
  }
  const lost = events.filter(({ uid }) => !byId.has(uid));
  if (lost.length > 0)
    faults.push(`${lost.length} of ${events.length} events never arrived: ${lost[0]?.uid}`);
  return {
    faults: [...faults, ...doubled(byId.values()), ...disordered(byId.values())],
    events: events.length,
    again: received.length - byId.size,
  };
}

function doubled(calls: Iterable<Call>): string[] {
  const ids = Map.groupBy(calls, ({ subscriber, seq }) => `${subscriber}.${seq}`);
  return [...ids]
    .filter(([, calls]) => calls.length > 1)
    .map(([what, calls]) => `${what} came under ${calls.length} ids`);
}

/** By the first time that each was taken. */
function disordered(calls: Iterable<Call>): string[] {
  const last = new Map<number | null, number>();
  const faults: string[] = [];
  for (const { subscriber, seq } of calls) {
    const before = last.get(subscriber) ?? 0;
    if ((seq ?? 0) < before) faults.push(`of subscriber ${subscriber}, ${seq} came after ${before}`);
    last.set(subscriber, Math.max(before, seq ?? 0));
  }
  return faults;
}
