import { eq } from "drizzle-orm";
import type { Db } from "../../../../../db/open.ts";
import { feeds, radsecCertificates, staff, subscribers } from "../../../../../db/schema.ts";
import type { Moved } from "../../../../../src/domain/machine/imports/model.ts";
import { moveIn, type MoveOptions } from "../../../../../src/domain/machine/imports/move-in.ts";
import { Notices } from "../../../../../src/domain/machine/imports/notices.ts";
import type { Actor } from "../../../../../src/domain/core/actor/actor.ts";
import { operator } from "../../../../../src/domain/core/actor/operator.ts";
import { readHead } from "../../../../../src/domain/desk/subscriber-page/head.ts";
import type { Subscriber } from "../../../../../src/domain/goods/subscribers/find.ts";
import { createPaymentSource } from "../../../../../src/domain/desk/incoming/sources.ts";
import { receivePayment, type PaymentNotice } from "../../../../../src/domain/desk/incoming/receive.ts";
import { testEndpoint } from "../../../../../src/domain/around/webhooks/deliveries.ts";
import { createEndpoint } from "../../../../../src/domain/around/webhooks/endpoints.ts";
import { localDay } from "../../../../../src/domain/core/time/time.ts";
import { insertTemplate } from "../../../../support/card-printout.ts";
import { RecordedRouters } from "../../../../support/recorded-routers.ts";
import { knownCard } from "../../../../support/redeem-cards.ts";
import { insertConfigs } from "../../../../support/router-config.ts";
import { addMessages } from "../../../../support/messages.ts";
import { fillMoney } from "../../../../support/money.ts";
import { NOW, templateStore } from "../../../../support/store.ts";
import {
  fillTenants,
  insertCards,
  insertFinding,
  insertKey,
  insertOutage,
  refuseLogin,
} from "../../../../support/tenants.ts";

type Work = (db: Db, by: Actor) => unknown;

/**
 * A call of each operation, of what is ISP 1's, in branch 11 and of the reseller 2 where it has those, and what of that is
 * reached: by the operator, by who sees ISP 1 (else as the operator), by an Admin of ISP 2, by one of branch 12 and by the
 * reseller 3 (else as who sees ISP 1). A refusal stands as its code.
 */
export interface Call {
  call: Work;
  /** Flags that it needs beside its own. */
  also?: readonly string[];
  operator: unknown;
  ispOne?: unknown;
  otherIsp?: unknown;
  otherBranch?: unknown;
  otherReseller?: unknown;
}

const now = NOW + 600;
export const world = { now };
export const asking = { clock: () => now, routers: new RecordedRouters() };
export const one = { subscriberId: 1 };
export const nobody = { otherIsp: "not_found", otherBranch: "not_found", otherReseller: "not_found" };
export const nowhere = { otherIsp: "forbidden", otherBranch: "forbidden", otherReseller: "forbidden" };
/** Of what has no branch: read by everybody in the ISP, written by accounts of the whole ISP, which a reseller's is not. */
export const read = { otherIsp: "not_found" };
export const written = { otherIsp: "not_found", otherBranch: "forbidden", otherReseller: "forbidden" };
export const done = "done";
/** Subscriber 1 as somebody has read it who sees all: handed over, it is no way around a scope. */
export const known = (db: Db) => readHead(db, operator("ops", "cli"), 1, world);

/** For calls of which it counts that they went through. */
export function through(call: Work): Call["call"] {
  return async (db, by) => {
    await call(db, by);
    return done;
  };
}

/** On subscriber 1, or an account of its branch. */
export const act = (call: Work): Call => ({
  call: through(call),
  operator: done,
  ...nobody,
});
/** On what has no branch. */
export const write = (call: Work): Call => ({
  call: through(call),
  operator: done,
  ...written,
});
export const forOperator = (call: Work): Call => ({
  call: through(call),
  operator: done,
});
/** Of the second factor that `pat` has. */
export const PAT_SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";
/** Of the own account alone, whoever calls; the command line has none. */
export const ofOneself = (call: Work): Call => ({
  call: through(call),
  operator: "forbidden",
  ispOne: done,
});
/** By `pat` itself, or by who manages it. */
export const ofPat = (call: Work): Call => ({ ...act(call), otherReseller: "forbidden" });
export const forSelf = (call: (db: Db, by: Actor, subscriber: Subscriber) => unknown): Call =>
  forOperator((db, by) => call(db, by, subscriberOne(db)));

/** Of a refill card of ISP 1. */
export const KNOWN_CODE = "KNOWNCARD";

