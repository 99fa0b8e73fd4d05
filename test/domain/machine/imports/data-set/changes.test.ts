import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { ledgerEntries, services, staffTokens, subscribers } from "../../../../../db/schema.ts";
import { write } from "../../../../../db/open.ts";
import { importDataSet } from "../../../../../src/domain/machine/imports/data-set/import.ts";
import { ntPasswordHash } from "../../../../../src/domain/goods/subscribers/password.ts";
import { issueStaffToken, verifyStaffToken } from "../../../../../src/domain/people/staff/tokens.ts";
import { formatTime } from "../../../../../src/domain/core/time/time.ts";
import { smallIsp, subscriber } from "../../../../cli/harness.ts";
import { by, NOW, Store } from "./store.ts";

const DAY = 86_400;
const later = NOW + 60;

async function filled(...subscribers: object[]): Promise<Store> {
  const store = new Store();
  await store.import({ ...smallIsp(), ...(subscribers.length > 0 && { subscribers }) });
  return store;
}

const expiring = (days: number) => ({ current_expiration_date: formatTime(NOW + days * DAY) });
const sam = (more: object = {}) => subscriber(1, "sam", more);
const change = (more: object) => ({ subscribers: [{ id: 1, ...more }] });
const serviceOf = (store: Store) =>
  store.db.select().from(services).where(eq(services.subscriberId, 1)).get();
const balancesOf = (store: Store) =>
  store.rows("SELECT subscriber_id, staff_id, amount, balance_after, kind FROM ledger_entries ORDER BY id");

describe("a known row", () => {
  test("changes where a field is given, keeps the rest, and takes the default where null is given", async () => {
    using store = await filled(
      sam({ address: "Here", box_number: "B1", global_note: "n", email: "Sam@x", mac_login: 1 }),
    );
    const before = store.rows("SELECT * FROM subscribers")[0];
    await store.import(change({ name: "Samuel", address: null, global_note: null, mac_login: null }), {
      now: later,
    });
    expect(store.rows("SELECT * FROM subscribers")[0]).toEqual({
      ...before,
      name: "Samuel",
      address: null,
      global_note: "",
      mac_login: 0,
      updated_at: later,
    });
  });

  test("can swap unique values with another one, whatever the order", async () => {
    using store = await filled();
    await store.import({
      staff: [
        { id: 1, username: "sol" },
        { id: 2, username: "ada" },
      ],
      subscribers: [
        { id: 1, username: "tom", nic_number: "N2", mobile_number: "M2" },
        { id: 2, username: "sam", nic_number: "N1", mobile_number: "M1" },
      ],
    });
    expect(store.rows("SELECT username, username_key, nic_number FROM subscribers ORDER BY id")).toEqual([
      { username: "tom", username_key: "tom", nic_number: "N2" },
      { username: "sam", username_key: "sam", nic_number: "N1" },
    ]);
    expect(store.rows("SELECT username FROM staff ORDER BY id")).toEqual([
      { username: "sol" },
      { username: "ada" },
    ]);
  });

  test("gives a value up for a new one in the same file", async () => {
    using store = await filled();
    await store.import({ subscribers: [subscriber(9, "sam"), { id: 1, username: "old-sam" }] });
    expect(store.rows("SELECT id FROM subscribers WHERE username_key = 'sam'")).toEqual([{ id: 9 }]);
  });

  test("of a NAS keeps its secret and its RouterOS password", async () => {
    using store = await filled();
    const routeros = { host: "10.0.0.1", username: "api", password: "x", tls: true };
    await store.import({ nas: [{ id: 1, routeros }] });
    await store.import({ nas: [{ id: 1, address: "10.0.0.2", routeros: { username: "other" } }] });
    expect(store.export().nas).toMatchObject([
      {
        address: "10.0.0.2",
        secret: "testing123",
        routeros: { host: "10.0.0.1", port: 8729, username: "other", password: "x", tls: true },
      },
    ]);
    await store.import({ nas: [{ id: 1, routeros: null }] });
    expect(store.export().nas).toMatchObject([{ secret: "testing123", routeros: null }]);
  });

  test("of a role changes the flags that are given", async () => {
    using store = await filled();
    const role = { code: 4, isp_id: 1, name: "r" };
    await store.import({ roles: [role] });
    expect(store.export().roles).toMatchObject([{ code: 4, permissions: null }]);
    await store.import({ roles: [{ code: 4, permissions: { api_access: 1, role_view: 1 } }] });
    await store.import({ roles: [{ code: 4, permissions: { role_view: 0 } }] });
    expect(store.export().roles).toMatchObject([
      { permissions: { api_access: 1, role_view: 0, notice_view: 0 } },
    ]);
    await store.import({ roles: [{ code: 4, permissions: null }] });
    expect(store.export().roles).toMatchObject([{ permissions: null }]);
  });
});

