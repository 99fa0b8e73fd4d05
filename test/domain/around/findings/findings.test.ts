import { describe, expect, test } from "bun:test";
import type { Db } from "../../../../db/open.ts";
import { recordDecisions } from "../../../../src/domain/service/access/auth-log.ts";
import { failingRenewals } from "../../../../src/domain/around/findings/failing-renewals.ts";
import { error, ok, warning } from "../../../../src/domain/machine/check/finding.ts";
import { needsSomeone } from "../../../../src/domain/machine/check/needs-someone.ts";
import { newDeviceAt, newDevices } from "../../../../src/domain/around/findings/new-devices.ts";
import { dataPace } from "../../../../src/domain/around/findings/pace.ts";
import { twoHouses } from "../../../../src/domain/around/findings/two-houses.ts";
import { typingMistakes } from "../../../../src/domain/around/findings/typing-mistakes.ts";
import type { Actor } from "../../../../src/domain/core/actor/actor.ts";
import { localDay } from "../../../../src/domain/core/time/time.ts";
import { by, DAY } from "../../../support/isp.ts";
import { dial, drop, macOf, plant as copyOfPlant } from "../../../support/plant.ts";
import { NOW, undoneStores } from "../../../support/store.ts";

const plant = undoneStores(copyOfPlant);

const at = { now: NOW };
const OTHER = "02:00:00:00:FF:01";

/** Refused logins of a name, so many of them in the minutes before NOW. */
function refuse(
  db: Db,
  username: string,
  reason: string,
  { subscriberId = null, mac = OTHER, times = 3, before = 60 }: Partial<Refused> = {},
): void {
  const one = {
    nasId: 1,
    nasAddress: "127.0.0.1",
    method: "pap",
    detail: null,
    class: null,
    accepted: false,
  };
  recordDecisions(
    db,
    Array.from({ length: times }, (_, index) => ({
      ...one,
      at: NOW - before - index * 10,
      username,
      subscriberId,
      reason,
      mac,
    })),
  );
}
interface Refused {
  subscriberId: number | null;
  mac: string;
  times: number;
  before: number;
}

const scoped = (more: Partial<Actor["scope"]>, ...flags: string[]): Actor => ({
  ...by,
  admin: false,
  flags: new Set(flags),
  scope: { ispId: 1, branchId: null, salespersonId: null, ...more },
});
const elsewhere = [
  scoped({ ispId: 2 }, "session_view", "wallet_view"),
  scoped({ branchId: 11 }, "session_view", "wallet_view"),
  scoped({ salespersonId: 2 }, "session_view", "wallet_view"),
];

describe("a name one letter off", () => {
  test.each(["user12x", "use12", "usre12", "uzer12", "userr12"])("%s", async (text) => {
    using store = await plant();
    drop(store.db, 12, NOW - 600);
    refuse(store.db, text, "unknown_user", { times: 4 });
    const [mistake] = typingMistakes(store.db, by, at);
    expect([mistake?.attempts, mistake?.nasName, mistake?.mac]).toEqual([4, "core", OTHER]);
    expect(mistake?.meant.username).toBe("user12");
    for (const actor of elsewhere) expect(typingMistakes(store.db, actor, at)).toEqual([]);
  });

  test("of several who may be meant it is the one who is not online", async () => {
    using store = await plant();
    drop(store.db, 17, NOW - 600);
    refuse(store.db, "Northlink\\user1z", "unknown_user");
    expect(typingMistakes(store.db, by, at)[0]?.meant).toMatchObject({ username: "user17", online: false });
  });

  test.each(["nobody", "usr", "user1234", "ab", "user2"])("%s is like nobody", async (text) => {
    using store = await plant();
    refuse(store.db, text, "unknown_user");
    expect(typingMistakes(store.db, by, at)).toEqual([]);
  });

  test("what was refused more than an hour ago is over", async () => {
    using store = await plant();
    refuse(store.db, "usre12", "unknown_user", { before: 3700 });
    expect(typingMistakes(store.db, by, at)).toEqual([]);
  });
});

