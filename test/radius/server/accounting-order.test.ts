import { afterAll, beforeEach, expect, test } from "bun:test";
import * as fc from "fast-check";
import type { NamedAttribute } from "../../../src/radius/packet/codec.ts";
import { aSubscriber } from "../../support/isp.ts";
import type { AccountingStatus } from "../../support/radius-client.ts";
import { FROM, TestHandlers } from "../../support/radius-handlers.ts";
import { NOW } from "../../support/store.ts";
import { runs } from "../../support/runs.ts";

// Random sessions; whatever the network does to their packets, the books end the same as if each had come once, in order.

const G = 2 ** 32;
/** All packets are delivered at this time; each says by Acct-Delay-Time how long ago its moment was. */
const ARRIVAL = NOW + 86_400;

interface Moment {
  session: number;
  status: AccountingStatus;
  /** Seconds from NOW. */
  at: number;
  attributes: NamedAttribute[];
  counters: readonly [number, number];
}

const handlers = await TestHandlers.open({ subscribers: [aSubscriber(1), aSubscriber(2)] });
handlers.clock.now = ARRIVAL;
afterAll(() => handlers[Symbol.asyncDispose]());
beforeEach(clear);

function clear(): void {
  for (const table of ["sessions", "usage_days"]) handlers.db.$client.run(`DELETE FROM ${table}`);
  handlers.db.$client.run("UPDATE services SET quota_used = 0");
}

async function deliver(moments: readonly Moment[], batch = 5): Promise<void> {
  let unanswered = moments.length;
  for (const [i, { status, at, attributes }] of moments.entries()) {
    const delay: NamedAttribute = ["Acct-Delay-Time", ARRIVAL - NOW - at];
    const { datagram } = handlers.client.prepareAccounting(status, [...attributes, delay]);
    // far apart, so that no repeat is caught before the books
    handlers.clock.uptime += 20;
    handlers.accountingHandler.receive(datagram, FROM, handlers.clock.uptime, () => {
      unanswered--;
    });
    if (i % batch === batch - 1) await handlers.accountingHandler.drain(60_000);
  }
  await handlers.accountingHandler.drain(60_000);
  expect(unanswered).toBe(0);
}

const columns = "SELECT * FROM sessions ORDER BY username, acct_session_id, started_at";
/** Everything in the books but the rows' numbers, and the rate, which is between two reports as they came. */
function books() {
  const query = (sql: string) => handlers.db.$client.query<Record<string, unknown>, []>(sql).all();
  const sessions = query(columns).map((row) => {
    // in which order they ended is that of their packets
    const { id: _, rate_input: _input, rate_output: _output, change: _change, ...rest } = row;
    return rest;
  });
  // which day a delta falls on depends on when its packet came, the sum does not
  const usage = query(
    "SELECT subscriber_id, sum(input_octets) i, sum(output_octets) o FROM usage_days GROUP BY subscriber_id",
  );
  const quota = query("SELECT subscriber_id, quota_used FROM services ORDER BY subscriber_id");
  return { sessions, usage, quota };
}

const growth = fc.oneof(fc.nat(1_000_000), fc.integer({ min: G - 5, max: 3 * G }));
const steps = fc.array(fc.record({ pause: fc.integer({ min: 1, max: 900 }), up: growth, down: growth }), {
  minLength: 1,
  maxLength: 6,
});

interface Shape {
  subscriber: number;
  hasClass: boolean;
  gap: number;
  steps: { pause: number; up: number; down: number }[];
  stops: boolean;
  losesStart: boolean;
  knowsPrefixFrom: number;
}

const shape: fc.Arbitrary<Shape> = fc.record({
  subscriber: fc.integer({ min: 1, max: 3 }),
  hasClass: fc.boolean(),
  gap: fc.integer({ min: 61, max: 2000 }),
  steps,
  stops: fc.boolean(),
  losesStart: fc.boolean(),
  knowsPrefixFrom: fc.nat(6),
});

/** The packets of a session that begins at `from`; `resets`: counters begin again now and then. */
function tell(index: number, from: number, port: number, s: Shape, resets = false): Moment[] {
  const common: NamedAttribute[] = [
    ["User-Name", `user${s.subscriber}`],
    ["Acct-Session-Id", `8100${index}`],
    ["NAS-Port", index],
    ["NAS-Port-Id", `port${port}`],
    ["Calling-Station-Id", `00:50:56:25:8B:0${port}`],
    ["Framed-IP-Address", `10.7.0.${port}`],
    ...(s.hasClass ? [["Class", Buffer.from(`class ${index}`)] as const] : []),
  ];
  const moments: Moment[] = [];
  let at = from;
  let up = 0;
  let down = 0;
  if (!s.losesStart)
    moments.push({ session: index, status: "Start", at, attributes: common, counters: [0, 0] });
  for (const [i, step] of s.steps.entries()) {
    at += step.pause;
    const starts = resets && step.up % 3 === 0;
    up = starts ? step.up % 1000 : up + step.up;
    down = starts ? step.down % 1000 : down + step.down;
    const status = s.stops && i === s.steps.length - 1 ? "Stop" : "Interim-Update";
    const prefix: NamedAttribute[] =
      i >= s.knowsPrefixFrom ? [["Delegated-IPv6-Prefix", "2001:db8:5::/56"]] : [];
    const attributes: NamedAttribute[] = [
      ...common,
      ...prefix,
      ["Acct-Session-Time", at - from],
      ["Acct-Input-Octets", up % G],
      ["Acct-Input-Gigawords", Math.floor(up / G)],
      ["Acct-Output-Octets", down % G],
      ["Acct-Output-Gigawords", Math.floor(down / G)],
    ];
    moments.push({ session: index, status, at, attributes, counters: [up, down] });
  }
  return moments;
}

