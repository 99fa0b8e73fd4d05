import { afterEach, beforeEach, expect, test } from "bun:test";
import { callers, type Tenants, undoneTenants } from "../support/tenants.ts";

const withTenants = undoneTenants();

const PATH = "/api/v1/feed";
let app: Tenants;
beforeEach(async () => {
  app = await withTenants();
});
afterEach(() => app[Symbol.dispose]());

const call = (method: string, path: string, form?: object, basic = callers.admin) =>
  app.call(method, `${PATH}/${path}`, { basic, ...(form && { form: { ...form } }) });

test("a shaper is made, changed, switched off and on, and deleted; its secret is in no answer", async () => {
  const made = await call("POST", "create", { name: "lq", address: "10.0.0.20", secret: "hush-hush" });
  const feed = {
    id: 1,
    isp_id: 1,
    name: "lq",
    address: "10.0.0.20",
    port: 1813,
    all_routers: 1,
    routers: "",
    router_ids: [],
    answered_at: null,
    silent_since: null,
    behind_since: null,
    waiting: 0,
    disabled_at: null,
    created_at: "2030-01-15 12:00:00",
  };
  expect(made).toMatchObject({ status: 200, body: { success: "The shaper is there.", feed } });
  expect((await call("GET", "get/1")).body).toEqual(feed);
  expect((await call("GET", "list")).body).toEqual([feed]);
  const changed = await call("POST", "update/1", { router_ids: "1", port: 18_130, secret: "hush-more" });
  const other = { ...feed, port: 18_130, all_routers: 0, routers: "core", router_ids: [1] };
  expect(changed.body).toEqual({ success: "The shaper was changed.", feed: other });
  const off = await call("POST", "enable/1", { enabled: 0 });
  expect(off.body).toEqual({
    success: "The shaper is off.",
    feed: { ...other, disabled_at: "2030-01-15 12:00:00" },
  });
  expect((await call("POST", "enable/1", { enabled: 1 })).body).toEqual({
    success: "The shaper is on.",
    feed: other,
  });
  expect((await call("DELETE", "delete/1")).body).toEqual({ success: "The shaper is gone.", feed: other });
  expect(await call("GET", "get/1")).toMatchObject({ status: 404 });
  const trail = JSON.stringify((await app.call("GET", "/api/v1/audit/list", { basic: callers.admin })).body);
  expect(trail).toContain("secret_replaced");
  expect(trail).not.toContain("hush");
});

test.each([
  [{ address: "shaper.example" }, { address: ["must be an IP address such as 10.0.0.20"] }],
  [{ port: 0 }, { port: ["must be a whole number from 1 to 65535"] }],
  [{ secret: "" }, { secret: ["is required"] }],
  [{ router_ids: "1, 9" }, { router_ids: ["9 is no router of that ISP"] }],
  [{ router_ids: "core" }, { router_ids: ["must be all, or numbers of routers with commas between"] }],
])("%j is refused at its field", async (more, errors) => {
  const form = { name: "lq", address: "10.0.0.20", secret: "hush-hush", ...more };
  const { status, body } = await call("POST", "create", form);
  expect({ status, body }).toMatchObject({ status: 400, body: { errors } });
  expect((await call("GET", "list")).body).toEqual([]);
});
