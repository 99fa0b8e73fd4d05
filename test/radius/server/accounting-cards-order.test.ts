import { afterAll, expect, test } from "bun:test";
import * as fc from "fast-check";
import type { NamedAttribute } from "../../../src/radius/packet/codec.ts";
import { cardBatchById } from "../../../src/domain/service/cards/batch-list.ts";
import { listCards } from "../../../src/domain/service/cards/list.ts";
import { printedCode } from "../../../src/domain/goods/codes/codes.ts";
import { cardRow, makeBatch, makeCard, placesOf } from "../../support/card-codes.ts";
import { type CardUse, recordFirstUses } from "../../../src/domain/service/cards/first-use.ts";
import { unlockCard } from "../../../src/domain/service/cards/unlock.ts";
import { CARD_CLASS_LENGTH, writeCardAccept } from "../../../src/domain/service/sessions/session-class.ts";
import type { AccountingStatus } from "../../support/radius-client.ts";
import { by } from "../../support/isp.ts";
import { FROM, TestHandlers } from "../../support/radius-handlers.ts";
import { NOW } from "../../support/store.ts";
import { runs } from "../../support/runs.ts";

// Random sessions of cards; whatever the network does to their packets, cards and sessions end as if each had come once, in order.

/** All packets are delivered at this time; each says by Acct-Delay-Time how long ago its moment was. */
const ARRIVAL = NOW + 86_400;
const CARDS = 3;
const QUOTA = 5_000_000;

const handlers = await TestHandlers.open();
handlers.clock.now = ARRIVAL;
afterAll(() => handlers[Symbol.asyncDispose]());
const cards = makeBatch(handlers.db, {
  quantity: CARDS,
  devices: 5,
  uptime_seconds: 3000,
  data_quota_bytes: QUOTA,
});

interface Shape {
  card: number;
  /** Seconds from NOW. */
  from: number;
  isTypedSmall: boolean;
  /** Seconds between its Accept, which its Class names, and its start; null: its router sends no Class. */
  accepted: number | null;
  /** The Accept never came to be written. */
  losesAccept: boolean;
  losesStart: boolean;
  stops: boolean;
  steps: { pause: number; octets: number }[];
}

/** A packet, or that main writes an Accept. */
type Moment =
  { status: AccountingStatus; attributes: readonly NamedAttribute[] } | { status: "Accept"; use: CardUse };

const shape: fc.Arbitrary<Shape> = fc.record({
  card: fc.nat(CARDS - 1),
  from: fc.integer({ min: 5, max: 4000 }),
  isTypedSmall: fc.boolean(),
  accepted: fc.option(fc.nat(5)),
  losesAccept: fc.boolean(),
  losesStart: fc.boolean(),
  stops: fc.boolean(),
  steps: fc.array(fc.record({ pause: fc.integer({ min: 1, max: 900 }), octets: fc.nat(1_000_000) }), {
    minLength: 1,
    maxLength: 5,
  }),
});

