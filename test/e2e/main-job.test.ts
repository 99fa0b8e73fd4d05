import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { formatTime, systemClock } from "../../src/domain/core/time/time.ts";
import { decryptKey } from "../../src/radius/auth/mppe.ts";
import { type Addresses, Appliance, radiusAt } from "../support/appliance.ts";
import { aPackage, aSubscriber, DAY, NAS_SECRET, newSubscriber } from "../support/isp.ts";
import { radclient } from "../support/radclient.ts";
import { RadiusClient } from "../support/radius-client.ts";

const now = systemClock();
const active = { current_expiration_date: formatTime(now + 10 * DAY) };
const expired = { current_expiration_date: formatTime(now - DAY) };

const dataSet = {
  isps: [{ id: 1, name: "Northlink" }],
  staff: [
    {
      id: 1,
      isp_id: 1,
      name: "Ada",
      username: "ada",
      email: "ada@isp.example",
      password: "secret-1",
      profile_type: 1,
      status: 1,
    },
  ],
  nas: [{ id: 1, isp_id: 1, name: "core", address: "127.0.0.1", secret: NAS_SECRET }],
  packages: [aPackage(1), aPackage(2, { name: "Fast", rate_limit: "50M/100M", price: "1.00" })],
  subscribers: [
    aSubscriber(1, active),
    aSubscriber(2, expired),
    aSubscriber(3, { ...active, status: 0 }),
    newSubscriber(4),
    newSubscriber(5),
    aSubscriber(6, { ...active, username: "User", password: "clientPass" }),
    aSubscriber(7, active),
  ],
};