describe("a new device at a line", () => {
  async function locked() {
    const store = await plant();
    store.db.$client
      .query("UPDATE subscribers SET mac_lock = 1, mac_address = ? WHERE id = 12")
      .run(macOf(12));
    drop(store.db, 12, NOW - 900);
    refuse(store.db, "user12", "mac_locked", { subscriberId: 12, times: 41 });
    return store;
  }

  test("is refused, with the right password", async () => {
    using store = await locked();
    const [device] = newDevices(store.db, by, at);
    expect(device).toMatchObject({
      username: "user12",
      boxNumber: "BOX-2",
      mac: OTHER,
      known: macOf(12),
      attempts: 41,
      firstAt: NOW - 460,
      lastAt: NOW - 60,
      nasName: "core",
      sameRouter: true,
      port: "ether1",
    });
    expect(newDeviceAt(store.db, by, { subscriberId: 12 }, at).refused).toEqual(device);
    for (const actor of elsewhere) expect(newDevices(store.db, actor, at)).toEqual([]);
  });

  test.each<[string, (db: Db) => void]>([
    ["it was taken", (db) => db.$client.run(`UPDATE subscribers SET mac_address = '${OTHER}' WHERE id = 12`)],
    ["the lock has ended", (db) => db.$client.run("UPDATE subscribers SET mac_lock = 0 WHERE id = 12")],
    ["the old one is online again", (db) => dial(db, 12, NOW - 30)],
  ])("is nobody's concern where %s", async (_, work) => {
    using store = await locked();
    work(store.db);
    expect(newDevices(store.db, by, at)).toEqual([]);
  });

  test("that was let in at the same port is told too", async () => {
    using store = await plant();
    const { db } = store;
    drop(db, 12, NOW - 900);
    dial(db, 12, NOW - 800);
    db.$client.run(`UPDATE sessions SET mac = '${OTHER}' WHERE subscriber_id = 12 AND stopped_at IS NULL`);
    expect(newDeviceAt(db, by, { subscriberId: 12 }, at)).toEqual({
      refused: undefined,
      changed: { mac: OTHER, before: macOf(12), since: NOW - 800, nasId: 1, port: "ether1" },
    });
    expect(newDeviceAt(db, by, { subscriberId: 13 }, at).changed).toBeUndefined();
  });
});

describe("two houses on one name", () => {
  /** A session of another device and port of line 12. */
  const guest = (db: Db, from: number) => {
    dial(db, 12, from);
    db.$client.run(
      `UPDATE sessions SET mac = '${OTHER}', nas_port_id = 'ether9' WHERE id = (SELECT max(id) FROM sessions)`,
    );
  };
  const text = (db: Db, actor = by) =>
    twoHouses(db, actor, at).map(({ username, sign, houses }) => [
      username,
      sign,
      houses.map(({ port }) => port),
    ]);

  test.each<[string, (db: Db) => void, [string, string, (string | null)[]][]]>([
    ["at once", (db) => guest(db, NOW - 600), [["user12", "at once", ["ether1", "ether9"]]]],
    [
      "in turns",
      (db) => {
        for (const [index, away] of [3000, 2400, 1800].entries()) {
          drop(db, 12, NOW - away);
          if (index === 1) guest(db, NOW - away + 10);
          else dial(db, 12, NOW - away + 10);
        }
      },
      [["user12", "in turns", ["ether1", "ether9"]]],
    ],
    [
      "refused while the other is online",
      (db) => {
        refuse(db, "user12", "too_many_sessions", { subscriberId: 12, before: 120 });
        db.$client.run(`UPDATE sessions SET updated_at = ${NOW} WHERE subscriber_id = 12`);
      },
      [["user12", "refused", ["ether1", null]]],
    ],
    ["no one, of one device", (db) => dial(db, 12, NOW - 600), []],
    [
      "no one, of a device that took the place of another",
      (db) => {
        drop(db, 12, NOW - 900);
        guest(db, NOW - 800);
      },
      [],
    ],
    [
      "no one, where the package lets two devices of one house in",
      (db) => {
        guest(db, NOW - 600);
        db.$client.run(
          "UPDATE services SET simultaneous_use = 2; UPDATE sessions SET nas_port_id = 'ether1'",
        );
      },
      [],
    ],
  ])("%s", async (_, work, expected) => {
    using store = await plant();
    work(store.db);
    expect(text(store.db)).toEqual(expected);
    for (const actor of elsewhere) expect(text(store.db, actor)).toEqual([]);
  });
});

