import { expect, test } from "bun:test";
import { callers, type Tenants, undoneTenants } from "../support/tenants.ts";

const withTenants = undoneTenants();

const LIST = "/api/v1/audit/list";
const basic = callers.admin;

/** Entries 1 to 5: what root, Ada and Sue did, on three days. */
async function withAuditLog() {
  const app = await withTenants();
  app.db.$client.run("DELETE FROM audit_entries");
  const day = 86_400;
  const entries: [
    day: number,
    isp: number | null,
    staff: number | null,
    actor: string,
    source: string,
    action: string,
  ][] = [
    [0, 1, null, "root", "cli", "role.create"],
    [0, 1, 1, "ada", "192.0.2.1", "role.update"],
    [1, 2, 8, "sue", "192.0.2.1", "role.update"],
    [1, null, null, "root", "cli", "setting.change"],
    [2, 1, 1, "ada", "192.0.2.7", "role.delete"],
  ];
  for (const [index, [days, isp, staff, actor, source, action]] of entries.entries())
    app.db.$client.run(
      `INSERT INTO audit_entries (id, at, isp_id, staff_id, actor, source, action, entity, entity_id, before, after)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, '3', ?, ?)`,
      [
        index + 1,
        app.clock.now + days * day,
        isp,
        staff,
        actor,
        source,
        action,
        action.split(".")[0] ?? "",
        action === "role.update" ? '{"name":"A","status":0}' : null,
        action === "role.update" ? '{"name":"=B","status":1}' : null,
      ],
    );
  return app;
}

async function idsOf(app: Tenants, query: string, caller = basic) {
  const { body } = await app.call("GET", `${LIST}?${query}`, { basic: caller });
  return Array.isArray(body) ? body.map(({ id }) => id) : body;
}

test("an entry says who, what, when and from where, and what it was before and after", async () => {
  using app = await withAuditLog();
  expect((await app.call("GET", `${LIST}?action=role.update`, { basic })).body).toEqual([
    {
      id: 2,
      at: "2030-01-15 12:00:00",
      isp_id: 1,
      staff_id: 1,
      actor: "ada",
      source: "192.0.2.1",
      action: "role.update",
      entity: "role",
      entity_id: "3",
      before: { name: "A", status: 0 },
      after: { name: "=B", status: 1 },
    },
  ]);
});

test.each([
  ["", [5, 2, 1]],
  ["from=2030-01-16", [5]],
  ["to=2030-01-15", [2, 1]],
  ["from=2030-01-15 12:00:01&to=2030-01-17 12:00:00", [5]],
  ["staff_id=1", [5, 2]],
  ["actor=root", [1]],
  ["source=192.0.2.7", [5]],
  ["action=role.update", [2]],
  ["entity=role&entity_id=3", [5, 2, 1]],
  ["entity_id=4", []],
  ["before=5", [2, 1]],
])("?%s", async (query, ids) => {
  using app = await withAuditLog();
  expect(await idsOf(app, query)).toEqual(ids);
});

test("the operator sees all of it, and narrows it to an ISP", async () => {
  using app = await withAuditLog();
  expect(await idsOf(app, "", callers.operator)).toEqual([5, 4, 3, 2, 1]);
  expect(await idsOf(app, "isp_id=2", callers.operator)).toEqual([3]);
  expect(await idsOf(app, "", callers.otherTenant)).toEqual([3]);
});

test("pages go on before the last entry of the one before, with the same filters", async () => {
  using app = await withAuditLog();
  const { headers } = await app.call("GET", `${LIST}?entity=role&limit=2`, { basic });
  expect(headers.get("link")).toBe(`<${LIST}?entity=role&limit=2&before=2>; rel="next"`);
});

test("as a file it has what was before and after as JSON", async () => {
  using app = await withAuditLog();
  const headers = { accept: "text/csv" };
  const { body } = await app.call("GET", `${LIST}?action=role.update`, { basic, headers });
  expect(String(body).trim().split("\r\n")).toEqual([
    "id,at,isp_id,staff_id,actor,source,action,entity,entity_id,before,after",
    '2,2030-01-15 12:00:00,1,1,ada,192.0.2.1,role.update,role,3,"{""name"":""A"",""status"":0}","{""name"":""=B"",""status"":1}"',
  ]);
});

test("a filter that is none is refused", async () => {
  using app = await withAuditLog();
  expect(await app.call("GET", `${LIST}?who=ada`, { basic })).toMatchObject({
    status: 400,
    body: { errors: { who: ["is not a filter of this list"] } },
  });
});
