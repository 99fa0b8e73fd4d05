import { describe, expect, test } from "bun:test";
import type { Sent } from "../support/http.ts";
import { activate } from "../../src/domain/service/activation/activate.ts";
import { by } from "../support/isp.ts";
import { timeZone } from "../../src/domain/core/time/time.ts";
import { callers, type Tenants, undoneTenants } from "../support/tenants.ts";

const withTenants = undoneTenants();

const basic = callers.admin;
const operator = callers.operator;
const fault = (errors: Record<string, string[]>) => ({
  error: `check ${Object.keys(errors).join(", ")}`,
  errors,
});
const onlyOperator = "this is for the operator of the box; ask somebody who is";

const cases: [operation: string, sent: Sent, status: number, body: unknown][] = [
  ["GET area/get/1", {}, 200, { id: 1, isp_id: 1, name: "East", city_id: 1 }],
  ["GET subarea/get/1", {}, 200, { id: 1, isp_id: 1, name: "Block 4", area_id: 1 }],
  ["GET city/get/1", {}, 200, { id: 1, isp_id: 1, name: "Riverton" }],
  ["GET branch/get/12", {}, 200, { id: 12, isp_id: 1, name: "Harbour" }],
  ["GET branch/get/12", { basic: callers.branch }, 404, { error: "there is no branch 12" }],
  ["GET area/get/2", {}, 404, { error: "there is no area 2" }],
  ["GET area/get/2?isp_id=1", { basic: operator }, 404, { error: "there is no area 2" }],
  ["GET area/get/x", {}, 404, { error: "there is no area x" }],
  [
    "GET isp/get/1",
    { basic: operator },
    200,
    { id: 1, name: "Northlink", time_zone: timeZone(), minor_digits: 2 },
  ],
  [
    "GET isp/list?sort=-name&limit=1",
    { basic: operator },
    200,
    [{ id: 2, name: "Southlink", time_zone: timeZone(), minor_digits: 2 }],
  ],
  ["GET isp/list?isp_id=1", { basic: operator }, 403, { error: onlyOperator }],
  ["GET isp/get/1", {}, 403, { error: onlyOperator }],

  [
    "POST area/create",
    { form: { name: "West", city_id: 1 } },
    200,
    { success: "The area was created.", id: 3 },
  ],
  ["POST subarea/create", { json: { name: "Block 5" } }, 200, { success: "The subarea was created.", id: 3 }],
  [
    "POST isp/create",
    { basic: operator, form: { name: "East" } },
    200,
    { success: "The ISP was created.", id: 3 },
  ],
  ["POST city/create", { form: {} }, 400, fault({ name: ["is required"] })],
  [
    "POST area/create",
    { form: { name: "West", city_id: 2 } },
    400,
    fault({ city_id: ["is not a city of this ISP"] }),
  ],
  [
    "POST city/create",
    { basic: operator, form: { name: "A" } },
    400,
    {
      error: "there are several ISPs; say which",
      errors: { isp_id: ["is required, for there are several ISPs"] },
    },
  ],
  [
    "POST city/create",
    { basic: operator, form: { name: "A", isp_id: 9 } },
    400,
    { error: "there is no such ISP", errors: { isp_id: ["does not exist"] } },
  ],
  ["POST city/create", { form: { name: "A", isp_id: 2 } }, 403, { error: "the ISP 2 is not yours" }],
  [
    "POST city/create",
    { basic: callers.branch, form: { name: "A" } },
    403,
    { error: "cities are the whole ISP's; ask somebody whose account is not of one branch" },
  ],

  ["POST area/update", { form: { id: 1, name: "Old East" } }, 200, { success: "The area was changed." }],
  ["POST area/update", { form: { id: 1, city_id: "" } }, 200, { success: "The area was changed." }],
  ["POST area/update", { form: { id: 1 } }, 200, { success: "The area was changed." }],
  ["POST area/update", { form: { id: 1, name: "" } }, 400, fault({ name: ["must not be empty"] })],
  [
    "POST area/update",
    { form: { id: 1, city_id: 2 } },
    400,
    fault({ city_id: ["is not a city of this ISP"] }),
  ],
  ["POST area/update", { form: { name: "A" } }, 400, fault({ id: ["is required"] })],
  ["POST area/update", { form: { id: 1, isp_id: 2, name: "A" } }, 404, { error: "there is no area 1" }],
  ["POST area/update", { form: { id: 2, name: "A" } }, 404, { error: "there is no area 2" }],

  ["DELETE subarea/delete/1", {}, 200, { success: "The subarea was deleted." }],
  [
    "DELETE area/delete/1",
    {},
    400,
    { error: "the area East is used by subareas (1); give them another one first" },
  ],
  [
    "DELETE branch/delete/11",
    {},
    400,
    {
      error: "the branch Centre is used by staff accounts (1), subscribers (1); give them another one first",
    },
  ],
  ["DELETE city/delete/2", {}, 404, { error: "there is no city 2" }],
];

