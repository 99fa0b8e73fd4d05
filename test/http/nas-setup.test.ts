import { afterEach, beforeEach, expect, test } from "bun:test";
import { openRouter } from "../../src/cli/open-router.ts";
import { FakeConfig } from "../support/fake-routeros-config.ts";
import { FakeRouteros } from "../support/fake-routeros.ts";
import { noNasTools } from "../support/routers.ts";
import { callers, type Tenants, undoneTenants } from "../support/tenants.ts";

const withTenants = undoneTenants();

/* A router is set up by a call: what it answers, and what is kept of it. */

const PATH = "/api/v1/nas/setup";
const PASSWORD = "secret";

let app: Tenants;
let config: FakeConfig;
let api: FakeRouteros;
beforeEach(async () => {
  app = await withTenants({ nasTools: { ...noNasTools, open: openRouter } });
  config = new FakeConfig();
  api = await FakeRouteros.start({ config });
});
afterEach(async () => {
  await api[Symbol.asyncDispose]();
  app[Symbol.dispose]();
});

const ask = (form: Record<string, string | number> = {}) =>
  app.call("POST", PATH, {
    basic: callers.admin,
    form: { id: 1, username: "admin", password: PASSWORD, port: api.port, ...form },
  });
const look = async () =>
  (await ask()).body as { digest: string; changes: { menu: string; values: object }[] };
const auditLog = () =>
  app.db.$client
    .query<{ action: string; after: string }, []>(
      "SELECT action, after FROM audit_entries WHERE action LIKE 'nas.setup%' ORDER BY id",
    )
    .all()
    .map(({ action, after }) => ({ action, after: JSON.parse(after) as unknown }));

test("what would change is shown without a secret, made so by its digest, a second time nothing, and taken off again", async () => {
  const fresh = config.export();
  const answer = await ask();
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({ outcome: "shown", reason: null, version: "7.16.1" });
  const { digest, changes } = answer.body as Awaited<ReturnType<typeof look>>;
  expect(changes).toContainEqual(
    expect.objectContaining({
      change: "add",
      menu: "/radius",
      values: expect.objectContaining({ secret: "" }),
    }),
  );
  expect(config.export()).toBe(fresh);
  expect(auditLog()).toEqual([]);

  expect((await ask({ digest })).body).toMatchObject({ outcome: "done", reason: null, digest });
  expect(config.rows("/radius")).toMatchObject([{ address: "10.0.0.254", comment: "gatehouse" }]);
  expect(auditLog()).toEqual([
    { action: "nas.setup", after: { added: expect.any(Number), changed: expect.any(Number), removed: 0 } },
  ]);
  expect(await look()).toMatchObject({ outcome: "shown", changes: [] });
  expect(JSON.stringify(app.db.$client.query("SELECT * FROM audit_entries").all())).not.toContain(PASSWORD);

  const off = (await ask({ remove: 1 })).body as { digest: string };
  expect((await ask({ remove: 1, digest: off.digest })).body).toMatchObject({ outcome: "done" });
  expect(config.export()).toBe(fresh);
  expect(auditLog()[1]).toMatchObject({ action: "nas.setup_removed", after: { added: 0 } });
});

test("a router that was changed in between is left alone, and what would change now is answered", async () => {
  const { digest } = await look();
  config.have("/ip/firewall/filter", { chain: "input", action: "drop" });
  const before = config.export();
  const { status, body } = await ask({ digest });
  expect({ status, body }).toMatchObject({ status: 200, body: { outcome: "other", reason: null } });
  expect((body as { digest: string }).digest).not.toBe(digest);
  expect(config.export()).toBe(before);
  expect(auditLog()).toEqual([]);
});

test("what fails half way is undone, and the answer and the trail say where and why", async () => {
  const fresh = config.export();
  const { digest } = await look();
  api.faults["/ppp/aaa/set"] = { kind: "trap", message: "no more" };
  expect((await ask({ digest })).body).toMatchObject({
    outcome: "undone",
    reason: expect.stringContaining("no more"),
  });
  expect(config.export()).toBe(fresh);
  expect(auditLog()).toEqual([
    {
      action: "nas.setup",
      after: { outcome: "undone", failed: "/ppp/aaa", reason: expect.stringContaining("no more") },
    },
  ]);
});

test("what could not be undone stays, and says so", async () => {
  const { digest } = await look();
  api.faults["/ppp/aaa/set"] = { kind: "trap", message: "no more" };
  api.faults["/radius/remove"] = { kind: "trap", message: "not that either" };
  expect((await ask({ digest })).body).toMatchObject({ outcome: "halfway" });
  expect(config.rows("/radius")).toHaveLength(1);
  delete api.faults["/ppp/aaa/set"];
  const next = await look();
  expect((await ask({ digest: next.digest })).body).toMatchObject({ outcome: "done" });
});

test("a login that is refused, and a router that is not there, are 502 in words without the password", async () => {
  const refused = await ask({ password: "guess-hush" });
  expect(refused).toMatchObject({
    status: 502,
    body: { error: expect.stringContaining("refused the login of admin") },
  });
  expect(JSON.stringify(refused.body)).not.toContain("guess-hush");
  const { port } = api;
  await api[Symbol.asyncDispose]();
  expect((await ask({ port })).status).toBe(502);
  expect(auditLog()).toEqual([]);
});

test("what is not an address, a router of another kind and one of another ISP are refused before anybody signs in", async () => {
  const named = await ask({ server: "tower.example" });
  expect(named).toMatchObject({
    status: 400,
    body: {
      errors: {
        server: ["tower.example is no IP address; it must be one, or several such as 10.0.0.2,10.0.0.1:1822"],
      },
    },
  });
  app.db.$client.run("UPDATE nas SET kind = 'cisco' WHERE id = 1");
  expect((await ask()).body).toMatchObject({ error: expect.stringContaining("has no RouterOS API") });
  expect((await ask({ id: 2 })).status).toBe(404);
});