describe("renewals of the next 24 hours that will fail", () => {
  test.each<[string, string, number]>([
    ["the wallet is short", "UPDATE wallets SET balance = 400", 1100],
    ["the wallet has enough", "UPDATE wallets SET balance = 1500", 0],
    [
      "what is owed is within the limit",
      "UPDATE packages SET billing_type = 'postpaid'; UPDATE wallets SET balance = -1500",
      0,
    ],
    [
      "more is owed than the limit",
      "UPDATE packages SET billing_type = 'postpaid'; UPDATE wallets SET balance = -1600",
      100,
    ],
    [
      "it has its own limit",
      "UPDATE packages SET billing_type = 'postpaid'; UPDATE subscribers SET credit_limit = 0; UPDATE wallets SET balance = -1",
      1,
    ],
    [
      "it does not renew by itself",
      "UPDATE wallets SET balance = 0; UPDATE subscribers SET auto_renew = 0",
      0,
    ],
    ["it ends later", `UPDATE wallets SET balance = 0; UPDATE services SET expires_at = ${NOW + 2 * DAY}`, 0],
  ])("%s", async (_, change, short) => {
    using store = await plant();
    const { db } = store;
    db.$client.run(`UPDATE services SET expires_at = ${NOW + 3600} WHERE subscriber_id = 12`);
    db.$client.run("UPDATE subscribers SET auto_renew = 1");
    db.$client.run(change);
    const found = failingRenewals(db, by, { limit: 10 }, at);
    const expected = short === 0 || change.includes(`${NOW + 2 * DAY}`) ? [] : [["user12", short]];
    expect(found.renewals.map((one) => [one.username, one.short])).toEqual(expected);
    expect([found.total, found.short]).toEqual([expected.length, short]);
    for (const actor of elsewhere) expect(failingRenewals(db, actor, { limit: 10 }, at).total).toBe(0);
  });
});

describe("enough data at this pace", () => {
  const pace = async (total: number, used: number, days: number[], activatedAt: number | null) => {
    using store = await plant();
    const { db } = store;
    db.$client
      .query("UPDATE services SET quota_total = ?, quota_used = ?, activated_at = ? WHERE subscriber_id = 12")
      .run(total, used, activatedAt);
    for (const [index, octets] of days.entries())
      db.$client
        .query("INSERT INTO usage_days VALUES (12, ?, 0, ?)")
        .run(localDay(NOW - index * DAY), octets);
    return dataPace(db, by, { subscriberId: 12 }, at);
  };

  test("it is used up before the period ends", async () => {
    expect(await pace(1000, 500, [100, 100, 100, 100, 100, 100, 100], null)).toMatchObject({
      left: 500,
      perDay: 108, // today is half over
      lastsUntil: expect.any(Number),
    });
  });

  test("it lasts", async () => {
    expect((await pace(100_000, 500, [100], null))?.lastsUntil).toBeNull();
  });

  test("of a period that began two days ago, by what it has used", async () => {
    expect((await pace(1000, 400, [9999], NOW - 2 * DAY))?.perDay).toBe(200);
  });

  test("there is nothing to say without a quota, or where nothing was used", async () => {
    expect(await pace(0, 500, [100], null)).toBeUndefined();
    expect(await pace(1000, 0, [], null)).toBeUndefined();
  });
});

test("what needs somebody, in order, by what each may see", async () => {
  using store = await plant();
  const { db } = store;
  refuse(db, "usre12", "unknown_user");
  db.$client.run(`UPDATE services SET expires_at = ${NOW + 3600} WHERE subscriber_id = 12`);
  db.$client.run("UPDATE subscribers SET auto_renew = 1; UPDATE wallets SET balance = 0");
  const findings = [
    warning("disk", "make room soon", "disk_low", { free: 1 }),
    error("backups", "none can be made", "backups_failing", {}),
    ok("clock", "it is right"),
  ];
  const kinds = (actor: Actor) => needsSomeone(db, actor, { findings }, at).map(({ kind }) => kind);
  expect(kinds(by)).toEqual(["check", "renewals", "typing", "check"]);
  expect(kinds(scoped({}, "subscriber_view", "wallet_view"))).toEqual(["renewals"]);
  expect(kinds(scoped({}, "subscriber_view", "session_view"))).toEqual(["typing"]);
  expect(kinds(scoped({}, "subscriber_view"))).toEqual([]);
  expect(() => kinds(scoped({}, "session_view"))).toThrow("subscriber_view");
});
