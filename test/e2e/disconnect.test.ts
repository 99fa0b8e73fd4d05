import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { formatTime, systemClock } from "../../src/domain/core/time/time.ts";
import { type Addresses, Appliance, radiusAt } from "../support/appliance.ts";
import { coaPatience, FakeNas, type FakeNasBehaviour } from "../support/fake-nas.ts";
import { FakeRouteros, type FakeRouterosOptions, type Fault } from "../support/fake-routeros.ts";
import { aPackage, aSubscriber, DAY, NAS_SECRET } from "../support/isp.ts";
import { RadiusClient } from "../support/radius-client.ts";

// Every fault of a router against every operation that asks it, in the real executable.

const FAULTS = {
  none: {},
  gone: { coa: { answer: "nak", errorCause: 503 }, isEmpty: true },
  refused: { coa: { answer: "nak", errorCause: 501 }, api: { kind: "trap", message: "failure: busy" } },
  silent: { coa: { answer: "silence" }, api: { kind: "silence" } },
  "another secret": { coa: { wrongAuthenticator: true }, password: "other" },
  "another port, or a fatal reply": { coa: { wrongPort: true }, api: { kind: "fatal", message: "reboot" } },
  "another identifier, or a hang-up": { coa: { wrongIdentifier: true }, api: { kind: "close", after: 7 } },
  "a wrong Message-Authenticator, or a reset": {
    coa: { messageAuthenticator: "wrong" },
    api: { kind: "reset", after: 3 },
  },
  "another code, or an unknown reply": { coa: { wrongCode: true }, api: { kind: "unknown" } },
  "a lost request, or an answer in two": { coa: { lose: 1 }, segments: 5 },
  "an answer twice, or garbage": {
    coa: { times: 2 },
    api: { kind: "garbage", bytes: Buffer.alloc(9, 0xff) },
  },
} satisfies Record<
  string,
  { coa?: FakeNasBehaviour; api?: Fault; isEmpty?: boolean; password?: string; segments?: number }
>;
type FaultName = keyof typeof FAULTS;
const names = Object.keys(FAULTS) as FaultName[];

/** How a router is asked: over RADIUS alone, over its API alone, or a subscriber of the router's own. */
const WAYS = ["coa", "routeros", "type 3"] as const;
type Way = (typeof WAYS)[number];

const silence = "did not answer the";
const forged = "with another RADIUS secret";
const done = /^Subscriber disconnected/;
const offline = "already offline";
/** Status and words of POST /disconnect. */
const DISCONNECT: Record<FaultName, { coa: [number, string | RegExp]; api: [number, string | RegExp] }> = {
  none: { coa: [200, done], api: [200, done] },
  gone: { coa: [200, offline], api: [200, offline] },
  refused: { coa: [502, "Error-Cause 501"], api: [502, "failure: busy"] },
  silent: { coa: [502, silence], api: [502, "it did not answer /ppp/active/print within 5 s"] },
  "another secret": { coa: [502, forged], api: [502, "refused the login"] },
  "another port, or a fatal reply": { coa: [502, silence], api: [502, "reboot"] },
  "another identifier, or a hang-up": { coa: [502, silence], api: [502, "closed the connection"] },
  "a wrong Message-Authenticator, or a reset": { coa: [502, forged], api: [502, "connection"] },
  "another code, or an unknown reply": { coa: [502, silence], api: [502, "!surprise"] },
  "a lost request, or an answer in two": { coa: [200, done], api: [200, done] },
  "an answer twice, or garbage": { coa: [200, done], api: [502, "not the RouterOS API"] },
};

const cells = WAYS.flatMap((way, w) =>
  names.map((fault, f) => ({ way, fault, id: w * names.length + f + 1 })),
);
const addressOf = (id: number) => `127.0.1.${id}`;
const framedIp = (id: number) => `10.0.0.${id}`;

const appliance = new Appliance();
const routers = new Map<number, { nas: FakeNas; api: FakeRouteros }>();
let at: Addresses;
let status: RadiusClient;

beforeAll(async () => {
  for (const { way, fault, id } of cells) routers.set(id, await startRouter(way, fault, id));
  await appliance.load(dataSet());
  at = await appliance.serve();
  status = new RadiusClient(target());
  for (const { way, id } of cells) if (way !== "type 3") await start(id);
});
afterAll(async () => {
  await status.close();
  expect(appliance.log).not.toMatch(/unexpected|request failed|internal/);
  await appliance[Symbol.asyncDispose]();
  for (const { nas, api } of routers.values()) {
    nas[Symbol.dispose]();
    await api[Symbol.asyncDispose]();
  }
});

afterEach(async () => {
  const health = await fetch(`http://${at.http}/healthz`);
  expect({ status: health.status, body: await health.json() }).toMatchObject({ status: 200 });
  expect(await status.status("auth")).toMatchObject({ code: "Access-Accept" });
  expect(await status.status("acct")).toMatchObject({ code: "Accounting-Response" });
});

