import { expect, test } from "bun:test";
import { join } from "node:path";
import { openReader } from "../../db/open.ts";
import { signHead } from "../../src/domain/machine/access-boxes/signed-head.ts";
import { recordSeal } from "../../src/domain/machine/access-boxes/state.ts";
import { connectOnce } from "../../src/nats/connection.ts";
import { askSubject } from "../../src/nats/subjects.ts";
import { formatTime, systemClock } from "../../src/domain/core/time/time.ts";
import { Appliance, radiusAt } from "../support/appliance.ts";
import { aPackage, aSubscriber, DAY, NAS_SECRET } from "../support/isp.ts";
import { NatsServer } from "../support/nats-server.ts";
import { RadiusClient } from "../support/radius-client.ts";
import { Database } from "bun:sqlite";

const active = { current_expiration_date: formatTime(systemClock() + 10 * DAY) };
const dataSet = {
  isps: [{ id: 1, name: "Northlink" }],
  staff: [{ id: 1, isp_id: 1, name: "Ada", username: "ada", password: "secret-1", profile_type: 1 }],
  nas: [{ id: 1, isp_id: 1, name: "core", address: "127.0.0.1", secret: NAS_SECRET }],
  packages: [aPackage(1)],
  subscribers: [1, 2, 3].map((id) => aSubscriber(id, active)),
};
const SENTENCE = "the other one is off\n";

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await isSo()); tries++) {
    if (tries > 900) throw new Error(`never: ${isSo.toString()}`);
    await Bun.sleep(100);
  }
}

function rows<T>(appliance: Appliance, sql: string): T[] {
  using store = new Database(join(appliance.folder, "data/gatehouse.db"), { readonly: true });
  return store.query<T, []>(sql).all();
}

const PAYMENTS = "SELECT id, number, amount, created_at, subscriber_id FROM payments ORDER BY id";
const behind = (one: Appliance) => rows(one, "SELECT 1 FROM book_changes").length;

