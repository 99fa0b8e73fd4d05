import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { migrate } from "../../db/migrate.ts";
import { migrations } from "../../db/migrations.ts";
import { systemClock } from "../../src/domain/core/time/time.ts";
import { type Addresses, Appliance, radiusAt } from "../support/appliance.ts";
import { FakeNas } from "../support/fake-nas.ts";
import { ada, aPackage, NAS_SECRET, rex } from "../support/isp.ts";
import { radclient } from "../support/radclient.ts";
import { RadiusClient } from "../support/radius-client.ts";
import { eventually } from "../support/radius-server.ts";

// Cards from their making to their end, in the real executable: by curl, by radclient, and at a router that is asked to end them.

const MAC = "02:AA:00:00:00:01";
const DEVICE = `Calling-Station-Id = "${MAC}"`;

const appliance = new Appliance();
let nas: FakeNas;
let at: Addresses;
let db: Database;
beforeAll(async () => {
  nas = await FakeNas.start();
  const router = { isp_id: 1, secret: NAS_SECRET, coa_port: nas.port, disconnect_method: "coa" };
  const data = {
    settings: { disconnect_confirm: 0 },
    isps: [{ id: 1, name: "Northlink" }],
    staff: [ada, rex],
    nas: [
      { ...router, id: 1, name: "core", address: "127.0.0.1" },
      { ...router, id: 2, name: "beach", address: "127.0.0.2" },
    ],
    packages: [aPackage(1)],
  };
  await appliance.load(data);
  at = await appliance.serve();
  db = new Database(join(appliance.folder, "data/gatehouse.db"), { readonly: true });
});
afterAll(async () => {
  db.close();
  await appliance[Symbol.asyncDispose]();
  nas[Symbol.dispose]();
});

/** A call of the API by curl: the status, and the body as it came. */
async function curl(path: string, fields: Record<string, string | number>, key?: string) {
  const child = Bun.spawn(
    [
      ...["curl", "-s", "-u", "ada:secret-1", "-w", "\n%{http_code}", `http://${at.http}/api/v1/${path}`],
      ...Object.entries(fields).flatMap(([name, value]) => ["--data-urlencode", `${name}=${value}`]),
      ...(key === undefined ? [] : ["-H", `Idempotency-Key: ${key}`]),
    ],
    { stdout: "pipe" },
  );
  const [text] = await Promise.all([child.stdout.text(), child.exited]);
  const end = text.lastIndexOf("\n");
  return { status: Number(text.slice(end + 1)), text: text.slice(0, end) };
}

/** A router at an address of its own, for what radclient cannot do. */
function newClient(localAddress: string): RadiusClient & AsyncDisposable {
  const client = new RadiusClient({ ...radiusAt(at), secret: NAS_SECRET, localAddress });
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}

interface Printed {
  readonly id: number;
  readonly code: string;
  /** With dashes. */
  readonly printed: string;
}

let files = 0;

/** Makes a batch of access cards of an hour, and reads their codes from the file that is printed from. */
async function makeCards(fields: Record<string, string | number>): Promise<Printed[]> {
  const text = {
    kind: "access",
    package_id: 1,
    price: "2.00",
    duration: 1,
    duration_unit: "hour",
    ...fields,
  };
  const made = await curl("card_batch/create", text);
  expect(made).toMatchObject({ status: 200 });
  return codesOf(JSON.parse(made.text).batch.id);
}

async function codesOf(batch: number, of = appliance): Promise<Printed[]> {
  const file = join(of.folder, `codes-${++files}.csv`);
  expect(await of.run(["card", "csv", `${batch}`, file])).toMatchObject({ code: 0 });
  const [, ...lines] = readFileSync(file, "utf8").trim().split(/\r?\n/);
  return lines.map((line) => {
    const [number = "", , code = "", printed = ""] = line.split(",");
    return { id: Number(number.slice(2)), code, printed };
  });
}

/** The only card of a batch of its own. */
async function makeCard(fields: Record<string, string | number> = {}): Promise<Printed> {
  const [card] = await makeCards({ quantity: 1, ...fields });
  if (!card) throw new Error("a batch without a card");
  return card;
}

const auth = (attributes: string) =>
  radclient(at.radius_auth, "auth", NAS_SECRET, `${attributes}, ${DEVICE}, NAS-Port-Type = Wireless-802.11`);
const acct = (attributes: string) =>
  radclient(at.radius_acct, "acct", NAS_SECRET, `${attributes}, ${DEVICE}, Framed-IP-Address = 10.5.50.7`);
