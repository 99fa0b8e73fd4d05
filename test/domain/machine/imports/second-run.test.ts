import { describe, expect, test } from "bun:test";
import { array, assert, asyncProperty, constantFrom, record, tuple } from "fast-check";
import { activate } from "../../../../src/domain/service/activation/activate.ts";
import type { MovedSubscriber } from "../../../../src/domain/machine/imports/model.ts";
import { checkStore } from "../../../../src/domain/machine/check/check.ts";
import { archiveOne } from "../../../../src/domain/desk/subscriber-page/archive.ts";
import { updateSubscriber } from "../../../../src/domain/goods/subscribers/update.ts";
import { setSubscriberStatus } from "../../../../src/domain/goods/subscribers/status.ts";
import { adjustWallet } from "../../../../src/domain/money/wallets/adjust.ts";
import { updatePackage } from "../../../../src/domain/goods/packages/packages.ts";
import { resetPassword } from "../../../../src/domain/goods/subscribers/reset-password.ts";
import { write } from "../../../../db/open.ts";
import { formatTime } from "../../../../src/domain/core/time/time.ts";
import { aSubscriber, by, DAY } from "../../../support/isp.ts";
import { NOW } from "../../../support/store.ts";
import { aMoved, aMovedSession, edge, home, Mover, somebody } from "./mover.ts";
import { runs } from "../../../support/runs.ts";

const LATER = NOW + DAY;
const later = { now: LATER };

/** Runs a source, changes what is here, and runs it again. */
async function twice(
  first: Partial<MovedSubscriber>,
  second: Partial<MovedSubscriber>,
  here?: (mover: Mover, id: number) => unknown,
): Promise<Mover> {
  const mover = await Mover.withIsp();
  await mover.run(aMoved({ subscribers: [somebody("ann", first)] }));
  await here?.(mover, Number(mover.subscriber("ann")?.["id"]));
  await mover.run(aMoved({ subscribers: [somebody("ann", second)] }), later);
  return mover;
}

const edit = (fields: Record<string, string>) => (mover: Mover) =>
  updateSubscriber(mover.db, by, { username: "ann", ...fields }, { ...later, toJson: (one) => one });

describe("a field", () => {
  test.each<[string, string | null, string | null, string | undefined, string | null, number]>([
    ["that changed nowhere stays", "a", "a", undefined, "a", 0],
    ["that changed there follows", "a", "b", undefined, "b", 0],
    ["that was emptied there is emptied", "a", "", undefined, null, 0],
    ["that came there is filled", "", "b", undefined, "b", 0],
    ["that changed here stays", "a", "a", "c", "c", 0],
    ["that changed at both sides stays, and both are named", "a", "b", "c", "c", 1],
    ["that changed to the same at both sides is the same", "a", "b", "b", "b", 0],
    ["that was emptied here and changed there stays empty", "a", "b", "", null, 1],
    ["that was filled here and there otherwise stays", "", "b", "c", "c", 1],
  ])("%s", async (_, first, second, here, expected, kept) => {
    using mover = await twice(
      { address: first, box_number: "always" },
      { address: second, box_number: "always" },
      here === undefined ? undefined : edit({ address: here }),
    );
    expect(mover.subscriber("ann")?.["address"]).toBe(expected);
    const texts = kept === 0 ? [] : [["ann", `address is b there, ${expected ?? "empty"} here`]];
    expect(mover.noticesOf("kept_here")).toEqual(texts as [string, string][]);
  });

  test("of which the source says nothing at all stays", async () => {
    using mover = await twice({ address: "a" }, {});
    expect(mover.subscriber("ann")).toMatchObject({ address: "a" });
  });

  test("that was told to stay is told again, as long as both sides differ", async () => {
    using mover = await twice({ address: "a" }, { address: "b" }, edit({ address: "c" }));
    const before = mover.dump();
    await mover.run(aMoved({ subscribers: [somebody("ann", { address: "b" })] }), later);
    expect([mover.noticesOf("kept_here").length, mover.dump()]).toEqual([1, before]);
  });
});

