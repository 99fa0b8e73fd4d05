import { type Db, write } from "../../db/open.ts";
import { readBalance } from "../../src/domain/core/amounts/balance.ts";
import { append } from "../../src/domain/money/billing/ledger.ts";
import { createCardBatch } from "../../src/domain/service/cards/batches.ts";
import { recordFirstUse } from "../../src/domain/service/cards/first-use.ts";
import { receivePayment } from "../../src/domain/desk/incoming/receive.ts";
import { createPaymentSource } from "../../src/domain/desk/incoming/sources.ts";
import type { MoveReport } from "../../src/domain/machine/imports/report.ts";
import { bookAttempt } from "../../src/domain/around/webhooks/book.ts";
import { testEndpoint } from "../../src/domain/around/webhooks/deliveries.ts";
import { createFeed } from "../../src/domain/around/feeds/feeds.ts";
import { createEndpoint } from "../../src/domain/around/webhooks/endpoints.ts";
import type { Input } from "../../src/domain/core/fields/fields.ts";
import { createKey } from "../../src/domain/people/api-keys/api-keys.ts";
import { temporaryApp } from "./http.ts";
import { aPackage, aSubscriber, by, loadIsp, newSubscriber } from "./isp.ts";
import { SECRET_1_HASH } from "./people.ts";
import { NOW, templateStore, undoneStores } from "./store.ts";

const everyFlag = [
  "api_access",
  "role_view",
  "role_manage",
  "subscriber_view",
  "subscriber_add",
  "subscriber_edit",
  "subscriber_note",
  "subscriber_password",
  "subscriber_mac",
  "subscriber_activate",
  "subscriber_disconnect",
  ...["place_view", "place_manage", "package_view", "package_manage"],
  "subscriber_bulk",
  ...["nas_view", "nas_manage", "staff_view", "staff_manage", "setting_manage", "audit_view"],
  "subscriber_status",
  "subscriber_plant",
  "wallet_view",
  ...["session_view", "report_view"],
  "subscriber_extend",
  "subscriber_status",
  "invoice_void",
  "report_view",
  "payment_view",
  "payment_take",
  "payment_reverse",
  "payment_refund",
  "invoice_view",
  "wallet_view",
  "wallet_adjust",
  "closing_own",
  "closing_manage",
  "data_import",
  "message_view",
  "message_manage",
  "message_send",
  "webhook_manage",
  "payment_match",
  "payment_receive",
  "card_view",
  "card_make",
  "card_sell",
  "card_void",
  "api_key_manage",
];
const permissions = Object.fromEntries(everyFlag.map((flag) => [flag, 1]));
const account = { isp_id: 1, branch_id: 0, password_hash: SECRET_1_HASH, status: 1, profile_type: 1 };

export const callers = {
  admin: "ada:secret-1",
  reseller: "rex:secret-1",
  otherReseller: "rob:secret-1",
  branch: "mia:secret-1",
  otherBranch: "max:secret-1",
  noFlag: "nil:secret-1",
  disabled: "off:secret-1",
  otherTenant: "sue:secret-1",
  operator: "box:secret-1",
};

/** Router 1 with an API account, and finding 1 of it. */
export function insertFinding(db: Db): void {
  db.$client
    .query("UPDATE nas SET routeros_username = 'gatehouse', routeros_password_sealed = ? WHERE id = 1")
    .run(db.vault.seal("x"));
  db.$client.run(
    `INSERT INTO router_findings (id, nas_id, kind, key, level, detail, state, commands, is_mendable, found_at, counted_at)
     VALUES (1, 1, 'ppp_name', 'user1', 'error', '{"of":"subscriber","who":"user1","name":"user1"}', '',
       '["/ppp secret set [find name=user1] disabled=yes"]', 1, ?, ?) ON CONFLICT DO NOTHING`,
    [NOW, NOW],
  );
  db.$client.run(
    `INSERT INTO router_readings (nas_id, tried_at, read_at, version, unread, facts)
     VALUES (1, ?, ?, '7.21', '[]', '{"others":{"ppp":2,"hotspot":0,"bypassed":1}}') ON CONFLICT DO NOTHING`,
    [NOW, NOW],
  );
}