const byPap = (code: string) => auth(`User-Name = "${code}", User-Password = "${code}"`);
const row = (id: number) =>
  db
    .query<{ state: string; first: number | null; seconds: number; charged: number | null }, [number]>(
      "SELECT state, first_used_at AS first, used_seconds AS seconds, charged_at AS charged FROM cards WHERE id = ?",
    )
    .get(id);
const chargesOf = (id: number) =>
  db.query<{ amount: number }, [number]>("SELECT amount FROM ledger_entries WHERE card_id = ?").all(id);
/** What the router was asked to end: the names, in the order in which it was asked. */
const ended = () =>
  nas.requests
    .filter(({ code }) => code === 40)
    .map(({ attributes }) =>
      Buffer.from(attributes.find(([type]) => type === 1)?.[1] ?? "", "hex").toString(),
    );

test("a batch is made once, however often it is pressed, and no code is in the answer", async () => {
  const fields = { kind: "access", package_id: 1, quantity: 3, price: "1.50" };
  const first = await curl("card_batch/create", fields, "summer");
  expect(first.status).toBe(200);
  expect(await curl("card_batch/create", fields, "summer")).toEqual(first);
  expect(await curl("card_batch/create", { ...fields, quantity: 4 }, "summer")).toMatchObject({
    status: 409,
  });
  const batch: { id: number; number: string } = JSON.parse(first.text).batch;
  const cards = await codesOf(batch.id);
  expect(cards).toHaveLength(3);
  for (const { code } of cards) expect(first.text).not.toContain(code);
  const listed = await appliance.run(["card", "batch", "list", "--json"]);
  const batches: { id: number }[] = JSON.parse(listed.stdout);
  expect(batches.find(({ id }) => id === batch.id)).toMatchObject({ quantity: 3, cards_new: 3 });
  const found = await appliance.run(["card", "find", "--code-stdin", "--json"], cards[1]?.code.toLowerCase());
  expect(JSON.parse(found.stdout)).toMatchObject({ id: cards[1]?.id, standing: "new" });
  expect(found.stdout).not.toContain(cards[1]?.code ?? "");
});

test("a code as people type it logs in by each method, until its time is used up", async () => {
  const { id, code, printed } = await makeCard({ uptime_seconds: 600 });
  const small = code.toLowerCase();
  const logins = [
    `User-Name = "${small}", User-Password = " ${printed} "`,
    `User-Name = "hotspot\\\\${code}", CHAP-Password = "${code}"`,
    `User-Name = "${printed}", CHAP-Password = "${printed}"`,
    `User-Name = "${small}", MS-CHAP-Password = "${small}"`,
  ];
  for (const login of logins) expect(await auth(login)).toMatch(/Access-Accept[^]*Session-Timeout = 600/);
  expect(await auth(`User-Name = "${code}", CHAP-Password = "wrong"`)).toContain(
    "wrong username or password",
  );
  await using client = newClient("127.0.0.1");
  const attributes = [["Calling-Station-Id", MAC]] as const;
  expect(await client.access({ name: small, password: small, method: "mschapv2", attributes })).toMatchObject(
    {
      code: "Access-Accept",
      faults: [],
    },
  );
  const session = `User-Name = "${small}", Acct-Session-Id = "80500001"`;
  expect(await acct(`${session}, Acct-Status-Type = Start`)).toContain("Accounting-Response");
  await acct(`${session}, Acct-Status-Type = Interim-Update, Acct-Session-Time = 300`);
  expect(await byPap(code)).toMatch(/Session-Timeout = 300\b/);
  await acct(`${session}, Acct-Status-Type = Interim-Update, Acct-Session-Time = 601`);
  expect(await eventually(() => ended().includes(code))).toBe(true);
  expect(await byPap(code)).toContain("used up");
  expect(row(id)).toMatchObject({ state: "active", seconds: 601 });
  expect(appliance.log).not.toMatch(new RegExp(code, "i"));
});

test.each(["the API", "the command line"])(
  "a card in use that is made void by %s is thrown out",
  async (by) => {
    const { id, code } = await makeCard();
    expect(await byPap(code)).toContain("Access-Accept");
    await acct(`User-Name = "${code}", Acct-Session-Id = "8051${id}", Acct-Status-Type = Start`);
    if (by === "the API") {
      const answer = await curl("card/void", { id, reason: "stolen" });
      expect(JSON.parse(answer.text)).toMatchObject({ ended: 1, failures: [] });
    } else {
      const outcome = await appliance.run(["card", "void", `C-${id}`, "--reason", "stolen"]);
      expect(outcome).toMatchObject({ code: 0, stderr: "" });
      expect(outcome.stdout).toContain("ended 1 of its sessions");
    }
    expect(ended()).toContain(code);
    expect(await byPap(code)).toContain("not valid any more");
  },
);