describe("a password", () => {
  test("that changed there follows, on the line too", async () => {
    using mover = await twice({ password: "old" }, { password: "new" });
    expect(mover.passwordOf("ann")).toEqual(["new", "new"]);
  });

  test("that changed at both sides stays, and neither is told", async () => {
    using mover = await twice({ password: "old" }, { password: "there" }, (one, id) =>
      resetPassword(one.db, by, { subscriberId: id, password: "here" }, later),
    );
    expect(mover.passwordOf("ann")).toEqual(["here", "here"]);
    expect(mover.noticesOf("kept_here")).toEqual([["ann", "its password was changed at both sides"]]);
  });

  test("that becomes known there replaces the one that was made", async () => {
    using mover = await twice({ password: { lost: "hashed" } }, { password: "known" });
    expect(mover.passwordOf("ann")).toEqual(["known", "known"]);
  });
});

describe("how somebody connects", () => {
  test("follows the source once it says it", async () => {
    using mover = await twice({ connection: null }, { connection: "hotspot" });
    expect(mover.subscriber("ann")).toMatchObject({ connection_type_id: 2, any_connection: 0 });
  });

  test("stays what staff chose", async () => {
    using mover = await twice(
      { connection: null },
      { connection: "hotspot" },
      edit({ connection_type_id: "1", any_connection: "0" }),
    );
    expect(mover.subscriber("ann")).toMatchObject({ connection_type_id: 1, any_connection: 0 });
    expect(mover.noticesOf("kept_here")).toEqual([["ann", "connection is 2 there, 1 here"]]);
  });
});

test("who was disabled there is disabled here, unless that changed here", async () => {
  using mover = await twice({}, { enabled: false });
  expect(mover.subscriber("ann")).toMatchObject({ status: 0 });
  using other = await twice({}, { enabled: true }, (one, id) =>
    setSubscriberStatus(one.db, by, { subscriberId: id, enabled: false }, later),
  );
  expect(other.subscriber("ann")).toMatchObject({ status: 0 });
});

