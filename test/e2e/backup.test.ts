import { expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { formatTime, systemClock } from "../../src/domain/core/time/time.ts";
import { type Addresses, Appliance, radiusAt } from "../support/appliance.ts";
import { aPackage, aSubscriber, DAY, NAS_SECRET } from "../support/isp.ts";
import { NotifySocket } from "../support/notify-socket.ts";
import { RadiusClient } from "../support/radius-client.ts";

const active = { current_expiration_date: formatTime(systemClock() + 10 * DAY) };
const SUBSCRIBERS = 500;
const dataSet = {
  isps: [{ id: 1, name: "Northlink" }],
  staff: [{ id: 1, isp_id: 1, name: "Ada", username: "ada", password: "secret-1", profile_type: 1 }],
  nas: [{ id: 1, isp_id: 1, name: "core", address: "127.0.0.1", secret: NAS_SECRET }],
  packages: [aPackage(1)],
  subscribers: Array.from({ length: SUBSCRIBERS }, (_, i) => aSubscriber(i + 1, active)),
};

function clientOf(at: Addresses): RadiusClient {
  return new RadiusClient({ ...radiusAt(at), secret: NAS_SECRET });
}

/** Reports sessions at a rate, and remembers which were acknowledged when. */
class Accounting {
  readonly acknowledged = new Map<string, number>();
  lost = 0;
  readonly #client: RadiusClient;
  readonly #timer: Timer;
  readonly #under: Promise<void>[] = [];
  #number = 0;

  constructor(client: RadiusClient, perSecond: number) {
    this.#client = client;
    let [last, due] = [performance.now(), 0];
    this.#timer = setInterval(() => {
      const now = performance.now();
      // what a busy machine has missed is not made up for, and a client has 256 identifiers
      due = Math.min(due + ((now - last) / 1000) * perSecond, 20);
      last = now;
      for (; due >= 1 && this.#open < 200; due--) this.#under.push(this.#report());
    }, 5);
  }

  get #open(): number {
    return this.#number - this.acknowledged.size - this.lost;
  }

  async end(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all(this.#under);
  }

  async #report(): Promise<void> {
    const number = ++this.#number;
    const session = `81${number.toString(16).padStart(6, "0")}`;
    const reply = await this.#client.accounting("Start", [
      ["User-Name", `user${(number % SUBSCRIBERS) + 1}`],
      ["Acct-Session-Id", session],
      ["NAS-Port", number],
    ]);
    if (!reply) this.lost++;
    else this.acknowledged.set(session, performance.now());
  }
}

test("a backup taken during 500 accounting packets a second holds all that was acknowledged before it began", async () => {
  await using appliance = new Appliance();
  await appliance.load(dataSet);
  const client = clientOf(await appliance.serve());
  const accounting = new Accounting(client, 500);
  while (accounting.acknowledged.size < 400) await Bun.sleep(20);

  const began = performance.now();
  const file = join(appliance.folder, "copy.db");
  expect(await appliance.run(["backup", file])).toMatchObject({ code: 0 });
  await Bun.sleep(300);
  await accounting.end();
  await client.close();
  expect(accounting.lost).toBe(0);

  const before = [...accounting.acknowledged].filter(([, at]) => at < began).map(([session]) => session);
  expect(before.length).toBeGreaterThan(200);
  await using box = new Appliance();
  const restored = await box.run(["restore", file, "--key", join(appliance.folder, "data/secret.key")]);
  expect(restored).toMatchObject({ code: 0 });
  const check = await box.run(["check", "--json"]);
  expect({ code: check.code, stderr: check.stderr }).toEqual({ code: 0, stderr: "" });
  using store = new Database(join(box.folder, "data/gatehouse.db"), { readonly: true });
  const stored = new Set(
    store
      .query("SELECT acct_session_id FROM sessions")
      .values()
      .map(([session]) => String(session)),
  );
  expect(before.filter((session) => !stored.has(session))).toEqual([]);
});

test("restore refuses while the server serves, and works when it has stopped", async () => {
  await using appliance = new Appliance();
  await appliance.load({});
  const file = join(appliance.folder, "copy.db");
  await appliance.run(["backup", file]);
  await appliance.serve();
  expect(await appliance.run(["restore", file])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("stop it first"),
  });
  expect(await appliance.stop()).toBe(0);
  expect(await appliance.run(["restore", file])).toMatchObject({ code: 0 });
});

test("systemd hears when it serves, that it lives and that it stops", async () => {
  using manager = new NotifySocket();
  await using appliance = new Appliance({ NOTIFY_SOCKET: manager.path, WATCHDOG_USEC: "600000" });
  await appliance.load({});
  const at = await appliance.serve();
  expect((await fetch(`http://${at.http}/healthz`)).status).toBe(200);
  expect(await manager.hears("READY=1")).toBe("READY=1");
  expect(await manager.hears("STATUS=gatehouse ")).toContain("findings, see: gatehouse check");
  while (manager.heard().filter((state) => state === "WATCHDOG=1").length < 2) await Bun.sleep(20);
  // a process that hangs gives no sign of life
  process.kill(appliance.pid, "SIGSTOP");
  await Bun.sleep(50);
  const before = manager.heard().length;
  await Bun.sleep(500);
  expect(manager.heard().length).toBe(before);
  process.kill(appliance.pid, "SIGCONT");
  expect(await appliance.stop()).toBe(0);
  expect(await manager.hears("STOPPING=1")).toBe("STOPPING=1");
});

test("/metrics tells what RADIUS did, on the LAN listener only", async () => {
  await using appliance = new Appliance({ GATEHOUSE_PUBLIC_LISTEN: "127.0.0.1:0" });
  await appliance.load({ ...dataSet, subscribers: [aSubscriber(1, active)] });
  const at = await appliance.serve();
  const client = clientOf(at);
  await client.access({ name: "user1", password: "pw-1" });
  await client.accounting("Start", [
    ["User-Name", "user1"],
    ["Acct-Session-Id", "81000001"],
  ]);
  await client.close();
  const expected = [
    'gatehouse_radius_requests_total{port="auth",nas="core",kind="Access-Request",outcome="accepted"} 1',
    "gatehouse_radius_access_seconds_count 1",
    "gatehouse_radius_commit_records_sum 1",
    "gatehouse_sessions_open 1",
  ];
  let text = "";
  for (let waited = 0; waited < 300 && !expected.every((line) => text.includes(line)); waited++) {
    await Bun.sleep(100);
    text = await (await fetch(`http://${at.http}/metrics`)).text();
  }
  for (const line of expected) expect(text).toContain(line);
  expect((await fetch(`http://${at.public}/metrics`)).status).toBe(404);
});
