import { afterAll, beforeAll, expect, test } from "bun:test";
import { formatTime, systemClock } from "../../src/domain/core/time/time.ts";
import { type Addresses, Appliance, portOf, radiusAt } from "../support/appliance.ts";
import { FakeNas } from "../support/fake-nas.ts";
import { aPackage, aSubscriber, DAY, NAS_SECRET } from "../support/isp.ts";
import { NatsServer } from "../support/nats-server.ts";
import { radclient } from "../support/radclient.ts";
import { RadiusClient } from "../support/radius-client.ts";

// Books, an access box and a nats-server, as processes of this machine: what a router at a tower sees.

const ROUTER = "127.0.0.9";
const DISCONNECT_REQUEST = 40;

const books = new Appliance();
const tower = new Appliance();
let nas: FakeNas;
let nats: NatsServer;
let at: Addresses;
let there: Addresses;
let router: RadiusClient;

/** Asks until it is so, for a minute and a half: a busy machine is no failure. */
async function until(what: string, isSo: () => Promise<boolean>, pause = 50): Promise<void> {
  const end = performance.now() + 90_000;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`${what} did not come about`);
    await Bun.sleep(pause);
  }
}

/** As until, of what a command prints, for each of which the executable is started. */
const untilSays = (text: string, ask: () => Promise<string>) =>
  until(text, async () => (await ask()).includes(text), 1000);
const checkOf = async (one: Appliance) => (await one.run(["check"])).stdout;

const login = (name: string, password = `pw-${name.slice(4)}`) =>
  radclient(
    `127.0.0.1:${portOf(there.radius_auth)}`,
    "auth",
    NAS_SECRET,
    `User-Name = "${name}", User-Password = "${password}"`,
  );
const isLetIn = async (name: string) => (await login(name)).startsWith("Received Access-Accept");

let session = "81000001";
const account = (status: "Start" | "Interim-Update" | "Stop", octets = 0) =>
  router.accounting(status, [
    ["User-Name", "user1"],
    ["Acct-Session-Id", session],
    ["Framed-IP-Address", "10.0.0.1"],
    ["NAS-IP-Address", ROUTER],
    ["Acct-Input-Octets", octets],
  ]);

async function call(method: "GET" | "POST", path: string): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`http://${at.http}/api/v1${path}`, {
    method,
    headers: { authorization: `Basic ${btoa("ada:secret-1")}` },
    ...(method === "POST" && { body: new URLSearchParams({ user_id: "1" }) }),
  });
  return { status: response.status, body: await response.json() };
}

const isOnline = async () =>
  JSON.stringify((await call("GET", "/subscriber/usage/1")).body).includes('"online":true');

/** Whether the books have one open session of user1, with so many bytes. */
async function hasCarried(octets: number): Promise<boolean> {
  const listed: unknown = JSON.parse(await ok(books, "sessions list --json"));
  return Array.isArray(listed) && listed.length === 1 && JSON.stringify(listed).includes(`:${octets},`);
}

async function ok(appliance: Appliance, command: string, stdin = ""): Promise<string> {
  const { code, stdout, stderr } = await appliance.run(command.split(" "), stdin);
  expect({ command, code, stderr }).toEqual({ command, code: 0, stderr: "" });
  return stdout;
}

async function servePrimary(): Promise<void> {
  at = await books.serve({ GATEHOUSE_NATS_URL: nats.url, GATEHOUSE_NATS_CA: nats.certificate });
}

const stateOfTower = async () => {
  const response = await fetch(`http://${there.http}/healthz`);
  const body: unknown = await response.json();
  return { status: response.status, state: String(Object(body)["state"]) };
};

beforeAll(async () => {
  nas = await FakeNas.start({}, { address: ROUTER, secret: NAS_SECRET });
  const expiration = { current_expiration_date: formatTime(systemClock() + 10 * DAY) };
  const dataSet = {
    settings: { disconnect_confirm: 0, max_coa_wait: 10 },
    isps: [{ id: 1, name: "Northlink" }],
    staff: [
      { id: 1, isp_id: 1, name: "Ada", username: "ada", password: "secret-1", profile_type: 1, status: 1 },
    ],
    packages: [aPackage(1)],
    nas: [
      { id: 1, isp_id: 1, name: "local", address: "127.0.0.1", secret: NAS_SECRET },
      { id: 2, isp_id: 1, name: "hill", address: ROUTER, secret: NAS_SECRET, coa_port: nas.port },
    ],
    subscribers: [1, 2, 3].map((id) => aSubscriber(id, expiration)),
  };
  await books.load(dataSet);
  const { join }: { join: string } = JSON.parse(await ok(books, "box add tower-1 --json"));
  nats = await NatsServer.start(await ok(books, "box server"));
  await servePrimary();
  await ok(tower, "box join", `${join}\n`);
  there = await tower.serve({
    GATEHOUSE_ROLE: "access",
    GATEHOUSE_NATS_URL: nats.url,
    GATEHOUSE_NATS_CA: nats.certificate,
  });
  router = new RadiusClient({ ...radiusAt(there), secret: NAS_SECRET, localAddress: ROUTER });
});
afterAll(async () => {
  await router?.close();
  nas?.[Symbol.dispose]();
  await Promise.all([tower[Symbol.asyncDispose](), books[Symbol.asyncDispose]()]);
  await nats?.[Symbol.asyncDispose]();
});