/** Within it, what is summed. */
export const today = { from: NOW - 43_200, to: NOW + 43_200 };
const MINUTE = NOW - (NOW % 60);
const TODAY = localDay(NOW);

export const ADDRESS = "10.0.0.7";

/** Subscriber 1, who acts for itself. */
export const own: Actor = {
  staffId: null,
  subscriberId: 1,
  name: "subscriber user1",
  source: "portal",
  scope: { ispId: 1, branchId: null, salespersonId: null },
  admin: false,
  flags: new Set<string>(),
};

function subscriberOne(db: Db): Subscriber {
  const found = db.select().from(subscribers).where(eq(subscribers.id, 1)).get();
  if (!found) throw new Error("there is no subscriber 1");
  return found;
}

/**
 * The two ISPs of the HTTP tests; `pat` of branch 11 beside them, sessions and decisions of subscribers and of names that are
 * nobody's at routers of each ISP and of none, an entry of the audit trail of each, and packages with other terms than those who hold them.
 */
export const nothingMoved: Moved = {
  packages: [],
  routers: [],
  subscribers: [],
  sessions: [],
  vouchers: [],
  afterwards: [],
};
export const moveOptions: MoveOptions = {
  ispId: 1,
  source: "csv",
  files: ["a.csv"],
  notices: new Notices(),
  zone: "UTC",
  now: NOW,
};

export const officeStore = templateStore(async (db) => {
  await fillTenants(db);
  fillMoney(db, NOW);
  await moveIn(db, operator("root", "cli"), nothingMoved, moveOptions);
  const mia = db.select().from(staff).where(eq(staff.username, "mia")).get();
  if (!mia) throw new Error("there is no mia");
  db.insert(staff)
    .values({
      ...mia,
      id: 10,
      username: "pat",
      usernameKey: "pat",
      email: null,
      emailKey: null,
      roleCode: null,
      totpSecret: db.vault.seal(PAT_SECRET),
    })
    .run();
  for (const key of ["K1", "K2"])
    db.$client
      .query(
        `INSERT INTO staff_sessions (id, staff_id, created_at, seen_at, expires_at, source)
         VALUES (?, 10, ${NOW}, ${NOW}, ${NOW + 3600}, '192.0.2.1')`,
      )
      .run(key);
  insertFinding(db);
  const open: [nasId: number | null, username: string, subscriberId: number | null][] = [
    [1, "user1", 1],
    [2, "user9", 9],
    [1, "stranger", null],
    [2, "elsewhere", null],
    [null, "nowhere", null],
  ];
  for (const [index, [nasId, username, subscriberId]] of open.entries())
    db.$client
      .query(
        `INSERT INTO sessions (nas_id, nas_address, acct_session_id, username, subscriber_id, framed_ip, started_at, updated_at)
         VALUES (?, '127.0.0.1', ?, ?, ?, ?, ?, ?)`,
      )
      .run(nasId, `S${index + 1}`, username, subscriberId, ADDRESS, NOW + index, NOW + index);
  db.$client.run(
    `INSERT INTO auth_log (at, nas_id, nas_address, username, subscriber_id, accepted, reason)
     VALUES (${NOW}, 1, '127.0.0.1', 'user1', 1, 1, 'accepted')`,
  );
  db.$client.run(
    `INSERT INTO bulk_jobs (id, isp_id, staff_id, actor, source, operation, input, total, created_at)
     VALUES (1, 1, 1, 'ada', '192.0.2.1', 'enable', '{}', 2, ${NOW})`,
  );
  db.$client.run("INSERT INTO bulk_rows (job_id, position, subscriber_id) VALUES (1, 1, 1), (1, 2, 2)");
  db.insert(radsecCertificates)
    .values({
      id: 1,
      nasId: 1,
      fingerprint: "f1",
      address: "127.0.0.1",
      notAfter: NOW + 1000,
      madeAt: NOW,
      madeBy: "ada",
      bundleSealed: db.vault.seal("a file"),
    })
    .run();
  insertConfigs(db, 1, NOW);
  for (const [ispId, name] of [
    [1, "north"],
    [2, "south"],
  ] as const)
    db.insert(feeds)
      .values({ ispId, name, address: "10.0.0.20", secretSealed: db.vault.seal("s"), createdAt: NOW })
      .run();
  for (const ispId of ["1", "2", "NULL"])
    db.$client.run(
      `INSERT INTO audit_entries (at, isp_id, actor, source, action, entity, entity_id)
       VALUES (${NOW}, ${ispId}, 'root', 'cli', 'role.look', 'role', '1')`,
    );
  refuseLogin(db);
  db.$client.run("UPDATE subscribers SET box_number = 'B-1' WHERE id IN (1, 9)");
  db.$client.run(
    `INSERT INTO nas_minutes (nas_id, at, isp_id, sessions) VALUES (1, ${MINUTE}, 1, 5), (2, ${MINUTE}, 2, 6);
     INSERT INTO login_days VALUES (${TODAY}, 1, 1, 1, 'accepted', 5), (${TODAY}, 2, 2, 1, 'accepted', 6);
     INSERT INTO traffic_days VALUES (${TODAY}, 1, 11, 1, 2, 1, 5, 50), (${TODAY}, 2, 0, 9, 8, 1, 6, 60);
     INSERT INTO usage_days VALUES (1, ${TODAY}, 5, 50), (9, ${TODAY}, 6, 60);
     INSERT INTO subscriber_days VALUES (${TODAY}, 1, 11, 2, 5000, 1), (${TODAY}, 1, 12, 1, 6000, 0), (${TODAY}, 2, 0, 8, 7000, 1)`,
  );
  insertOutage(db, 1, 1, 1);
  insertOutage(db, 2, 2, 9);
  db.$client.run("UPDATE subscribers SET auto_renew = 1 WHERE id IN (1, 9)");
  db.$client.run("UPDATE packages SET rate_limit = '1M/1M'");
  sumsOfBoth(db);
  db.$client.run("UPDATE packages SET expired_address_list = 'late' WHERE isp_id = 1");
  insertCards(db, NOW);
  knownCard(db, KNOWN_CODE, { branch_id: 11 });
  insertTemplate(db, NOW);
  addHook(db);
  insertKey({ db, clock: { now: NOW } }, { role_code: 2 });
  db.$client.run(
    `INSERT INTO api_key_calls (key_id, at, method, path, status, milliseconds, address) VALUES (50, ${NOW}, 'GET', '/a', 200, 1, '')`,
  );
  addMessages(db, NOW);
  receivePayment(db, operator("root", "cli"), stray, { now: NOW, onOther: "keep" });
  createPaymentSource(
    db,
    operator("root", "cli"),
    {
      isp_id: 1,
      kind: "provider",
      name: "Paystack",
      method: "online",
      preset: "paystack",
      secret: "sk_test_1234",
    },
    { now: NOW },
  );
});

