import type { Db } from "../../db/open.ts";
import { tellMoments } from "../../src/domain/core/events/moments.ts";
import { type IncomingFilters, listIncoming } from "../../src/domain/desk/incoming/list.ts";
import { bookMessage } from "../../src/domain/around/messages/booking.ts";
import { listMessages, type MessageFilters } from "../../src/domain/around/messages/outbox.ts";
import { planMessages } from "../../src/domain/around/messages/plan.ts";
import { deleteRule } from "../../src/domain/around/messages/rules.ts";
import { channelsDue, takeNext } from "../../src/domain/around/messages/sending.ts";
import { forgetOldRows } from "../../src/domain/machine/retention/forget.ts";
import { activate } from "../../src/domain/service/activation/activate.ts";
import { takePayment } from "../../src/domain/desk/payments/take.ts";
import { bookAttempt } from "../../src/domain/around/webhooks/book.ts";
import { type DeliveryFilters, listDeliveries } from "../../src/domain/around/webhooks/deliveries.ts";
import { dueDeliveries, endpointsDue } from "../../src/domain/around/webhooks/due.ts";
import {
  createEndpoint,
  deleteEndpoint,
  setEndpointEnabled,
} from "../../src/domain/around/webhooks/endpoints.ts";
import { endpointHealth } from "../../src/domain/around/webhooks/health.ts";
import { planDeliveries } from "../../src/domain/around/webhooks/plan.ts";
import { aSubscriber, by, DAY } from "../../test/support/isp.ts";
import { BUSY, fillManyMessages, QUIET } from "../../test/support/many-messages.ts";
import { TestHandlers } from "../../test/support/radius-handlers.ts";
import { NOW } from "../../test/support/store.ts";
import type { ReminderFigures } from "./reminders.ts";

/** Rows of events, messages and deliveries, with how many of the last wait, and subscribers, who all end on one day. */
const SIZES = [
  { rows: 1000, waiting: 500, subscribers: 500, incoming: 1000 },
  { rows: 1_000_000, waiting: 50_000, subscribers: 50_000, incoming: 100_000 },
] as const;
/** How often what changes one row is asked, and what reads a page. */
const RUNS = 400;
const TIMES = 15;
const END = NOW + 10 * DAY;
const clerk = { ...by, staffId: 1, name: "Ada", scope: { ...by.scope, ispId: 1 } };

/** Medians of processor time in microseconds, of each size of `sizes`; `whole`: of a whole run, and the longest that everybody else waited for it. */
export interface MessageFigures {
  readonly sizes: readonly { readonly rows: number }[];
  readonly rows: readonly { readonly what: string; readonly times: readonly number[] }[];
  readonly whole: readonly { readonly what: string; readonly runs: readonly Whole[] }[];
  readonly logins: ReminderFigures;
}

export interface Whole {
  readonly seconds: number;
  /** Milliseconds. */
  readonly longest: number;
}

/** What events, webhooks, messages and payments that arrive cost, in this process. */
export async function measureMessages(log: (line: string) => void): Promise<Omit<MessageFigures, "logins">> {
  const measured: Measured[] = [];
  for (const size of SIZES) {
    log(`messages: ${size.rows} of each, ${size.subscribers} subscribers who end on one day`);
    measured.push(await measureWith(size));
  }
  const [first] = measured;
  return {
    sizes: SIZES,
    rows: Object.keys(first?.times ?? {}).map((what) => ({
      what,
      times: measured.map(({ times }) => times[what] ?? 0),
    })),
    whole: Object.keys(first?.whole ?? {}).map((what) => ({
      what,
      runs: measured.flatMap((one) => one.whole[what] ?? []),
    })),
  };
}

interface Measured {
  readonly times: Record<string, number>;
  readonly whole: Record<string, Whole>;
}