test("role codes are never given out again", async () => {
  using store = await filled();
  const last = () => store.rows("SELECT last FROM sequences WHERE name = 'role_code'")[0]?.["last"];
  await store.import({ roles: [{ code: 40, isp_id: 1, name: "r" }] });
  expect(last()).toBe(40);
  await store.import({ roles: [{ code: 7, isp_id: 1, name: "r" }] });
  expect(last()).toBe(40);
});

describe("an expiration", () => {
  test("opens a service as activation writes it, without money", async () => {
    using store = await filled(sam(expiring(10)));
    const service = serviceOf(store);
    expect(service).toMatchObject({
      packageId: 1,
      expiresAt: NOW + 10 * DAY,
      activatedAt: null,
      rateLimit: "10M/10M",
      quotaTotal: 0,
      quotaUsed: 0,
      simultaneousUse: 1,
    });
    const { vault } = store.db;
    expect(service && vault.openText(service.passwordSealed)).toBe("pw-sam");
    expect(service && vault.open(service.ntHashSealed).equals(ntPasswordHash("pw-sam"))).toBe(true);
    expect(balancesOf(store)).toEqual([]);
    expect(store.rows("SELECT * FROM invoices")).toEqual([]);
  });

  test("that is not given leaves the service of a known subscriber alone", async () => {
    using store = await filled(sam(expiring(10)));
    store.db.update(services).set({ quotaUsed: 5 }).run();
    const before = serviceOf(store);
    await store.import({ packages: [{ id: 1, rate_limit: "1M/1M" }], ...change({ name: "Samuel" }) });
    expect(serviceOf(store)).toEqual(before);
  });

  test("that is given again writes the service anew from the package and the password there are", async () => {
    using store = await filled(sam(expiring(10)));
    store.db.update(services).set({ quotaUsed: 5, activatedAt: NOW }).run();
    await store.import({ packages: [{ id: 1, rate_limit: "1M/1M" }], ...change(expiring(20)) });
    const service = serviceOf(store);
    expect(service).toMatchObject({
      rateLimit: "1M/1M",
      quotaUsed: 0,
      activatedAt: null,
      expiresAt: NOW + 20 * DAY,
    });
    expect(service && store.db.vault.openText(service.passwordSealed)).toBe("pw-sam");
  });

  test("that is null closes the service", async () => {
    using store = await filled(sam(expiring(10)));
    await store.import(change({ current_expiration_date: null }));
    expect(serviceOf(store)).toBeUndefined();
  });
});

describe("a password", () => {
  const passwordOf = (store: Store) => {
    const service = serviceOf(store);
    return service && store.db.vault.openText(service.passwordSealed);
  };

  test("reaches the service of an active subscriber and revokes its tokens", async () => {
    using store = await filled(sam(expiring(10)));
    const token = { id: "t", kind: "app", subscriberId: 1, createdAt: NOW, expiresAt: NOW + DAY } as const;
    const { subscriberTokens } = await import("../../../../../db/schema.ts");
    store.db.insert(subscriberTokens).values(token).run();
    await store.import(change({ password: "pw-sam" }), { now: later });
    expect(store.rows("SELECT revoked_at FROM subscriber_tokens")).toEqual([{ revoked_at: null }]);
    await store.import(change({ password: "other" }), { now: later });
    expect(passwordOf(store)).toBe("other");
    expect(store.rows("SELECT revoked_at FROM subscriber_tokens")).toEqual([{ revoked_at: later }]);
  });

  test("of an expired subscriber waits for its next activation", async () => {
    using store = await filled(sam(expiring(-1)));
    await store.import(change({ password: "other" }));
    expect(passwordOf(store)).toBe("pw-sam");
    expect(store.export().subscribers).toMatchObject([{ password: "other" }]);
  });

  test("of a staff account revokes its tokens only when it is another one", async () => {
    using store = await filled();
    const { token } = write(store.db, (tx) => issueStaffToken(tx, { staffId: 1, now: NOW, days: 1 }));
    await store.import({ staff: [{ id: 1, password: "secret-1" }] });
    expect(verifyStaffToken(store.db, token, NOW)).toMatchObject({ staffId: 1 });
    await store.import({ staff: [{ id: 1, password: "other" }] });
    expect(() => verifyStaffToken(store.db, token, NOW)).toThrow("revoked");
    expect(store.db.select().from(staffTokens).all()).toHaveLength(1);
  });

  test("is nowhere in clear", async () => {
    using store = await filled(sam(expiring(10)));
    const everything = Bun.inspect(store.dump());
    for (const secret of ["pw-sam", "secret-1", "testing123"]) {
      expect(everything).not.toContain(secret);
      expect(everything).not.toContain(Buffer.from(secret).toString("hex"));
    }
  });
});

