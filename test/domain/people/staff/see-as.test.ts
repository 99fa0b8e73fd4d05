import { describe, expect, test } from "bun:test";
import { forReading, forTrial, write } from "../../../../db/open.ts";
import type { Actor } from "../../../../src/domain/core/actor/actor.ts";
import { seeAs, startSeeingAs } from "../../../../src/domain/people/staff/see-as.ts";
import { loadActor } from "../../../../src/domain/people/staff/sign-in.ts";
import { tryOut } from "../../../../src/domain/core/once/try-out.ts";
import { NOW, undoneTemplate } from "../../../support/store.ts";
import { fillTenants } from "../../../support/tenants.ts";

/** Nil of the whole ISP manages accounts and roles, and has api_access beside. */
const store = undoneTemplate(async (db) => {
  await fillTenants(db);
  for (const flag of ["staff_manage", "role_manage"])
    db.$client.query("INSERT INTO role_permissions VALUES (2, ?, 1)").run(flag);
});

type Store = Awaited<ReturnType<typeof store>>;

function actor({ db }: Store, staffId: number): Actor {
  const found = loadActor(db, staffId, "192.0.2.1");
  if (!found) throw new Error(`there is no account ${staffId}`);
  return found;
}

describe("seeing as somebody", () => {
  test("is their scope and flags of this moment, from one's own address", async () => {
    using here = await store();
    const { by, name } = seeAs(here.db, actor(here, 1), { staffId: 2 });
    expect(name).toBe("Rex");
    expect(by).toEqual({ ...actor(here, 2), source: "192.0.2.1" });
    expect(by.scope).toEqual({ ispId: 1, branchId: null, salespersonId: 2 });
  });

  test("with a role is no Admin, within one's own scope and the role's ISP", async () => {
    using here = await store();
    const { by } = seeAs(here.db, actor(here, 9), { roleCode: 3 });
    expect([by.admin, by.staffId, by.scope]).toEqual([
      false,
      9,
      { ispId: 2, branchId: null, salespersonId: null },
    ]);
    here.db.$client.run("UPDATE staff SET branch_id = 11 WHERE id = 1");
    expect(seeAs(here.db, actor(here, 1), { roleCode: 2 }).by.scope.branchId).toBe(11);
  });

  test.each([
    ["an Admin", { staffId: 1 }, "only an Admin can do this to an Admin"],
    ["who may do more", { staffId: 4 }, "has permissions that you lack"],
    ["a role that allows more", { roleCode: 1 }, "has permissions that you lack"],
    ["an account of another ISP", { staffId: 8 }, "there is no staff account 8"],
    ["the operator of the box", { staffId: 9 }, "there is no staff account 9"],
    ["a role of another ISP", { roleCode: 3 }, "there is no role 3"],
  ])("is refused of %s", async (_, seen, refusal) => {
    using here = await store();
    expect(() => startSeeingAs(here.db, actor(here, 6), seen, { now: NOW })).toThrow(refusal);
  });

  test("needs both permissions, and is no Reseller's", async () => {
    using here = await store();
    const nil = actor(here, 6);
    for (const missing of ["staff_manage", "role_manage"]) {
      const flags = new Set([...nil.flags].filter((flag) => flag !== missing));
      expect(() => seeAs(here.db, { ...nil, flags }, { roleCode: 4 })).toThrow(missing);
    }
    expect(() => seeAs(here.db, actor(here, 2), { roleCode: 4 })).toThrow("reseller");
  });

  test("leaves who looked as whom", async () => {
    using here = await store();
    startSeeingAs(here.db, actor(here, 1), { roleCode: 1 }, { now: NOW });
    expect(
      here.db.$client
        .query("SELECT actor, source, entity, entity_id, after FROM audit_entries ORDER BY id DESC LIMIT 1")
        .get(),
    ).toEqual({
      actor: "ada",
      source: "192.0.2.1",
      entity: "role",
      entity_id: "1",
      after: '{"name":"Everything"}',
    });
  });
});

test("a connection for reading writes nothing and opens nothing; a trial on it is undone", async () => {
  using here = await store();
  const refuse = (): never => {
    throw new Error("only looking");
  };
  const reading = forReading(here.db, refuse);
  expect(() => write(reading, () => undefined)).toThrow("only looking");
  expect(() => reading.vault.openText(here.db.vault.seal("secret"))).toThrow("only looking");
  expect(reading.vault.openTextIfWhole(here.db.vault.seal("secret"))).toBeUndefined();
  const rename = "UPDATE staff SET name = 'Other' WHERE id = 1";
  expect(tryOut(reading, (tx) => tx.$client.query(rename).run().changes)).toBe(1);
  expect(reading.$client.query("SELECT name FROM staff WHERE id = 1").get()).toEqual({ name: "Ada" });
  expect(forTrial(reading)).toBe(here.db);
});
