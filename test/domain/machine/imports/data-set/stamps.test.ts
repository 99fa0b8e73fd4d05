import { describe, expect, test } from "bun:test";
import { book } from "../../../../../src/domain/money/billing/book.ts";
import { credit } from "../../../../../src/domain/money/billing/credit.ts";
import { activate } from "../../../../../src/domain/service/activation/activate.ts";
import { write } from "../../../../../db/open.ts";
import { importDataSet } from "../../../../../src/domain/machine/imports/data-set/import.ts";
import { freezeService } from "../../../../../src/domain/desk/subscriber-page/freeze-service.ts";
import { formatTime } from "../../../../../src/domain/core/time/time.ts";
import { smallIsp, subscriber } from "../../../../cli/harness.ts";
import { by, NOW, Store } from "./store.ts";

const DAY = 86_400;
const later = NOW + 60;
const inDays = (days: number) => formatTime(NOW + days * DAY);

/** Sam has 20.00 and ten days, Tom nothing, the reseller Rob 3.00. */
async function filled(): Promise<Store> {
  const store = new Store();
  const { staff, ...others } = smallIsp();
  const rob = { id: 3, isp_id: 1, name: "Rob", username: "rob", password: "secret-3", profile_type: 3 };
  await store.import({
    ...others,
    staff: [...staff, { ...rob, balance: "3.00" }],
    subscribers: [
      subscriber(1, "sam", { balance: "20.00", current_expiration_date: inDays(10) }),
      subscriber(2, "tom"),
    ],
  });
  return store;
}

type DataSet = ReturnType<Store["export"]>;
/** Of one subscriber of an export, something else. */
const edited = (data: DataSet, id: number, more: object) => ({
  ...data,
  subscribers: data.subscribers.map((row) => (row.id === id ? { ...row, ...more } : row)),
});
const money = (store: Store) =>
  store
    .export()
    .subscribers.map(({ balance, current_expiration_date }) => [balance, current_expiration_date]);

