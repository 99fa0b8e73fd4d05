import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { importDataSet } from "../../src/domain/machine/imports/data-set/import.ts";
import { formatTime } from "../../src/domain/core/time/time.ts";
import { createKey } from "../../src/domain/people/api-keys/api-keys.ts";
import { createFilledRole } from "../../src/domain/people/roles/permissions.ts";
import { operator } from "../../src/domain/core/actor/operator.ts";
import { type Answer, type Arguments, AssistantClient } from "../support/assistants.ts";
import { listen, type Listener } from "../../src/http/server.ts";
import { type TestApp, temporaryApp } from "../support/http.ts";
import { temporaryStore } from "../support/store.ts";

/* What an owner asks, each with the calls that answer it, three at the most, beside what the books say by a way of their own. */

const by = operator("root", "cli");
const scripts = join(import.meta.dir, "../../scripts");
let app: TestApp;
let listener: Listener;
let assistant: AssistantClient;
/** Now, and the first days of this month and of the one before. */
let now = 0;
/** Whose line is up: who of the demo is online depends on the hour. */
let online = "";
const month = { this: "", last: "" };

beforeAll(async () => {
  const store = temporaryStore();
  now = Math.floor(Date.now() / 1000);
  const demo = Bun.spawnSync([process.execPath, join(scripts, "demo-isp.ts"), "300"]).stdout.toString();
  await importDataSet(store.db, by, JSON.parse(demo), { now });
  Bun.spawnSync([process.execPath, join(scripts, "demo-history.ts"), store.folder]);
  app = temporaryApp({}, store);
  now = app.clock.now = Math.floor(Date.now() / 1000) + 1;
  const today = formatTime(now).slice(0, 10);
  month.this = `${today.slice(0, 8)}01`;
  month.last = formatTime(Date.parse(month.this) / 1000 - 43_200)
    .slice(0, 8)
    .concat("01");
  online = String(books(`SELECT username FROM subscribers WHERE id = ${ONLINE}`));
  const flags = app.db.$client
    .query<{ name: string }, []>("SELECT name FROM permission_flags")
    .all()
    .map(({ name }) => name);
  const role = createFilledRole(app.db, by, { name: "Owner", ispId: 1, flags }, { now });
  const input = { isp_id: 1, name: "owner", role_code: role.code };
  const { key, secret } = createKey(app.db, by, input, { now });
  listener = listen(app.app, { hostname: "127.0.0.1", port: 0 });
  assistant = await AssistantClient.at(listener.address, `${key.key}:${secret}`);
}, 60_000);
afterAll(async () => {
  await assistant[Symbol.asyncDispose]();
  await listener.stop();
  app[Symbol.dispose]();
});

/** «, » and what they mark are for whoever reads with a model. */
const plain = (value: unknown) => (typeof value === "string" ? value.replace(/^«(.*)»$/s, "$1") : value);

/** The first column of the first row; ?1 is the first second of this month, ?2 of the one before, ?3 now. */
function books(sql: string): unknown {
  const values = [month.this, month.last].map((day) => Date.parse(day) / 1000);
  const query = app.db.$client.query<Record<string, unknown>, number[]>(
    `SELECT * FROM (${sql}) WHERE coalesce(?1, ?2, ?3) IS NOT NULL`,
  );
  return Object.values(query.get(...values, now) ?? {})[0] ?? 0; // of nothing, as on the first of a month
}

type Step = readonly [tool: string, sent?: Arguments | ((before: Answer) => Arguments)];
type Question = readonly [
  asked: string,
  steps: readonly Step[],
  read: (last: Answer) => unknown,
  sql: string,
];

const first = (name: string) => (last: Answer) => plain(last.rows[0]?.[name]);
const of = (name: string) => (last: Answer) => plain(last.answer[name]);
const total = (last: Answer) => last.total;
const count = (last: Answer) => last.rows.length;
const sum = (name: string) => (last: Answer) =>
  Math.round(last.rows.reduce((all, row) => all + Number(row[name]), 0) * 100) / 100;
const found = (q: string): Step => ["find", { q }];
const its =
  (name = "id") =>
  (before: Answer) => ({ [name]: before.rows[0]?.["id"] });
