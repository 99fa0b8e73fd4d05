import { describe, expect, test } from "bun:test";
import { callers, openSession, undoneTenants } from "../support/tenants.ts";

const withTenants = undoneTenants();

const NAS = "/api/v1/nas";
const basic = callers.admin;

const core = {
  id: 1,
  isp_id: 1,
  name: "core",
  address: "127.0.0.1",
  require_message_authenticator: "auto",
  swap_octets: false,
  coa_port: 3799,
  coa_event_timestamp: false,
  disconnect_method: "auto",
  mppe: "keys",
  kind: "mikrotik",
  radsec: false,
  dhcp: false,
  shaper: "none",
  shaper_leases: false,
  dual_stack: "whole",
  routeros: null,
};

describe("a router", () => {
  test("is listed and got without its secret, with what was seen of it", async () => {
    using app = await withTenants();
    openSession(app, 1);
    const seen =
      "INSERT INTO nas_sources (nas_id, address, authenticator_seen_at) VALUES (1, '127.0.0.1', ?)";
    app.db.$client.query(seen).run(app.clock.now);
    const list = await app.call("GET", `${NAS}/list`, { basic });
    expect(list.body).toEqual([core]);
    expect(list.headers.get("x-total-count")).toBe("1");
    expect((await app.call("GET", `${NAS}/get/1`, { basic })).body).toEqual({
      ...core,
      last_heard: "2030-01-15 12:00:00",
      message_authenticator_seen: [{ address: "127.0.0.1", since: "2030-01-15 12:00:00" }],
      requests_dropped: [],
    });
  });

  test("is created, changed by what is sent and deleted", async () => {
    using app = await withTenants();
    const form = {
      isp_id: 1,
      name: "edge",
      address: "10.9.9.9",
      secret: "hush",
      routeros_host: "10.9.9.9",
      routeros_username: "api",
      routeros_password: "pw",
    };
    const { body } = await app.call("POST", `${NAS}/create`, { basic, form });
    expect(body).toEqual({ success: "Router added.", id: 3 });
    const api = { host: "10.9.9.9", port: 8728, username: "api", tls: false, tls_fingerprint: null };
    const get = async () => (await app.call("GET", `${NAS}/get/3`, { basic })).body;
    expect(await get()).toMatchObject({ name: "edge", routeros: api });

    const update = (sent: object) => app.call("POST", `${NAS}/update`, { basic, json: { id: 3, ...sent } });
    expect((await update({ name: "rim", routeros_tls: true })).body).toEqual({ success: "Router updated." });
    expect(await get()).toMatchObject({
      name: "rim",
      address: "10.9.9.9",
      routeros: { ...api, port: 8729, tls: true },
    });
    await update({ routeros_host: "" });
    expect(await get()).toMatchObject({ name: "rim", routeros: null });

    expect((await app.call("DELETE", `${NAS}/delete/3`, { basic })).body).toEqual({
      success: "Router deleted.",
      detached: 0,
      ended: 0,
    });
    expect((await app.call("GET", `${NAS}/get/3`, { basic })).body).toEqual({ error: "there is no NAS 3" });
  });

  test("a new secret is kept, and never shown but in the script", async () => {
    using app = await withTenants();
    const before = await app.call("POST", `${NAS}/script`, { basic, form: { id: 1 } });
    await app.call("POST", `${NAS}/update`, { basic, form: { id: 1, secret: "brand-new" } });
    const after = await app.call("POST", `${NAS}/script`, { basic, form: { id: 1, server: "192.0.2.9" } });
    const scripts = [before, after].map(({ body }) => String(Object(body)["script"]));
    expect(scripts[0]).toContain(" address=10.0.0.254 ");
    expect(scripts[0]).not.toContain("brand-new");
    expect(scripts[1]).toContain(" address=192.0.2.9 secret=brand-new ");
    const answer = await app.call("GET", `${NAS}/get/1`, { basic });
    expect(JSON.stringify(answer.body)).not.toContain("brand-new");
  });

  test("is tested, and the test says what failed", async () => {
    using app = await withTenants();
    const { body } = await app.call("POST", `${NAS}/test`, { basic, form: { id: 1 } });
    expect(body).toEqual({
      ok: false,
      steps: [
        { check: "reachable", status: "ok", detail: "127.0.0.1 answers", remedy: null },
        {
          check: "coa",
          status: "failed",
          detail: "port 3799 does not answer",
          remedy: "/radius/incoming/set accept=yes",
        },
      ],
    });
  });

  test("to which subscribers point goes only when they are detached", async () => {
    using app = await withTenants();
    openSession(app, 1);
    const refused = await app.call("DELETE", `${NAS}/delete/1`, { basic });
    expect(refused).toMatchObject({
      status: 400,
      body: {
        error:
          "subscribers point at the NAS core: user1, user2; give them another one, or detach them (detach=1), which leaves them without",
      },
    });
    const { body } = await app.call("DELETE", `${NAS}/delete/1?detach=1`, { basic });
    expect(body).toEqual({ success: "Router deleted.", detached: 2, ended: 1 });
    const subscriber = await app.call("GET", "/api/v1/subscriber/get/1", { basic });
    expect(subscriber.body).toMatchObject({ nas_id: null, connection_status: "offline" });
  });
});