async function startRouter(way: Way, name: FaultName, id: number) {
  const fault: {
    coa?: FakeNasBehaviour;
    api?: Fault;
    isEmpty?: boolean;
    password?: string;
    segments?: number;
  } = FAULTS[name];
  const entry = { ".id": "*1", name: `user${id}`, address: framedIp(id), uptime: "1h" };
  const options: FakeRouterosOptions = {
    ppp: fault.isEmpty ? [] : [entry],
    ...(fault.api && { faults: { "/ppp/active/print": fault.api } }),
    ...(fault.password && { password: fault.password }),
    ...(fault.segments && { segments: fault.segments }),
  };
  const nas = await FakeNas.start(way === "coa" ? (fault.coa ?? {}) : {}, { address: addressOf(id) });
  return { nas, api: await FakeRouteros.start(options) };
}

function dataSet() {
  const expiration = { current_expiration_date: formatTime(systemClock() + 10 * DAY) };
  return {
    settings: { disconnect_confirm: 0 },
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
    packages: [aPackage(1)],
    nas: [
      { id: 999, isp_id: 1, name: "local", address: "127.0.0.1", secret: NAS_SECRET },
      ...cells.map(({ way, id }) => ({
        id,
        isp_id: 1,
        name: `router${id}`,
        address: addressOf(id),
        secret: NAS_SECRET,
        coa_port: routers.get(id)?.nas.port,
        disconnect_method: way === "coa" ? "coa" : "routeros",
        routeros: { host: "127.0.0.1", port: routers.get(id)?.api.port, username: "api", password: "secret" },
      })),
    ],
    subscribers: cells.map(({ way, id }) =>
      aSubscriber(id, { ...expiration, nas_id: id, connection_type_id: way === "type 3" ? 3 : 1 }),
    ),
  };
}

function target() {
  return { ...radiusAt(at), secret: NAS_SECRET };
}

/** A Start as the router of this cell sends it. */
async function start(id: number): Promise<void> {
  const client = new RadiusClient({ ...target(), localAddress: addressOf(id) });
  const reply = await client.accounting("Start", [
    ["User-Name", `user${id}`],
    ["Acct-Session-Id", `8100${id}`],
    ["Framed-IP-Address", framedIp(id)],
    ["NAS-IP-Address", addressOf(id)],
  ]);
  expect(reply?.code).toBe("Accounting-Response");
  await client.close();
}

interface Answer {
  status: number;
  words: string;
  online: boolean | undefined;
}

async function call(method: string, path: string, id: number): Promise<Answer> {
  const response = await fetch(`http://${at.http}/api/v1${path}`, {
    method,
    headers: { authorization: `Basic ${btoa("ada:secret-1")}` },
    ...(method === "POST" && { body: new URLSearchParams({ user_id: String(id) }) }),
  });
  const body = new Map<string, unknown>(Object.entries(Object(await response.json())));
  const online = body.get("online");
  return {
    status: response.status,
    words: String(body.get("success") ?? body.get("error") ?? ""),
    online: typeof online === "boolean" ? online : undefined,
  };
}

const isOnline = async (id: number) => (await call("GET", `/subscriber/usage/${id}`, id)).online;
const disconnect = (id: number) => call("POST", "/activation/disconnect", id);
const apply = (id: number) => call("POST", "/activation/apply", id);

// In two passes, because the wait is a setting of the whole box; the cells of a pass at once.
describe.each([1, 10])("waiting %i s for an answer of RADIUS", (patience) => {
  beforeAll(async () => {
    const set = await appliance.run(["settings", "set", "max_coa_wait", String(patience)]);
    expect(set).toMatchObject({ code: 0, stderr: "" });
  });

  for (const { way, fault, id } of cells) {
    const { coa = {} }: { coa?: FakeNasBehaviour } = FAULTS[fault];
    if (coaPatience(way === "coa" ? coa : {}) !== patience) continue;
    const [code, words] = DISCONNECT[fault][way === "coa" ? "coa" : "api"];
    const answered = {
      status: code,
      words: typeof words === "string" ? expect.stringContaining(words) : expect.stringMatching(words),
    };

    if (way === "type 3")
      test.concurrent(`${way}, ${fault}: usage, then disconnect`, async () => {
        const usage = await call("GET", `/subscriber/usage/${id}`, id);
        if (code === 200) expect(usage).toMatchObject({ status: 200, online: words !== offline });
        else expect(usage).toMatchObject({ status: 502, words: expect.stringContaining(String(words)) });
        expect(await disconnect(id)).toMatchObject(answered);
        if (code === 200) expect((await call("GET", `/subscriber/usage/${id}`, id)).online).toBe(false);
      });
    else
      test.concurrent(`${way}, ${fault}: apply, then disconnect`, async () => {
        const applied = await apply(id);
        if (way === "coa" && code === 200) {
          expect(applied).toMatchObject({ status: 200 });
          expect(await isOnline(id)).toBe(words !== offline);
        } else {
          expect(applied.status).toBe(code);
          expect(await isOnline(id)).toBe(code !== 200);
        }
        const answer = await disconnect(id);
        if (wasEnded(applied.words)) {
          expect(answer).toMatchObject({ status: 200, words: "The subscriber is already offline." });
          return;
        }
        expect(answer).toMatchObject(answered);
        expect(await isOnline(id)).toBe(code !== 200);
      });
  }
});

/** Whether apply had to end the session, or found it gone. */
const wasEnded = (words: string) => words.includes("ended") || words.includes("offline");