test("a box at a tower: its logins, its books, their death, being cut off, its end", async () => {
  await answersByPrimary();
  await asksThroughTheBox();
  await saysHowItIs();
  await outlivesPrimary();
  await servesCutOff();
  await isRemoved();
});

/** A router at the tower is answered by its box, and a change at the books counts there. */
async function answersByPrimary(): Promise<void> {
  await until("the first login", () => isLetIn("user1"));
  expect(await login("user1", "wrong")).toStartWith("Received Access-Reject");
  expect(await isLetIn("user2")).toBe(true);
  await ok(books, "subscriber disable user2");
  await until("the end of user2", async () => !(await isLetIn("user2")));
}

/** What staff ask for goes through the box. */
async function asksThroughTheBox(): Promise<void> {
  expect((await account("Start"))?.code).toBe("Accounting-Response");
  await until("the session", isOnline);
  const { status } = await call("POST", "/activation/disconnect");
  expect(status).toBe(200);
  expect(nas.requests.at(-1)?.code).toBe(DISCONNECT_REQUEST);
  await account("Stop", 1000);
  await until("its end", async () => !(await isOnline()));
}

/** The box says how it is, to people, to Prometheus and to its books. */
async function saysHowItIs(): Promise<void> {
  await until("its books", async () =>
    (await stateOfTower()).state.startsWith("hears its books, and logs in"),
  );
  const page = await (await fetch(`http://${there.http}/`)).text();
  expect(page).toContain("It hears its books");
  const metrics = await (await fetch(`http://${there.http}/metrics`)).text();
  expect(metrics).toContain("gatehouse_box_cut_off 0");
  expect(metrics).toContain("gatehouse_radius_listening 1");
  for (const path of ["/api/v1/users/login", "/console", "/portal", "/docs"])
    expect((await fetch(`http://${there.http}${path}`)).status).toBe(404);
  await untilSays("all is well", () => ok(books, "box list"));
  expect(await (await fetch(`http://${at.http}/metrics`)).text()).toContain(
    'gatehouse_boxes_cut_off{box="tower-1"} 0',
  );
  await untilSays("the access box tower-1: hears its books, and logs in", () => checkOf(tower));
}

/** With the books dead logins go on, and what happens meanwhile comes home once. */
async function outlivesPrimary(): Promise<void> {
  session = "81000002";
  await account("Start");
  await until("the session", isOnline);
  await books.stop("SIGKILL");
  expect(await isLetIn("user3")).toBe(true);
  expect((await account("Interim-Update", 5000))?.code).toBe("Accounting-Response");
  await servePrimary();
  await until("the bytes", () => hasCarried(5000), 1000);
}

/** Cut off it serves, says since when, and the books ask nothing of its routers. */
async function servesCutOff(): Promise<void> {
  await nats.kill();
  await until("cut off", async () => (await stateOfTower()).state.startsWith("cut off since"));
  expect(await stateOfTower()).toEqual({
    status: 200,
    state: expect.stringMatching(/^cut off since \d\d:\d\d, logs in by what it knows of \d\d:\d\d$/),
  });
  expect(await isLetIn("user3")).toBe(true);
  expect((await account("Interim-Update", 7000))?.code).toBe("Accounting-Response");
  const { status, body } = await call("POST", "/activation/disconnect");
  expect(status).toBe(502);
  expect(JSON.stringify(body)).toContain("tower-1 is cut off since");
  await untilSays("NATS is away since", () => checkOf(books));
  await nats.up();
  await until("the bytes", () => hasCarried(7000), 1000);
}

/** A box that is removed is told nothing more, and what it knew is said. */
async function isRemoved(): Promise<void> {
  const text = await ok(books, "box remove tower-1");
  expect(text).toContain("the secrets of 2 routers");
  expect(text).toContain("the passwords of 3 subscribers");
  await untilSays("tower-1 was removed, and still signs in", () => checkOf(books));
}