interface Refusal {
  name: string;
  operation: string;
  json?: object;
  status: number;
  body: unknown;
  caller?: string;
}

const faults = (errors: Record<string, string[]>) => ({
  error: `check ${Object.keys(errors).join(", ")}`,
  errors,
});
const routeros_username = ["is required"];

describe("refuses", () => {
  const cases: Refusal[] = [
    {
      name: "everything that is wrong with a new one, at once",
      operation: `POST ${NAS}/create`,
      json: { isp_id: 1, name: "core", address: "10.9", routeros_host: "h", routeros_password: "p" },
      status: 400,
      body: faults({
        address: ["must be an IP address or a CIDR such as 10.0.0.1 or 10.0.0.0/24"],
        secret: ["is required"],
        routeros_username,
        name: [
          "is taken by the NAS with the address 127.0.0.1; to give that one another: nas/update 127.0.0.1 name",
        ],
      }),
    },
    {
      name: "the address of a router of another ISP, without saying whose it is",
      operation: `POST ${NAS}/create`,
      json: { isp_id: 1, name: "edge", address: "127.0.0.2", secret: "hush" },
      status: 400,
      body: faults({ address: ["is taken by another NAS"] }),
    },
    {
      name: "another ISP",
      operation: `POST ${NAS}/create`,
      json: { isp_id: 2, name: "edge", address: "10.9.9.9", secret: "hush" },
      status: 403,
      body: { error: "the ISP 2 is not yours" },
    },
    {
      name: "a change of another ISP's",
      operation: `POST ${NAS}/update`,
      json: { id: 2, name: "mine" },
      status: 404,
      body: { error: "there is no NAS 2" },
    },
    {
      name: "a change under another ISP than the router's",
      operation: `POST ${NAS}/update`,
      json: { id: 1, isp_id: 2, name: "theirs" },
      status: 404,
      body: { error: "there is no NAS 1" },
      caller: callers.operator,
    },
    {
      name: "an empty name",
      operation: `POST ${NAS}/update`,
      json: { id: 1, name: "" },
      status: 400,
      body: faults({ name: ["must not be empty"] }),
    },
    {
      name: "to forget what was not seen",
      operation: `POST ${NAS}/update`,
      json: { id: 1, forget_message_authenticator: 1 },
      status: 400,
      body: {
        error: "no Message-Authenticator was seen that could be forgotten; see: nas/list",
      },
    },
    {
      name: "a reseller",
      operation: `POST ${NAS}/update`,
      json: { id: 1, name: "mine" },
      status: 403,
      body: { error: "routers are the whole ISP's, not a reseller's; ask staff of the ISP" },
      caller: callers.reseller,
    },
    {
      name: "staff of a branch",
      operation: `POST ${NAS}/script`,
      json: { id: 1 },
      status: 403,
      body: {
        error: "routers are the whole ISP's; ask somebody whose account is not of one branch",
      },
      caller: callers.branch,
    },
    {
      name: "a filter that is none",
      operation: `GET ${NAS}/list?nme=core`,
      status: 400,
      body: faults({ nme: ["is not a filter of this list"] }),
    },
  ];
  test.each(cases)("$name", async ({ operation, json, status, body, caller = basic }) => {
    using app = await withTenants();
    const [method = "", path = ""] = operation.split(" ");
    const answer = await app.call(method, path, { basic: caller, ...(json && { json }) });
    expect({ status: answer.status, body: answer.body }).toEqual({ status, body });
  });
});

