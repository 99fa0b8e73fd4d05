import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync, readlinkSync } from "node:fs";
import { formatTime, systemClock } from "../../src/domain/core/time/time.ts";
import type { NamedAttribute } from "../../src/radius/packet/codec.ts";
import { type Addresses, Appliance, radiusAt } from "../support/appliance.ts";
import { FakeNas, type NasRequest } from "../support/fake-nas.ts";
import { aPackage, aSubscriber, DAY, NAS_SECRET } from "../support/isp.ts";
import { RadiusClient } from "../support/radius-client.ts";

// Sessions that change while they are open, in the real executable.

const MANY = 150;
const FIRST = 1000;
const MANY_ADDRESS = "127.0.2.1";
const ADDRESS = "127.0.2.2";

const appliance = new Appliance();
let many: FakeNas;
let nas: FakeNas;
let at: Addresses;
let router: RadiusClient;

beforeAll(async () => {
  many = await FakeNas.start((request) => (numberOf(request) % 2 === 0 ? {} : { answer: "silence" }), {
    address: MANY_ADDRESS,
  });
  nas = await FakeNas.start({}, { address: ADDRESS });
  await appliance.load(dataSet());
  at = await appliance.serve();
  router = clientAt(ADDRESS);
});
afterAll(async () => {
  await router.close();
  await appliance[Symbol.asyncDispose]();
  many[Symbol.dispose]();
  nas[Symbol.dispose]();
});

const load = (data: object) => appliance.run(["import", "-"], JSON.stringify(data));
const active = (days: number) => ({ current_expiration_date: formatTime(systemClock() + days * DAY) });

function dataSet() {
  const quota = { data_quota_bytes: 1_000_000, quota_exceeded: "1M/1M" };
  const row = (id: number, name: string, fake: FakeNas) => ({
    id,
    isp_id: 1,
    name,
    address: fake.address,
    secret: NAS_SECRET,
    coa_port: fake.port,
    disconnect_method: "coa",
  });
  return {
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
    nas: [row(1, "core", nas), row(2, "many", many)],
    packages: [aPackage(1), aPackage(2, quota), aPackage(3, { rate_limit: "50M/100M", price: "1.00" })],
    subscribers: [
      ...[1, 2, 3].map((id) => aSubscriber(id, active(10))),
      aSubscriber(4, { ...active(10), package_id: 2 }),
      ...Array.from({ length: MANY }, (_, n) => aSubscriber(FIRST + n, { ...active(10), nas_id: 2 })),
    ],
  };
}

function clientAt(localAddress: string): RadiusClient {
  return new RadiusClient({ ...radiusAt(at), secret: NAS_SECRET, localAddress });
}

function numberOf({ attributes }: NasRequest): number {
  const name = Buffer.from(attributes.find(([type]) => type === 1)?.[1] ?? "", "hex").toString();
  return Number(name.replace("user", ""));
}

const session = (id: number): NamedAttribute[] => [
  ["User-Name", `user${id}`],
  ["Acct-Session-Id", `8100${id}`],
];

async function post(path: string, form: Record<string, number>): Promise<{ status: number; words: string }> {
  const response = await fetch(`http://${at.http}/api/v1/activation/${path}`, {
    method: "POST",
    headers: {
      authorization: `Basic ${btoa("ada:secret-1")}`,
      "content-type": "application/json",
      connection: "close",
    },
    body: JSON.stringify(form),
  });
  const body = new Map<string, unknown>(Object.entries(Object(await response.json())));
  return { status: response.status, words: String(body.get("success") ?? body.get("error")) };
}

/** What the router was asked about a subscriber: code and Mikrotik-Rate-Limit. */
async function requestsAbout(
  id: number,
  within: number,
): Promise<{ code: number; rate: string | undefined }> {
  const end = performance.now() + within;
  for (;;) {
    const request = nas.requests.find((one) => numberOf(one) === id);
    if (request) {
      const vendor = request.attributes.find(([type]) => type === 26)?.[1];
      return { code: request.code, rate: vendor && Buffer.from(vendor.slice(12), "hex").toString() };
    }
    if (performance.now() > end) throw new Error(`nobody asked about user${id}`);
    await Bun.sleep(20);
  }
}

