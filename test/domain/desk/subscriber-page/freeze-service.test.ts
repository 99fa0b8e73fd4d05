import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type Db, write } from "../../../../db/open.ts";
import { freezes, invoices, services, sessions } from "../../../../db/schema.ts";
import { activate } from "../../../../src/domain/service/activation/activate.ts";
import { extend } from "../../../../src/domain/service/activation/extend.ts";
import { dueSessions } from "../../../../src/domain/service/enforcement/due.ts";
import { freezeSubscriber } from "../../../../src/domain/desk/subscriber-page/freeze.ts";
import { changeSetting } from "../../../../src/domain/machine/settings/change.ts";
import {
  freezeService,
  thawOverdue,
  thawSubscriber,
} from "../../../../src/domain/desk/subscriber-page/freeze-service.ts";
import { listSubscribers } from "../../../../src/domain/goods/subscribers/list.ts";
import { subscriberRecord } from "../../../../src/domain/goods/subscribers/record.ts";
import { resetPassword } from "../../../../src/domain/goods/subscribers/reset-password.ts";
import { RecordedRouters } from "../../../support/recorded-routers.ts";
import { aSubscriber, by, DAY, undoneIspStores, newSubscriber } from "../../../support/isp.ts";
import { insertSessions } from "../../../support/sessions.ts";
import { NOW, type TemporaryStore } from "../../../support/store.ts";

const ispStore = undoneIspStores();

let store: TemporaryStore;
let db: Db;
let end: number;
beforeEach(async () => {
  store = await ispStore({ subscribers: [newSubscriber(1), aSubscriber(2), newSubscriber(3)] });
  db = store.db;
  end = activate(db, by, { subscriberId: 1, packageId: 1 }, { now: NOW }).expiresAt;
});
afterEach(() => store[Symbol.dispose]());

const one = { subscriberId: 1 };
const freeze = (now: number) => write(db, (tx) => freezeService(tx, by, 1, now));
const thaw = (now: number) => thawSubscriber(db, by, one, { now }).expiresAt;
const theService = () => db.select().from(services).get();
const status = (profile_status: "active" | "disabled" | "expired", now: number) =>
  listSubscribers(db, by, { profile_status }, { now }).records.map(({ id }) => id);

describe("a frozen service", () => {
  test("is shown as disabled, since when, and its end as if it were thawed now; filters follow", () => {
    freeze(NOW + DAY);
    const now = NOW + 11 * DAY;
    expect(subscriberRecord(db, by, 1, { now })).toMatchObject({
      profile_status: "disabled",
      frozen_since: NOW + DAY,
      current_expiration_date: end + 10 * DAY,
    });
    expect([status("disabled", now), status("active", NOW + 2 * DAY)]).toEqual([[1], [2]]);
    const late = end + DAY;
    expect([status("disabled", late), status("expired", late)]).toEqual([[1], [2]]);
    thaw(now);
    expect(subscriberRecord(db, by, 1, { now })).toMatchObject({
      profile_status: "active",
      frozen_since: null,
      current_expiration_date: end + 10 * DAY,
    });
  });

  test("stands still: end, paid end, trust and the periods of invoices move by that time, past ones stay", () => {
    activate(db, by, { subscriberId: 1, packageId: 1 }, { now: NOW + 200 });
    extend(db, by, { ...one, hours: 24, reason: "storm", trust: true }, { now: NOW + 300 });
    db.$client.run(
      `INSERT INTO invoices (isp_id, subscriber_id, package_id, package_name, amount, currency, period_start, period_end, created_at)
       VALUES (1, 1, 1, 'Old', 1, 'USD', ${NOW - 9 * DAY}, ${NOW + 100}, ${NOW})`,
    );
    const before = theService();
    const periods = () =>
      db
        .select()
        .from(invoices)
        .all()
        .map(({ periodStart, periodEnd }) => [periodStart, periodEnd]);
    const [first = [], second = [], old = []] = periods();
    freeze(NOW + 5 * DAY);
    expect(thaw(NOW + 12 * DAY)).toBe((before?.expiresAt ?? 0) + 7 * DAY);
    expect(theService()).toMatchObject({
      frozenAt: null,
      paidUntil: (before?.paidUntil ?? 0) + 7 * DAY,
      renewsFrom: (before?.renewsFrom ?? 0) + 7 * DAY,
      anchorDay: null,
    });
    const moved = (period: number[]) => period.map((time) => time + 7 * DAY);
    expect(periods()).toEqual([moved(first), moved(second), old]);
  });

  test("what is left of a period is the same part of it as before", () => {
    freeze(NOW + 10 * DAY);
    thaw(NOW + 20 * DAY);
    const [invoice] = db.select().from(invoices).all();
    expect([invoice?.periodStart, invoice?.periodEnd]).toEqual([NOW + 10 * DAY, end + 10 * DAY]);
  });

  test("ends its sessions, whatever the setting says; one whose router did not do it stays due", async () => {
    changeSetting(db, by, { key: "disconnect_enabled", value: false }, { now: NOW });
    insertSessions(db, {}, { acctSessionId: "81000002" });
    const routers = new RecordedRouters();
    routers.answer = (requests) =>
      requests.endsWith("1") ? { kind: "acknowledged" } : { kind: "failed", reason: "silence" };
    const needs = { clock: () => NOW + DAY, routers };
    expect(await freezeSubscriber(db, by, one, needs)).toMatchObject({
      ended: 1,
      failures: ["silence"],
      frozenAt: NOW + DAY,
      until: NOW + 91 * DAY,
    });
    expect(
      db
        .select()
        .from(sessions)
        .all()
        .map(({ stoppedAt }) => stoppedAt),
    ).toEqual([NOW + DAY, null]);
    expect(dueSessions(db, NOW + DAY).map(({ sessionId }) => sessionId)).toEqual([2]);
    thaw(NOW + 2 * DAY);
    expect(dueSessions(db, NOW + 2 * DAY)).toEqual([]);
  });

  test("that got a password meanwhile knows it when it is thawed", () => {
    freeze(NOW + DAY);
    resetPassword(db, by, { ...one, password: "sunny-day" }, { now: NOW + DAY });
    const password = () => db.vault.openText(theService()?.passwordSealed ?? Buffer.alloc(0));
    expect(password()).toBe("pw-1");
    thaw(NOW + 2 * DAY);
    expect(password()).toBe("sunny-day");
  });
});