/** The packets of a session, each on a device and at an address of its own. */
function tell(shape: Shape, index: number, card = cards[shape.card]): Moment[] {
  const { from, isTypedSmall: isSmall, accepted, losesAccept, losesStart, stops, steps } = shape;
  const code = card?.code ?? "";
  const common: NamedAttribute[] = [
    ["User-Name", isSmall ? printedCode(code).toLowerCase() : code],
    ["Acct-Session-Id", `8000${index}`],
    ["Calling-Station-Id", macOf(index)],
    ...(accepted === null ? [] : [["Class", classOf(shape, index)] as const]),
  ];
  const moment = (status: AccountingStatus, at: number, more: NamedAttribute[] = []): Moment => ({
    status,
    attributes: [...common, ...more, ["Acct-Delay-Time", ARRIVAL - NOW - at]],
  });
  const accept: Moment = {
    status: "Accept",
    use: { cardId: card?.id ?? 0, at: NOW + from - (accepted ?? 0), mac: macOf(index) },
  };
  const moments = [...(losesAccept ? [] : [accept]), ...(losesStart ? [] : [moment("Start", from)])];
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

const macOf = (index: number) => `00:50:56:25:8B:0${index}`;

function classOf({ from, accepted }: Shape, index: number): Buffer {
  const sessionClass = Buffer.alloc(CARD_CLASS_LENGTH, index);
  writeCardAccept(sessionClass, { acceptedAt: NOW + from - (accepted ?? 0), sessionTimeout: 3000 });
  return sessionClass;
}

async function deliver(moments: readonly Moment[], batch: number): Promise<void> {
  let unanswered = moments.length;
  for (const [i, moment] of moments.entries()) {
    if (moment.status === "Accept") {
      recordFirstUses(handlers.db, [{ ...moment.use, isCardUse: true }]);
      unanswered--;
      continue;
    }
    const { datagram } = handlers.client.prepareAccounting(moment.status, moment.attributes);
    handlers.clock.uptime += 20;
    handlers.accountingHandler.receive(datagram, FROM, handlers.clock.uptime, () => {
      unanswered--;
    });
    if (i % batch === batch - 1) await handlers.accountingHandler.drain(60_000);
  }
  await handlers.accountingHandler.drain(60_000);
  expect(unanswered).toBe(0);
}

function clear(): void {
  handlers.db.$client.run("DELETE FROM sessions");
  handlers.db.$client.run(
    "UPDATE cards SET state = 'new', first_used_at = NULL, ends_at = NULL, locked_mac = NULL, used_seconds = 0, used_octets = 0, used_up_at = NULL",
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

/** When its card was first used, from NOW: at its Accept, whoever tells of that. */
function usedAt({ from, accepted }: Shape): number {
  return from - (accepted ?? 0);
}

const RUNS = runs(20, 300);
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

        // what is counted by the note of when, and what follows from the sums, is the same
        const { counts } = cardBatchById(handlers.db, by, 1, { now: NOW });
        expect(counts.used_up).toBe(ordered.used.filter(({ isUsedUp }) => isUsedUp === 1).length);
        const standing = { batchId: 1, standing: "used_up" } as const;
        expect(listCards(handlers.db, by, standing, { limit: 9, offset: 0, now: NOW }).total).toBe(
          counts.used_up,
        );

        for (const [place, used] of ordered.used.entries()) {
          const own = shapes.filter(({ card }) => card === place);
          const sum = (key: "pause" | "octets") =>
            own.flatMap(({ steps }) => steps).reduce((total, step) => total + step[key], 0);
          const first = own.length === 0 ? null : NOW + Math.min(...own.map(usedAt));
          const isUsedUp = sum("pause") >= 3000 || sum("octets") >= QUOTA;
          expect(used).toEqual({
            firstUsedAt: first,
            endsAt: first === null ? null : first + 3600,
            usedSeconds: sum("pause"),
            usedOctets: sum("octets"),
            isUsedUp: isUsedUp ? 1 : 0,
          });
        }
      }),
      RUNS,
    );
    for (const { code } of cards) expect(placesOf(handlers.db, code)).toEqual([]);
  },
  PATIENCE,
);

test(
  "a card that is bound to a device is bound to the same one in any order, and to the next one once staff let go",
  async () => {
    const bound = makeCard(handlers.db, { devices: 5, lock_first_device: 1 });
    const [before, after] = [0, 1];
    const attributes = (index: number, at: number) =>
      fc
        .record({ accepted: fc.option(fc.nat(5)), losesAccept: fc.boolean() })
        .map((some) => {
          const steps = [{ pause: 60, octets: 1 }];
          const shape = {
            ...some,
            steps,
            stops: true,
            card: 0,
            from: at,
            isTypedSmall: false,
            losesStart: false,
          };
          return tell(shape, index, bound);
        })
        .chain(disorder);
    const story = fc.tuple(attributes(before, 100), attributes(after, 2000), fc.nat(20));
    await fc.assert(
      fc.asyncProperty(story, async ([old, next, split]) => {
        clear();
        handlers.db.$client.run("DELETE FROM audit_entries WHERE entity = 'card'");
        const late = old.slice(1).slice(split);
        await deliver(old.slice(0, old.length - late.length), 1);
        const lock = () => cardRow(handlers.db, bound.id)["locked_mac"];
        expect(lock()).toBe(macOf(before));
        unlockCard(handlers.db, by, { id: bound.id }, { now: NOW + 1000 });
        await deliver(late, 3);
        expect(lock()).toBeNull();
        await deliver([...next.slice(0, 1), ...late, ...next.slice(1)], 3);
        expect(lock()).toBe(macOf(after));
      }),
      RUNS,
    );
  },
  PATIENCE,
);