const setConfirm = (seconds: number) =>
  appliance.run(["settings", "set", "disconnect_confirm", String(seconds)]);

test("an ACK with its Stop is confirmed", async () => {
  await setConfirm(5);
  await router.accounting("Start", session(1));
  nas.behaviour = (request) => {
    if (numberOf(request) === 1) void router.accounting("Stop", [...session(1), ["Acct-Session-Time", 1]]);
    return {};
  };
  expect(await post("disconnect", { user_id: 1 })).toEqual({
    status: 200,
    words: "Subscriber disconnected: the router has confirmed that the session is gone.",
  });
});

test("after a change of package, apply gives the open session the new rate", async () => {
  await router.accounting("Start", session(2));
  expect(await post("activate", { user_id: 2, package_id: 3 })).toMatchObject({ status: 200 });
  expect(await post("apply", { user_id: 2 })).toEqual({
    status: 200,
    words: "The open session has the current rate and end now.",
  });
  expect(await requestsAbout(2, 0)).toEqual({ code: 43, rate: "50M/100M" });
});

test("whoever expires while online is disconnected, although the router ignores Session-Timeout", async () => {
  await router.accounting("Start", session(3));
  const soon = { id: 3, isp_id: 1, current_expiration_date: formatTime(systemClock() + 3) };
  expect(await load({ subscribers: [soon] })).toMatchObject({ code: 0, stderr: "" });
  expect(await requestsAbout(3, 60_000)).toEqual({ code: 40, rate: undefined });
});

test("a quota that is used up during a session slows it down at once, and once", async () => {
  await router.accounting("Start", session(4));
  const used = (octets: number, seconds: number): NamedAttribute[] => [
    ...session(4),
    ["Acct-Input-Octets", octets],
    ["Acct-Session-Time", seconds],
  ];
  await router.accounting("Interim-Update", used(999_999, 1));
  expect(nas.requests.filter((one) => numberOf(one) === 4)).toEqual([]);
  await router.accounting("Interim-Update", used(1_000_001, 2));
  expect(await requestsAbout(4, 60_000)).toEqual({ code: 43, rate: "1M/1M" });
  await router.accounting("Interim-Update", used(2_000_000, 3));
  await Bun.sleep(300);
  expect(nas.requests.filter((one) => numberOf(one) === 4)).toHaveLength(1);
});

function socketsOf(pid: number): number {
  let sockets = 0;
  for (const fd of readdirSync(`/proc/${pid}/fd`)) {
    try {
      if (readlinkSync(`/proc/${pid}/fd/${fd}`).startsWith("socket:")) sockets++;
    } catch {
      // closed meanwhile
    }
  }
  return sockets;
}

test("150 disconnects at once against a router that answers half of them", async () => {
  await setConfirm(0);
  await appliance.run(["settings", "set", "max_coa_wait", "10"]); // this process is the router, too, and busy
  const client = clientAt(MANY_ADDRESS);
  const ids = Array.from({ length: MANY }, (_, n) => FIRST + n);
  for (let n = 0; n < MANY; n += 100)
    await Promise.all(ids.slice(n, n + 100).map((id) => client.accounting("Start", session(id))));
  await client.close();
  await post("disconnect", { user_id: 99_999 }); // pays for the password
  const before = socketsOf(appliance.pid);
  const answers = await Promise.all(ids.map((id) => post("disconnect", { user_id: id })));
  for (const [n, { status, words }] of answers.entries()) {
    if (n % 2 === 0)
      expect({ status, words }).toEqual({ status: 200, words: expect.stringContaining("disconnected") });
    else expect({ status, words }).toEqual({ status: 502, words: expect.stringContaining("did not answer") });
  }
  const listed = await appliance.run(["sessions", "list", "--json"]);
  const open: { username: string }[] = JSON.parse(listed.stdout);
  const names = open.map(({ username }) => username).filter((name) => Number(name.slice(4)) >= FIRST);
  expect(names.sort()).toEqual(
    ids
      .filter((id) => id % 2 === 1)
      .map((id) => `user${id}`)
      .sort(),
  );
  for (let tries = 0; tries < 300 && socketsOf(appliance.pid) > before; tries++) await Bun.sleep(100);
  expect(socketsOf(appliance.pid)).toBeLessThanOrEqual(before);
});