describe("money and term", () => {
  const ledger = (mover: Mover) =>
    mover.rows("SELECT kind, amount, balance_after, reason FROM ledger_entries ORDER BY id");
  const opened = { kind: "opening", amount: 1000, balance_after: 1000, reason: null };

  test("of a balance the difference at the source is booked", async () => {
    using mover = await twice({ balance: "10.00" }, { balance: "7.50" });
    expect(ledger(mover)).toEqual([
      opened,
      { kind: "adjustment", amount: -250, balance_after: 750, reason: "changed in radius" },
    ]);
  });

  test("a balance that moved here stays, and both are told", async () => {
    using mover = await twice({ balance: "10.00" }, { balance: "7.50" }, (one, id) =>
      adjustWallet(one.db, by, { subscriberId: id, amount: 500, reason: "gift" }, later),
    );
    expect(mover.subscriber("ann")).toMatchObject({ balance: 1500 });
    const end = formatTime(NOW + 10 * DAY);
    expect(mover.noticesOf("money_kept")).toEqual([
      ["ann", `there: until ${end}, 7.50; here: until ${end}, 15.00`],
    ]);
  });

  test("also where it moved away and back", async () => {
    using mover = await twice({ balance: "10.00" }, { balance: "7.50" }, (one, id) => {
      adjustWallet(one.db, by, { subscriberId: id, amount: 500, reason: "gift" }, later);
      adjustWallet(one.db, by, { subscriberId: id, amount: -500, reason: "no gift" }, later);
    });
    expect(mover.subscriber("ann")).toMatchObject({ balance: 1000 });
    expect(mover.noticesOf("money_kept")).toHaveLength(1);
  });

  test("an end that was moved there is moved here", async () => {
    using mover = await twice({}, { service: { expiresAt: NOW + 40 * DAY } });
    expect(mover.subscriber("ann")).toMatchObject({ expires_at: NOW + 40 * DAY });
  });

  test("who renewed here keeps its end and its wallet", async () => {
    using mover = await twice(
      { balance: "100.00" },
      { balance: "85.00", service: { expiresAt: NOW + 40 * DAY } },
      (one, id) => activate(one.db, by, { subscriberId: id, packageId: 2 }, later),
    );
    expect(mover.subscriber("ann")).toMatchObject({ balance: 8500 });
    expect(mover.subscriber("ann")?.["expires_at"]).not.toBe(NOW + 40 * DAY);
    expect(mover.noticesOf("money_kept")).toHaveLength(1);
  });

  test("who had no service gets it when it was recharged there", async () => {
    using mover = await twice({ service: null }, { service: { expiresAt: NOW + 40 * DAY } });
    expect(mover.subscriber("ann")).toMatchObject({ expires_at: NOW + 40 * DAY, rate_limit: "5M/20M" });
  });

  test("an end that was set here for want of one stays, until the source has one", async () => {
    using mover = await twice({ service: { expiresAt: null } }, { service: { expiresAt: null } });
    const set = mover.subscriber("ann")?.["expires_at"];
    expect(formatTime(Number(set))).toBe("2030-02-15 12:00:00");
    await mover.run(
      aMoved({ subscribers: [somebody("ann", { service: { expiresAt: NOW + 3 * DAY } })] }),
      later,
    );
    expect(mover.subscriber("ann")).toMatchObject({ expires_at: NOW + 3 * DAY });
  });

  test("another package there is another one here, with its terms on the line", async () => {
    using mover = await Mover.withIsp();
    const packages = [home, { ...home, key: "fast", name: "Fast", rate_limit: "50M/50M" }];
    await mover.run(aMoved({ packages, subscribers: [somebody("ann")] }));
    await mover.run(aMoved({ packages, subscribers: [somebody("ann", { package: "fast" })] }), later);
    expect(mover.subscriber("ann")).toMatchObject({
      package: "Fast",
      rate_limit: "50M/50M",
      expires_at: NOW + 10 * DAY,
    });
  });

  test("usage is raised to the source's and never added", async () => {
    const usage = (up: number, down: number) => ({ usage: [{ month: "2030-01", up, down }] });
    using mover = await twice(usage(10, 100), usage(15, 90));
    const sums = () =>
      mover.row("SELECT sum(input_octets) AS up, sum(output_octets) AS down FROM usage_days");
    expect(sums()).toEqual({ up: 15, down: 100 });
    mover.db.$client.run("UPDATE usage_days SET output_octets = output_octets + 1000");
    await mover.run(aMoved({ subscribers: [somebody("ann", usage(20, 500))] }), later);
    const { down } = sums() ?? {};
    expect(Number(down)).toBeGreaterThanOrEqual(1100);
  });

  test("history comes once", async () => {
    const entry = (days: number, text: string) => ({ at: NOW - days * DAY, text });
    using mover = await twice(
      { balance: "10.00", history: [entry(3, "a"), entry(3, "b"), entry(9, "0")] },
      {
        balance: "10.00",
        history: [entry(9, "0"), entry(3, "a"), entry(3, "b"), entry(3, "c"), entry(1, "d")],
      },
    );
    expect(ledger(mover).map(({ kind, reason, balance_after }) => [kind, reason, balance_after])).toEqual([
      ["history", "0", 0],
      ["history", "a", 0],
      ["history", "b", 0],
      ["opening", null, 1000],
      ["history", "c", 1000],
      ["history", "d", 1000],
    ]);
    expect(mover.rows("SELECT kind, entries FROM ledger_days")).toEqual([{ kind: "opening", entries: 1 }]);
    await mover.run(aMoved({ subscribers: [somebody("ann", { balance: "12.00" })] }), later);
    expect(mover.subscriber("ann")).toMatchObject({ balance: 1200 });
    const bad = checkStore(mover.db, by, later).filter(({ severity }) => severity === "error");
    expect(bad).toEqual([]);
  });
});