/** A webhook of ISP 1 with a delivery. */
function addHook(db: Db): void {
  const root = operator("root", "cli");
  createEndpoint(db, root, { isp_id: 1, url: "https://receiver.example/hook", types: "*" }, { now: NOW });
  testEndpoint(db, root, { id: 1 }, { now: NOW });
}

/** Money of ISP 1 of which nobody knows whose it is. */
export const stray: PaymentNotice = {
  ispId: 1,
  sourceId: null,
  provider: "till",
  externalId: "T-1",
  amount: 500,
  currency: "USD",
  paidAt: null,
  method: "online",
  named: { by: "nothing", text: null },
  payer: null,
  bodyHash: new Uint8Array(32),
  raw: "",
};

/** Sums as the ledger would leave them: a sale and a payment of each ISP; something owed that no charge covers; a free day. */
function sumsOfBoth({ $client }: Db): void {
  const [day, month] = [localDay(NOW), Math.floor(localDay(NOW) / 100)];
  for (const [isp, branch, seller, subscriberId] of [
    [1, 11, 2, 1],
    [2, 0, 8, 9],
  ] as const) {
    for (const [kind, method, reached] of [
      ["activation", "", 0],
      ["payment", "cash", 1],
    ] as const)
      for (const [table, column, period] of [
        ["ledger_days", "day", day],
        ["ledger_months", "month", month],
      ] as const)
        $client
          .query(
            `INSERT INTO ${table} (${column}, isp_id, branch_id, area_id, package_id, seller_id, staff_id, account, kind, method, reached, entries, amount)
             VALUES (?, ?, ?, 0, 0, ?, 0, 'subscriber', ?, ?, ?, 1, 100)`,
          )
          .run(period, isp, branch, seller, kind, method, reached);
    $client.query("INSERT INTO open_charges VALUES (?, 0, 1)").run(subscriberId);
    $client
      .query(
        `INSERT INTO extensions (isp_id, branch_id, package_id, seller_id, subscriber_id, before, after, paid_until, reason, actor, created_at)
         VALUES (?, ?, 1, ?, ?, 0, 86400, 0, 'sorry', 'ada', ?)`,
      )
      .run(isp, branch, seller, subscriberId, NOW);
  }
}