async function measureWith({
  rows,
  waiting,
  subscribers,
  incoming,
}: (typeof SIZES)[number]): Promise<Measured> {
  await using handlers = await TestHandlers.open({
    subscribers: Array.from({ length: subscribers }, (_, index) =>
      aSubscriber(index + 1, { mobile_number: `+44 7700 ${index}`, sms_status: 1 }),
    ),
  });
  const { db } = handlers;
  db.$client.run("PRAGMA cache_size = -500000"); // kB; to fill it
  await tellMoments(db, by, { now: NOW });
  fillManyMessages(db, { rows, waitingDeliveries: waiting, incoming, subscribers, now: NOW });
  db.$client.run("ANALYZE");
  db.$client.run("PRAGMA wal_checkpoint(TRUNCATE)");
  db.$client.run("PRAGMA cache_size = -65536");
  const times = { ...reads(db), ...(await accounting(handlers)), ...events(db), ...calls(db) };
  const whole = await wholeRuns(db);
  return { times: { ...times, ...sending(db) }, whole: { ...whole, ...(await endings(db)) } };
}

function reads(db: Db): Record<string, number> {
  const page = { before: Number.MAX_SAFE_INTEGER, limit: 101 };
  const times = (run: () => unknown) => median(TIMES, () => undefined, run);
  const outbox = (filters: MessageFilters) => times(() => listMessages(db, clerk, filters, page));
  const deliveries = (filters: DeliveryFilters) => times(() => listDeliveries(db, clerk, filters, page));
  const arrived = (filters: IncomingFilters) => times(() => listIncoming(db, clerk, filters, page));
  return {
    "outbox, the first 100": outbox({}),
    "outbox, the failed": outbox({ state: "failed" }),
    "outbox, the waiting": outbox({ state: "waiting" }),
    "outbox, of a busy channel": outbox({ channelId: BUSY }),
    "outbox, of a quiet channel": outbox({ channelId: QUIET }),
    "outbox, sent by a quiet channel": outbox({ channelId: QUIET, state: "sent" }),
    "outbox, failed by a busy channel": outbox({ channelId: BUSY, state: "failed" }),
    "outbox, of a quiet rule": outbox({ ruleId: QUIET }),
    "outbox, sent by a quiet rule": outbox({ ruleId: QUIET, state: "sent" }),
    "outbox, of a subscriber": outbox({ subscriberId: 42 }),
    "deliveries, of a busy endpoint": deliveries({ endpointId: BUSY }),
    "deliveries, of a quiet endpoint": deliveries({ endpointId: QUIET }),
    "deliveries, failed of a busy endpoint": deliveries({ endpointId: BUSY, state: "failed" }),
    "deliveries, failed of a quiet endpoint": deliveries({ endpointId: QUIET, state: "failed" }),
    "how an endpoint goes": times(() => endpointHealth(db, by, { id: BUSY, ispId: null })),
    "arrived, the first 100": arrived({ view: "all" }),
    "arrived, what waits": arrived({ view: "open" }),
    "arrived, of a busy provider": arrived({ view: "all", provider: "M-Pesa" }),
    "arrived, of a quiet provider": arrived({ view: "all", provider: "Bank" }),
    "arrived, of a subscriber": arrived({ view: "all", subscriberId: 42 }),
    "a look for messages to plan": times(() => planMessages(db, by, { now: NOW })),
    "a look for due channels": times(() => channelsDue(db, NOW)),
    "a look for due endpoints": times(() => endpointsDue(db, NOW)),
  };
}

/** A Start while nobody asks for sessions, and while somebody does. */
async function accounting(handlers: TestHandlers): Promise<Record<string, number>> {
  let session = 0;
  const starts = async () => {
    const measured: number[] = [];
    for (let nth = 0; nth < RUNS; nth++) {
      const { datagram } = handlers.client.prepareAccounting("Start", [
        ["User-Name", `user${1 + (nth % 100)}`],
        ["Acct-Session-Id", `s${session++}`],
      ]);
      const began = process.cpuUsage();
      await handlers.deliverRaw(datagram);
      measured.push(total(process.cpuUsage(began)));
    }
    return middle(measured);
  };
  const without = await starts();
  const { endpoint } = createEndpoint(
    handlers.db,
    by,
    { isp_id: 1, url: "https://hooks.example/", types: "session.started" },
    { now: NOW },
  );
  const startedAt = await starts();
  deleteEndpoint(handlers.db, by, { id: endpoint.id }, { now: NOW });
  return { "a Start, nobody asks": without, "a Start, somebody asks": startedAt };
}