test.each<[string, () => unknown, string]>([
  ["twice", () => (freeze(NOW), freeze(NOW + 1)), "thaw first"],
  ["expired", () => freeze(end), "no active service"],
  ["never activated", () => write(db, (tx) => freezeService(tx, by, 3, NOW)), "no active service"],
  [
    "disabled",
    () => {
      db.$client.run("UPDATE subscribers SET status = 0");
      return freeze(NOW);
    },
    "enable it first",
  ],
  ["thawed although it is not frozen", () => thaw(NOW), "not frozen"],
])("is refused: %s", (_, act, words) => {
  expect(act).toThrow(words);
});

describe("at most freeze_days_max of any 365 days", () => {
  test("then it thaws by itself, and is frozen no more until days are free again", () => {
    freeze(NOW + DAY);
    expect(thawOverdue(db, by, { now: NOW + 91 * DAY - 1 })).toBe(0);
    expect(thawOverdue(db, by, { now: NOW + 91 * DAY })).toBe(1);
    expect(theService()).toMatchObject({ frozenAt: null, expiresAt: end + 90 * DAY });
    expect(() => freeze(NOW + 92 * DAY)).toThrow("freeze_days_max");
    db.$client.run(`UPDATE services SET expires_at = ${NOW + 999 * DAY}`);
    expect(freeze(NOW + (1 + 365 + 10) * DAY).until).toBe(NOW + (1 + 365 + 10 + 10) * DAY);
  });

  test("over several times", () => {
    freeze(NOW);
    thaw(NOW + 60 * DAY);
    expect(freeze(NOW + 70 * DAY).until).toBe(NOW + 100 * DAY);
    expect(thawOverdue(db, by, { now: NOW + 100 * DAY })).toBe(1);
  });

  test("one that an import has ended lasted no time", () => {
    freeze(NOW);
    db.$client.run("UPDATE services SET frozen_at = NULL");
    expect(freeze(NOW + 9 * DAY).until).toBe(NOW + 99 * DAY);
    expect(
      db
        .select()
        .from(freezes)
        .all()
        .map(({ thawedAt }) => thawedAt),
    ).toEqual([NOW, null]);
  });

  test("0 allows none", () => {
    changeSetting(db, by, { key: "freeze_days_max", value: 0, ispId: 1 }, { now: NOW });
    expect(() => freeze(NOW)).toThrow("freeze_days_max");
  });
});
