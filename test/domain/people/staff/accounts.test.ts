import { describe, expect, spyOn, test } from "bun:test";
import { auditEntries } from "../../../../db/schema.ts";
import { write } from "../../../../db/open.ts";
import type { FieldErrors } from "../../../../src/domain/core/errors/errors.ts";
import { DomainError } from "../../../../src/domain/core/errors/errors.ts";
import type { Input } from "../../../../src/domain/core/fields/fields.ts";
import {
  addStaff,
  changeStaffPassword,
  findStaffBySignIn,
  listStaff,
  setStaffStatus,
  staffRecord,
} from "../../../../src/domain/people/staff/accounts.ts";
import { hashPassword, verifyPassword } from "../../../../src/domain/people/staff/passwords.ts";
import { admit, loadActor, signIn, staffById } from "../../../../src/domain/people/staff/sign-in.ts";
import { issueStaffToken, verifyStaffToken } from "../../../../src/domain/people/staff/tokens.ts";
import { cli, insertIsps, insertRole, insertStaff, SECRET_1_HASH } from "../../../support/people.ts";
import { NOW, undoneEmptyStores } from "../../../support/store.ts";

const temporaryStore = undoneEmptyStores();

const change = { now: NOW };
const account = { isp_id: 1, name: "Ada", username: "ada", password: "secret-1", profile_type: 1 };

async function people() {
  const store = temporaryStore();
  insertIsps(store.db);
  insertRole(store.db, 1, 1, "Support", ["api_access", "subscriber_view"]);
  insertRole(store.db, 2, 2, "Other");
  insertRole(store.db, 3, 1, "Silent", ["subscriber_view"]);
  await insertStaff(store.db, "taken", { email: "mail@isp.example" });
  return store;
}