test("of two routers that let in by one code at one moment, one does", async () => {
  const { id, code } = await makeCard();
  await using here = newClient("127.0.0.1");
  await using there = newClient("127.0.0.2");
  const login = (client: RadiusClient, mac: string) =>
    client.access({ name: code, password: code, attributes: [["Calling-Station-Id", mac]] });
  const replies = await Promise.all([login(here, MAC), login(there, "02:AA:00:00:00:02")]);
  expect(replies.map((reply) => reply?.code).toSorted()).toEqual(["Access-Accept", "Access-Reject"]);
  expect(await eventually(() => row(id)?.state === "active")).toBe(true);
});

test.each([true, false])(
  "killed between the Accept and the Start, the Accept written: %p: it is used once, and charged once",
  async (isWritten) => {
    const fields = { reseller_id: 2, reseller_price: "1.20", charge_on: "use" };
    const { id, code } = await makeCard(fields);
    const writer = appliance.otherWriter();
    if (!isWritten) writer.run("BEGIN IMMEDIATE");
    const startedAt = systemClock();
    const accept = await byPap(code);
    const answered = systemClock();
    expect(accept).toContain("Access-Accept");
    const sessionClass = /Class = (0x[0-9a-f]+)/.exec(accept)?.[1];
    if (isWritten) expect(await eventually(() => row(id)?.first !== null)).toBe(true);
    expect(await appliance.stop("SIGKILL")).not.toBe(0);
    writer.close();
    const before = row(id)?.first ?? null;
    expect(before !== null).toBe(isWritten);
    at = await appliance.serve();
    const start = `User-Name = "${code}", Acct-Session-Id = "8052${id}", Class = ${sessionClass}, Acct-Status-Type = Start`;
    for (let times = 0; times < 2; times++) expect(await acct(start)).toContain("Accounting-Response");
    const first = row(id)?.first ?? 0;
    expect(row(id)).toMatchObject({ state: "active", first: before ?? first });
    // the Class tells of the Accept that nobody has written down
    expect(first).toBeWithin(startedAt, answered + 1);
    expect(await eventually(() => row(id)?.charged !== null)).toBe(true);
    expect(await byPap(code)).toContain("Access-Accept");
    await acct(`${start.replace(/Start$/, "Stop")}, Acct-Session-Time = 60`);
    expect(row(id)).toMatchObject({ first, seconds: 60 });
    expect(chargesOf(id)).toEqual([{ amount: -120 }]);
  },
);

test("the store of the version before cards gets them, and keeps its money", async () => {
  await using old = new Appliance();
  expect(await old.run(["init"])).toMatchObject({ code: 0 });
  const file = join(old.folder, "data/gatehouse.db");
  for (const end of ["", "-wal", "-shm"]) rmSync(file + end, { force: true });
  const before = new Database(file, { strict: true });
  const list = migrations.slice(
    0,
    migrations.findIndex(({ tag }) => tag.endsWith("cards")),
  );
  migrate(before, { list, now: 1 });
  before.run(`
    INSERT INTO isps VALUES (1, 'Northlink');
    INSERT INTO staff (id, isp_id, name, username, username_key, password_hash, profile_type, created_at, updated_at)
      VALUES (1, 1, 'Ada', 'ada', 'ada', 'x', 1, 1, 1);
    INSERT INTO packages (id, isp_id, name, price, billing_type, duration, duration_unit, created_at)
      VALUES (1, 1, 'Day', 100, 'prepaid', 1, 'day', 1);
    INSERT INTO ledger_entries (id, isp_id, staff_id, amount, balance_after, kind, actor, created_at)
      VALUES (7, 1, 1, 500, 500, 'opening', 'root', 1)`);
  before.close();
  const added = await old.run(["nas", "add", "core", "127.0.0.1", "--secret-stdin"], NAS_SECRET);
  expect(added).toMatchObject({ code: 0 });
  const made = await old.run(["card", "batch", "create", "access", "1", "--package", "1", "--price", "1.00"]);
  expect(made).toMatchObject({ code: 0, stderr: "" });
  const { radius_auth } = await old.serve();
  const { code = "" } = (await codesOf(1, old))[0] ?? {};
  const login = `User-Name = "${code}", User-Password = "${code}", ${DEVICE}`;
  expect(await radclient(radius_auth, "auth", NAS_SECRET, login)).toContain("Access-Accept");
  using now = new Database(file, { readonly: true });
  expect(now.query("SELECT id, amount, kind, card_id FROM ledger_entries").all()).toEqual([
    { id: 7, amount: 500, kind: "opening", card_id: null },
  ]);
});