/** The fields that create requires, of a subscriber `sam` that the tenants do not have yet. */
export const sam = {
  isp_id: 1,
  name: "Sam",
  username: "sam",
  password: "pw-sam",
  package_id: 1,
  connection_type_id: 1,
  salesperson_id: 1,
  nas_id: 1,
  nic_number: "N-sam",
  mobile_number: "M-sam",
};

/**
 * Two ISPs. Subscriber 1 of ISP 1 is active, in branch 11 and the reseller's; 2 was never activated, in branch 12 and the
 * Admin's; 9 is of ISP 2. Role 4 has no staff.
 */
export async function withTenants(options: Parameters<typeof temporaryApp>[0] = {}) {
  return temporaryApp(options, await tenants());
}

const tenants = templateStore(fillTenants);

/** `withTenants` on a store of `undoneStores`; each has an app of its own, because that counts who fails to sign in. */
export function undoneTenants(): typeof withTenants {
  const stores = undoneStores(tenants);
  return async (options = {}) => temporaryApp(options, await stores());
}

export async function fillTenants(db: Db): Promise<void> {
  await loadIsp(db, {
    settings: { disconnect_confirm: 0 }, // the routers of these tests prove nothing
    isps: [
      {
        id: 1,
        name: "Northlink",
        branches: [
          { id: 11, name: "Centre" },
          { id: 12, name: "Harbour" },
        ],
      },
      { id: 2, name: "Southlink", branches: [{ id: 21, name: "Hill" }] },
    ],
    address_pools: [{ id: 1, isp_id: 1, name: "homes", range: "10.20.0.1-10.20.0.254" }],
    cities: [
      { id: 1, isp_id: 1, name: "Riverton" },
      { id: 2, isp_id: 2, name: "Hilton" },
    ],
    areas: [
      { id: 1, isp_id: 1, city_id: 1, name: "East" },
      { id: 2, isp_id: 2, city_id: 2, name: "Slope" },
    ],
    subareas: [
      { id: 1, isp_id: 1, area_id: 1, name: "Block 4" },
      { id: 2, isp_id: 2, area_id: 2, name: "Block 9" },
    ],
    roles: [
      { code: 1, isp_id: 1, name: "Everything", permissions },
      { code: 2, isp_id: 1, name: "Idle", permissions: { api_access: 1 } },
      { code: 3, isp_id: 2, name: "South", permissions },
      { code: 4, isp_id: 1, name: "Spare", permissions: null },
    ],
    staff: [
      { ...account, id: 1, name: "Ada", username: "ada", email: "ada@isp.example" },
      { ...account, id: 2, name: "Rex", username: "rex", profile_type: 3, role_code: 1 },
      { ...account, id: 3, name: "Rob", username: "rob", profile_type: 3, role_code: 1 },
      { ...account, id: 4, name: "Mia", username: "mia", profile_type: 2, role_code: 1, branch_id: 11 },
      { ...account, id: 5, name: "Max", username: "max", profile_type: 2, role_code: 1, branch_id: 12 },
      { ...account, id: 6, name: "Nil", username: "nil", profile_type: 2, role_code: 2 },
      { ...account, id: 7, name: "Off", username: "off", status: 0 },
      { ...account, id: 8, name: "Sue", username: "sue", isp_id: 2 },
      { ...account, id: 9, name: "Box", username: "box", isp_id: 0 },
    ],
    packages: [
      aPackage(2, { name: "Post", billing_type: "postpaid", data_quota_bytes: 1000 }),
      aPackage(9, { isp_id: 2 }),
    ],
    subscribers: [
      aSubscriber(1, { branch_id: 11, salesperson_id: 2 }),
      newSubscriber(2, { branch_id: 12 }),
      aSubscriber(9, { isp_id: 2, package_id: 9, salesperson_id: 8, nas_id: 2 }),
    ],
  });
}

export type Tenants = Awaited<ReturnType<typeof withTenants>>;

type Clocked = Pick<Tenants, "db" | "clock">;

