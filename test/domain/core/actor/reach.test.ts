import { describe, expect, test } from "bun:test";
import { addNas, onlyIsp, updateNas } from "../../../../src/domain/goods/nas/nas.ts";
import {
  changeSetting,
  listSettings,
  settingByName,
} from "../../../../src/domain/machine/settings/change.ts";
import {
  addStaff,
  changeStaffPassword,
  setStaffStatus,
} from "../../../../src/domain/people/staff/accounts.ts";
import type { Actor } from "../../../../src/domain/core/actor/actor.ts";
import { cli, insertIsps, insertRole, insertStaff } from "../../../support/people.ts";
import { NOW, undoneEmptyStores } from "../../../support/store.ts";

const temporaryStore = undoneEmptyStores();

const at = { now: NOW };
const account = { isp_id: 1, name: "New", username: "new", password: "secret-1", profile_type: 2 };

/** Of the whole ISP 1, with these flags. */
function manager(flags: string[], more: Partial<Actor> = {}): Actor {
  const scope = { ispId: 1, branchId: null, salespersonId: null };
  return { ...cli, staffId: 1, scope, admin: false, flags: new Set(flags), ...more };
}

async function people() {
  const store = temporaryStore();
  insertIsps(store.db);
  insertRole(store.db, 1, 1, "Front desk", ["subscriber_view"]);
  insertRole(store.db, 2, 1, "Money", ["subscriber_view", "subscriber_mac"]);
  await insertStaff(store.db, "boss");
  await insertStaff(store.db, "desk", { profile_type: 2, role_code: 1 });
  await insertStaff(store.db, "till", { profile_type: 2, role_code: 2 });
  await insertStaff(store.db, "south", { isp_id: 2 });
  await insertStaff(store.db, "box", { isp_id: 0 });
  return store;
}

describe("nobody manages an account that may do more", () => {
  const by = manager(["staff_manage", "subscriber_view"]);

  test.each([
    ["an Admin", "boss", "only an Admin"],
    ["somebody with a permission that is lacking", "till", "subscriber_mac"],
    ["an account of another ISP, which is not there", "south", "there is no staff account"],
    ["the operator of the box, which is not there", "box", "there is no staff account"],
  ])("%s", async (_, username, message) => {
    using store = await people();
    expect(() => setStaffStatus(store.db, by, { username, status: 0 }, at)).toThrow(message);
    await expect(changeStaffPassword(store.db, by, { username, password: "secret-2" }, at)).rejects.toThrow(
      message,
    );
  });

  test("who may do no more is theirs, and everybody of the ISP an Admin's", async () => {
    using store = await people();
    setStaffStatus(store.db, by, { username: "desk", status: 0 }, at);
    const admin = { ...by, admin: true, staffId: (await insertStaff(store.db, "chief")).id };
    for (const username of ["boss", "till"]) setStaffStatus(store.db, admin, { username, status: 0 }, at);
  });

  test.each<[string, Partial<typeof account> & object, Partial<Actor>, string]>([
    ["an Admin", { profile_type: 1 }, {}, "only an Admin"],
    ["a role with a permission that is lacking", { role_code: 2 } as object, {}, "subscriber_mac"],
    ["an account of another ISP", { isp_id: 2 }, { admin: true }, "isp_id 2 is not your ISP"],
    ["an operator", { isp_id: 0, profile_type: 1 }, { admin: true }, "isp_id 0 is not your ISP"],
    [
      "somebody of another branch",
      { branch_id: 12 } as object,
      inBranch(11),
      "branch_id 12 is not your branch",
    ],
    ["somebody of the whole ISP", { branch_id: 0 } as object, inBranch(11), "branch_id 0 is not your branch"],
    ["staff of a reseller", {}, inBranch(null, 2), "a reseller has no staff"],
  ])("nor makes one: %s", async (_, values, more, message) => {
    using store = await people();
    const adding = addStaff(store.db, { ...by, ...more }, { ...account, ...values }, at);
    await expect(adding).rejects.toMatchObject({
      kind: "forbidden",
      message: expect.stringContaining(message),
    });
  });

  test("without an ISP, nobody learns which ids another one has", async () => {
    using store = await people();
    insertRole(store.db, 9, 2, "South", []);
    const { isp_id: _, ...unnamed } = account;
    for (const role_code of [9, 99])
      await expect(addStaff(store.db, by, { ...unnamed, role_code }, at)).rejects.toMatchObject({
        fields: { role_code: ["is not a role of this ISP"] },
      });
  });

  test("an account is of the ISP of who adds it where none is named; the operator has to name one", async () => {
    using store = await people();
    const { isp_id: _, ...unnamed } = account;
    const everywhere = { ispId: null, branchId: null, salespersonId: null };
    await expect(
      addStaff(store.db, { ...by, admin: true, scope: everywhere }, unnamed, at),
    ).rejects.toMatchObject({
      fields: { isp_id: ["is required"] },
    });
    expect(await addStaff(store.db, by, { ...unnamed, role_code: 1 }, at)).toMatchObject({ ispId: 1 });
  });

  test("a new account of a branch's own is of that branch where none is named", async () => {
    using store = await people();
    const row = await addStaff(store.db, { ...by, ...inBranch(11) }, { ...account, role_code: 1 }, at);
    expect(row).toMatchObject({ ispId: 1, branchId: 11 });
  });

  function inBranch(branchId: number | null, salespersonId: number | null = null): Partial<Actor> {
    return { admin: true, scope: { ispId: 1, branchId, salespersonId } };
  }
});

describe("an Admin of one ISP among several", () => {
  const admin = manager([], { admin: true });

  test("sets what is the ISP's own, which it need not name", async () => {
    using store = await people();
    changeSetting(store.db, admin, { key: "currency", value: "EUR" }, at);
    expect(settingByName(store.db, admin, { key: "currency" })).toBe("EUR");
    expect(listSettings(store.db, admin).find(({ key }) => key === "currency")?.value).toBe("EUR");
    expect(settingByName(store.db, cli, { key: "currency", ispId: 2 })).toBe("USD");
    expect(settingByName(store.db, cli, { key: "currency" })).toBe("USD");
  });

  test.each([
    { key: "auth_log_days", value: 1 },
    { key: "auth_log_days", value: 1, ispId: 1 },
    { key: "currency", value: "EUR", ispId: 0 },
  ])("neither sets nor reads what is the operator's: %j", async (named) => {
    using store = await people();
    expect(() => changeSetting(store.db, admin, named, at)).toThrow("is its operator's");
    expect(() => settingByName(store.db, admin, named)).toThrow("is its operator's");
  });

  test("hears of no other ISP", async () => {
    using store = await people();
    const other = { key: "currency", value: "EUR", ispId: 2 };
    expect(() => changeSetting(store.db, admin, other, at)).toThrow(
      "there is no ISP 2; there are 1 (Northlink)",
    );
    expect(onlyIsp(store.db, admin)).toBe(1);
    expect(() => onlyIsp(store.db, cli)).toThrow("there are several ISPs");
  });

  test("gives no router away", async () => {
    using store = await people();
    const router = { isp_id: 1, name: "core", address: "10.0.0.1", secret: "hush" };
    const { id: nasId } = addNas(store.db, admin, router, at);
    expect(() => updateNas(store.db, admin, { nasId, input: { isp_id: 2 } }, at)).toThrow(
      "the ISP 2 is not yours",
    );
  });
});
