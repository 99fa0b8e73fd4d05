import { expect, test } from "bun:test";
import { formatTime, systemClock } from "../../src/domain/core/time/time.ts";
import { Appliance, program } from "../support/appliance.ts";
import { aPackage, aSubscriber, DAY, NAS_SECRET, newSubscriber } from "../support/isp.ts";
import { radclient } from "../support/radclient.ts";

const dataSet = {
  isps: [{ id: 1, name: "Northlink" }],
  staff: [{ id: 1, isp_id: 1, name: "Ada", username: "ada", password: "secret-1", profile_type: 1 }],
  nas: [{ id: 1, isp_id: 1, name: "core", address: "127.0.0.1", secret: NAS_SECRET }],
  packages: [aPackage(1)],
  subscribers: [
    aSubscriber(1, { current_expiration_date: formatTime(systemClock() + DAY) }),
    newSubscriber(2),
  ],
};

test("while another process holds the write lock, reads and logins go on and writes are told to come back", async () => {
  await using appliance = new Appliance();
  await appliance.load(dataSet);
  const at = await appliance.serve();
  const call = async (method: string, path: string, body?: Record<string, string>) => {
    const response = await fetch(`http://${at.http}${path}`, {
      method,
      headers: { authorization: `Basic ${btoa("ada:secret-1")}` },
      ...(body && { body: new URLSearchParams(body) }),
    });
    return [response.status, response.headers.get("retry-after")];
  };
  const activate = () => call("POST", "/api/v1/activation/activate", { user_id: "2", package_id: "1" });
  const login = () =>
    radclient(at.radius_auth, "auth", NAS_SECRET, 'User-Name = "user1", User-Password = "pw-1"');
  const start = 'Acct-Status-Type = Start, User-Name = "user1", Acct-Session-Id = "81100001"';

  const other = appliance.otherWriter();
  other.run("BEGIN IMMEDIATE");
  expect(await call("GET", "/healthz")).toEqual([200, null]);
  expect(await call("GET", "/api/v1/subscriber/get/1")).toEqual([200, null]);
  expect(await activate()).toEqual([503, "1"]);
  const accounted = radclient(at.radius_acct, "acct", NAS_SECRET, start);
  expect(await login()).toContain("Access-Accept");
  other.run("ROLLBACK");
  expect(await accounted).toContain("Accounting-Response");
  expect(await activate()).toEqual([200, null]);
  const logged = () =>
    other.query<{ count: number }, []>("SELECT count(*) AS count FROM auth_log").get()?.count;
  while (logged() !== 1) await Bun.sleep(20);
  other.close();
});

test("a second server on the same data folder is refused, and the first serves on", async () => {
  await using appliance = new Appliance();
  await appliance.load(dataSet);
  const at = await appliance.serve();
  const second = await appliance.run(["serve"]);
  expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining("another gatehouse serves") });
  expect((await fetch(`http://${at.http}/healthz`)).status).toBe(200);
  expect(await appliance.stop("SIGKILL")).not.toBe(0);
  await appliance.serve();
});

test("an error page that fails is a fixed body with an id, few lines of the log, nothing on stderr, and no end with 1", async () => {
  await using appliance = new Appliance();
  appliance.command = ["sh", "-c", 'exec "$0" "$@" 2>&1', program];
  await appliance.load(dataSet);
  const at = await appliance.serve();
  const other = appliance.otherWriter();
  other.run("ALTER TABLE settings RENAME TO vanished");
  other.close();
  const ids = new Set<string>();
  for (let i = 0; i < 100; i++) {
    const response = await fetch(`http://${at.http}/portal/none`);
    expect(response.status).toBe(500);
    const body = await response.text();
    expect(body).toMatch(/^{"error":"internal error","code":"internal","id":"[0-9a-f-]{36}"}$/);
    ids.add(JSON.parse(body).id);
  }
  expect(await appliance.stop()).toBe(0);
  while (!appliance.log.includes('"msg":"stopped"')) await Bun.sleep(10);
  const printed = appliance.log.trimEnd().split("\n");
  expect(printed.filter((line) => !line.startsWith('{"'))).toEqual([]);
  const logged = printed.map((line) => JSON.parse(line)).filter(({ msg }) => msg === "request failed");
  expect(logged.map(({ id }) => id)).toEqual([...ids]);
  expect(ids.size).toBeLessThan(10);
});
