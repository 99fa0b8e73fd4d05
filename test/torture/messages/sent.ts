import { Database } from "bun:sqlite";
import { endOf, LATE_BY, NO_SMS, SUBSCRIBERS } from "./isp.ts";
import type { Received } from "./post.ts";

interface Row {
  readonly id: number;
  readonly uid: string;
  readonly rule: string;
  readonly by: Received["by"];
  readonly subscriberId: number;
  readonly period: string;
  readonly state: string;
  readonly reason: string | null;
  readonly address: string | null;
  readonly dueAt: number;
  readonly endedAt: number | null;
}

/** What the trial knows by itself. */
export interface Known {
  /** Payments that were acknowledged. */
  readonly paid: number;
  readonly times: { readonly start: number; readonly span: number };
  readonly taken: readonly Received[];
  /** How often each message was sent again by a press, by its id. */
  readonly presses: ReadonlyMap<string, number>;
}

export interface Sent {
  readonly faults: readonly string[];
  readonly messages: number;
  readonly states: ReadonlyMap<string, number>;
  /** Messages that came again under the id that they had. */
  readonly again: number;
}

/** Seconds that a message may be under way beside what its rule allows: until it was taken, or given up. */
const UNDER_WAY = 540;

/** What of the promises was not kept. */
export function sentFaults(database: string, known: Known): Sent {
  using db = new Database(database, { readonly: true });
  const rows = db
    .query<Row, []>(
      `SELECT m.id, m.uid, r.name AS rule, c.name AS "by", m.subscriber_id AS subscriberId, m.period, m.state, m.reason, m.address,
         m.due_at AS dueAt, m.ended_at AS endedAt
       FROM messages m JOIN message_rules r ON r.id = m.rule_id JOIN channels c ON c.id = m.channel_id ORDER BY m.id`,
    )
    .all();
  const received = Map.groupBy(known.taken, ({ id }) => id);
  const times = (row: Row) => received.get(row.uid)?.length ?? 0;
  return {
    faults: [
      ...planFaults(db, rows, known),
      ...rows.flatMap((row) => stateFaults(row, times(row), known.presses.get(row.uid) ?? 0)),
      ...takenFaults(rows, known.taken),
    ],
    messages: rows.length,
    states: new Map([...Map.groupBy(rows, ({ state }) => state)].map(([state, all]) => [state, all.length])),
    again: known.taken.length - received.size,
  };
}

/** Each rule has one message for each payment and each end of a service, and no other one. */
function planFaults(db: Database, rows: readonly Row[], { paid, times }: Known): string[] {
  const events = db
    .query<{ uid: string; subscriberId: number }, []>(
      "SELECT uid, subscriber_id AS subscriberId FROM events WHERE type = 'payment.received'",
    )
    .all();
  const payments = Number(db.query("SELECT count(*) FROM payments WHERE kind = 'payment'").values()[0]?.[0]);
  const faults = [];
  if (payments < paid) faults.push(`${paid - payments} acknowledged payments are lost`);
  if (events.length !== payments) faults.push(`${payments} payments have ${events.length} events`);
  const expected = new Set<string>();
  for (const { uid, subscriberId } of events)
    for (const by of ["mail", "sms", "push"])
      expected.add(`receipts by ${by}, ${subscriberId}, event ${uid}`);
  for (let id = 1; id <= SUBSCRIBERS; id++)
    for (const rule of ["ends", "ended"]) expected.add(`${rule}, ${id}, expiry ${endOf(id, times)}`);
  const planned = rows.map(({ rule, subscriberId, period }) => `${rule}, ${subscriberId}, ${period}`);
  const known = new Set(planned);
  if (known.size !== planned.length) faults.push(`${planned.length - known.size} messages are there twice`);
  const forgotten = expected.difference(known);
  if (forgotten.size > 0) faults.push(`${forgotten.size} messages were forgotten: ${[...forgotten][0]}`);
  const invented = known.difference(expected);
  if (invented.size > 0) faults.push(`${invented.size} messages are of nothing: ${[...invented][0]}`);
  return faults;
}

/** A message has ended, says why where it was not sent, and was taken as often as its end says. */
function stateFaults(row: Row, times: number, presses: number): string[] {
  const { uid, rule, by, state, reason, subscriberId, dueAt, endedAt } = row;
  const faults: string[] = [];
  const tell = (what: string) => faults.push(`${uid} (${rule}, ${state}: ${reason}) ${what}`);
  if (!["sent", "perhaps", "failed", "skipped"].includes(state)) tell("has not ended");
  if (state !== "sent" && !reason) tell("does not say why");
  if (state === "sent" && times === 0) tell("was taken by nobody");
  if (by === "sms" && times > 1 + presses) tell(`was taken ${times} times, with ${presses} presses`);
  const isNeverSent = state === "skipped" || (state === "failed" && by === "sms");
  if (isNeverSent && presses === 0 && times > 0) tell(`was taken ${times} times all the same`);
  if (state === "perhaps" && by !== "sms") tell("is known again there, and was not sent again");
  const isRefused = by === "sms" && subscriberId <= NO_SMS;
  if (isRefused !== (state === "skipped" && /gets no text messages/.test(reason ?? "")))
    tell("is of somebody who wants no text messages, or was taken for such");
  const isLate = state === "skipped" && /late by more/.test(reason ?? "");
  if (isLate && rule !== "ended") tell("may be late");
  if (state === "skipped" && !isLate && !isRefused) tell("was skipped");
  if (rule === "ended" && state === "sent" && (endedAt ?? 0) > dueAt + LATE_BY + UNDER_WAY)
    tell(`was sent ${(endedAt ?? 0) - dueAt} s late`);
  return faults;
}

/** What was taken was sent to whom it was for, and the same words came under one id. */
function takenFaults(rows: readonly Row[], received: readonly Received[]): string[] {
  const known = new Map(rows.map((row) => [row.uid, row]));
  const faults = received.flatMap(({ id, by, to }) => {
    const row = known.get(id);
    if (!row) return [`nobody here sent ${id} by ${by}`];
    return row.by === by && row.address === to
      ? []
      : [`${id} went by ${by} to ${to} in place of ${row.address}`];
  });
  for (const [what, all] of Map.groupBy(received, ({ by, text }) => `${text} by ${by}`)) {
    const ids = new Set(all.map(({ id }) => id));
    if (ids.size > 1) faults.push(`"${what}" came under ${ids.size} ids`);
  }
  return faults;
}