describe("who is", () => {
  test("gone there is listed, and nothing is done to it", async () => {
    using mover = await Mover.withIsp();
    await mover.run(aMoved({ subscribers: [somebody("ann"), somebody("bob")] }));
    const before = mover.dump();
    await mover.run(aMoved({ subscribers: [somebody("ann")] }), later);
    expect(mover.noticesOf("gone")).toEqual([["bob", "is not there any more, and has 0.00 here"]]);
    expect(mover.dump()).toEqual(before);
  });

  test("new there is added", async () => {
    using mover = await Mover.withIsp();
    await mover.run(aMoved({ subscribers: [somebody("ann")] }));
    const { report } = await mover.run(aMoved({ subscribers: [somebody("ann"), somebody("bob")] }), later);
    expect(report.counts.subscribers).toMatchObject({ new: 1, same: 1 });
  });

  test("archived here stays so", async () => {
    using mover = await twice({}, { address: "b" }, (one, id) =>
      write(one.db, (tx) => void archiveOne(tx, by, { subscriberId: id }, later)),
    );
    expect(mover.noticesOf("kept_here")).toEqual([["ann", "was archived here; it stays so"]]);
    expect(mover.rows("SELECT id FROM subscribers")).toHaveLength(1);
  });

  test("here before the first run keeps what it has; what was empty is filled", async () => {
    using mover = await Mover.withIsp({ subscribers: [aSubscriber(1, { username: "ann" })] });
    const notices = { address: "1 High St", mobile_number: "0770 1234", balance: "5.00" };
    await mover.run(aMoved({ subscribers: [somebody("Ann", notices)] }));
    expect(mover.subscriber("ann")).toMatchObject({
      address: "1 High St",
      mobile_number: "M1",
      balance: 10_000,
      package: "Home 1",
    });
    expect(mover.passwordOf("ann")).toEqual(["pw-1", "pw-1"]);
    expect(mover.noticesOf("kept_here")).toEqual([
      ["Ann", "was here before: mobile_number is 0770 1234 there, M1 here"],
      ["Ann", "has another password here"],
    ]);
    expect(mover.noticesOf("money_kept")).toHaveLength(1);
    const before = mover.dump();
    await mover.run(aMoved({ subscribers: [somebody("Ann", notices)] }), later);
    expect([mover.noticesOf("kept_here"), mover.noticesOf("money_kept"), mover.dump()]).toEqual([
      [],
      [],
      before,
    ]);
  });
});

test("a package follows the source as far as nobody changed it here, and keeps the name it was given here", async () => {
  using mover = await Mover.withIsp();
  await mover.run(aMoved());
  updatePackage(mover.db, by, { id: 2, input: { name: "Ours", price: "20.00" } }, later);
  const changed = { ...home, price: "16.00", rate_limit: "6M/20M" };
  const { report } = await mover.run(aMoved({ packages: [changed] }), later);
  expect(mover.row("SELECT name, price, rate_limit FROM packages WHERE id = 2")).toEqual({
    name: "Ours",
    price: 2000,
    rate_limit: "6M/20M",
  });
  expect(mover.noticesOf("kept_here")).toEqual([["Ours", "price is 16.00 there, 20.00 here"]]);
  expect(report.counts.packages).toMatchObject({ changed: 1 });
});

test("a price that the source does not say any more stays", async () => {
  using mover = await Mover.withIsp();
  await mover.run(aMoved());
  const { report } = await mover.run(aMoved({ packages: [{ ...home, price: null }] }), later);
  expect(report.counts.packages).toMatchObject({ same: 1, changed: 0 });
  expect(mover.row("SELECT price FROM packages WHERE id = 2")).toEqual({ price: 1500 });
  await mover.run(aMoved({ packages: [{ ...home, price: "16.00" }] }), later);
  expect(mover.row("SELECT price FROM packages WHERE id = 2")).toEqual({ price: 1600 });
});

