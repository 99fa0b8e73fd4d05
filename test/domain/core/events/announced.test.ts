import { FormatRegistry } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { expect, test } from "bun:test";
import pino from "pino";
import { type Db, write } from "../../../../db/open.ts";
import { activate } from "../../../../src/domain/service/activation/activate.ts";
import { extend } from "../../../../src/domain/service/activation/extend.ts";
import { voidSoldInvoice } from "../../../../src/domain/desk/void/void.ts";
import { createCardBatch } from "../../../../src/domain/service/cards/batches.ts";
import { recordFirstUses } from "../../../../src/domain/service/cards/first-use.ts";
import { tellMoments } from "../../../../src/domain/core/events/moments.ts";
import { type EventType, eventTypes } from "../../../../src/domain/core/events/types.ts";
import { receivePayment } from "../../../../src/domain/desk/incoming/receive.ts";
import { watchBoxes } from "../../../../src/domain/machine/access-boxes/watch.ts";
import { OutageWatch, watchOutages } from "../../../../src/domain/service/outages/watch.ts";
import { refundPayment } from "../../../../src/domain/desk/payments/refund.ts";
import { reversePayment } from "../../../../src/domain/desk/payments/reverse.ts";
import { takePayment } from "../../../../src/domain/desk/payments/take.ts";
import { AccountingWriter } from "../../../../src/domain/service/accounting/accounting.ts";
import type { SessionReport } from "../../../../src/domain/service/sessions/advance.ts";
import { changeSetting } from "../../../../src/domain/machine/settings/change.ts";
import { signInToConsole } from "../../../../src/domain/people/staff/console-sessions.ts";
import { tellLockedLogin } from "../../../../src/domain/people/staff/locked-logins.ts";
import { archiveOne } from "../../../../src/domain/desk/subscriber-page/archive.ts";
import { createSubscriber } from "../../../../src/domain/goods/subscribers/create.ts";
import { resetPassword } from "../../../../src/domain/goods/subscribers/reset-password.ts";
import { setSubscriberStatus } from "../../../../src/domain/goods/subscribers/status.ts";
import { testEndpoint } from "../../../../src/domain/around/webhooks/deliveries.ts";
import { createEndpoint } from "../../../../src/domain/around/webhooks/endpoints.ts";
import { BackupFolder } from "../../../../src/jobs/backup-folder.ts";
import { Arrivals } from "../../../../src/domain/goods/nas/arrivals.ts";
import { watchRouters, type WatchTools } from "../../../../src/domain/service/router-watch/watch.ts";
import { noNasTools } from "../../../support/routers.ts";
import { makeCard } from "../../../support/card-codes.ts";
import { by, DAY, newSubscriber } from "../../../support/isp.ts";
import { boss, office as copyOfOffice } from "../../../support/office.ts";
import { plant as copyOfPlant, report as reportAll } from "../../../support/plant.ts";
import { NOW, undoneStores } from "../../../support/store.ts";

const office = undoneStores(copyOfOffice);
const plant = undoneStores(copyOfPlant);

FormatRegistry.Set("date-time", (value) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(value));

/** Values that no receiver may see, wherever they came from. */
const SECRETS = {
  portal: "never-tell-portal-7731",
  line: "never-tell-line-7732",
  typed: "never-tell-typed-7733",
};
/** As long as text of people may be, and of characters that are long as JSON. */
const LONG = '"\u2028ü'.repeat(60);

const world = { now: NOW };
const one = { subscriberId: 1 };
const pay = (db: Db, amount: number) =>
  takePayment(db, boss, { ...one, amount, method: "cash", reference: "R".repeat(100) }, world);

function listen(db: Db, types: string): void {
  createEndpoint(db, by, { isp_id: 1, url: "https://receiver.example/hook", types }, world);
}