export function openSession({ db, clock }: Clocked, subscriberId: number, sessionId = "S1"): void {
  db.$client
    .query(
      `INSERT INTO sessions (nas_id, nas_address, acct_session_id, username, subscriber_id, nas_ip, mac, framed_ip, started_at, updated_at)
       VALUES (1, '127.0.0.1', ?, ?, ?, '192.0.2.1', 'AA:BB:CC:DD:EE:FF', '10.0.0.7', ?, ?)`,
    )
    .run(sessionId, `user${subscriberId}`, subscriberId, clock.now - 60, clock.now);
}

/** Bulk operation 1, of the reseller of ISP 1 on its subscriber. */
export function insertBulk({ db, clock }: Clocked): void {
  db.$client.run(
    `INSERT INTO bulk_jobs (id, isp_id, staff_id, actor, source, operation, input, total, created_at)
     VALUES (1, 1, 2, 'rex', '192.0.2.1', 'router', '{"nas_id":1}', 1, ${clock.now})`,
  );
  db.$client.run("INSERT INTO bulk_rows (job_id, position, subscriber_id) VALUES (1, 1, 1)");
}

/** Batch 1 of ISP 1, in branch 11: card 1 is new, card 2 in use and locked to a device. */
export function insertCards(db: Db, now: number): void {
  const hour = { kind: "access", package_id: 1, quantity: 2, price: "1.00", lock_first_device: 1 };
  createCardBatch(db, by, { ...hour, isp_id: 1, branch_id: 11 }, { now });
  recordFirstUse(db, { cardId: 2, at: now, mac: "AA:BB:CC:DD:EE:FF" });
}

let arrivals = 0;

/** A payment source of ISP 1, and unmatched money; returns its id. */
export function insertArrived(db: Db, now: number): number {
  const nth = ++arrivals;
  createPaymentSource(
    db,
    by,
    {
      isp_id: 1,
      kind: "provider",
      name: `Paystack ${nth}`,
      method: "online",
      preset: "paystack",
      secret: "sk_test_1234",
    },
    { now },
  );
  return receivePayment(
    db,
    by,
    {
      ispId: 1,
      sourceId: null,
      provider: "till",
      externalId: `S-${nth}`,
      amount: 500,
      currency: "USD",
      paidAt: null,
      method: "online",
      named: { by: "nothing", text: null },
      payer: null,
      bodyHash: new Uint8Array(32),
      raw: "",
    },
    { now, onOther: "keep" },
  ).id;
}

export const CALLBACK_TOKEN = "callback-token-1";

/** A payment source of ISP 1 that a token authenticates; returns its key. */
export function insertCalled(db: Db, now: number): string {
  const xendit = {
    isp_id: 1,
    kind: "provider",
    name: `Xendit ${++arrivals}`,
    method: "online",
    preset: "xendit",
  };
  return createPaymentSource(db, by, { ...xendit, secret: CALLBACK_TOKEN }, { now }).source.key ?? "";
}

/** Webhook 1 of ISP 1, with the delivery 1 of its first event, which has failed once. */
export function insertWebhook({ db, clock }: Clocked): void {
  const { now } = clock;
  const hook = { isp_id: 1, url: "https://receiver.example/hook", types: "*" };
  const { endpoint } = createEndpoint(db, by, hook, { now });
  testEndpoint(db, by, { id: endpoint.id }, { now });
  const came = { milliseconds: 20, status: 500, answer: "no" };
  bookAttempt(db, { id: 1, endpointId: 1, url: hook.url }, came, { now, random: 0 });
}

/** Shaper 1 of ISP 1, which does not answer. */
export function insertFeed({ db, clock: { now } }: Clocked): void {
  createFeed(db, by, { isp_id: 1, name: "lq", address: "10.0.0.20", secret: "hush-hush" }, { now });
  const came = [now - 300, now - 240, now - 240];
  db.$client.run(
    "UPDATE feeds SET answered_at = ?, silent_since = ?, behind_since = ?, waiting = 7 WHERE id = 1",
    came,
  );
}

/** Key 50 of ISP 1, in branch 11; returns its id and secret as they are sent. */
export function insertKey({ db, clock: { now } }: Clocked, input: Input = {}): string {
  db.$client.run("UPDATE sqlite_sequence SET seq = max(seq, 49) WHERE name = 'staff'");
  const usual = { isp_id: 1, branch_id: 11, name: "books", role_code: 1 };
  const { key, secret } = createKey(db, by, { ...usual, ...input }, { now });
  return `${key.key}:${secret}`;
}