describe("an export that was edited", () => {
  test("takes back no money that moved since; the rest of the row is imported", async () => {
    using store = await filled();
    const exported = store.export();
    credit(store.db, by, { subscriberId: 1, amount: 500 }, { now: later });
    const data = edited(exported, 1, { name: "Samuel", balance: "7.00" });
    const { kept, summary } = await store.import(data);
    expect(kept).toEqual([
      {
        section: "subscribers",
        id: 1,
        name: "sam",
        fields: { balance: { file: "7.00", store: "25.00" } },
      },
    ]);
    expect(summary).toMatchObject({ subscribers: { added: 0, changed: 1 } });
    expect(store.export().subscribers[0]).toMatchObject({ name: "Samuel", balance: "25.00" });
  });

  test("takes back no time, and its service stays as activation wrote it", async () => {
    using store = await filled();
    const exported = store.export();
    activate(store.db, by, { subscriberId: 1, packageId: 1 }, { now: later });
    const service = store.rows("SELECT * FROM services WHERE subscriber_id = 1");
    const { kept } = await store.import(exported);
    expect(kept).toMatchObject([
      {
        id: 1,
        fields: {
          balance: { file: "20.00", store: "5.00" },
          current_expiration_date: { file: inDays(10) },
        },
      },
    ]);
    expect(store.rows("SELECT * FROM services WHERE subscriber_id = 1")).toEqual(service);
    expect(money(store)[0]?.[0]).toBe("5.00");
  });

  test("thaws nobody who was frozen since, and says so; a row that means it does", async () => {
    using store = await filled();
    const exported = store.export();
    write(store.db, (tx) => freezeService(tx, by, 1, later));
    const service = store.rows("SELECT * FROM services");
    const { kept } = await store.import(exported);
    expect(kept).toEqual([
      {
        section: "subscribers",
        id: 1,
        name: "sam",
        fields: { frozen_at: { file: null, store: formatTime(later) } },
      },
    ]);
    expect(store.rows("SELECT * FROM services")).toEqual(service);
    const plain = { id: 1, current_expiration_date: inDays(10) };
    expect((await store.import({ subscribers: [plain] })).summary).toMatchObject({
      subscribers: { changed: 0 },
    });
    await store.import({ subscribers: [{ ...plain, password: "another" }] });
    expect(store.rows("SELECT frozen_at FROM services")).toEqual([{ frozen_at: later }]);
    const { changes } = await store.import({ subscribers: [{ ...plain, frozen_at: null }] });
    expect(changes).toMatchObject([{ fields: { frozen_at: { before: formatTime(later), after: null } } }]);
    expect(store.rows("SELECT thawed_at - frozen_at AS lasted FROM freezes")).toEqual([{ lasted: 0 }]);
  });

  test("gives nobody another package or other terms than were bought, edited or not", async () => {
    using store = await filled();
    const { $client } = store.db;
    const second = { ...smallIsp().packages[0], id: 2, name: "Fast", rate_limit: "90M/90M" };
    await store.import({ packages: [second] });
    $client.run("UPDATE subscribers SET package_id = 2 WHERE id = 1"); // at the next activation, as an update leaves it
    const service = store.rows("SELECT * FROM services");
    const { packages, ...exported } = edited(store.export(), 1, { name: "Samuel" });
    for (const row of packages) row.rate_limit = "1M/1M";
    expect(await store.import({ ...exported, packages })).toMatchObject({
      summary: { subscribers: { changed: 1 } },
    });
    expect(store.rows("SELECT * FROM services")).toEqual(service);
    await store.import(edited(store.export(), 1, { current_expiration_date: inDays(11) }));
    expect(store.rows("SELECT package_id, rate_limit FROM services")).toEqual([
      { package_id: 2, rate_limit: "1M/1M" },
    ]);
  });

  test("takes back nothing of an account that was paid and charged to the same balance", async () => {
    using store = await filled();
    const exported = store.export();
    for (const amount of [100, -100])
      write(store.db, (tx) =>
        book(tx, { account: { subscriberId: 1 }, ispId: 1, amount, kind: "credit" }, later, by),
      );
    await store.import(edited(exported, 1, { balance: "9.00" }));
    expect(money(store)[0]?.[0]).toBe("20.00");
  });

  test("that moved nothing since is taken, differences of balance as adjustments", async () => {
    using store = await filled();
    const { kept } = await store.import(
      edited(store.export(), 1, { balance: "7.00", current_expiration_date: inDays(30) }),
    );
    expect(kept).toEqual([]);
    expect(money(store)).toEqual([
      ["7.00", inDays(30)],
      ["0.00", null],
    ]);
    expect(
      store.rows("SELECT kind, amount, acting_staff_id, actor FROM ledger_entries WHERE subscriber_id = 1"),
    ).toEqual([
      { kind: "opening", amount: 2000, acting_staff_id: null, actor: "test" },
      { kind: "adjustment", amount: -1300, acting_staff_id: null, actor: "test" },
    ]);
  });

  test.each([{}, { overwriteMoney: true }])(
    "leaves the service as it is where its expiration is that of the store, whatever package it will be renewed with: %j",
    async (options) => {
      using store = await filled();
      await store.import({
        packages: [{ ...smallIsp().packages[0], id: 2, name: "Big", rate_limit: "90M/90M" }],
      });
      await store.import({ subscribers: [{ id: 1, package_id: 2 }] });
      store.db.$client.run("UPDATE services SET quota_used = 5, activated_at = 1");
      const service = store.rows("SELECT * FROM services");
      const exported = store.export();
      const packages = exported.packages.map((row) => ({ ...row, rate_limit: "7M/7M" }));
      const { summary } = await store.import({ ...exported, packages }, options);
      expect(summary).toMatchObject({ packages: { changed: 2 }, subscribers: { changed: 0 } });
      expect(store.rows("SELECT * FROM services")).toEqual(service);
    },
  );

  test("names no row that says what the store says", async () => {
    using store = await filled();
    const exported = store.export();
    credit(store.db, by, { subscriberId: 1, amount: 500 }, { now: later });
    expect((await store.import(edited(exported, 1, { balance: "25.00" }))).kept).toEqual([]);
  });

  test("keeps the wallets of staff too", async () => {
    using store = await filled();
    const exported = store.export();
    write(store.db, (tx) =>
      book(tx, { account: { staffId: 3 }, ispId: 1, amount: 400, kind: "commission" }, later, by),
    );
    const { kept } = await store.import(exported);
    expect(kept).toEqual([
      { section: "staff", id: 3, name: "rob", fields: { balance: { file: "3.00", store: "7.00" } } },
    ]);
    expect(store.export().staff[2]?.balance).toBe("7.00");
  });

  test("takes what the file has where that is asked for", async () => {
    using store = await filled();
    const exported = store.export();
    credit(store.db, by, { subscriberId: 1, amount: 500 }, { now: later });
    const { kept, changes } = await store.import(exported, { overwriteMoney: true });
    expect(kept).toEqual([]);
    expect(changes).toEqual([
      {
        section: "subscribers",
        id: 1,
        name: "sam",
        fields: { balance: { before: "25.00", after: "20.00" } },
      },
    ]);
    expect(money(store)[0]?.[0]).toBe("20.00");
  });

  test("without its stamps says what it says", async () => {
    using store = await filled();
    const exported = store.export();
    credit(store.db, by, { subscriberId: 1, amount: 500 }, { now: later });
    await store.import(edited(exported, 1, { stamp: undefined }));
    expect(money(store)[0]?.[0]).toBe("20.00");
  });
});