function account(db: Db, values: Partial<SessionReport>): void {
  const report: SessionReport = {
    status: "start",
    at: NOW,
    acctSessionId: "a-1",
    username: "user1",
    nasAddress: "127.0.0.1",
    localAddress: null,
    nasId: 1,
    class: null,
    nasPort: null,
    nasPortId: null,
    nasPortType: null,
    nasIp: null,
    nasIdentifier: null,
    calledStationId: null,
    mac: "02:00:00:00:00:01",
    framedIp: "100.64.0.7",
    framedIpv6Prefix: null,
    delegatedIpv6Prefix: null,
    sessionTime: 0,
    inputOctets: 0,
    outputOctets: 0,
    octetsAre32Bit: false,
    terminateCause: undefined,
    viaBox: null,
    ...values,
  };
  write(db, (tx) => {
    new AccountingWriter(tx).book({ kind: "session", login: "user1", report, ispId: 1, arrival: NOW });
  });
}

function useData(db: Db, octets: number): void {
  activate(db, by, { ...one, packageId: 2 }, world);
  db.$client.run("UPDATE services SET quota_total = 1000");
  account(db, { inputOctets: octets });
  account(db, { status: "interim", sessionTime: 60, inputOctets: octets });
}

function reachTier(db: Db): void {
  activate(db, by, { ...one, packageId: 2 }, world);
  db.$client.run("UPDATE services SET tiers = '1kB 2M/2M', rate_limit = '5M/5M'");
  account(db, { inputOctets: 500 });
  account(db, { status: "interim", sessionTime: 60, inputOctets: 1500 });
}

async function endService(db: Db): Promise<void> {
  await tellMoments(db, by, world);
  activate(db, by, { ...one, packageId: 2 }, world);
  await tellMoments(db, by, { now: NOW + 40 * DAY });
}

async function silence(db: Db, { back }: { back: boolean }): Promise<void> {
  const watch = new OutageWatch(db, { since: NOW - 3600 });
  for (let second = 0; second <= 930; second += 10) {
    const isQuiet = second >= 30 && !(back && second > 910);
    reportAll(db, NOW + second, { but: isQuiet ? [3] : [] });
    await watchOutages(by, { watch }, { now: NOW + second });
  }
}

/** A server of a router that two looks see wrong, and two right again. */
async function drift(db: Db, { back }: { back: boolean }): Promise<void> {
  db.$client
    .query("UPDATE nas SET routeros_username = 'gatehouse', routeros_password_sealed = ? WHERE id = 1")
    .run(db.vault.seal("x"));
  for (const keepalive of ["0", "0", ...(back ? ["10", "10"] : ["0"])]) {
    const rows: Readonly<Record<string, Record<string, string>[]>> = {
      "/system/resource": [{ version: "7.21" }],
      "/interface/pppoe-server/server": [{ ".id": "*1", "keepalive-timeout": keepalive }],
    };
    const menus = { print: async (menu: string) => rows[menu] ?? null, run: async () => [] };
    const none = async () => {};
    const nasTools: WatchTools["nasTools"] = {
      ...noNasTools,
      open: async (_router, _login, body) => body({ ...menus, add: none, set: none, remove: none }),
    };
    await watchRouters(db, by, { nasId: 1 }, { clock: () => NOW, arrivals: new Arrivals(), nasTools });
  }
}

/** Three boxes, of which one has not joined, and one is not heard for a while. */
function cutOff(db: Db, { back }: { back: boolean }): void {
  const { $client } = db;
  const add = $client.query(
    "INSERT INTO access_boxes (name, nkey, seal_key, scope, heard_at, created_at) VALUES (?, 'U', 'k', ?, ?, 0)",
  );
  add.run("tower-1", '{"isps":[1]}', NOW);
  add.run("tower-2", null, NOW + 1000);
  add.run("tower-3", null, null);
  for (let second = 0; second <= 300; second += 10) {
    if (back && second > 200)
      $client.run("UPDATE access_boxes SET heard_at = ? WHERE name = 'tower-1'", [NOW + second]);
    watchBoxes(db, by, { now: NOW + second });
  }
}