/** Import 1 of ISP 1, which left one of two out. */
export function insertMove({ db, clock }: Clocked): void {
  const none = { found: 0, new: 0, changed: 0, same: 0, refused: 0 };
  const subscribers = { found: 2, new: 1, changed: 0, same: 0, refused: 1 };
  const at = { file: "a.csv", line: 3 };
  const report: MoveReport = {
    source: "csv",
    files: ["a.csv"],
    zone: "UTC",
    at: clock.now,
    isDryRun: false,
    passwords: 1,
    counts: { subscribers, packages: none, routers: none, sessions: none, vouchers: none },
    places: { branch: 0, city: 0, area: 0, subarea: 0 },
    packages: [{ name: "Home", key: "home", from: "a.csv:2", holders: 1, terms: "1 month", price: "15.00" }],
    told: [
      {
        kind: "refused",
        heading: "Could not come",
        count: 1,
        rows: [{ kind: "refused", at, who: "", text: "has no username" }],
      },
    ],
    afterwards: [],
  };
  db.$client
    .query(
      `INSERT INTO moves (id, isp_id, source, files, staff_id, actor, started_at, finished_at, report)
       VALUES (1, 1, 'csv', '["a.csv"]', 1, 'ada', ?, ?, ?)`,
    )
    .run(clock.now, clock.now, JSON.stringify(report));
}

/** An outage of the box B-1 of an ISP, with one line. */
export function insertOutage({ $client }: Db, id: number, ispId: number, subscriberId: number): void {
  $client.run(
    `INSERT INTO outages (id, isp_id, kind, box_number, began_at, found_at, lines, evidence) VALUES (${id}, ${ispId}, 'box', 'B-1',
       ${NOW}, ${NOW + 40}, 1, '{"sign":"lost","seconds":9,"answering":0,"most":0,"ports":["5"],"answeringPorts":["1"]}');
     INSERT INTO outage_lines (outage_id, subscriber_id, dark_at) VALUES (${id}, ${subscriberId}, ${NOW})`,
  );
}

/** Books a balance of ISP 1's subscriber away, so that it may leave. */
export function emptyWallet(db: Db, subscriberId = 1): void {
  const account = { subscriberId };
  const amount = -readBalance(db, account);
  write(db, (tx) => append(tx, { account, ispId: 1, amount, kind: "adjustment" }, NOW, by));
}

/** The decision about a login of subscriber 1 from a device that is not its own. */
export function refuseLogin({ $client }: Db): void {
  $client.run(
    `INSERT INTO auth_log (at, nas_id, nas_address, username, subscriber_id, accepted, reason, mac)
     VALUES (${NOW - 60}, 1, '127.0.0.1', 'user1', 1, 0, 'mac_locked', 'AA:BB:CC:DD:EE:01')`,
  );
}

export function stateOf({ db }: Tenants): unknown {
  const tables = [
    "roles",
    "role_permissions",
    "staff",
    "subscribers",
    "services",
    "ledger_entries",
    "invoices",
    "payments",
    "closings",
    "counters",
    "sessions",
    "subscriber_tokens",
    "audit_entries",
    ...["isps", "branches", "cities", "areas", "subareas", "packages"],
    ...["bulk_jobs", "bulk_rows"],
    ...["nas", "nas_sources", "settings", "logos", "staff_tokens"],
    ...["card_batches", "cards", "card_templates"],
    ...["webhook_endpoints", "webhook_deliveries", "webhook_attempts"],
    ...["feeds", "feed_routers", "api_keys"],
  ];
  return tables.map((table) => db.$client.query(`SELECT * FROM ${table}`).all());
}

/** A top-up of three days; returns its number. */
export function sellTopUps(db: Db): number {
  db.$client
    .query(
      `INSERT OR IGNORE INTO packages (id, isp_id, name, price, billing_type, duration, duration_unit, top_up_days, created_at)
       VALUES (20, 1, 'Three days more', 100, 'prepaid', 1, 'day', 3, 0)`,
    )
    .run();
  return 20;
}