const thisMonth = () => ({ from: month.this });
const lastMonth = () => ({ from: month.last, to: dayBefore(month.this) });
const dayBefore = (day: string) => new Date(Date.parse(day) - 43_200_000).toISOString().slice(0, 10);
const yesterday = () => formatTime(now - 86_400).slice(0, 10);
const reported = (name: string, sent: () => Arguments): Step => [
  "report",
  () => ({ name, arguments: sent() }),
];
const LEDGER_DAY = "created_at >= ?1";

const ONLINE =
  "(SELECT subscriber_id FROM sessions WHERE stopped_at IS NULL AND subscriber_id > 0 AND framed_ip IS NOT NULL ORDER BY id LIMIT 1)";
const OPEN =
  "SELECT count(DISTINCT subscriber_id) FROM sessions WHERE stopped_at IS NULL AND subscriber_id > 0";
const ACTIVE =
  "FROM subscribers s JOIN services v ON v.subscriber_id = s.id WHERE s.status = 1 AND v.expires_at";

const questions: readonly Question[] = [
  [
    "How many subscribers do we have?",
    [["subscribers", { limit: 1 }]],
    total,
    "SELECT count(*) FROM subscribers",
  ],
  ["How many are online?", [["subscribers", { connection_status: "online", limit: 1 }]], total, OPEN],
  [
    "How many have paid up?",
    [["subscribers", { profile_status: "active", limit: 1 }]],
    total,
    `SELECT count(*) ${ACTIVE} > ?3`,
  ],
  [
    "How many have expired?",
    [["subscribers", { profile_status: "expired", limit: 1 }]],
    total,
    `SELECT count(*) ${ACTIVE} <= ?3`,
  ],
  [
    "How many did we switch off?",
    [["subscribers", { profile_status: "disabled", limit: 1 }]],
    total,
    "SELECT count(*) FROM subscribers WHERE status = 0",
  ],
  [
    "How many never had a package?",
    [["subscribers", { profile_status: "inactive", limit: 1 }]],
    total,
    "SELECT count(*) FROM subscribers WHERE status = 1 AND id NOT IN (SELECT subscriber_id FROM services)",
  ],
  [
    "How many have Home 10?",
    [
      ["packages", { name: "Home 10" }],
      ["subscribers", its("package_id")],
    ],
    total,
    "SELECT count(*) FROM subscribers WHERE package_id = 1",
  ],
  [
    "How many hang on BOX-1?",
    [["subscribers", { box_number: "BOX-1" }]],
    total,
    "SELECT count(*) FROM subscribers WHERE box_number = 'BOX-1'",
  ],
  [
    "How many renew by themselves?",
    [["subscribers", { auto_renew: 1, limit: 1 }]],
    total,
    "SELECT count(*) FROM subscribers WHERE auto_renew = 1",
  ],
  [
    "How many owe us by their wallets?",
    [["subscribers", { balance_lt: 0, limit: 1 }]],
    total,
    "SELECT count(*) FROM (SELECT sum(amount) AS s FROM ledger_entries WHERE subscriber_id > 0 GROUP BY subscriber_id) WHERE s < 0",
  ],
  [
    "How many does Rita serve?",
    [
      ["staff", { username: "reseller1" }],
      ["subscribers", its("salesperson_id")],
    ],
    total,
    "SELECT count(*) FROM subscribers WHERE salesperson_id = 4",
  ],
  [
    "What is the mobile of demo002?",
    [["subscribers", { username: "demo002" }]],
    first("mobile_number"),
    "SELECT mobile_number FROM subscribers WHERE username = 'demo002'",
  ],
  [
    "Who has the number +1555010003?",
    [["subscribers", { mobile: "+1555010003" }]],
    first("name"),
    "SELECT name FROM subscribers WHERE mobile_number = '+1555010003'",
  ],
  [
    "Who is Emil Okafor, by his username?",
    [found("Emil Okafor")],
    first("username"),
    "SELECT username FROM subscribers WHERE name = 'Emil Okafor' ORDER BY id LIMIT 1",
  ],
  [
    "How much is in the wallet of demo001?",
    [found("demo001"), ["subscriber", its()]],
    of("balance"),
    "SELECT sum(amount) / 100 FROM ledger_entries WHERE subscriber_id = 1",
  ],
  [
    "Which package has demo006?",
    [found("demo006")],
    first("package_name"),
    "SELECT p.name FROM subscribers s JOIN packages p ON p.id = s.package_id WHERE s.username = 'demo006'",
  ],
  [
    "Is demo001 online?",
    [found("demo001"), ["usage", its()]],
    (last) => Number(last.answer["online"]),
    "SELECT count(*) > 0 FROM sessions WHERE subscriber_id = 1 AND stopped_at IS NULL",
  ],
  [
    "With which address is somebody online?",
    [
      ["find", () => ({ q: online })],
      ["usage", its()],
    ],
    (last) => Object(last.answer["session"]).ip,
    `SELECT framed_ip FROM sessions WHERE subscriber_id = ${ONLINE} AND stopped_at IS NULL ORDER BY started_at DESC, id DESC LIMIT 1`,
  ],
  [
    "Why does Leila Ortiz's line not come up?",
    [
      ["logins", { reason: "mac_locked", limit: 1 }],
      ["why", (before) => ({ id: before.rows[0]?.["user_id"] })],
    ],
    (last) => plain(Object(last.answer["decisions"])[0].reason),
    "SELECT reason FROM auth_log WHERE subscriber_id = (SELECT subscriber_id FROM auth_log WHERE reason = 'mac_locked' ORDER BY id DESC LIMIT 1) ORDER BY id DESC LIMIT 1",
  ],
  [
    "What has demo006 still to pay?",
    [found("demo006"), ["statement", its()]],
    of("open_without_invoice"),
    "SELECT -sum(amount) / 100 FROM ledger_entries WHERE subscriber_id = 6",
  ],
  [
    "When does demo001's package end?",
    [["subscribers", { username: "demo001" }]],
    (last) => Date.parse(`${first("current_expiration_date")(last)}Z`) / 1000,
    "SELECT expires_at FROM services WHERE subscriber_id = 1",
  ],
  [
    "How often was demo001 online?",
    [found("demo001"), ["sessions", (before) => ({ ...its("user_id")(before), limit: 1000 })]],
    count,
    "SELECT count(*) FROM sessions WHERE subscriber_id = 1",
  ],
  [
    "What did we sell this month?",
    [reported("sales", thisMonth)],
    sum("net"),
    `SELECT -sum(amount) / 100 FROM ledger_entries WHERE kind = 'activation' AND ${LEDGER_DAY}`,
  ],
  [
    "How many sales were that?",
    [reported("sales", thisMonth)],
    sum("sales"),
    `SELECT count(*) FROM ledger_entries WHERE kind = 'activation' AND ${LEDGER_DAY}`,
  ],
  [
    "And last month?",
    [reported("sales", lastMonth)],
    sum("net"),
    "SELECT -sum(amount) / 100 FROM ledger_entries WHERE kind = 'activation' AND created_at >= ?2 AND created_at < ?1",
  ],
  [
    "What did we take in this month?",
    [reported("collections", thisMonth)],
    sum("taken"),
    `SELECT sum(amount) / 100.0 FROM payments WHERE reseller_id IS NULL AND ${LEDGER_DAY}`,
  ],
  [
    "How much of it in cash?",
    [reported("collections", () => ({ ...thisMonth(), method: "cash" }))],
    sum("taken"),
    `SELECT sum(amount) / 100.0 FROM payments WHERE reseller_id IS NULL AND method = 'cash' AND ${LEDGER_DAY}`,
  ],
  [
    "How much by bank last month?",
    [reported("collections", () => ({ ...lastMonth(), method: "bank" }))],
    sum("taken"),
    "SELECT sum(amount) / 100 FROM payments WHERE reseller_id IS NULL AND method = 'bank' AND created_at >= ?2 AND created_at < ?1",
  ],
  [
    "How much did Clara take this month?",
    [
      ["staff", { username: "clerk" }],
      [
        "report",
        (before) => ({ name: "collections", arguments: { ...thisMonth(), ...its("staff_id")(before) } }),
      ],
    ],
    sum("taken"),
    `SELECT sum(amount) / 100.0 FROM payments WHERE kind = 'payment' AND taken_by = 6 AND ${LEDGER_DAY}`,
  ],
  [
    "What is owed to us?",
    [reported("owed", () => ({}))],
    first("owed"),
    "SELECT -sum(s) / 100 FROM (SELECT sum(amount) AS s FROM ledger_entries WHERE subscriber_id > 0 GROUP BY subscriber_id) WHERE s < 0",
  ],
  [
    "By how many?",
    [reported("owed", () => ({}))],
    first("subscribers"),
    "SELECT count(*) FROM (SELECT sum(amount) AS s FROM ledger_entries WHERE subscriber_id > 0 GROUP BY subscriber_id) WHERE s < 0",
  ],
  [
    "How much owes who owes most?",
    [reported("debtors", () => ({ limit: 1 }))],
    first("owed"),
    "SELECT max(-s) / 100 FROM (SELECT sum(amount) AS s FROM ledger_entries WHERE subscriber_id > 0 GROUP BY subscriber_id)",
  ],
  [
    "What is in Rita's wallet?",
    [reported("resellers", () => ({}))],
    (last) => last.rows.find(({ reseller_id: id }) => id === 4)?.["wallet"],
    "SELECT sum(amount) / 100.0 FROM ledger_entries WHERE staff_id = 4",
  ],
  [
    "What commission did Rob get?",
    [
      ["staff", { username: "reseller2" }],
      ["wallet_entries", (before) => ({ ...its("staff_id")(before), kind: "commission" })],
    ],
    sum("amount"),
    "SELECT sum(amount) / 100.0 FROM ledger_entries WHERE staff_id = 5 AND kind = 'commission'",
  ],
  [
    "How many cards are unsold?",
    [reported("card_stock", () => ({}))],
    sum("unsold"),
    "SELECT count(*) FROM cards c JOIN card_batches b ON b.id = c.batch_id WHERE c.state = 'new' AND b.kind <> 'money' AND (b.sell_by IS NULL OR b.sell_by > ?3)",
  ],
  [
    "How many batches of cards did we print?",
    [["card_batches", { limit: 1 }]],
    total,
    "SELECT count(*) FROM card_batches",
  ],
  [
    "How many cards are void?",
    [["card_batches"]],
    sum("cards_void"),
    "SELECT count(*) FROM cards WHERE state = 'void'",
  ],
  [
    "How many cards were sold at the desk this month?",
    [reported("cards", thisMonth)],
    sum("sold_cards"),
    "SELECT count(*) FROM cards WHERE coalesce(sold_at, first_used_at) >= ?1",
  ],
  [
    "What did tax make this month?",
    [reported("tax", thisMonth)],
    sum("tax"),
    "SELECT sum(tax) / 100 FROM invoices WHERE created_at >= ?1",
  ],
  [
    "How many joined this month?",
    [reported("growth", thisMonth)],
    sum("joined"),
    "SELECT count(*) FROM subscribers WHERE created_at >= ?1",
  ],
  [
    "How many expire in the next seven days?",
    [reported("expiring", () => ({ days: 7 }))],
    sum("expiring"),
    "SELECT count(*) FROM services v JOIN subscribers s ON s.id = v.subscriber_id WHERE s.status = 1 AND expires_at > ?3 AND expires_at < (?3 / 86400 + 7) * 86400",
  ],
  [
    "How much went through yesterday?",
    [reported("traffic", () => ({ from: yesterday(), to: yesterday() }))],
    sum("output_octets"),
    "SELECT sum(output_octets) FROM usage_days WHERE day = (SELECT max(day) - 1 FROM usage_days)",
  ],
  [
    "Who used most this month?",
    [reported("top_users", () => ({ per: "month", from: month.this, limit: 1 }))],
    first("user_id"),
    "SELECT subscriber_id FROM usage_days WHERE day >= ?1 / 86400 GROUP BY 1 ORDER BY sum(input_octets + output_octets) DESC LIMIT 1",
  ],
  [
    "How many logins were refused for a wrong password at Tower-1?",
    [["logins", { nas_id: 1, reason: "wrong_password", limit: 1000 }]],
    count,
    "SELECT count(*) FROM auth_log WHERE nas_id = 1 AND reason = 'wrong_password'",
  ],
  ["How many outages were there?", [["outages", { limit: 1 }]], count, "SELECT count(*) FROM outages"],
  [
    "How many lines went dark in the last one?",
    [["outages", { limit: 1 }]],
    first("lines"),
    "SELECT lines FROM outages ORDER BY id DESC LIMIT 1",
  ],
  [
    "What does Home 30 cost?",
    [["packages", { name: "Home 30" }]],
    first("price"),
    "SELECT price / 100 FROM packages WHERE name = 'Home 30'",
  ],
  [
    "How many packages do we sell?",
    [["packages", { status: 1, limit: 1 }]],
    total,
    "SELECT count(*) FROM packages WHERE status = 1",
  ],
  ["How many routers are there?", [["routers", { limit: 1 }]], total, "SELECT count(*) FROM nas"],
  [
    "What is the address of Hill-3?",
    [["routers", { name: "Hill-3" }]],
    first("address"),
    "SELECT address FROM nas WHERE name = 'Hill-3'",
  ],
  [
    "Who works here?",
    [["staff", { limit: 1 }]],
    total,
    "SELECT count(*) FROM staff WHERE is_key = 0 AND isp_id = 1",
  ],
  [
    "How many of them resell?",
    [["staff", { profile_type: 3 }]],
    total,
    "SELECT count(*) FROM staff WHERE profile_type = 3",
  ],
  [
    "What was the last payment?",
    [["payments", { limit: 1 }]],
    first("amount"),
    "SELECT amount / 100.0 FROM payments ORDER BY id DESC LIMIT 1",
  ],
  [
    "What is on the newest receipt?",
    [
      ["payments", { limit: 1 }],
      ["payments", (before) => ({ number: plain(before.rows[0]?.["number"]) })],
    ],
    first("amount"),
    "SELECT amount / 100.0 FROM payments ORDER BY id DESC LIMIT 1",
  ],
  [
    "How many payments came by mobile money?",
    [["payments", { method: "mobile", limit: 1000 }]],
    count,
    "SELECT count(*) FROM payments WHERE method = 'mobile'",
  ],
  [
    "Which invoices are open?",
    [["invoices", { state: "open", limit: 1000 }]],
    sum("open"),
    "SELECT sum(open) / 100 FROM invoices WHERE open > 0",
  ],
  [
    "What did demo006 buy?",
    [found("demo006"), ["invoices", its("user_id")]],
    count,
    "SELECT count(*) FROM invoices WHERE subscriber_id = 6",
  ],
  [
    "Which money waits for somebody?",
    [["incoming_payments", { view: "open" }]],
    sum("amount"),
    "SELECT sum(amount) / 100.0 FROM incoming_payments WHERE state = 'unmatched'",
  ],
  [
    "How many closings are unconfirmed?",
    [["closings", { confirmed: 0, limit: 1000 }]],
    count,
    "SELECT count(*) FROM closings WHERE confirmed_at IS NULL",
  ],
  [
    "What was missing in the tills?",
    [["closings", { limit: 1000 }]],
    sum("difference"),
    "SELECT sum(counted - expected) / 100.0 FROM closings",
  ],
  [
    "Who has that address?",
    [
      ["find", () => ({ q: online })],
      ["usage", its()],
      ["who_had_address", (before) => ({ address: Object(before.answer["session"]).ip })],
    ],
    (last) => plain(last.rows[0]?.["username"]),
    `SELECT username FROM subscribers WHERE id = ${ONLINE}`,
  ],
  [
    "How many lines are open at Market-4?",
    [
      ["routers", { name: "Market-4" }],
      ["sessions", (before) => ({ ...its("nas_id")(before), open: 1, limit: 1000 })],
    ],
    count,
    "SELECT count(*) FROM sessions WHERE nas_id = 4 AND stopped_at IS NULL",
  ],
  [
    "How many packages were activated by staff this month?",
    [["audit", () => ({ action: "subscriber.activate", from: month.this, limit: 1000 })]],
    count,
    "SELECT count(*) FROM audit_entries WHERE action = 'subscriber.activate' AND at >= ?1",
  ],
  [
    "Which messages were not delivered?",
    [
      ["calls", { words: "list messages" }],
      ["call", { call: "listMessages", arguments: { state: "failed" } }],
    ],
    count,
    "SELECT count(*) FROM messages WHERE state = 'failed'",
  ],
  [
    "How many roles are there?",
    [["call", { call: "listRoles" }]],
    total,
    "SELECT count(*) FROM roles WHERE isp_id = 1",
  ],
  [
    "Which cities do we serve?",
    [["call", { call: "listCities" }]],
    total,
    "SELECT count(*) FROM cities WHERE isp_id = 1",
  ],
];

test("there are about as many questions as an owner has, and none takes more than three calls", () => {
  expect(questions.length).toBeGreaterThanOrEqual(60);
  expect(Math.max(...questions.map(([, steps]) => steps.length))).toBe(3);
});

test.each(questions.map((question) => [question[0], question] as const))(
  "%s",
  async (_, [, steps, read, sql]) => {
    let last: Answer = { rows: [], answer: {} };
    for (const [tool, sent = {}] of steps) {
      last = await assistant.ask(tool, typeof sent === "function" ? sent(last) : sent);
      expect(last.refused).toBe(undefined);
    }
    expect(read(last)).toBe(books(sql) as never);
  },
);