describe("adding an account", () => {
  const cases: { name: string; input: Input; faults: FieldErrors }[] = [
    {
      name: "nothing given: every required field is named",
      input: {},
      faults: {
        isp_id: ["is required"],
        name: ["is required"],
        username: ["is required"],
        password: ["is required"],
        profile_type: ["is required"],
      },
    },
    {
      name: "unknown ISP",
      input: { ...account, isp_id: 9 },
      faults: { isp_id: ["is not an ISP of this appliance"] },
    },
    {
      name: "the branch of another ISP",
      input: { ...account, branch_id: 21 },
      faults: { branch_id: ["is not a branch of this ISP"] },
    },
    {
      name: "the role of another ISP",
      input: { ...account, profile_type: 2, role_code: 2 },
      faults: { role_code: ["is not a role of this ISP"] },
    },
    {
      name: "a Reseller of the operator",
      input: { ...account, isp_id: 0, profile_type: 3 },
      faults: { isp_id: ["must be an ISP; only an Admin can be the operator of the box"] },
    },
    {
      name: "an operator with a branch",
      input: { ...account, isp_id: 0, branch_id: 11 },
      faults: { branch_id: ["is not a branch of this ISP"] },
    },
    {
      name: "a username in another case, an e-mail in another case",
      input: { ...account, username: "TAKEN", email: "MAIL@isp.example" },
      faults: { username: ["is taken by another account"], email: ["is taken by another account"] },
    },
    {
      name: "a username that is somebody's e-mail address",
      input: { ...account, username: "mail@isp.example" },
      faults: { username: ["is taken by another account"] },
    },
    {
      name: "an unknown profile type",
      input: { ...account, profile_type: 4 },
      faults: { profile_type: ["must be 1 (Admin), 2 (Staff) or 3 (Reseller)"] },
    },
  ];
  test.each(cases)("refuses $name", async ({ input, faults }) => {
    using store = await people();
    const refusal = await addStaff(store.db, cli, input, change).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(DomainError);
    expect(refusal).toMatchObject({ kind: "invalid", fields: faults });
    expect(listStaff(store.db, cli)).toHaveLength(1);
  });

  test("stores it, shows it without its password, and says so in the audit trail", async () => {
    using store = await people();
    using hash = spyOn(Bun.password, "hash");
    const row = await addStaff(
      store.db,
      cli,
      { ...account, branch_id: "11", profile_type: "2", role_code: "1", phone: 100 },
      change,
    );
    expect(staffRecord(row)).toEqual({
      id: row.id,
      name: "Ada",
      username: "ada",
      email: "",
      phone: "100",
      profile_type: 2,
      isp_id: 1,
      branch_id: 11,
      role_code: 1,
      status: 1,
      credit_limit: 0,
    });
    const cost = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;
    expect(hash.mock.calls).toEqual([[account.password, cost]]);
    expect(await Bun.password.verify(account.password, row.passwordHash)).toBe(true);
    const entry = store.db.select().from(auditEntries).all().at(-1);
    expect(entry).toMatchObject({ action: "staff.add", actor: "root", source: "cli", ispId: 1 });
    expect(JSON.stringify(entry)).not.toContain("argon2");
  });

  test("of two accounts with one username at one moment, one is added", async () => {
    using store = await people();
    const outcomes = await Promise.allSettled([
      addStaff(store.db, cli, account, change),
      addStaff(store.db, cli, { ...account, username: "Ada" }, change),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });
});

describe("signing in", () => {
  const attempt = { password: "secret-1", source: "10.0.0.1", now: NOW, days: 30 };

  test("username and e-mail address, in any case and with blanks around", async () => {
    using store = await people();
    for (const username of ["taken", " TAKEN ", "Mail@ISP.example"]) {
      const { account, token, expiresAt } = await signIn(store.db, { username, ...attempt });
      expect(account.username).toBe("taken");
      expect(expiresAt).toBe(NOW + 30 * 86_400);
      expect(verifyStaffToken(store.db, token, NOW).staffId).toBe(account.id);
    }
  });

  const refusals = [
    { name: "unknown user", username: "nobody", kind: "unauthenticated" },
    { name: "wrong password", username: "taken", password: "secret-2", kind: "unauthenticated" },
    { name: "disabled, right password", username: "off", kind: "forbidden" },
    { name: "disabled, wrong password", username: "off", password: "wrong", kind: "unauthenticated" },
    { name: "no role", username: "norole", kind: "forbidden" },
    { name: "a role without api_access", username: "silent", kind: "forbidden" },
  ];
  test.each(refusals)("$name: $kind", async ({ username, password = "secret-1", kind }) => {
    using store = await people();
    await insertStaff(store.db, "off", { status: 2 });
    await insertStaff(store.db, "norole", { profile_type: 2 });
    await insertStaff(store.db, "silent", { profile_type: 3, role_code: 3 });
    await expect(signIn(store.db, { ...attempt, username, password })).rejects.toMatchObject({ kind });
  });

  test("a password changed while the old one was being verified does not sign in", async () => {
    using store = await people();
    const pending = signIn(store.db, { ...attempt, username: "taken" });
    store.db.$client.run("UPDATE staff SET password_hash = 'changed' WHERE username = 'taken'");
    await expect(pending).rejects.toMatchObject({ kind: "unauthenticated" });
  });
});

describe("an actor", () => {
  test("a Reseller of a branch sees its own subscribers there and has the flags of its role", async () => {
    using store = await people();
    const row = await insertStaff(store.db, "rita", { profile_type: 3, role_code: 1, branch_id: 12 });
    expect(loadActor(store.db, row.id, "10.0.0.1")).toEqual({
      staffId: row.id,
      subscriberId: null,
      name: "rita",
      source: "10.0.0.1",
      scope: { ispId: 1, branchId: 12, salespersonId: row.id },
      admin: false,
      flags: new Set(["api_access", "subscriber_view"]),
    });
    expect(loadActor(store.db, 999, "10.0.0.1")).toBeUndefined();
  });

  test("the operator of the box is an Admin without limits", async () => {
    using store = await people();
    const row = await insertStaff(store.db, "box", { isp_id: 0 });
    expect(admit(store.db, row, "10.0.0.1")).toMatchObject({
      admin: true,
      scope: { ispId: null, branchId: null, salespersonId: null },
    });
  });
});

describe("changing an account", () => {
  async function withToken() {
    const store = await people();
    const found = findStaffBySignIn(store.db, "taken");
    const staffId = found?.id ?? 0;
    const { token } = write(store.db, (tx) => issueStaffToken(tx, { staffId, now: NOW, days: 30 }));
    return Object.assign(store, { staffId, token });
  }

  test("another password replaces the old one and revokes every token", async () => {
    using store = await withToken();
    await changeStaffPassword(store.db, cli, { username: "Taken", password: "secret-9" }, change);
    expect(() => verifyStaffToken(store.db, store.token, NOW)).toThrow("revoked");
    const hash = staffById(store.db, store.staffId)?.passwordHash;
    expect(await verifyPassword("secret-9", hash)).toBe(true);
    expect(await verifyPassword("secret-1", hash)).toBe(false);
  });

  test("disabling revokes its tokens for good: enabling brings none back", async () => {
    using store = await withToken();
    setStaffStatus(store.db, cli, { username: "taken", status: 0 }, change);
    setStaffStatus(store.db, cli, { username: "taken", status: 1 }, change);
    expect(() => verifyStaffToken(store.db, store.token, NOW)).toThrow("revoked");
  });

  test("an unknown account is not found, an unusable password is invalid", async () => {
    using store = await people();
    expect(() => setStaffStatus(store.db, cli, { username: "no", status: 0 }, change)).toThrow(
      "no staff account no",
    );
    await expect(
      changeStaffPassword(store.db, cli, { username: "no", password: "secret-9" }, change),
    ).rejects.toMatchObject({
      kind: "not_found",
    });
    await expect(
      changeStaffPassword(store.db, cli, { username: "taken", password: "" }, change),
    ).rejects.toMatchObject({
      kind: "invalid",
      fields: { password: ["is required"] },
    });
  });
});

describe("passwords", () => {
  test("the same text in another Unicode form is the same password", async () => {
    expect(await verifyPassword("Ju\u0308rgen", await hashPassword("Jürgen"))).toBe(true);
  });

  test("an unknown user costs what a wrong password costs", async () => {
    using verify = spyOn(Bun.password, "verify");
    using hash = spyOn(Bun.password, "hash");
    await hashPassword("secret-1");
    expect(await verifyPassword("wrong", undefined)).toBe(false);
    expect(verify).toHaveBeenCalledTimes(1);
    const { memoryCost, timeCost } = Object(hash.mock.calls[0]?.[1]);
    const cost = `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=1$`;
    expect(verify.mock.calls[0]?.[1]).toStartWith(cost);
  });

  test("a full queue refuses with the seconds to wait, and works again afterwards", async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 110 }, () => verifyPassword("wrong", SECRET_1_HASH)),
    );
    const refused = outcomes.filter(({ status }) => status === "rejected");
    expect(refused).toHaveLength(8);
    expect(refused[0]).toMatchObject({ reason: { kind: "overloaded", retryAfter: 2 } });
    expect(await verifyPassword("wrong", undefined)).toBe(false);
  });
});