test("a router follows the source too", async () => {
  using mover = await Mover.withIsp();
  await mover.run(aMoved({ routers: [edge] }));
  await mover.run(aMoved({ routers: [{ ...edge, address: "10.0.0.9", secret: "other" }] }), later);
  expect(mover.row("SELECT address FROM nas WHERE name = 'edge'")).toEqual({ address: "10.0.0.9" });
});

test("an open session that has gone on is set to its counters, one that was taken over is left", async () => {
  using mover = await Mover.withIsp();
  const subscribers = [somebody("ann")];
  await mover.run(aMoved({ subscribers, sessions: [aMovedSession("ann")] }));
  const further = aMovedSession("ann", { updatedAt: NOW + 600, inputOctets: 5000 });
  const { report } = await mover.run(aMoved({ subscribers, sessions: [further] }), later);
  expect(report.counts.sessions).toMatchObject({ changed: 1 });
  expect(mover.rows("SELECT input_octets FROM sessions")).toEqual([{ input_octets: 5000 }]);
  mover.db.$client.run("UPDATE sessions SET moved_in = 0");
  const again = await mover.run(
    aMoved({ subscribers, sessions: [{ ...further, updatedAt: NOW + 900, inputOctets: 9000 }] }),
    later,
  );
  expect(again.report.counts.sessions).toMatchObject({ same: 1 });
  expect(mover.rows("SELECT input_octets FROM sessions")).toEqual([{ input_octets: 5000 }]);
});

/** What the rule says of one field: what changed here stays, what changed there comes. */
const ruled = (first: string, there: string, here: string) => (here === first ? there : here);

test("whatever changes at both sides, each field ends as the rule says, and a further run changes nothing", async () => {
  const text = constantFrom("a", "b", "c");
  const row = record({ address: text, box_number: text, box_address: text });
  const people = array(tuple(row, row, row), { minLength: 1, maxLength: 6 });
  await assert(
    asyncProperty(people, async (options) => {
      using mover = await Mover.withIsp();
      const source = (which: 0 | 1) =>
        aMoved({ subscribers: options.map((sides, index) => somebody(`user-${index}`, sides[which])) });
      await mover.run(source(0));
      for (const [index, [, , here]] of options.entries())
        updateSubscriber(
          mover.db,
          by,
          { username: `user-${index}`, ...here },
          { ...later, toJson: (one) => one },
        );
      await mover.run(source(1), later);
      for (const [index, [first, there, here]] of options.entries())
        expect(mover.subscriber(`user-${index}`)).toMatchObject({
          address: ruled(first.address, there.address, here.address),
          box_number: ruled(first.box_number, there.box_number, here.box_number),
          box_address: ruled(first.box_address, there.box_address, here.box_address),
        });
      const before = mover.dump();
      await mover.run(source(1), { now: LATER + DAY });
      expect(mover.dump()).toEqual(before);
    }),
    runs(5, 15),
  );
});

test("who was given to another salesperson for want of an account follows once the account is there", async () => {
  using mover = await Mover.withIsp();
  const people = (salesperson: string) =>
    aMoved({ subscribers: [somebody("ann", { salesperson }), somebody("bob", { salesperson })] });
  await mover.run(people("zed"));
  expect(mover.subscriber("ann")).toMatchObject({ salesperson_id: 1 });
  mover.db.$client.run("UPDATE staff SET username = 'zed', username_key = 'zed' WHERE username = 'rex'");
  await mover.run(people("zed"));
  expect(mover.subscriber("ann")).toMatchObject({ salesperson_id: 2 });
  expect(mover.noticesOf("kept_here")).toEqual([]);
});