const failBackup = ({ db, folder }: { db: Db; folder: string }) =>
  new BackupFolder({
    db,
    folder,
    clock: () => NOW,
    log: pino({}, { write: () => {} }),
    isService: false,
  }).failed("/backups", Object.assign(new Error("no room"), { code: "ENOSPC" }));

const buy = (db: Db, packageId: number) => activate(db, by, { ...one, packageId }, world);

type Store = Awaited<ReturnType<typeof office>>;

/** Of each type, what has to happen for it. */
const tellers: Record<EventType, (db: Db, store: Store) => unknown> = {
  "subscriber.created": (db) => {
    const { balance: _, ...fields } = newSubscriber(7, { name: LONG.slice(0, 120) });
    return createSubscriber(db, by, { ...fields, id: undefined, password: SECRETS.line }, world);
  },
  "subscriber.updated": (db) => resetPassword(db, by, { ...one, password: SECRETS.line }, world),
  "subscriber.password_changed": (db) => resetPassword(db, by, { ...one, password: SECRETS.line }, world),
  "subscriber.activated": (db) => buy(db, 2),
  "subscriber.extended": (db) => {
    buy(db, 2);
    extend(db, by, { ...one, hours: 5, reason: "x", trust: false }, world);
  },
  "subscriber.expiring": endService,
  "subscriber.expired": endService,
  "subscriber.disabled": (db) => setSubscriberStatus(db, by, { ...one, enabled: false }, world),
  "subscriber.enabled": (db) => {
    setSubscriberStatus(db, by, { ...one, enabled: false }, world);
    setSubscriberStatus(db, by, { ...one, enabled: true }, world);
  },
  "subscriber.archived": (db) => write(db, (tx) => archiveOne(tx, by, one, world)),
  "payment.received": (db) => pay(db, 500),
  "payment.reversed": (db) => {
    pay(db, 500);
    reversePayment(db, by, { paymentId: 1, reason: "x" }, world);
  },
  "payment.refunded": (db) => {
    pay(db, 500);
    refundPayment(db, by, { ...one, amount: 200, method: "cash", note: "x" }, world);
  },
  "payment.unmatched": (db) => {
    const paid = {
      ispId: 1,
      sourceId: null,
      provider: "till",
      externalId: "T-1",
      amount: 2200,
      currency: "USD",
    };
    const named = { by: "any" as const, text: LONG };
    const raw = { bodyHash: Buffer.alloc(32), raw: SECRETS.typed };
    const event = { ...paid, ...raw, paidAt: NOW, method: "online" as const, named, payer: "Ada" };
    receivePayment(db, boss, event, { now: NOW, onOther: "keep" });
  },
  "invoice.issued": (db) => buy(db, 2),
  "invoice.paid": (db) => {
    buy(db, 2);
    pay(db, 2000);
  },
  "invoice.void": (db) => {
    buy(db, 2);
    voidSoldInvoice(db, by, { invoiceId: 1, reason: "x", endService: false }, world);
  },
  "invoice.overdue": endService,
  "balance.low": (db) => {
    changeSetting(db, by, { key: "low_balance", value: "5.00", ispId: 1 }, world);
    pay(db, 2300);
    buy(db, 1);
  },
  "quota.80": (db) => useData(db, 800),
  "quota.100": (db) => useData(db, 1000),
  "tier.reached": reachTier,
  "card.batch_made": (db) => createCardBatch(db, boss, { kind: "refill", quantity: 2, price: "5.00" }, world),
  "card.first_used": (db) => {
    const { id } = makeCard(db);
    const use = { isCardUse: true, cardId: id, at: NOW, mac: null };
    recordFirstUses(db, [use, use]);
  },
  "session.started": (db) => {
    listen(db, "session.started");
    account(db, {});
    account(db, { status: "interim", sessionTime: 60 });
    account(db, { status: "stop", sessionTime: 70 });
  },
  "session.stopped": (db) => {
    listen(db, "session.stopped");
    account(db, {});
    account(db, { status: "stop", sessionTime: 70 });
    account(db, { status: "stop", sessionTime: 70 });
  },
  "router.silent": (db) => silence(db, { back: false }),
  "router.back": (db) => silence(db, { back: true }),
  "router.drifted": (db) => drift(db, { back: false }),
  "router.mended": (db) => drift(db, { back: true }),
  "box.cut_off": (db) => cutOff(db, { back: false }),
  "box.back": (db) => cutOff(db, { back: true }),
  "backup.failed": (_, store) => {
    failBackup(store);
    failBackup(store);
  },
  "login.locked": (db) => {
    for (const who of ["ADA", 1, "ada"])
      tellLockedLogin(db, by, { of: "staff", who, source: "192.0.2.7", wait: 60 }, world);
  },
  "staff.signed_in": (db) => {
    const credentials = { username: "ada", password: "secret-1", source: "192.0.2.7", userAgent: "x" };
    return signInToConsole(db, { ...credentials, ...world });
  },
  "webhook.test": (db) => {
    listen(db, "*");
    testEndpoint(db, by, { id: 1 }, world);
  },
};

