import { describe, expect, test } from "bun:test";
import { demoRoles } from "../../../scripts/demo-roles.ts";
import type { Db } from "../../../db/open.ts";
import { flagNames } from "../../../src/domain/import/roles.ts";
import { DomainError } from "../../../src/domain/errors.ts";
import type { Actor, Scope } from "../../../src/domain/staff/actor.ts";
import { type Operation, OWN, permissions } from "../../../src/domain/staff/permissions.ts";
import { calls } from "./operations/all.ts";
import { type Call, officeStore } from "./operations/call.ts";

/* Each operation by each role of the demo ISP, within its ISP, in another branch of it, and in another ISP. */

const operations = Object.entries(calls).map(([name, call]) => ({ name: name as Operation, call }));

type Where = "ispOne" | "otherBranch" | "otherIsp" | "otherReseller";
const scopes: Record<Where, Scope> = {
  ispOne: { ispId: 1, branchId: null, salespersonId: null },
  otherBranch: { ispId: 1, branchId: 12, salespersonId: null },
  otherIsp: { ispId: 2, branchId: null, salespersonId: null },
  otherReseller: { ispId: 1, branchId: null, salespersonId: 3 },
};
const roles: [role: keyof typeof demoRoles, wheres: Where[]][] = [
  ["Clerk", ["ispOne", "otherBranch", "otherIsp"]],
  ["Technician", ["ispOne", "otherBranch", "otherIsp"]],
  ["Manager", ["ispOne", "otherBranch", "otherIsp"]],
  ["Reseller", ["otherReseller", "otherIsp"]],
];

function account(role: keyof typeof demoRoles, where: Where): Actor {
  const scope = scopes[where];
  const flags = new Set<string>(demoRoles[role]);
  const own = { staffId: scope.salespersonId ?? 1, subscriberId: null, name: role, source: "192.0.2.1" };
  return { ...own, scope, admin: false, flags };
}

async function answerOf(db: Db, by: Actor, { call }: Call): Promise<unknown> {
  try {
    return await call(db, by);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return error.code;
  }
}

for (const [role, wheres] of roles)
  describe(role, () => {
    const has = (name: Operation) => demoRoles[role].some((flag) => flag === permissions[name]);
    // who manages day's closes sees those of others too
    const seesAll = (name: Operation) =>
      name === "listClosings" && demoRoles[role].some((flag) => flag === "closing_manage");

    test.each(operations.filter(({ name }) => has(name)))(
      "$name, as far as the scope goes",
      async ({ name, call }) => {
        for (const where of wheres) {
          using store = await officeStore();
          const expected =
            where === "ispOne" && seesAll(name)
              ? call.operator
              : (call[where] ?? call.ispOne ?? call.operator);
          expect([where, await answerOf(store.db, account(role, where), call)]).toEqual([where, expected]);
        }
      },
    );

    test("nothing else", async () => {
      using store = await officeStore();
      const changes = () => store.db.$client.query<{ n: number }, []>("SELECT total_changes() AS n").get()?.n;
      const before = changes();
      const isOwn = ({ name, call }: (typeof operations)[number]) =>
        permissions[name] === OWN && call.operator === "forbidden"; // everybody's, of the own account
      for (const { name, call } of operations.filter((one) => !has(one.name) && !isOwn(one)))
        for (const where of wheres)
          expect([name, where, await answerOf(store.db, account(role, where), call)]).toEqual([
            name,
            where,
            "forbidden",
          ]);
      expect(changes()).toBe(before);
    });
  });

test("each permission of these roles is one", async () => {
  using store = await officeStore();
  const known = new Set(flagNames(store.db));
  expect(Object.values(demoRoles).flatMap((flags) => flags.filter((flag) => !known.has(flag)))).toEqual([]);
});