test("a dry run names what would stay and what would change, field by field, and secrets by name only", async () => {
  using store = await filled();
  const exported = store.export();
  credit(store.db, by, { subscriberId: 1, amount: 500 }, { now: later });
  const data = edited(edited(exported, 1, { name: "Samuel" }), 2, {
    password: "pw-other",
    package_id: 1,
    balance: "4.00",
    current_expiration_date: inDays(3),
    staff_notes: [{ note: "called", added_by: 1 }],
    branch_id: 1,
  });
  const before = store.dump();
  const { changes, kept } = await store.import(
    { ...data, settings: { portal_name: "North" }, packages: [{ id: 1, price: "16.00" }] },
    { dryRun: true },
  );
  expect(store.dump()).toEqual(before);
  expect(kept).toHaveLength(1);
  const fields = Object.fromEntries(
    changes.map((row) => [`${row.section} ${row.id} ${row.name}`, row.fields]),
  );
  expect(fields).toEqual({
    "settings 0 ": { portal_name: { before: "", after: "North" } },
    "packages 1 Home 10": { price: { before: "15.00", after: "16.00" } },
    "subscribers 1 sam": { name: { before: "sam", after: "Samuel" } },
    "subscribers 2 tom": {
      current_expiration_date: { before: null, after: inDays(3) },
      "staff_notes/count": { before: 0, after: 1 },
      branch_id: { before: 0, after: 1 },
      password: { before: "(hidden)", after: "(hidden)" },
      balance: { before: "0.00", after: "4.00" },
    },
  });
  expect(JSON.stringify(changes)).not.toMatch(/pw-/);
});

test("a package that changed shows in the services that are written anew, with the quota that starts again", async () => {
  using store = await filled();
  store.db.$client.run("UPDATE services SET quota_used = 5");
  const data = {
    packages: [{ id: 1, rate_limit: "5M/5M" }],
    subscribers: [{ id: 1, current_expiration_date: inDays(10) }],
  };
  const { changes } = await store.import(data, { dryRun: true });
  expect(changes.map(({ id, fields }) => [id, fields])).toEqual([
    [1, { rate_limit: { before: "10M/10M", after: "5M/5M" } }],
    [
      1,
      {
        "service/rate_limit": { before: "10M/10M", after: "5M/5M" },
        "service/quota_used": { before: 5, after: 0 },
      },
    ],
  ]);
});

test("the audit trail names the rows that changed, and both values of money and time", async () => {
  using store = await filled();
  const exported = store.export();
  credit(store.db, by, { subscriberId: 1, amount: 500 }, { now: later });
  await store.import(edited(exported, 2, { balance: "4.00", current_expiration_date: inDays(3) }));
  const entry = store.rows("SELECT before, after FROM audit_entries ORDER BY id DESC LIMIT 1")[0];
  expect(JSON.parse(String(entry?.["before"]))).toEqual({
    money: { subscribers: { 2: { balance: "0.00", current_expiration_date: null } } },
  });
  expect(JSON.parse(String(entry?.["after"]))).toMatchObject({
    subscribers: { added: 0, changed: 1 },
    rows: { subscribers: "2" },
    money: { subscribers: { 2: { balance: "4.00", current_expiration_date: inDays(3) } } },
    kept: { subscribers: "1" },
  });
});

describe("money or time that moves while the file is prepared", () => {
  /** Imports; `meanwhile` happens between the comparison and the writing. */
  const importing = (store: Store, data: unknown, meanwhile: () => void) =>
    importDataSet(store.db, by, data, {
      now: later,
      progress: (step) => {
        if (step === "writing") meanwhile();
      },
    });

  test("is not taken back: nothing is imported", async () => {
    using store = await filled();
    const payment = () => credit(store.db, by, { subscriberId: 1, amount: 500 }, { now: later });
    const change = { subscribers: [{ id: 1, balance: "1.00" }] };
    await expect(importing(store, change, payment)).rejects.toThrow("try again");
    expect(money(store)).toMatchObject([
      ["25.00", inDays(10)],
      ["0.00", null],
    ]);
  });

  test.each([inDays(1), null])("of a service too, which would end %p", async (current_expiration_date) => {
    using store = await filled();
    await store.import({ subscribers: [{ id: 2, current_expiration_date: inDays(5) }] });
    const renewal = () =>
      store.db.$client.run("UPDATE services SET expires_at = expires_at + 60 WHERE subscriber_id = 2");
    const change = { subscribers: [{ id: 2, name: "Tomas", current_expiration_date }] };
    await expect(importing(store, change, renewal)).rejects.toThrow("try again");
    expect(store.export().subscribers[1]).toMatchObject({
      name: "tom",
      current_expiration_date: formatTime(NOW + 5 * DAY + 60),
    });
  });
});
