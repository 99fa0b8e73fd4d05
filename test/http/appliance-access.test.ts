import { describe, expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { storingFault } from "../../src/domain/machine/appliance/storing.ts";
import { warning } from "../../src/domain/machine/check/finding.ts";
import type { HttpNeeds } from "../../src/http/app.ts";
import { listen } from "../../src/http/server.ts";
import { undoneApps } from "../support/http.ts";
import { insertRole, insertStaff } from "../support/people.ts";

const temporaryApp = undoneApps();

const TOKEN = "kestrel-over-the-harbour-7";
const findings = [
  warning("routers", "core accepts forged answers", "router_forgeable", { id: 1, name: "core" }),
];
/** Behind the trusted proxy on this box, so that a client can be from anywhere. */
const from = (client: string) => ({ "x-forwarded-for": client });

async function listening(options: Partial<HttpNeeds> = {}) {
  const refused: string[] = [];
  const store = temporaryApp({
    findings: () => findings,
    metrics: async () => "gatehouse_sessions_open 1\n",
    scrapeRefused: (source) => refused.push(source),
    trustedProxies: ["127.0.0.0/8"],
    ...options,
  });
  insertRole(store.db, 1, 1, "Programs", ["api_access", "subscriber_view"]);
  await insertStaff(store.db, "ada", { isp_id: 0 });
  await insertStaff(store.db, "eve");
  await insertStaff(store.db, "kim", { branch_id: 11 });
  await insertStaff(store.db, "bob", { profile_type: 2, role_code: 1 });
  const lan = listen(store.app, { hostname: "127.0.0.1", port: 0 });
  return {
    ...store,
    refused,
    get: async (path: string, headers: Record<string, string> = {}) => {
      const response = await fetch(`http://${lan.address}${path}`, { headers });
      const challenge = response.headers.get("www-authenticate");
      return { status: response.status, challenge, body: await response.text() };
    },
    async [Symbol.asyncDispose]() {
      await lan.stop();
      store[Symbol.dispose]();
    },
  };
}

const stranger = from("203.0.113.9");
const as = (name: string) => ({ ...stranger, authorization: `Basic ${btoa(`${name}:secret-1`)}` });

describe("/healthz/detail", () => {
  test.each<[string, Record<string, string>, number]>([
    ["this box", {}, 200],
    ["this box, through a proxy on it", from("127.0.0.1"), 200],
    ["this box by IPv6, through a proxy on it", from("::1"), 200],
    ["an Admin from elsewhere", as("ada"), 200],
    ["an Admin of one ISP of several, whose routers are not all of them", as("eve"), 403],
    ["a stranger", stranger, 401],
    ["a stranger who claims to be this box", from("127.0.0.1, 203.0.113.9"), 401],
    ["a stranger whose proxy writes nonsense", from("unknown"), 401],
    ["a stranger behind another kind of proxy", { forwarded: "for=203.0.113.9" }, 401],
    ["a stranger whose proxy tells the scheme alone", { "x-forwarded-proto": "https" }, 401],
    ["somebody with a wrong password", { ...stranger, authorization: `Basic ${btoa("ada:x")}` }, 401],
    ["staff with a role", as("bob"), 403],
  ])("%s: %#", async (_, headers, status) => {
    await using app = await listening();
    const answer = await app.get("/healthz/detail", headers);
    expect(answer.status).toBe(status);
    expect(answer.body.includes("forged")).toBe(status === 200);
    expect(answer.challenge).toBe(status === 401 ? 'Basic realm="gatehouse", charset="UTF-8"' : null);
  });

  test("the Admin of the only ISP is one of the whole box; that of a branch is not", async () => {
    await using app = await listening();
    app.db.$client.run("DELETE FROM branches WHERE isp_id = 2");
    app.db.$client.run("DELETE FROM isps WHERE id = 2");
    expect((await app.get("/healthz/detail", as("eve"))).status).toBe(200);
    expect((await app.get("/healthz/detail", as("kim"))).status).toBe(403);
  });

  test("an untrusted peer's X-Forwarded-For does not make it this box less, nor more", async () => {
    await using app = await listening({ trustedProxies: [] });
    expect((await app.get("/healthz/detail", stranger)).status).toBe(401);
    expect((await app.get("/healthz/detail")).status).toBe(200);
  });
});

describe("/metrics", () => {
  const bearer = (token: string) => ({ ...stranger, authorization: `Bearer ${token}` });
  test.each<[string, Record<string, string>, number]>([
    ["this box", {}, 200],
    ["who shows the token", bearer(TOKEN), 200],
    ["who shows it in another case of the scheme", { ...stranger, authorization: `bearer ${TOKEN}` }, 200],
    ["a stranger", stranger, 401],
    ["who shows another token", bearer(`${TOKEN}8`), 401],
    ["who shows the beginning of it", bearer(TOKEN.slice(0, -1)), 401],
    ["who shows it in another case", bearer(TOKEN.toUpperCase()), 401],
    ["an Admin", as("ada"), 401],
    ["a stranger who claims to be this box", from("127.0.0.1, 203.0.113.9"), 401],
  ])("%s: %#", async (_, headers, status) => {
    await using app = await listening({ metricsToken: TOKEN });
    const answer = await app.get("/metrics", headers);
    expect(answer.status).toBe(status);
    expect(answer.body.includes("gatehouse_sessions_open")).toBe(status === 200);
    expect(answer.challenge).toBe(status === 401 ? 'Bearer realm="gatehouse"' : null);
    expect(app.refused).toEqual([]);
    expect((await app.get(`/metrics?access_token=${TOKEN}`, stranger)).status).toBe(401);
  });

  test("without a token it is this box's alone; others are told what to set, and the appliance hears of it", async () => {
    await using app = await listening();
    expect(await app.get("/metrics")).toMatchObject({ status: 200 });
    for (const headers of [stranger, bearer(""), bearer("null"), bearer("undefined")]) {
      const answer = await app.get("/metrics", headers);
      expect({ ...answer, body: JSON.parse(answer.body) }).toEqual({
        status: 403,
        challenge: null,
        body: {
          error:
            "metrics are told to this box alone; for others set GATEHOUSE_METRICS_TOKEN, see gatehouse.env",
          code: "forbidden",
        },
      });
    }
    expect(new Set(app.refused)).toEqual(new Set(["203.0.113.9"]));
  });
});

test("/healthz and the documentation are open to everybody on the LAN", async () => {
  await using app = await listening();
  for (const path of ["/healthz", "/docs", "/openapi.json"])
    expect((await app.get(path, stranger)).status).toBe(200);
});

test("/healthz is 503 with the reason while the disk takes nothing", async () => {
  await using app = await listening();
  symlinkSync("/dev/full", join(app.folder, "storing.probe"));
  const { status, body } = await app.get("/healthz", stranger);
  expect([status, JSON.parse(body)]).toEqual([
    503,
    {
      status: "failing",
      database: true,
      radius: true,
      storage: false,
      says: "the disk of the data folder is full: accounting and payments are not taken; make room (df)",
    },
  ]);
});

test("a disk is not written to for each who asks", () => {
  const put: string[] = [];
  const fault = storingFault("/nowhere", (file) => put.push(file));
  expect([fault(), fault(), fault()]).toEqual([undefined, undefined, undefined]);
  expect(put).toEqual(["/nowhere/storing.probe"]);
});