/** What writes events on its way. */
function events(db: Db): Record<string, number> {
  let next = 0;
  const id = () => 1 + (next++ % 100);
  return {
    "take a payment": median(RUNS, id, (subscriberId) =>
      takePayment(db, clerk, { subscriberId, amount: 1500, method: "cash" }, { now: NOW }),
    ),
    activate: median(RUNS / 8, id, (subscriberId) =>
      activate(db, clerk, { subscriberId, packageId: 1 }, { now: NOW }),
    ),
  };
}

function sending(db: Db): Record<string, number> {
  const at = { now: END, random: 0 };
  return {
    "take the next message": median(
      RUNS,
      () => undefined,
      () => takeNext(db, by, { channelId: BUSY }, { now: END }),
    ),
    "book what came of it": median(
      100,
      () => takeNext(db, by, { channelId: BUSY }, { now: END }),
      (leaving) => leaving && bookMessage(db, by, leaving, { came: { kind: "sent" }, failures: 0 }, at),
    ),
  };
}

function calls(db: Db): Record<string, number> {
  const busy = { ids: new Set<number>(), subscribers: new Set<number>() };
  const next = () => dueDeliveries(db, { endpointId: BUSY, limit: 1, busy }, NOW);
  const came = { milliseconds: 40, status: 200, answer: "ok" };
  return {
    "take the next delivery": median(RUNS, () => undefined, next),
    "book what came of a call": median(
      50,
      next,
      ([due]) => due && bookAttempt(db, due, came, { now: NOW, random: 0 }),
    ),
  };
}

/** An endpoint with all that waits is switched off and on; then everybody's end is told, planned and given to it. */
async function wholeRuns(db: Db): Promise<Record<string, Whole>> {
  const turn = (enabled: boolean) => setEndpointEnabled(db, by, { id: BUSY, enabled }, { now: NOW });
  const off = await whole(async () => turn(false));
  turn(true);
  const announced = await whole(() => tellMoments(db, by, { now: END }));
  const planned = await whole(() => planMessages(db, by, { now: END }));
  const prepare = await whole(async () => {
    // as the clock does each second
    while (planDeliveries(db, by, { now: END }) > 0) await Bun.sleep(0);
  });
  return {
    "switch off an endpoint for which all wait": off,
    "tell that all end, and have ended": announced,
    "plan a message to all": planned,
    "give all to a webhook": prepare,
  };
}

async function endings(db: Db): Promise<Record<string, Whole>> {
  return {
    "delete a rule": await whole(async () => deleteRule(db, by, { id: BUSY }, { now: END })),
    "forget the events of a day": await whole(() => forgetOldRows(db, by, { now: NOW + DAY })),
    "forget nothing": await whole(() => forgetOldRows(db, by, { now: NOW + DAY })),
    "delete an endpoint": await whole(async () => deleteEndpoint(db, by, { id: BUSY }, { now: END })),
  };
}

async function whole(run: () => Promise<unknown>): Promise<Whole> {
  let last = performance.now();
  let longest = 0;
  const look = () => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  };
  const timer = setInterval(look, 1);
  const began = performance.now();
  await run();
  look();
  clearInterval(timer);
  return { seconds: (performance.now() - began) / 1000, longest };
}

const total = ({ user, system }: NodeJS.CpuUsage) => user + system;
const middle = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** The median processor time in microseconds, which others' work does not stretch; what `given` makes is not measured. */
function median<T>(times: number, prepare: (index: number) => T, run: (prepared: T) => unknown): number {
  run(prepare(0));
  return middle(
    Array.from({ length: times }, (_, index) => {
      const value = prepare(index);
      const began = process.cpuUsage();
      run(value);
      return total(process.cpuUsage(began));
    }),
  );
}
