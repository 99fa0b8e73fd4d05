import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import type { Db } from "../../../db/open.ts";
import { auditEntries, authLog, services, sessions, subscribers } from "../../../db/schema.ts";
import { activate } from "../../../src/domain/activation/activate.ts";
import { applyService } from "../../../src/domain/control/apply.ts";
import type { RouterAnswer } from "../../../src/domain/control/disconnect.ts";
import { changeSetting } from "../../../src/domain/settings/settings.ts";
import { AskedRouters } from "../../support/asked-routers.ts";
import { aPackage, aSubscriber, by, DAY, loadIsp } from "../../support/isp.ts";
import { insertSessions } from "../../support/sessions.ts";
import { NOW, temporaryStore } from "../../support/store.ts";

let store: ReturnType<typeof temporaryStore>;
let db: Db;
let routers: AskedRouters;
let now = NOW;

beforeEach(async () => {
  store = temporaryStore();
  db = store.db;
  routers = new AskedRouters();
  now = NOW;
  await loadIsp(db, {
    packages: [
      aPackage(2, { rate_limit: "50M/100M" }),
      aPackage(3, { framed_pool: "fast" }),
      aPackage(4, { address_list: "vip" }),
      aPackage(5, { rate_limit: null }),
      aPackage(6, { data_quota_bytes: 1000, quota_exceeded: "1M/1M" }),
      aPackage(7, { expired_pool: "garden" }),
    ],
    subscribers: [aSubscriber(1), aSubscriber(3, { connection_type_id: 3 })],
  });
});
afterEach(() => store[Symbol.dispose]());

const apply = (subscriberId = 1) => applyService(db, by, { subscriberId }, { clock: () => now, routers });
const change = (packageId: number) => activate(db, by, { subscriberId: 1, packageId }, { now });
const setService = (values: Partial<typeof services.$inferInsert>) =>
  db.update(services).set(values).where(eq(services.subscriberId, 1)).run();
const messageOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "done",
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
const prohibited: RouterAnswer = { kind: "failed", reason: "prohibited" };

describe("what an open session needs", () => {
  test("nothing was activated: its rate again", async () => {
    insertSessions(db, {});
    expect(await apply()).toBe("changed");
    expect(routers.take()).toEqual(["rate 81000001 10M/20M"]);
    expect(db.select().from(sessions).get()?.stoppedAt).toBeNull();
    expect(
      db.select().from(auditEntries).where(eq(auditEntries.action, "subscriber.apply")).all(),
    ).toHaveLength(1);
  });

  test.each([
    ["another rate", 2, ["rate 81000001 50M/100M"], "changed"],
    ["another pool", 3, ["disconnect 81000001"], "reconnected"],
    ["an address list", 4, ["disconnect 81000001"], "reconnected"],
    ["no rate any more", 5, ["disconnect 81000001"], "reconnected"],
  ] as const)("a package with %s", async (_, packageId, asked, outcome) => {
    insertSessions(db, {});
    change(packageId);
    expect(await apply()).toBe(outcome);
    expect(routers.take()).toEqual([...asked]);
  });

  test("a session that logged in under the new package needs its rate only", async () => {
    change(3);
    now += 10;
    insertSessions(db, { startedAt: now });
    expect(await apply()).toBe("changed");
  });

  test("another static address", async () => {
    insertSessions(db, { framedIp: "10.0.0.7" });
    db.update(subscribers).set({ staticIp: "10.0.0.7" }).where(eq(subscribers.id, 1)).run();
    expect(await apply()).toBe("changed");
    db.update(subscribers).set({ staticIp: "10.0.0.8" }).where(eq(subscribers.id, 1)).run();
    expect(await apply()).toBe("reconnected");
  });

  test("a used-up quota: the slower rate", async () => {
    change(6);
    insertSessions(db, { startedAt: NOW });
    setService({ quotaUsed: 1000, quotaCrossedAt: NOW + 5 });
    expect(await apply()).toBe("changed");
    expect(routers.take()).toEqual(["rate 81000001 1M/1M"]);
  });

  test("expired: the end, and into the walled garden where there is one", async () => {
    insertSessions(db, {});
    setService({ expiresAt: NOW - 1 });
    expect(await apply()).toBe("reconnected");
    expect(db.select().from(sessions).get()).toMatchObject({
      closedBy: "disconnect",
      terminateCause: "Admin-Reset",
    });
  });

  test("in the walled garden: stays there, and leaves it after a renewal", async () => {
    change(7);
    const sessionClass = Buffer.from("garden");
    setService({ expiresAt: NOW - DAY, activatedAt: NOW - 40 * DAY });
    db.insert(authLog)
      .values({
        at: NOW,
        nasAddress: "127.0.0.1",
        username: "user1",
        subscriberId: 1,
        accepted: 1,
        reason: "accepted_expired",
        class: sessionClass,
      })
      .run();
    insertSessions(db, { class: sessionClass, startedAt: NOW });
    expect(await apply()).toBe("unchanged");
    expect(routers.take()).toEqual([]);
    now += 60;
    change(7);
    expect(await apply()).toBe("reconnected");
  });

  test("disabled: the end", async () => {
    insertSessions(db, {});
    db.update(subscribers).set({ status: 0 }).where(eq(subscribers.id, 1)).run();
    expect(await apply()).toBe("reconnected");
  });
});

describe("what the router says", () => {
  test("a refused change ends the session", async () => {
    insertSessions(db, {});
    routers.answer = (asked) => (asked.startsWith("rate") ? prohibited : { kind: "acknowledged" });
    expect(await apply()).toBe("reconnected");
    expect(routers.take()).toEqual(["rate 81000001 10M/20M", "disconnect 81000001"]);
  });

  test("refused both ways: the reasons, and the session stays open", async () => {
    insertSessions(db, {});
    routers.answer = (asked) => ({
      kind: "failed",
      reason: asked.startsWith("rate") ? "no CoA" : "no disconnect",
    });
    expect(await messageOf(apply())).toBe("no CoA; no disconnect");
    expect(db.select().from(sessions).get()?.stoppedAt).toBeNull();
  });

  test("a session that is gone is closed in the books", async () => {
    insertSessions(db, {});
    routers.answer = { kind: "gone" };
    expect(await apply()).toBe("already_offline");
    expect(db.select().from(sessions).get()).toMatchObject({ terminateCause: "lost" });
  });

  test("disconnecting switched off: the rate yes, an end no", async () => {
    changeSetting(db, by, { key: "disconnect_enabled", value: false }, { now });
    insertSessions(db, {});
    expect(await apply()).toBe("changed");
    routers.answer = prohibited;
    expect(await messageOf(apply())).toBe("prohibited");
    change(3);
    routers.take();
    expect(await messageOf(apply())).toContain("disconnecting is switched off");
    expect(routers.take()).toEqual([]);
  });
});

test("offline, unknown, and types without a service", async () => {
  expect(await apply()).toBe("already_offline");
  expect(await messageOf(apply(99))).toBe("there is no subscriber 99");
  expect(await messageOf(apply(3))).toContain("connection type 3 is not served over RADIUS");
  expect(routers.take()).toEqual([]);
});