describe("the executable alone, in an empty folder", () => {
  const appliance = new Appliance();
  let at: Addresses;
  let client: RadiusClient;

  const api = async (method: string, path: string, body?: Record<string, string>) => {
    const response = await fetch(`http://${at.http}${path}`, {
      method,
      headers: { authorization: `Basic ${btoa("ada:secret-1")}`, accept: "application/json" },
      ...(body && { body: new URLSearchParams(body) }),
    });
    return { status: response.status, body: await response.json() };
  };
  const usage = async (id: number) => (await api("GET", `/api/v1/subscriber/usage/${id}`)).body;

  beforeAll(async () => {
    expect(await appliance.run(["init"])).toMatchObject({ code: 0, stderr: "" });
    const imported = await appliance.run(["import", "-"], JSON.stringify(dataSet));
    expect(imported).toMatchObject({ code: 0, stderr: "" });
    at = await appliance.serve();
    client = new RadiusClient({ ...radiusAt(at), secret: NAS_SECRET });
  });
  afterAll(async () => {
    await client.close();
    await appliance[Symbol.asyncDispose]();
  });

  test("init and import made a data folder that only its owner can read", () => {
    for (const file of ["gatehouse.db", "secret.key"])
      expect(existsSync(join(appliance.folder, "data", file))).toBe(true);
  });

  const methods = {
    pap: (name: string, password: string) => `User-Name = "${name}", User-Password = "${password}"`,
    chap: (name: string, password: string) => `User-Name = "${name}", CHAP-Password = "${password}"`,
    mschap: (name: string, password: string) => `User-Name = "${name}", MS-CHAP-Password = "${password}"`,
  };
  const logins: [name: string, password: string, answer: string, words: string][] = [
    ["user1", "pw-1", "Access-Accept", 'Mikrotik-Rate-Limit = "10M/20M"'],
    ["USER1", "pw-1", "Access-Accept", "Session-Timeout"],
    ["user1", "wrong", "Access-Reject", "wrong username or password"],
    ["nobody", "pw-1", "Access-Reject", "wrong username or password"],
    ["user2", "pw-2", "Access-Reject", "expired"],
    ["user3", "pw-3", "Access-Reject", "disabled"],
    ["user4", "pw-4", "Access-Reject", "not activated"],
  ];
  describe.each(Object.entries(methods))("radclient, %s", (_method, credentials) => {
    test.each(logins)("%s with %s: %s", async (name, password, answer, words) => {
      const reply = await radclient(at.radius_auth, "auth", NAS_SECRET, credentials(name, password));
      expect(reply).toContain(`Received ${answer}`);
      expect(reply).toContain(words);
    });
  });

  test.each(logins)("MS-CHAPv2 with proof and keys, %s with %s: %s", async (name, password, answer) => {
    const reply = await client.access({ name, password, method: "mschapv2" });
    expect(reply).toMatchObject({ code: answer, faults: [] });
  });

  test("the vectors of RFC 2759 and RFC 3079 hold inside the executable", async () => {
    const challenge = Buffer.from("5B5D7C7D7B3F2F3E3C2C602132262628", "hex");
    const peer = Buffer.from("21402324255E262A28295F2B3A337C7E", "hex");
    const ntResponse = Buffer.from("82309ECD8D708B5EA08FAA3981CD83544233114A3D85D6DF", "hex");
    const response = Buffer.concat([Buffer.of(7, 0), peer, Buffer.alloc(8), ntResponse]);
    const request = client.prepareAccess({
      name: "User",
      method: "none",
      attributes: [
        ["MS-CHAP-Challenge", challenge],
        ["MS-CHAP2-Response", response],
      ],
    });
    const reply = await client.exchange(request);
    expect(reply).toMatchObject({ code: "Access-Accept", faults: [] });
    const bytes = (name: string) => {
      const [value] = reply?.attributes[name] ?? [];
      return value instanceof Uint8Array ? value : Buffer.alloc(0);
    };
    expect(Buffer.from(bytes("MS-CHAP2-Success")).toString("latin1")).toBe(
      "\x07S=407A5589115FD0D6209F510FE9C04566932CDA56",
    );
    const key = (name: string) =>
      decryptKey(bytes(name), Buffer.from(NAS_SECRET), request.datagram.subarray(4, 20))
        ?.toString("hex")
        .toUpperCase();
    expect(key("MS-MPPE-Send-Key")).toBe("8B7CDC149B993A1BA118CB153F56DCCB");
    expect(key("MS-MPPE-Recv-Key")).toBe("D5F0E9521E3EA9589645E86051C82226");
  });

  test("activation opens the line at once, and twenty at one moment move money once", async () => {
    const login = () => radclient(at.radius_auth, "auth", NAS_SECRET, methods.pap("user5", "pw-5"));
    expect(await login()).toContain("Access-Reject");
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        api("POST", "/api/v1/activation/activate", { user_id: "5", package_id: "2" }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      200,
      ...Array.from({ length: 19 }, () => 429),
    ]);
    expect(answers.find(({ status }) => status === 200)?.body).toMatchObject({
      user_id: 5,
      package_id: 2,
      amount_charged: 1,
    });
    expect(await login()).toContain('Mikrotik-Rate-Limit = "50M/100M"');
    expect((await api("GET", "/api/v1/subscriber/get/5")).body).toMatchObject({
      balance: 99,
      profile_status: "active",
    });
  });

  test("accounting says who is online, and counts past 4 GiB", async () => {
    const session = `User-Name = "user1", Acct-Session-Id = "81100001", NAS-IP-Address = 192.0.2.1, Framed-IP-Address = 10.0.0.7, Calling-Station-Id = "00:50:56:25:8B:97", NAS-Port-Id = "ether1", NAS-Port = 7`;
    const account = (rest: string) => radclient(at.radius_acct, "acct", NAS_SECRET, `${session}, ${rest}`);
    expect(await account("Acct-Status-Type = Start")).toContain("Accounting-Response");
    expect(await usage(1)).toMatchObject({
      online: true,
      session: { ip: "10.0.0.7", nas_ip: "192.0.2.1", session_id: "81100001", mac: "00:50:56:25:8B:97" },
      data_quota: { enabled: false, total_bytes: 0, used_bytes: 0 },
    });
    const octets =
      "Acct-Input-Octets = 5, Acct-Input-Gigawords = 1, Acct-Output-Octets = 10, Acct-Output-Gigawords = 2";
    await account(`Acct-Status-Type = Interim-Update, Acct-Session-Time = 60, ${octets}`);
    expect(await usage(1)).toMatchObject({ data_quota: { used_bytes: 3 * 2 ** 32 + 15 } });
    expect(await account(`Acct-Status-Type = Stop, Acct-Session-Time = 90, ${octets}`)).toContain(
      "Accounting-Response",
    );
    expect(await usage(1)).toMatchObject({
      online: false,
      session: null,
      data_quota: { used_bytes: 3 * 2 ** 32 + 15 },
    });
  });

  test("forged and malformed packets get no reply, and the next honest one does", async () => {
    const honest = client.prepareAccess({ name: "user1", password: "pw-1" }).datagram;
    const forged = Buffer.from(honest);
    forged[forged.length - 1] = (forged[forged.length - 1] ?? 0) ^ 1;
    const short = Buffer.from(honest.subarray(0, 12));
    const lying = Buffer.from(honest);
    lying.writeUInt16BE(4000, 2);
    for (const datagram of [forged, short, lying, Buffer.alloc(0), Buffer.alloc(4096, 0xff)]) {
      expect(await client.raw("auth", datagram, 150)).toBeNull();
    }
    const record = client.prepareAccounting("Start", [["User-Name", "user1"]]).datagram;
    record[10] = (record[10] ?? 0) ^ 1;
    expect(await client.raw("acct", record, 150)).toBeNull();
    expect(await client.access({ name: "user1", password: "pw-1" })).toMatchObject({ code: "Access-Accept" });
  });

  test("commands beside the running server take effect at once", async () => {
    expect(await client.access({ name: "user7", password: "pw-7" })).toMatchObject({
      code: "Access-Accept",
    });
    expect(await appliance.run(["subscriber", "disable", "user7"])).toMatchObject({ code: 0 });
    expect(await client.access({ name: "user7", password: "pw-7" })).toMatchObject({
      code: "Access-Reject",
      attributes: { "Reply-Message": ["this account is disabled"] },
    });
    expect(await appliance.run(["settings", "set", "acct_interim_interval", "120"])).toMatchObject({
      code: 0,
    });
    expect(await client.access({ name: "user1", password: "pw-1" })).toMatchObject({
      attributes: { "Acct-Interim-Interval": [120] },
    });
  });

  test("no password, secret or token is in the log", () => {
    for (const secret of ["pw-1", "secret-1", NAS_SECRET, "clientPass"])
      expect(appliance.log).not.toContain(secret);
    for (const line of appliance.log.trim().split("\n")) expect(JSON.parse(line)).toBeObject();
  });
});

test("SIGTERM ends it with exit code 0, and what was acknowledged is there afterwards", async () => {
  await using appliance = new Appliance();
  await appliance.load(dataSet);
  const at = await appliance.serve();
  const start = `Acct-Status-Type = Start, User-Name = "user1", Acct-Session-Id = "81100002"`;
  expect(await radclient(at.radius_acct, "acct", NAS_SECRET, start)).toContain("Accounting-Response");
  expect(await appliance.stop()).toBe(0);
  const { stdout } = await appliance.run(["sessions", "list", "--json"]);
  expect(JSON.parse(stdout)).toMatchObject([{ username: "user1" }]);
});