test.concurrent(
  "the books die: a restored backup has all payments and the accounting back, and the old books are silent",
  async () => {
    await using nats = await NatsServer.start();
    const env = { GATEHOUSE_NATS_URL: nats.url };
    await using old = new Appliance(env);
    await using box = new Appliance({ ...env, GATEHOUSE_ROLE: "access" });
    await using fresh = new Appliance(env);
    const done = async (one: Appliance, args: string[], stdin = "") => {
      const outcome = await one.run(args, stdin);
      expect({ args, ...outcome }).toMatchObject({ code: 0 });
      return outcome.stdout;
    };

    await old.load(dataSet);
    const { join: line } = JSON.parse(await done(old, ["box", "add", "tower-1", "--json"])) as {
      join: string;
    };
    await done(box, ["box", "join"], `${line}\n`);
    await old.serve();
    const client = new RadiusClient({ ...radiusAt(await box.serve()), secret: NAS_SECRET });
    const account = (status: "Start" | "Interim-Update", session: string, octets: number) =>
      client.accounting(status, [
        ["User-Name", "user1"],
        ["Acct-Session-Id", session],
        ["NAS-Port", 1],
        ["Acct-Session-Time", octets],
        ["Acct-Input-Octets", octets],
      ]);
    const sessions = "SELECT acct_session_id AS id, input_octets AS octets FROM sessions ORDER BY 1";
    await until(() => rows(box, "SELECT 1 FROM subscribers WHERE username = 'user1'").length === 1);
    await account("Start", "81000001", 0);
    await until(() => rows(old, sessions).length === 1);
    await done(old, ["payment", "take", "user1", "10.00"]);
    const file = join(old.folder, "copy.db");
    await done(old, ["backup", file]);

    // a payment waits for the other machine, and says so where that has gone
    await done(old, ["settings", "set", "money_waits", "true"]);
    const { stderr: here } = await old.run(["payment", "take", "user2", "10.50"]);
    expect(here).not.toContain("only on this box");
    await nats.kill();
    const { stderr: onlyHere } = await old.run(["payment", "take", "user3", "10.60"]);
    expect(onlyHere).toContain("only on this box so far");
    await nats.up();

    // after the backup; then its machine is gone, with its store
    await done(old, ["payment", "take", "user2", "11.00"]);
    await done(old, ["payment", "take", "user3", "12.00"]);
    await account("Interim-Update", "81000001", 500);
    await until(() => rows<{ octets: number }>(old, sessions)[0]?.octets === 500);
    await until(() => behind(old) === 0);
    const payments = rows(old, PAYMENTS);
    expect(payments).toHaveLength(5);
    await old.stop("SIGKILL");
    await account("Start", "81000002", 0); // the box goes on
    await account("Interim-Update", "81000002", 900);

    const key = join(old.folder, "data/secret.key");
    expect(await done(fresh, ["restore", file, "--key", key])).toContain("gatehouse recover");
    expect(await fresh.run(["payment", "take", "user1", "1.00"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("gatehouse recover"),
    });
    const held = await fresh.serve();
    const health = await fetch(`http://${held.http}/healthz`);
    expect([health.status, await health.text()]).toEqual([503, expect.stringContaining("gatehouse recover")]);
    const written = await fetch(`http://${held.http}/api/v1/payment/take`, { method: "POST" });
    expect([written.status, await written.text()]).toEqual([
      503,
      expect.stringContaining("gatehouse recover"),
    ]);
    expect(await fresh.run(["recover", "--yes"])).toMatchObject({ code: 1 });
    expect(await fresh.run(["box", "promote"], "yes\n")).toMatchObject({ code: 1 });
    expect(await done(fresh, ["box", "promote"], SENTENCE)).toContain("epoch 2");
    const text = await done(fresh, ["recover"], "yes\n");
    expect(text).toContain("payment.received");
    expect(text).not.toContain("does not fit");
    expect(rows(fresh, PAYMENTS)).toEqual(payments);

    // it serves by itself now, and has what the box tells, from the number of the backup
    await until(() => rows(fresh, sessions).length === 2);
    await until(() => rows<{ octets: number }>(fresh, sessions)[1]?.octets === 900);
    expect(rows(fresh, sessions)).toEqual([
      { id: "81000001", octets: 500 },
      { id: "81000002", octets: 900 },
    ]);
    await until(async () => rows(fresh, "SELECT 1 FROM access_marks WHERE is_soon = 1").length === 0);
    const next = JSON.parse(await done(fresh, ["payment", "take", "user1", "13.00", "--json"]));
    expect(next.payment).toMatchObject({ id: 6 });

    // the old books come back, from the state in which they died
    await until(() => rows<{ highest: number }>(box, "SELECT highest FROM access_state")[0]?.highest === 2);
    await done(old, ["payment", "take", "user1", "77.00"]); // nobody has told them yet
    // and serve nobody before they have heard it: no port of RADIUS was ever open
    const over = await old.serve();
    expect(old.log).toContain("these books are held");
    expect(old.log.match(/"event":"ready"/g)).toHaveLength(1);
    expect(over.radius_auth).toBe("");
    const output = await fetch(`http://${over.http}/healthz`);
    expect([output.status, await output.text()]).toEqual([503, expect.stringContaining("are over since")]);
    expect(await old.run(["payment", "take", "user1", "1.00"])).toMatchObject({ code: 1 });
    expect((await old.run(["check"])).stdout).toContain("are over since");
    const listed = await done(fresh, ["recover", "--from", join(old.folder, "data/gatehouse.db")]);
    expect(listed).toContain("77.00");
    await client.close();
  },
);

test.concurrent(
  "books with boxes that start wait for nats-server to say which books count, and go on alone where the owner has it so",
  async () => {
    await using nats = await NatsServer.start();
    await using primary = new Appliance({ GATEHOUSE_NATS_URL: nats.url });
    const done = async (...args: string[]) => expect(await primary.run(args)).toMatchObject({ code: 0 });
    await primary.load(dataSet);
    await done("box", "add", "tower-1");
    await primary.serve();
    await until(() => rows(primary, "SELECT 1 FROM access_state WHERE bucket IS NOT NULL").length === 1);
    await primary.stop();
    await nats.kill();
    await done("settings", "set", "start_without_nats", "false");
    const waiting = await primary.serve();
    expect(waiting.radius_auth).toBe("");
    const health = await fetch(`http://${waiting.http}/healthz`);
    expect([health.status, await health.text()]).toEqual([
      503,
      expect.stringContaining("has not said yet which books"),
    ]);
    const pay = await fetch(`http://${waiting.http}/api/v1/payment/take`, { method: "POST" });
    expect(pay.status).toBe(503);

    // the owner has changed it: the same process goes on; and so it does where nats-server answers
    const serves = () => /"event":"ready"[^\n]*"radius_auth":"127/.test(primary.log);
    await done("settings", "set", "start_without_nats", "true");
    await until(serves);
    await primary.stop();
    await done("settings", "set", "start_without_nats", "false");
    await primary.serve();
    await nats.up();
    await until(serves);
    await primary.stop();

    // nats-server has lost what it knew: a box that has heard others carries what they have signed
    await nats.kill();
    nats.loseStore();
    await nats.up();
    const db = openReader(join(primary.folder, "data"));
    const [seal, proof] = [recordSeal(db), signHead(db, 2).toString("base64")];
    db.$client.close();
    const box = await connectOnce({ url: nats.url, seed: null, caFile: null, name: "test" });
    box.subscribe(askSubject("tower-1"), {
      callback: (_, message) => {
        const head = { epoch: 2, number: 0, isGone: false };
        const answer = seal?.seal(`${message.subject}.answer`, head, JSON.stringify({ epoch: 2, proof }));
        message.respond(answer ?? new Uint8Array());
      },
    });
    await box.flush();
    expect((await primary.serve()).radius_auth).toBe("");
    expect((await primary.run(["check"])).stdout).toContain("are over since");
    await box.close();
  },
);

test.concurrent("an epoch that a box only says is asked about, and keeps nobody from promoting", async () => {
  await using nats = await NatsServer.start();
  await using primary = new Appliance({ GATEHOUSE_NATS_URL: nats.url });
  await primary.load(dataSet);
  expect(await primary.run(["box", "add", "tower-1"])).toMatchObject({ code: 0 });
  const db = openReader(join(primary.folder, "data"));
  const seal = recordSeal(db);
  db.$client.close();
  let text = 40;
  const stolen = await connectOnce({ url: nats.url, seed: null, caFile: null, name: "test" });
  stolen.subscribe(askSubject("tower-1"), {
    callback: (_, message) => {
      const head = { epoch: text, number: 0, isGone: false };
      const answer = seal?.seal(`${message.subject}.answer`, head, JSON.stringify({ epoch: text }));
      message.respond(answer ?? new Uint8Array());
    },
  });
  await stolen.flush();
  const expected = expect.stringContaining("tower-1 says that books with epoch 40 count");
  const promote = async (answer: string) => {
    const { code, stdout } = await primary.run(["box", "promote"], answer);
    expect(code).toBe(0);
    return stdout;
  };
  expect(await promote(SENTENCE)).toEqual(expected);
  expect(rows(primary, "SELECT epoch FROM access_state")).toEqual([{ epoch: 2 }]);
  expect(await promote(`${SENTENCE}no\n`)).toContain("with epoch 3");
  expect(await promote(`${SENTENCE}go above it\n`)).toContain("with epoch 41");
  text = 2 ** 47;
  expect(await promote(`${SENTENCE}go above it\n`)).toContain("left out");
  expect(rows(primary, "SELECT epoch FROM access_state")).toEqual([{ epoch: 42 }]);
  await stolen.close();
});
