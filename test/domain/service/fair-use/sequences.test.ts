import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { type Db, write } from "../../../../db/open.ts";
import { activate, quote } from "../../../../src/domain/service/activation/activate.ts";
import { dueRenewals, renewDue } from "../../../../src/domain/service/activation/auto-renew.ts";
import { extend } from "../../../../src/domain/service/activation/extend.ts";
import { quoteTopUp, topUp } from "../../../../src/domain/service/activation/top-up.ts";
import { freeExpiredAddresses } from "../../../../src/domain/goods/address-pools/free.ts";
import { voidSoldInvoice } from "../../../../src/domain/desk/void/void.ts";
import { DomainError } from "../../../../src/domain/core/errors/errors.ts";
import { beginWindows } from "../../../../src/domain/service/fair-use/begin-windows.ts";
import { archiveOne, restoreSubscriber } from "../../../../src/domain/desk/subscriber-page/archive.ts";
import { freezeService, thawSubscriber } from "../../../../src/domain/desk/subscriber-page/freeze-service.ts";
import { setSubscriberStatus } from "../../../../src/domain/goods/subscribers/status.ts";
import { by, DAY } from "../../../support/isp.ts";
import { NOW } from "../../../support/store.ts";
import { GB, IDS, World } from "./world.ts";
import { runs } from "../../../support/runs.ts";

interface Turn {
  readonly world: World;
  readonly db: Db;
  readonly at: { readonly now: number };
  readonly one: { readonly subscriberId: number };
  readonly pick: number;
}

/** Does it, which is what was promised before, a refusal too. */
function asPromised<T extends { expiresAt: number }>(
  promise: () => { expiresAt: number },
  body: () => T,
): void {
  const result = outcomeOf(promise);
  try {
    expect(body().expiresAt).toBe(Number(result));
  } catch (error) {
    if (error instanceof DomainError) expect(result).toBe(error.message);
    throw error;
  }
}

function outcomeOf(promise: () => { expiresAt: number }): number | string {
  try {
    return promise().expiresAt;
  } catch (error) {
    if (error instanceof DomainError) return error.message;
    throw error;
  }
}

const sell =
  (packageId: number) =>
  ({ db, at, one, pick }: Turn) => {
    const input = { ...one, packageId, creditUnused: pick % 2 === 1 };
    asPromised(
      () => quote(db, by, input, at),
      () => activate(db, by, input, at),
    );
  };
const add =
  (packageId: number) =>
  ({ db, at, one }: Turn) => {
    const input = { ...one, packageId };
    asPromised(
      () => quoteTopUp(db, by, input, at),
      () => topUp(db, by, input, at),
    );
  };

/** A further operation is a further line. */
const operations = {
  sell_plain: sell(1),
  sell_volume: sell(2),
  sell_tiers: sell(3),
  sell_hours: sell(4),
  sell_postpaid: sell(5),
  add_bytes: add(10),
  add_rolling: add(11),
  add_days: add(12),
  void: ({ db, at, pick }) => {
    const sold = db.$client
      .query<{ id: number }, []>("SELECT id FROM invoices ORDER BY id DESC LIMIT 4")
      .all();
    const invoiceId = sold[pick % 4]?.id ?? 99;
    voidSoldInvoice(db, by, { invoiceId, reason: "mistake", endService: pick % 3 !== 0 }, at);
  },
  extend: ({ db, at, one, pick }) =>
    extend(db, by, { ...one, hours: 1 + (pick % 200), reason: "storm", trust: pick % 2 === 1 }, at),
  freeze: ({ db, at, one }) => write(db, (tx) => freezeService(tx, by, one.subscriberId, at.now)),
  thaw: ({ db, at, one }) => thawSubscriber(db, by, one, at),
  archive: ({ db, at, one }) => write(db, (tx) => archiveOne(tx, by, one, at)),
  restore: ({ db, at, one }) => {
    restoreSubscriber(db, by, one, at);
    setSubscriberStatus(db, by, { ...one, enabled: true }, at);
  },
  free_addresses: ({ db, at }) => freeExpiredAddresses(db, by, at),
  begin_windows: ({ db, at }) => beginWindows(db, by, at),
  renew: ({ db, at }) => renewDue(db, by, { subscriberIds: dueRenewals(db, by, { all: true }, at) }, at),
  use: ({ world, one, pick }) => world.use(one.subscriberId, (pick % 40) * 0.25 * GB),
  stop: ({ world, one }) => world.stop(one.subscriberId),
} satisfies Record<string, (turn: Turn) => unknown>;

type Name = keyof typeof operations;
const names = Object.keys(operations).filter((name): name is Name => Object.hasOwn(operations, name));

const turns = fc.array(
  fc.record({
    name: fc.constantFrom(...names),
    subscriberId: fc.constantFrom(...IDS, 1),
    pick: fc.nat({ max: 1000 }),
    passes: fc.constantFrom(60, 60, 3600, 20_000, DAY, 5 * DAY, 40 * DAY),
  }),
  { minLength: 1, maxLength: 60, size: "max" },
);

/** All of which a refusal changes nothing. */
const everything = ({ $client }: Db) =>
  ["ledger_entries", "invoices", "credit_notes", "services", "subscribers", "address_pools"].map((table) =>
    $client.query(`SELECT * FROM ${table}`).all(),
  );

test("any sequence of sales, top-ups, voids and bytes: what was promised is done, volumes, addresses and money stay right, and who is refused changed nothing", async () => {
  await fc.assert(
    fc.asyncProperty(turns, async (sequence) => {
      await using world = await World.open();
      const { db } = world.handlers;
      db.$client.run("PRAGMA synchronous = OFF"); // nothing here is about a disk
      db.$client.run("UPDATE subscribers SET auto_renew = 1 WHERE id = 4");
      let now = NOW;
      for (const { name, subscriberId, pick, passes } of sequence) {
        now += passes;
        world.now = now;
        const before = everything(db);
        try {
          await operations[name]({ world, db, at: { now }, one: { subscriberId }, pick });
        } catch (error) {
          if (!(error instanceof DomainError)) throw error;
          expect(everything(db)).toEqual(before);
        }
        world.judge({ now });
      }
    }),
    runs(6, 12),
  );
});
