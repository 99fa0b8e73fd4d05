import { describe, expect, test } from "bun:test";
import type { Db } from "../../../../db/open.ts";
import { DomainError } from "../../../../src/domain/core/errors/errors.ts";
import { changeSetting } from "../../../../src/domain/machine/settings/change.ts";
import { checkSignUp } from "../../../../src/domain/desk/sign-up/check.ts";
import { proposedPassword, proposedUsername } from "../../../../src/domain/desk/sign-up/propose.ts";
import { signUp } from "../../../../src/domain/desk/sign-up/sign-up.ts";
import { by } from "../../../support/isp.ts";
import { officePeople as copyOfOfficePeople } from "../../../support/office-people.ts";
import { NOW, undoneStores } from "../../../support/store.ts";

const officePeople = undoneStores(copyOfOfficePeople);

const at = { now: NOW };
const ofIsp = { ...by, scope: { ispId: 1, branchId: null, salespersonId: null } };
const form = {
  name: "Tomás Herrera",
  username: "tomas.herrera",
  password: "k7mpx3qawn",
  package_id: "2",
  connection_type_id: "1",
  salesperson_id: "1",
  nas_id: "1",
  nic_number: "77 1",
  mobile_number: "+1 555 7",
  amount: "22.00",
  method: "cash",
  reference: "",
  activate: "1",
};

/** How much there is of what a sign-up makes. */
const counts = ({ $client }: Db) =>
  [
    "subscribers",
    "payments",
    "invoices",
    "services",
    "ledger_entries",
    "audit_entries",
    "idempotency_keys",
  ].map((table) => $client.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()?.n ?? 0);

/** Of the package that the form asks for. */
const sold = { ispId: 1, package: { name: "Family 30", rateLimit: "10M/20M" } };

test("makes the subscriber, takes the money and opens the line at once", async () => {
  using store = await officePeople();
  const before = counts(store.db);
  const done = signUp(store.db, ofIsp, { input: form, key: "form-1" }, at);
  expect(done).toEqual({
    subscriberId: 11,
    username: "tomas.herrera",
    ...sold,
    payment: { id: 1, number: "R-2030-000001", amount: 2200, currency: "USD" },
    activation: expect.objectContaining({ packageId: 2, charged: 2200 }),
    balance: 0,
  });
  expect(counts(store.db).map((n, index) => n - (before[index] ?? 0))).toEqual([1, 1, 1, 1, 2, 3, 1]);
});

test("whoever gives a mobile number gets text messages, unless the form says otherwise", async () => {
  using store = await officePeople();
  const made = (more: object, key: string) => {
    const { subscriberId } = signUp(
      store.db,
      ofIsp,
      { input: { ...form, amount: "", activate: "", ...more }, key },
      at,
    );
    return store.db.$client.query("SELECT sms_status AS sms FROM subscribers WHERE id = ?").get(subscriberId);
  };
  expect(made({}, "form-1")).toEqual({ sms: 1 });
  const second = { username: "b", nic_number: "78", mobile_number: "+1 555 8" };
  expect(made({ ...second, sms_status: "0" }, "form-2")).toEqual({ sms: 0 });
});

test("a line without a dial-in is known by its switch from the first day on", async () => {
  using store = await officePeople();
  const input = { ...form, circuit_id: "eth 0/7", remote_id: "0x00FF" };
  const { subscriberId } = signUp(store.db, ofIsp, { input, key: "form-1" }, at);
  expect(
    store.db.$client.query("SELECT circuit_id, remote_id FROM subscribers WHERE id = ?").get(subscriberId),
  ).toEqual({ circuit_id: "eth 0/7", remote_id: "0x00ff" });
  const other = { ...input, username: "other", nic_number: "78", mobile_number: "+1 555 8" };
  expect(() => signUp(store.db, ofIsp, { input: other, key: "form-2" }, at)).toThrow("circuit_id");
});

test("without a username it gets one of its name, pressed twice the same", async () => {
  using store = await officePeople();
  const input = { ...form, name: "Amara Okafor", username: "" };
  const first = signUp(store.db, ofIsp, { input, key: "form-1" }, at);
  expect(first.username).toBe("amara.okafor2");
  expect(signUp(store.db, ofIsp, { input, key: "form-1" }, at)).toEqual(first);
});

test("pressed twice it makes one, and nothing that is kept tells the password", async () => {
  using store = await officePeople();
  const first = signUp(store.db, ofIsp, { input: form, key: "form-1" }, at);
  const after = counts(store.db);
  expect(signUp(store.db, ofIsp, { input: form, key: "form-1" }, at)).toEqual(first);
  expect(counts(store.db)).toEqual(after);
  const other = { ...form, password: "another-one" };
  expect(() => signUp(store.db, ofIsp, { input: other, key: "form-1" }, at)).toThrow("another body");
  const kept = ["idempotency_keys", "audit_entries"].map((table) =>
    JSON.stringify(store.db.$client.query(`SELECT * FROM ${table}`).all()),
  );
  expect(kept.join("")).not.toContain(form.password);
});

