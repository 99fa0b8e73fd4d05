import { afterAll, expect, test } from "bun:test";
import * as fc from "fast-check";
import type { NamedAttribute } from "../../../src/radius/packet/codec.ts";
import { printedCode } from "../../../src/domain/cards/codes.ts";
import { makeBatch, placesOf } from "../../support/card-codes.ts";
import type { AccountingStatus } from "../../support/radius-client.ts";
import { FROM, TestHandlers } from "../../support/radius-handlers.ts";
import { NOW } from "../../support/store.ts";

// Random sessions of cards; whatever the network does to their packets, cards and sessions end as if each had come once, in order.

/** All packets are delivered at this time; each says by Acct-Delay-Time how long ago its moment was. */
const ARRIVAL = NOW + 86_400;
const CARDS = 3;
const QUOTA = 5_000_000;

const handlers = await TestHandlers.open();
handlers.clock.now = ARRIVAL;
afterAll(() => handlers[Symbol.asyncDispose]());
const cards = makeBatch(handlers.db, {
  ...{ quantity: CARDS, devices: 5, uptime_seconds: 3000, data_quota_bytes: QUOTA },
});

interface Shape {
  card: number;
  /** Seconds from NOW. */
  from: number;
  isTypedSmall: boolean;
  losesStart: boolean;
  stops: boolean;
  steps: { pause: number; octets: number }[];
}

interface Moment {
  status: AccountingStatus;
  attributes: readonly NamedAttribute[];
}

const shape: fc.Arbitrary<Shape> = fc.record({
  card: fc.nat(CARDS - 1),
  from: fc.nat(4000),
  isTypedSmall: fc.boolean(),
  losesStart: fc.boolean(),
  stops: fc.boolean(),
  steps: fc.array(fc.record({ pause: fc.integer({ min: 1, max: 900 }), octets: fc.nat(1_000_000) }), {
    ...{ minLength: 1, maxLength: 5 },
  }),
});

/** The packets of a session, each on a device and at an address of its own. */
function tell({ card, from, isTypedSmall, losesStart, stops, steps }: Shape, index: number): Moment[] {
  const code = cards[card]?.code ?? "";
  const common: NamedAttribute[] = [
    ["User-Name", isTypedSmall ? printedCode(code).toLowerCase() : code],
    ["Acct-Session-Id", `8000${index}`],
    ["Calling-Station-Id", `00:50:56:25:8B:0${index}`],
  ];
  const moment = (status: AccountingStatus, at: number, more: NamedAttribute[] = []): Moment => ({
    status,
    attributes: [...common, ...more, ["Acct-Delay-Time", ARRIVAL - NOW - at]],
  });
  const moments = losesStart ? [] : [moment("Start", from)];
  let [at, octets] = [from, 0];
  for (const [i, step] of steps.entries()) {
    at += step.pause;
    octets += step.octets;
    const isLast = i === steps.length - 1;
    moments.push(
      moment(stops && isLast ? "Stop" : "Interim-Update", at, [
        ["Acct-Session-Time", at - from],
        ["Acct-Input-Octets", octets],
        ["Acct-Output-Octets", 0],
      ]),
    );
  }
  return moments;
}

async function deliver(moments: readonly Moment[], batch: number): Promise<void> {
  let unanswered = moments.length;
  for (const [i, { status, attributes }] of moments.entries()) {
    const { datagram } = handlers.client.prepareAccounting(status, attributes);
    handlers.clock.uptime += 20;
    handlers.accountingHandler.receive(datagram, FROM, handlers.clock.uptime, () => {
      unanswered--;
    });
    if (i % batch === batch - 1) await handlers.accountingHandler.drain(1000);
  }
  await handlers.accountingHandler.drain(1000);
  expect(unanswered).toBe(0);
}

function clear(): void {
  handlers.db.$client.run("DELETE FROM sessions");
  handlers.db.$client.run(
    "UPDATE cards SET state = 'new', first_used_at = NULL, ends_at = NULL, used_seconds = 0, used_octets = 0, used_up_at = NULL",
  );
  handlers.crossed.length = 0;
}

interface Used {
  firstUsedAt: number | null;
  endsAt: number | null;
  usedSeconds: number;
  usedOctets: number;
  isUsedUp: 0 | 1;
}

function books() {
  const { $client } = handlers.db;
  const sessions = $client
    .query(
      `SELECT username, card_id, acct_session_id, started_at, stopped_at, session_time, input_octets FROM sessions
       ORDER BY acct_session_id`,
    )
    .all();
  const used = $client
    .query<Used, []>(
      `SELECT first_used_at AS firstUsedAt, ends_at AS endsAt, used_seconds AS usedSeconds, used_octets AS usedOctets,
         used_up_at IS NOT NULL AS isUsedUp FROM cards ORDER BY id`,
    )
    .all();
  const crossed = handlers.crossed.map((one) => ("cardId" in one ? one.cardId : 0)).toSorted();
  return { sessions, used, crossed };
}

function disorder(moments: readonly Moment[]): fc.Arbitrary<Moment[]> {
  const again = fc.array(fc.nat(Math.max(0, moments.length - 1)), { maxLength: moments.length });
  return again
    .map((indexes) => moments.concat(indexes.flatMap((i) => moments[i] ?? [])))
    .chain((all) => fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length }));
}

const RUNS = { numRuns: Number(Bun.env["ACCOUNTING_RUNS"] ?? 60) };
/** Every packet is a commit to disk, and disks of test machines differ. */
const PATIENCE = 60_000;

test(
  "first use, sums and what is told of cards: any order, any repeats",
  async () => {
    const story = fc
      .array(shape, { minLength: 1, maxLength: 5 })
      .chain((shapes) =>
        fc.tuple(
          fc.constant(shapes),
          disorder(shapes.flatMap((one, i) => tell(one, i))),
          fc.integer({ min: 1, max: 9 }),
        ),
      );
    await fc.assert(
      fc.asyncProperty(story, async ([shapes, arrivals, batch]) => {
        clear();
        await deliver(
          shapes.flatMap((one, i) => tell(one, i)),
          5,
        );
        const ordered = books();
        clear();
        await deliver(arrivals, batch);
        expect(books()).toEqual(ordered);

        for (const [place, used] of ordered.used.entries()) {
          const own = shapes.filter(({ card }) => card === place);
          const sum = (key: "pause" | "octets") =>
            own.flatMap(({ steps }) => steps).reduce((total, step) => total + step[key], 0);
          const first = own.length === 0 ? null : NOW + Math.min(...own.map(({ from }) => from));
          const isUsedUp = sum("pause") >= 3000 || sum("octets") >= QUOTA;
          expect(used).toEqual({
            ...{ firstUsedAt: first, endsAt: first === null ? null : first + 3600 },
            ...{ usedSeconds: sum("pause"), usedOctets: sum("octets"), isUsedUp: isUsedUp ? 1 : 0 },
          });
        }
      }),
      RUNS,
    );
    for (const { code } of cards) expect(placesOf(handlers.db, code)).toEqual([]);
  },
  PATIENCE,
);