test.each(cases)("%s %j", async (operation, sent, status, body) => {
  using app = await withTenants();
  const [method = "", path = ""] = operation.split(" ");
  const answer = await app.call(method, `/api/v1/${path}`, { basic, ...sent });
  expect({ status: answer.status, body: answer.body }).toEqual({ status, body });
});

describe("what is deleted", () => {
  const call = async (app: Tenants, operation: string) => {
    const [method = "", path = ""] = operation.split(" ");
    const { status, body } = await app.call(method, `/api/v1/${path}`, { basic: operator });
    return { status, body };
  };

  test("an ISP with anything says with what, and one without goes with its settings", async () => {
    using app = await withTenants();
    const { status, body } = await call(app, "DELETE isp/delete/2");
    expect([status, body]).toEqual([
      400,
      {
        error:
          "the ISP Southlink is used by areas (1), branches (1), cities (1), ledger entries (1), routers (1), packages (1), roles (1), staff accounts (1), subareas (1), subscribers (1); delete those first",
      },
    ]);
    app.db.$client.run("INSERT INTO isps (id, name) VALUES (3, 'Spare')");
    app.db.$client.run(`INSERT INTO settings (isp_id, key, value) VALUES (3, 'currency', '"EUR"')`);
    expect((await call(app, "DELETE isp/delete/3")).status).toBe(200);
    expect(app.db.$client.query("SELECT * FROM settings WHERE isp_id = 3").all()).toEqual([]);
  });

  test("a branch and an area that only the books name are gone, and the books stay", async () => {
    using app = await withTenants();
    app.db.$client.run("UPDATE subscribers SET area_id = 1 WHERE id = 1");
    activate(app.db, by, { subscriberId: 1, packageId: 1 }, { now: app.clock.now });
    app.db.$client.run("UPDATE subscribers SET area_id = NULL, branch_id = 12 WHERE id = 1");
    app.db.$client.run("UPDATE staff SET branch_id = 12 WHERE branch_id = 11");
    app.db.$client.run("UPDATE subareas SET area_id = NULL");
    expect((await call(app, "DELETE area/delete/1")).status).toBe(200);
    expect((await call(app, "DELETE branch/delete/11")).status).toBe(200);
    expect(
      app.db.$client
        .query(
          "SELECT branch_id, area_id FROM ledger_entries WHERE subscriber_id = 1 ORDER BY id DESC LIMIT 1",
        )
        .get(),
    ).toEqual({ branch_id: 11, area_id: 1 });
  });

  test("the trail has what was before and after", async () => {
    using app = await withTenants();
    await app.call("POST", "/api/v1/area/update", { basic, form: { id: 1, name: "Old East" } });
    expect(
      app.db.$client
        .query(
          "SELECT action, entity, entity_id, isp_id, before, after FROM audit_entries ORDER BY id DESC LIMIT 1",
        )
        .get(),
    ).toEqual({
      action: "area.update",
      entity: "area",
      entity_id: "1",
      isp_id: 1,
      before: '{"id":1,"isp_id":1,"name":"East","city_id":1}',
      after: '{"id":1,"isp_id":1,"name":"Old East","city_id":1}',
    });
  });
});

test("choices: what a reseller's or a branch's form offers", async () => {
  using app = await withTenants();
  const of = async (caller: string) => (await app.call("GET", "/api/v1/choice/list", { basic: caller })).body;
  const own = (id: number, name: string) => ({ id, isp_id: 1, name });
  expect(await of(callers.otherReseller)).toEqual({
    branches: [own(11, "Centre"), own(12, "Harbour")],
    cities: [own(1, "Riverton")],
    areas: [{ ...own(1, "East"), city_id: 1 }],
    subareas: [{ ...own(1, "Block 4"), area_id: 1 }],
    packages: [
      { ...own(1, "Home 1"), status: 1 },
      { ...own(2, "Post"), status: 1 },
    ],
    nas: [own(1, "core")],
    salespersons: [{ ...own(3, "Rob"), status: 1 }],
    roles: [own(1, "Everything"), own(2, "Idle"), own(4, "Spare")],
  });
  expect(await of(callers.branch)).toMatchObject({ branches: [own(11, "Centre")] });
  expect(await of(callers.noFlag)).toMatchObject({ error: expect.stringContaining("subscriber_view") });
});
