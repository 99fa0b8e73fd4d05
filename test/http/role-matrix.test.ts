import { expect, test } from "bun:test";
import { demoRoles, rolePermissions } from "../../scripts/demo-roles.ts";
import { importDataSet } from "../../src/domain/machine/imports/data-set/import.ts";
import type { Description } from "../../src/http/describe.ts";
import { by } from "../support/isp.ts";
import { SECRET_1_HASH } from "../support/people.ts";
import { NOW } from "../support/store.ts";
import { openSession, stateOf, undoneTenants } from "../support/tenants.ts";

const withTenants = undoneTenants();

interface Served {
  method: string;
  path: string;
  hooks: { detail: Description };
}

/** Each role of the demo ISP with an account of the whole ISP, of a branch, and of another ISP; the Reseller's are resellers. */
async function withRoles() {
  const app = await withTenants();
  const names = Object.keys(demoRoles) as (keyof typeof demoRoles)[];
  const places = [
    ["whole", 1, 0],
    ["branch", 1, 12],
    ["south", 2, 0],
  ] as const;
  const accounts = names.flatMap((role, index) =>
    places.map(([place, isp_id, branch_id], at) => ({
      role,
      username: `${role}-${place}`,
      row: {
        id: 100 + index * places.length + at,
        isp_id,
        branch_id,
        name: role,
        username: `${role}-${place}`,
        password_hash: SECRET_1_HASH,
        profile_type: role === "Reseller" ? 3 : 2,
        role_code: (isp_id === 1 ? 50 : 60) + index,
      },
    })),
  );
  const roles = names.flatMap((name, index) =>
    [1, 2].map((isp_id) => ({
      code: (isp_id === 1 ? 50 : 60) + index,
      isp_id,
      name,
      permissions: rolePermissions(name),
    })),
  );
  await importDataSet(app.db, by, { roles, staff: accounts.map(({ row }) => row) }, { now: NOW });
  return { app, accounts };
}

/** Those that need no parameter, and do what they do: whoever may make them does not, here. */
const needNothing: ReadonlySet<string> = new Set(["/api/v1/message_template/ready"]);

/** The calls of staff, of ids that nothing has and with nothing sent: whoever may make them hears of that. */
function callsOf(routes: readonly Served[]) {
  return routes.flatMap(({ method, path, hooks: { detail } }) =>
    typeof detail.access === "object"
      ? [{ method, path: path.replaceAll(/:\w+/g, "9999"), flag: detail.access.flag }]
      : [],
  );
}

test("each call by each role and place: 403 that names the permission, or what the call says of its parameters", async () => {
  const { app, accounts } = await withRoles();
  using _ = app;
  openSession(app, 1);
  const calls = callsOf(app.app.routes);
  expect(calls.length).toBeGreaterThan(40);
  const before = stateOf(app);
  const wrong: string[] = [];
  for (const { role, username } of accounts)
    for (const { method, path, flag } of calls) {
      const may = demoRoles[role].some((granted) => granted === flag);
      if (may && needNothing.has(path)) continue;
      const { status, body } = await app.call(method, path, { basic: `${username}:secret-1` });
      const isMissing = JSON.stringify(body).includes(`the permission ${flag} is missing`);
      const isRight = may ? !isMissing && status !== 401 && status < 500 : isMissing && status === 403;
      if (!isRight) wrong.push(`${username}: ${method} ${path} ${status} ${JSON.stringify(body)}`);
    }
  expect(wrong).toEqual([]);
  expect(stateOf(app)).toEqual(before);
});