describe("what is refused leaves nothing behind", () => {
  const cases: [what: string, change: Record<string, string>, code: string, fields: string[]][] = [
    ["a name that is taken", { username: "user2" }, "invalid", ["username"]],
    ["a number that is taken", { mobile_number: "+1 555 0100" }, "invalid", ["mobile_number"]],
    ["an amount that is none", { amount: "much" }, "invalid", ["amount"]],
    ["faults of both parts", { name: "", amount: "-1" }, "invalid", ["name", "amount"]],
    ["no way of paying", { method: "" }, "invalid", ["method"]],
    ["a way that is not taken", { method: "shells" }, "invalid", ["method"]],
    ["too little", { amount: "21.99" }, "refused", []],
    ["nothing, where it is to be paid before", { amount: "" }, "refused", []],
    ["a package that is not sold", { package_id: "3" }, "refused", []],
    ["a package of nobody", { package_id: "99" }, "invalid", ["package_id"]],
  ];
  test.each(cases)("%s", async (_, change, code, fields) => {
    using store = await officePeople();
    const before = counts(store.db);
    let thrown: unknown;
    try {
      signUp(store.db, ofIsp, { input: { ...form, ...change }, key: "form-1" }, at);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(DomainError);
    if (!(thrown instanceof DomainError)) return;
    expect({ code: thrown.kind, fields: Object.keys(thrown.fields ?? {}) }).toEqual({
      code,
      fields,
    } as never);
    expect(counts(store.db)).toEqual(before);
  });

  test("a reference that is known, at its field", async () => {
    using store = await officePeople();
    const paid = { ...form, method: "bank", reference: "T-1" };
    signUp(store.db, ofIsp, { input: paid, key: "form-1" }, at);
    const next = { ...paid, username: "b", nic_number: "b", mobile_number: "+1 555 9", reference: "t 1" };
    expect(() => signUp(store.db, ofIsp, { input: next, key: "form-2" }, at)).toThrow(
      expect.objectContaining({ kind: "conflict", fields: { reference: [expect.any(String)] } }),
    );
  });
});

test("without payment and activation it is the subscriber alone", async () => {
  using store = await officePeople();
  const input = { ...form, amount: "", method: "", activate: "" };
  const done = signUp(store.db, ofIsp, { input, key: "form-1" }, at);
  const { username } = form;
  expect(done).toEqual({ subscriberId: 11, username, ...sold, payment: null, activation: null, balance: 0 });
});

test.each(["payment_take", "subscriber_activate", "subscriber_add"])(
  "needs %s where it is part of it",
  async (missing) => {
    using store = await officePeople();
    const flags = new Set(["payment_take", "subscriber_activate", "subscriber_add"]);
    flags.delete(missing);
    const who = { ...ofIsp, admin: false, flags };
    expect(() => signUp(store.db, who, { input: form, key: "form-1" }, at)).toThrow(`${missing} is missing`);
  },
);

describe("while it is typed", () => {
  test("a name that is taken has a free one beside it", async () => {
    using store = await officePeople();
    const check = checkSignUp(store.db, ofIsp, { name: "Amara Okafor", username: "AMARA.okafor" }, at);
    expect(check).toMatchObject({ isUsernameTaken: true, proposal: "amara.okafor2" });
  });

  test.each([
    ["Tomás  Herrera-Díaz", "", "tomas.herrera.diaz"],
    ["O’Brien, P.", "", "obrien.p"],
    ["محمد", "+961 3 12 34", "96131234"],
    ["", "", "user"],
  ])("%s is proposed as %s %s", async (name, mobile, expected) => {
    using store = await officePeople();
    expect(proposedUsername(store.db, { name, mobile })).toBe(expected);
  });

  test("who has a number is told as far as one sees them, and whether it may be shared", async () => {
    using store = await officePeople();
    const input = { mobile_number: "+1 555 0142", nic_number: "N1" };
    const branch = { ...ofIsp, scope: { ispId: 1, branchId: 11, salespersonId: null } };
    expect(checkSignUp(store.db, branch, input, at).taken).toEqual([
      { field: "nic_number", by: { id: 1, name: "Amara Okafor" }, isRefused: true },
      { field: "mobile_number", by: null, isRefused: true },
    ]);
    changeSetting(store.db, by, { key: "unique_contacts", value: "0" }, at);
    // what may be shared says nothing of somebody whom one does not see
    expect(checkSignUp(store.db, branch, input, at).taken).toEqual([
      { field: "nic_number", by: { id: 1, name: "Amara Okafor" }, isRefused: false },
    ]);
    store.db.$client.run(`UPDATE subscribers SET archived_at = ${NOW} WHERE id = 1`);
    expect(checkSignUp(store.db, branch, { nic_number: "N1" }, at).taken).toEqual([]);
  });

  test("what a package costs now, and until when", async () => {
    using store = await officePeople();
    const sale = (id: string) => checkSignUp(store.db, ofIsp, { package_id: id }, at).sale;
    expect(sale("2")).toEqual({ price: 2200, billingType: "prepaid", expiresAt: NOW + 31 * 86_400 });
    expect([sale("3"), sale("99"), sale("x")]).toEqual([null, null, null]);
  });

  test("passwords have no letter that is read as another one", () => {
    expect(new Set(Array.from({ length: 50 }, proposedPassword)).size).toBe(50);
    expect(proposedPassword()).toMatch(/^[a-hjkmnp-z2-9]{10}$/);
  });
});
