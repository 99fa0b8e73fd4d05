import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { compileLoad, type Load, type Outcome as Answers } from "../../../scripts/bench.d/load.ts";
import { writeTemplates } from "../../../scripts/bench.d/templates.ts";
import { formatTime } from "../../../src/domain/core/time/time.ts";
import { aPackage, aSubscriber, DAY, NAS_SECRET } from "../../support/isp.ts";
import { NOW } from "../../support/store.ts";
import { Box } from "../box.ts";
import { PostOffice } from "../messages/post-office.ts";
import type { Extent, Outcome, Trial } from "../trial.ts";
import { perMinuteOf, reminderFaults, type Row, type Rule } from "./judge.ts";
import { diskFolder } from "../../support/disk.ts";

/** A box that stands still for three days while the services of everybody end. */
export const reminders: Trial = { name: "reminders", run };

interface Scale {
  readonly subscribers: number;
  /** Messages a minute of the channel. */
  readonly perMinute: number;
  /** Milliseconds that a second of the box's clock takes while what was due is sent. */
  readonly second: number;
  /** Seconds that logins are measured, without messages and beside them. */
  readonly logins: number;
}

const WHOLE: Scale = { subscribers: 50_000, perMinute: 6000, second: 1000, logins: 60 };
const SHORT: Scale = { subscribers: 250, perMinute: 60, second: 30, logins: 1 };

/** Those who log in, whose service goes on. */
const STEADY = 1000;
/** Logins a second. */
const LOGINS = 200;
const HOUR = 3600;
const OUTAGE = 3 * DAY;
const LATE_BY = 6 * HOUR;
/** Services end on one day, of which two hours are left when the box is back. */
const LEFT = 2 * HOUR;
/** Seconds that pass at once when nothing but time is waited for. */
const STEP = 60;
/** Milliseconds that something may take which the box does by itself. */
const PATIENCE = 240_000;
/** Times the p99 without messages that it may be beside them, and milliseconds that nobody notices. */
const WORSE = 3;
const UNNOTICED = 5;

const rules: readonly Rule[] = [
  { name: "ends", before: DAY },
  { name: "ended", before: 0 },
];