test.each(["192.0.2.66", "127.0.0.2", "::1"])(
  "the test of a router asks no other one: %s",
  async (address) => {
    using app = await withTenants();
    expect(await app.call("POST", `${NAS}/test`, { basic, json: { id: 1, address } })).toMatchObject({
      status: 400,
      body: { errors: { address: ["must be an address of the NAS, 127.0.0.1"] } },
    });
  },
);

test("the kept password of a router's API is not sent to another host that somebody names", async () => {
  using app = await withTenants();
  const routeros = { routeros_host: "10.9.9.9", routeros_username: "api", routeros_password: "pw" };
  const router = { isp_id: 1, name: "edge", address: "10.9.9.9", secret: "hush", ...routeros };
  await app.call("POST", `${NAS}/create`, { basic, json: router });
  const update = (json: object) => app.call("POST", `${NAS}/update`, { basic, json: { id: 3, ...json } });
  const fault = "is required with another routeros_host, which is not sent the one that is kept";
  expect(await update({ routeros_host: "10.66.6.6" })).toMatchObject({
    status: 400,
    body: { errors: { routeros_password: [fault] } },
  });
  expect((await update({ routeros_host: "10.9.9.9", routeros_tls: true })).status).toBe(200);
  expect((await update({ routeros_host: "10.9.9.10", routeros_password: "pw2" })).status).toBe(200);
});

describe("an address of another ISP's routers", () => {
  const create = (
    app: Awaited<ReturnType<typeof withTenants>>,
    address: string,
    isp_id: number,
    caller: string,
  ) =>
    app.call("POST", `${NAS}/create`, {
      basic: caller,
      json: { isp_id, name: address, address, secret: "hush" },
    });
  const taken = { error: "check address", errors: { address: [expect.stringContaining("another ISP")] } };

  test.each(["10.5.0.7", "10.5.0.0/25", "10.5.0.0/24", "10.0.0.0/8", "0.0.0.0/0", "2001:db8:5::1", "::/0"])(
    "is not taken by adding %s",
    async (address) => {
      using app = await withTenants();
      for (const theirs of ["10.5.0.0/24", "2001:db8:5::/48"])
        expect((await create(app, theirs, 1, callers.admin)).status).toBe(200);
      expect(await create(app, address, 2, callers.otherTenant)).toMatchObject({ status: 400 });
    },
  );

  test("nor by changing one; beside them, within the own ones, and by the operator it may be", async () => {
    using app = await withTenants();
    await create(app, "10.5.0.0/24", 1, callers.admin);
    await create(app, "10.6.0.0/24", 2, callers.otherTenant);
    const id = Object((await create(app, "10.6.0.7", 2, callers.otherTenant)).body)["id"];
    const update = (json: object) =>
      app.call("POST", `${NAS}/update`, { basic: callers.otherTenant, json: { id, ...json } });
    expect(await update({ address: "10.5.0.7" })).toMatchObject({ status: 400, body: taken });
    expect((await update({ address: "10.6.0.8", name: "edge" })).status).toBe(200);
    expect((await create(app, "10.5.0.9", 2, callers.operator)).status).toBe(200);
  });
});

describe("a router by RadSec", () => {
  test("gets certificates, which are listed and revoked, and says how its sessions end", async () => {
    using app = await withTenants();
    const post = (path: string, json: object) => app.call("POST", `${NAS}/${path}`, { basic, json });
    expect(await post("update", { id: 1, radsec: true })).toMatchObject({
      status: 200,
      body: { success: expect.stringContaining("they end by Session-Timeout") },
    });
    const issued = await post("radsec/issue", { id: 1, server: "203.0.113.10" });
    expect(issued).toMatchObject({ status: 200, body: { certificate: { id: 1, revoked_at: null } } });
    expect((await app.call("GET", `${NAS}/radsec/list/1`, { basic })).body).toMatchObject({
      certificates: [{ id: 1, made_by: "ada" }],
    });
    const revoke = () => post("radsec/revoke", { id: 1, certificate_id: 1 });
    expect((await revoke()).status).toBe(200);
    expect((await revoke()).status).toBe(400);
    expect((await post("radsec/issue", { id: 1, server: "a/b" })).status).toBe(400);
  });
});