const ofPlant = new Set<string>(["router.silent", "router.back"]);

test.each(Object.keys(tellers) as EventType[])(
  "%s is told once, in the form of its schema, small and without a secret",
  async (type) => {
    using store = await (ofPlant.has(type) ? plant() : office());
    const { db } = store;
    db.$client.run("DELETE FROM events");
    await tellers[type](db, store);
    const rows = db.$client
      .query<{ data: string }, [string]>("SELECT data FROM events WHERE type = ?")
      .all(type);
    expect(rows).toHaveLength(1);
    for (const { data } of rows) {
      expect([...Value.Errors(eventTypes[type].data, JSON.parse(data))]).toEqual([]);
      expect(Buffer.byteLength(data)).toBeLessThan(19_000);
    }
    const all = db.$client.query<{ data: string }, []>("SELECT data FROM events").all();
    const text = all.map(({ data }) => data).join("\n");
    for (const secret of [...Object.values(SECRETS), "secret-1", "pw-1", "hush", "$argon2"])
      expect(text).not.toContain(secret);
  },
);

test("no code of a card is told, neither when it is made nor when it is used", async () => {
  using store = await office();
  const { db } = store;
  const card = makeCard(db);
  recordFirstUses(db, [{ isCardUse: true, cardId: card.id, at: NOW, mac: null }]);
  const event = JSON.stringify(db.$client.query("SELECT * FROM events").all());
  expect(event).toContain("card.first_used");
  expect(event).not.toContain(card.code);
});

test("sessions are not told while nobody asks for them by name, and those of another ISP to nobody who asks", async () => {
  using store = await office();
  const { db } = store;
  listen(db, "*");
  createEndpoint(db, by, { isp_id: 2, url: "https://receiver.example/", types: "session.started" }, world);
  account(db, {});
  account(db, { status: "stop", sessionTime: 70 });
  expect(db.$client.query("SELECT 1 FROM events").all()).toEqual([]);
});

test("a name that is nobody's may be a password, and is not told", async () => {
  using store = await office();
  const { db } = store;
  for (const of of ["staff", "subscriber"] as const)
    tellLockedLogin(db, by, { of, who: SECRETS.typed, source: "192.0.2.7", wait: 60 }, world);
  const event = db.$client
    .query<{ data: string; due_key: string }, []>("SELECT data, due_key FROM events")
    .all();
  expect(event).toHaveLength(2);
  expect(JSON.stringify(event)).not.toContain(SECRETS.typed);
});

test("who has to wait is told again after ten minutes, and of another address at once", async () => {
  using store = await office();
  const { db } = store;
  const tell = (source: string, now: number) =>
    tellLockedLogin(db, by, { of: "subscriber", who: "USER1", source, wait: 60 }, { now });
  expect([tell("192.0.2.7", NOW), tell("192.0.2.7", NOW + 599), tell("192.0.2.8", NOW + 599)]).toEqual([
    ...[true, false, true],
  ]);
  expect(tell("192.0.2.7", NOW + 600)).toBe(true);
});