async function run({ isShort, seed, log }: Extent): Promise<Outcome> {
  const scale = isShort ? SHORT : WHOLE;
  const folder = mkdtempSync(join(diskFolder(), "gatehouse-reminders-"));
  try {
    await using office = await PostOffice.open(seed);
    const ends = endsOf(scale.subscribers);
    await using box = await Box.open({ now: NOW, zone: "UTC", data: anIsp(ends) });
    await setUp(box, { web: office.ports.web, perMinute: scale.perMinute });
    const measure = await loginsOf(folder, scale.logins);
    const without = await measure(box.radiusPort);
    await box.standStill(OUTAGE);
    const backAt = box.now;
    const beside = measure(box.radiusPort);
    const drainedAt = await drain(box, scale.second);
    const logins = { without, beside: await beside };
    log(`${office.taken.length} of ${ends.size} were told within ${drainedAt - backAt} s after three days`);
    await passOn(box, backAt + LEFT + 2 * STEP);
    const rows = box.rows<Row>(
      `SELECT m.uid, r.name AS rule, m.subscriber_id AS subscriberId, m.state, m.reason, m.due_at AS dueAt, m.ended_at AS endedAt
       FROM messages m JOIN message_rules r ON r.id = m.rule_id`,
    );
    const { perMinute } = scale;
    const story = { rules, ends, backAt, drainedAt, lateBy: LATE_BY, perMinute, taken: office.taken };
    const faults = reminderFaults(rows, story);
    faults.push(...loginFaults(logins, isShort));
    return { faults: shortened(faults), figures: figures(rows, { scale, backAt, drainedAt, logins }) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** By subscriber: spread over the day, every fourth on a full hour. */
function endsOf(subscribers: number): Map<number, number> {
  const from = NOW + OUTAGE + LEFT - DAY;
  return new Map(
    Array.from({ length: subscribers }, (_, index) => {
      const at = Math.floor((index * DAY) / subscribers);
      return [STEADY + 1 + index, from + (index % 4 === 0 ? at - (at % HOUR) : at)];
    }),
  );
}

/** Those who log in, and those whose services end. */
function anIsp(ends: ReadonlyMap<number, number>): Record<string, unknown> {
  const reached = (id: number) => ({ mobile_number: `+4477${10_000_000 + id}`, sms_status: 1 });
  const until = (at: number) => ({ current_expiration_date: formatTime(at) });
  return {
    nas: [{ id: 1, isp_id: 1, name: "core", address: "127.0.0.1", secret: NAS_SECRET }],
    packages: [aPackage(1)],
    subscribers: [
      ...Array.from({ length: STEADY }, (_, index) => aSubscriber(index + 1, until(NOW + 100 * DAY))),
      ...[...ends].map(([id, at]) => aSubscriber(id, { ...reached(id), ...until(at) })),
    ],
  };
}

async function setUp(box: Box, { web, perMinute }: { web: number; perMinute: number }): Promise<void> {
  const make = async (path: string, fields: Record<string, string>) => {
    const { status, body } = await box.call("POST", `/api/v1/${path}`, { isp_id: "1", ...fields });
    if (status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`);
  };
  await make("channel/create", {
    name: "sms",
    kind: "http",
    address: "mobile",
    is_sms: "1",
    url: `http://127.0.0.1:${web}/sms`,
    body_kind: "json",
    body: '{"id": "{{id}}", "to": "{{to}}", "text": "{{body}}"}',
    allow_local: "1",
    per_minute: String(perMinute),
  });
  for (const { name, before } of rules) {
    await make("message_template/save", { name, language: "en", subject: "", body: `${name} {{username}}` });
    await make("message_rule/create", {
      name,
      on: "expiry",
      offset: String(-before),
      audience: "subscriber",
      channel_id: "1",
      template: name,
      late_by: String(LATE_BY),
    });
  }
}

async function loginsOf(folder: string, seconds: number) {
  const load = await compileLoad(folder);
  const { pap } = await writeTemplates(folder, STEADY);
  const requests: Omit<Load, "port"> = {
    templates: pap,
    seconds,
    warmup: 0,
    drive: { rate: LOGINS },
    first: 0,
  };
  return (port: number): Promise<Answers> => load({ ...requests, port });
}

interface Waiting {
  readonly due: number;
  readonly planned: number;
}

/** What is due and was not sent, and up to when everything is planned. */
function waitingIn(box: Box): Waiting {
  const [row] = box.rows<Waiting>(
    `SELECT (SELECT count(*) FROM messages WHERE state = 'sending' OR (state = 'waiting' AND next_at <= ?)) AS due,
       (SELECT min(planned_to) FROM message_rules) AS planned`,
    box.now,
  );
  return row ?? { due: 0, planned: 0 };
}

/** Lets time pass second by second until all that was due is sent, and says when that was. */
async function drain(box: Box, second: number): Promise<number> {
  const backAt = box.now;
  const end = performance.now() + PATIENCE;
  for (;;) {
    const next = performance.now() + second;
    const { due, planned } = waitingIn(box);
    if (due === 0 && planned >= backAt) return box.now;
    if (performance.now() > end) throw new Error(`${due} messages wait that are due, planned to ${planned}`);
    await box.pass(1);
    await Bun.sleep(Math.max(0, next - performance.now()));
  }
}

/** Lets time pass until a moment, and until all that is due then is sent. */
async function passOn(box: Box, until: number): Promise<void> {
  const end = performance.now() + PATIENCE;
  for (;;) {
    const { due, planned } = waitingIn(box);
    if (due === 0 && planned >= until) return;
    if (performance.now() > end) throw new Error(`${due} messages wait that are due, planned to ${planned}`);
    // what is under way would be broken off, for as much time has passed
    await box.pass(due === 0 && planned > box.now - STEP ? STEP : 1);
    await Bun.sleep(10);
  }
}

interface Logins {
  readonly without: Answers;
  readonly beside: Answers;
}

const ms = (microseconds: number) => microseconds / 1000;

function loginFaults({ without, beside }: Logins, isShort: boolean): string[] {
  const bad = [without, beside].map(({ refused, forged }) => refused + forged);
  const faults = bad.filter((count) => count > 0).map((count) => `${count} logins were refused`);
  // on a machine that is busy with other tests an answer may be late
  if (isShort) return faults;
  if (beside.lost + without.lost > 0) faults.push(`${beside.lost + without.lost} logins were lost`);
  if (ms(beside.p99) > Math.max(WORSE * ms(without.p99), UNNOTICED))
    faults.push(
      `99 % of the logins took ${ms(beside.p99)} ms beside messages, ${ms(without.p99)} ms without`,
    );
  return faults;
}

function figures(
  rows: readonly Row[],
  context: { scale: Scale; backAt: number; drainedAt: number; logins: Logins },
): Outcome["figures"] {
  const { scale, backAt, drainedAt, logins } = context;
  const { without, beside } = logins;
  const count = (is: (row: Row) => boolean) => rows.filter(is).length;
  const sent = count(({ state }) => state === "sent");
  const atOnce = count(({ state, endedAt }) => state === "sent" && (endedAt ?? 0) <= drainedAt);
  const most = Math.max(...perMinuteOf(rows).values());
  const ratio = (of: (answers: Answers) => number) => (of(beside) / of(without)).toFixed(2);
  return [
    {
      what: `${scale.subscribers} services end on one day, in three days for which the box stood still: two rules, nothing wanted later than six hours`,
      figure: `${count(({ state }) => state === "skipped")} skipped, each with why; ${atOnce} sent within ${drainedAt - backAt} s, ${most} in a minute at the most of ${scale.perMinute}; ${sent - atOnce} when they were due; nobody twice`,
    },
    {
      what: `99 % of ${LOGINS} logins a second beside these messages`,
      figure: `within ${ms(beside.p99).toFixed(1)} ms; within ${ms(without.p99).toFixed(1)} ms without: ${ratio(({ p99 }) => p99)} times as long, half of them ${ratio(({ p50 }) => p50)} times`,
    },
  ];
}

/** Of fifty thousand that fail in one way, the first say enough. */
const shortened = (faults: readonly string[]) =>
  faults.length <= 20 ? faults : [...faults.slice(0, 20), `and ${faults.length - 20} more`];
