import { expect, test } from "bun:test";
import { insertRole, insertStaff } from "../support/people.ts";
import { callers, stateOf, type Tenants, undoneTenants } from "../support/tenants.ts";

const withTenants = undoneTenants();

const post = (app: Tenants, path: string, json: object, basic = callers.admin) =>
  app.call("POST", `/api/v1/${path}`, { basic, json });
const auditLog = (app: Tenants, action: string) =>
  app.db.$client
    .query<{ before: string; after: string }, [string]>(
      "SELECT before, after FROM audit_entries WHERE action = ? ORDER BY id DESC LIMIT 1",
    )
    .get(action);

test("a package takes further attributes, written in one way, and the trail has both", async () => {
  using app = await withTenants();
  const sent = await post(app, "package/update", {
    id: 1,
    reply_attributes: "framed-mtu = 1492\nCisco-AVPair := ip:vrf-id=GOLD",
  });
  const written = "Framed-MTU=1492\nCisco-AVPair=ip:vrf-id=GOLD";
  expect(sent).toMatchObject({ status: 200, body: { holders_on_old_terms: 1 } });
  const stored = () => app.db.$client.query("SELECT reply_attributes AS it FROM packages WHERE id = 1").get();
  expect(stored()).toEqual({ it: written });
  const entry = auditLog(app, "package.update");
  expect(JSON.parse(entry?.before ?? "{}")).toMatchObject({ reply_attributes: null });
  expect(JSON.parse(entry?.after ?? "{}")).toMatchObject({ reply_attributes: written });
  const cleared = await post(app, "package/update", { id: 1, reply_attributes: "" });
  expect(cleared).toMatchObject({ status: 200, body: { holders_on_old_terms: 0 } });
  expect(stored()).toEqual({ it: null });
});

test("what is ours, unknown or of a wrong length is refused, line by line, and nothing is stored", async () => {
  using app = await withTenants();
  const before = stateOf(app);
  const lines = ["Framed-MTU=1492", "Session-Timeout=600", "Framed-Route", `Filter-Id=${"x".repeat(254)}`];
  const words = [
    "line 2: Session-Timeout follows from the end of the service; leave it out",
    "line 3: is no attribute; write its name, = and its value, such as Framed-Route=10.9.0.0/24",
    "line 4: Filter-Id is 254 bytes long, and 253 is the most; write a shorter one",
  ].join("; ");
  for (const path of ["package/update", "subscriber/update"]) {
    const key = path.startsWith("package") ? { id: 1 } : { username: "user1" };
    const sent = await post(app, path, { ...key, reply_attributes: lines.join("\n") });
    expect(sent).toMatchObject({ status: 400, body: { errors: { reply_attributes: [words] } } });
  }
  expect(stateOf(app)).toEqual(before);
});

test("those of a subscriber are of who manages packages, for they may say how fast its line is", async () => {
  using app = await withTenants();
  insertRole(app.db, 50, 1, "Tried", ["api_access", "subscriber_view", "subscriber_edit"]);
  await insertStaff(app.db, "eve", { profile_type: 2, role_code: 50 });
  const update = (reply_attributes: string, basic: string) =>
    post(app, "subscriber/update", { username: "user1", reply_attributes }, basic);
  const refused = {
    status: 403,
    body: { error: "the permission package_manage is missing; ask an administrator to set it in your role" },
  };
  expect(await update("Mikrotik-Rate-Limit=1000M", "eve:secret-1")).toMatchObject(refused);
  expect(await update("", "eve:secret-1")).toMatchObject({ status: 200 });
  expect(await update("Filter-Id=office", callers.admin)).toMatchObject({ status: 200 });
  expect(await update("filter-id = office", "eve:secret-1")).toMatchObject({ status: 200 });
  expect(await update("", "eve:secret-1")).toMatchObject(refused);
  const entry = auditLog(app, "subscriber.update");
  expect(entry).not.toBeNull();
  const row = app.db.$client
    .query("SELECT reply_attributes AS it FROM subscribers WHERE username = 'user1'")
    .get();
  expect(row).toEqual({ it: "Filter-Id=office" });
});

test("a router has a kind, one of those that there are", async () => {
  using app = await withTenants();
  const changed = await post(app, "nas/update", { id: 1, kind: "juniper" });
  expect(changed).toMatchObject({ status: 200 });
  expect(app.db.$client.query("SELECT kind FROM nas WHERE id = 1").get()).toEqual({ kind: "juniper" });
  const api = await post(app, "nas/update", { id: 1, disconnect_method: "routeros" });
  expect(api).toMatchObject({
    status: 400,
    body: {
      errors: { disconnect_method: [expect.stringContaining("set disconnect_method to coa or auto")] },
    },
  });
  const refused = await post(app, "nas/update", { id: 1, kind: "tplink" });
  expect(refused).toMatchObject({
    status: 400,
    body: { errors: { kind: [expect.stringContaining("accel-ppp")] } },
  });
});