/** An order of arrival in which every packet comes at least once and many come again. */
function disorder(moments: readonly Moment[]): fc.Arbitrary<Moment[]> {
  const again = fc.array(fc.nat(Math.max(0, moments.length - 1)), { maxLength: moments.length });
  const everything = again.map((indexes) => moments.concat(indexes.flatMap((i) => moments[i] ?? [])));
  return everything.chain((all) =>
    fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length }),
  );
}

const RUNS = runs(20, 300);
/** Every packet is a commit to disk, and disks of test machines differ. */
const PATIENCE = 60_000;

test(
  "sessions on NAS-Ports of their own: any order, any repeats",
  async () => {
    const story = fc
      .array(shape, { minLength: 1, maxLength: 4 })
      .map((shapes) => shapes.map((one, i) => tell(i, one.gap, i, one)))
      .chain((sessions) =>
        fc.tuple(fc.constant(sessions), disorder(sessions.flat()), fc.integer({ min: 1, max: 9 })),
      );
    await fc.assert(
      fc.asyncProperty(story, async ([sessions, arrivals, batch]) => {
        clear();
        await deliver(sessions.flat());
        const ordered = books();
        clear();
        await deliver(arrivals, batch);
        expect(books()).toEqual(ordered);

        expect(ordered.sessions.length).toBe(sessions.length);
        for (const session of sessions) {
          const last = session.at(-1);
          const first = session[0];
          if (!last || !first) throw new Error("a session without packets");
          const row = ordered.sessions.find((one) => one["acct_session_id"] === `8100${first.session}`);
          expect([row?.["input_octets"], row?.["output_octets"]]).toEqual([...last.counters]);
          expect(row?.["stopped_at"]).toBe(last.status === "Stop" ? NOW + last.at : null);
        }
        const total = (subscriber: number) =>
          sessions
            .filter(([first]) => first?.attributes[0]?.[1] === `user${subscriber}`)
            .reduce((sum, session) => sum + (session.at(-1)?.counters.reduce((a, b) => a + b) ?? 0), 0);
        expect(ordered.quota.map((row) => row["quota_used"])).toEqual([total(1), total(2)]);
      }),
      RUNS,
    );
  },
  PATIENCE,
);

test(
  "sessions on the same NAS-Port-Id, with and without Stops: each begins in its turn, the rest in any order",
  async () => {
    const story = fc
      .array(shape, { minLength: 2, maxLength: 4 })
      .map((shapes) => {
        let at = 0;
        return shapes.map((one, i) => {
          const session = tell(i, at + one.gap, 0, one);
          at = session.at(-1)?.at ?? at;
          return session;
        });
      })
      .chain((sessions) => fc.tuple(fc.constant(sessions), disorder(sessions.flat())));
    await fc.assert(
      fc.asyncProperty(story, async ([sessions, arrivals]) => {
        clear();
        await deliver(sessions.flat());
        const ordered = books();
        clear();
        // a session is heard of for the first time only after the one before it was
        const begun = new Set<number>();
        const held: Moment[] = [];
        const turns: Moment[] = [];
        for (const arrival of arrivals) {
          if (arrival.session > 0 && !begun.has(arrival.session - 1)) held.push(arrival);
          else turns.push(arrival);
          if (turns.at(-1) === arrival) begun.add(arrival.session);
        }
        held.sort((a, b) => a.session - b.session);
        await deliver([...turns, ...held]);
        expect(books()).toEqual(ordered);
        // nobody is online twice on one NAS-Port-Id
        expect(ordered.sessions.filter((row) => row["stopped_at"] === null).length).toBeLessThanOrEqual(1);
      }),
      RUNS,
    );
  },
  PATIENCE,
);

test(
  "counter resets and restarts of the NAS: any repeats of what was told",
  async () => {
    const story = fc
      .tuple(
        fc.array(fc.tuple(shape, fc.boolean()), { minLength: 1, maxLength: 3 }),
        fc.infiniteStream(fc.nat()),
      )
      .map(([shapes, random]) => {
        let at = 0;
        const moments: Moment[] = [];
        for (const [i, [one, restarts]] of shapes.entries()) {
          const session = tell(i, at + one.gap, i, one, true);
          at = (session.at(-1)?.at ?? at) + 1;
          moments.push(...session);
          if (restarts)
            moments.push({ session: -1, status: "Accounting-On", at, attributes: [], counters: [0, 0] });
        }
        const arrivals = moments.flatMap((moment, i) => {
          const repeat = moments[Number(random.next().value ?? 0) % (i + 1)];
          return repeat ? [moment, repeat] : [moment];
        });
        return { moments, arrivals };
      });
    await fc.assert(
      fc.asyncProperty(story, async ({ moments, arrivals }) => {
        clear();
        await deliver(moments);
        const ordered = books();
        clear();
        await deliver(arrivals, 3);
        expect(books()).toEqual(ordered);
        for (const row of ordered.sessions) {
          const attributes = moments.filter(
            ({ attributes }) => attributes[1]?.[1] === row["acct_session_id"],
          );
          let [up, down] = [0, 0];
          let last: readonly [number, number] = [0, 0];
          for (const { counters } of attributes) {
            up += counters[0] >= last[0] ? counters[0] - last[0] : counters[0];
            down += counters[1] >= last[1] ? counters[1] - last[1] : counters[1];
            last = counters;
          }
          expect([row["input_octets"], row["output_octets"]]).toEqual([up, down]);
        }
      }),
      RUNS,
    );
  },
  PATIENCE,
);