test("a status that is not 1 revokes the tokens of a staff account", async () => {
  using store = await filled();
  const { token } = write(store.db, (tx) => issueStaffToken(tx, { staffId: 1, now: NOW, days: 1 }));
  await store.import({ staff: [{ id: 1, status: 0 }] });
  await store.import({ staff: [{ id: 1, status: 1 }] });
  expect(() => verifyStaffToken(store.db, token, NOW)).toThrow("revoked");
});

describe("a balance", () => {
  test("is one opening entry of a new account, none when it is zero", async () => {
    using store = new Store();
    const data = smallIsp();
    const [ada, sol] = data.staff;
    await store.import({
      ...data,
      staff: [{ ...ada, balance: "7.50" }, sol],
      subscribers: [
        sam({ balance: "100.00" }),
        subscriber(2, "tom", { balance: 0 }),
        subscriber(3, "una", { balance: -4.2 }),
      ],
    });
    expect(balancesOf(store)).toEqual([
      { subscriber_id: null, staff_id: 1, amount: 750, balance_after: 750, kind: "opening" },
      { subscriber_id: 1, staff_id: null, amount: 10_000, balance_after: 10_000, kind: "opening" },
      { subscriber_id: 3, staff_id: null, amount: -420, balance_after: -420, kind: "opening" },
    ]);
  });

  test("of a known account books the difference as an adjustment, nothing when there is none", async () => {
    using store = await filled(sam({ balance: "10.00" }));
    await store.import(change({ balance: "10.00" }));
    await store.import(change({ balance: "4.00" }));
    const entries = store.db.select().from(ledgerEntries).where(eq(ledgerEntries.subscriberId, 1)).all();
    expect(
      entries.map(({ kind, amount, balanceAfter, actor }) => [kind, amount, balanceAfter, actor]),
    ).toEqual([
      ["opening", 1000, 1000, "test"],
      ["adjustment", -600, 400, "test"],
    ]);
  });
});

describe("staff notes", () => {
  const note = (text: string) => ({ note: text, added_by: 1 });

  test("are replaced by the ones given; the same ones keep their ids", async () => {
    using store = await filled(sam({ staff_notes: [note("one"), note("two")] }));
    const notes = () => store.rows("SELECT id, note FROM staff_notes ORDER BY id");
    const before = notes();
    await store.import(change({ staff_notes: [note("one"), note("two")] }));
    expect(notes()).toEqual(before);
    await store.import(change({ name: "Samuel" }));
    expect(notes()).toEqual(before);
    await store.import(change({ staff_notes: [note("three")] }));
    expect(notes().map(({ note }) => note)).toEqual(["three"]);
  });
});

test("a subscriber that arrives while the file is checked is not overwritten", async () => {
  using store = await filled();
  const data = {
    staff: [{ id: 3, isp_id: 1, name: "Pat", username: "pat", password: "takes-time", profile_type: 1 }],
    subscribers: [subscriber(9, "zoe")],
  };
  const importing = importDataSet(store.db, by, data, { now: NOW });
  const [row] = store.db.select().from(subscribers).limit(1).all();
  if (!row) throw new Error("no subscriber");
  store.db
    .insert(subscribers)
    .values({ ...row, id: 10, username: "zoe", usernameKey: "zoe", nicNumber: "Z", mobileNumber: "Z" })
    .run();
  expect(importing).rejects.toThrow("nothing was imported");
  await importing.catch(() => {});
  expect(store.rows("SELECT id FROM staff WHERE id = 3")).toEqual([]);
});

test("what was used, free and bought on top makes a service no other one", async () => {
  using store = await filled(sam(expiring(10)));
  store.db.$client.run(
    `UPDATE services SET window_start = 5, free_bytes = 6, extra_bytes = 7, rolling_bytes = 7, quota_used = 8,
       quota_total = iif(quota_total > 0, quota_total + 7, 0)`,
  );
  const before = serviceOf(store);
  await store.import(change(expiring(10)), { now: later });
  expect(serviceOf(store)).toEqual(before);
});
