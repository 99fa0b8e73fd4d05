import { describe, expect, test } from "bun:test";
import { write } from "../../../../db/open.ts";
import { needSecondFactor } from "../../../../src/domain/people/roles/roles.ts";
import { consoleSession, signInToConsole } from "../../../../src/domain/people/staff/console-sessions.ts";
import {
  confirmEnrolment,
  continueEnrolment,
  startEnrolment,
} from "../../../../src/domain/people/staff/enrolment.ts";
import { changeOwnPassword } from "../../../../src/domain/people/staff/own-password.ts";
import {
  type FactorProof,
  passSecondFactor,
  recoveryCodesLeft,
  removeSecondFactor,
  renewRecoveryCodes,
} from "../../../../src/domain/people/staff/second-factor.ts";
import { signIn as signInToApi } from "../../../../src/domain/people/staff/sign-in.ts";
import { issueStaffToken, verifyStaffToken } from "../../../../src/domain/people/staff/tokens.ts";
import { totpCode, totpStep } from "../../../../src/domain/people/staff/totp.ts";
import { cli, insertIsps, insertRole, insertStaff } from "../../../support/people.ts";
import { NOW, undoneEmptyStores } from "../../../support/store.ts";

const temporaryStore = undoneEmptyStores();

const source = "192.0.2.7";

async function office() {
  const store = temporaryStore();
  const { db } = store;
  insertIsps(db);
  insertRole(db, 1, 1, "Front desk", ["api_access"]);
  const { id: staffId } = await insertStaff(db, "desk", { profile_type: 2, role_code: 1 });
  const signIn = (now = NOW) =>
    signInToConsole(db, { username: "desk", password: "secret-1", source, userAgent: "Firefox", now });
  const at = (id: string, now = NOW) => {
    const session = consoleSession(db, id, { now, source });
    if (!session) throw new Error("not signed in");
    return session;
  };
  const pass = (id: string, proof: FactorProof, now = NOW) =>
    passSecondFactor(db, { id, source, now, ...proof });
  /** Signed in with a second factor that was just got. */
  const enrolled = async () => {
    const { id } = await signIn();
    const { by, key } = at(id);
    const { sealed, secret } = startEnrolment(db, by, { issuer: "Northlink" }, { now: NOW });
    const codes = confirmEnrolment(db, by, { sealed, code: totpCode(secret, NOW), key }, { now: NOW });
    return { id, by, key, secret, codes };
  };
  return Object.assign(store, { staffId, signIn, at, pass, enrolled });
}

describe("a code", () => {
  // RFC 6238 appendix B, SHA-1: the last six digits
  const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
  test.each([
    [59, "287082"],
    [1111111109, "081804"],
    [1111111111, "050471"],
    [1234567890, "005924"],
    [2000000000, "279037"],
    [20000000000, "353130"],
  ])("is that of the RFC at %d", (now, code) => {
    expect(totpCode(secret, now)).toBe(code);
    expect(totpStep(secret, code, { now, last: null })).toBe(Math.floor(now / 30));
  });

  test.each([
    ["of the step before", -30, true],
    ["of the step after", 30, true],
    ["of two steps before", -60, false],
    ["of two steps after", 60, false],
  ])("%s", (_, offset, isRight) => {
    const code = totpCode(secret, NOW + offset);
    expect(totpStep(secret, code, { now: NOW, last: null }) !== undefined).toBe(isRight);
  });

  test.each(["", "12345", "1234567", "abcdef", "１２３４５６", "-12345", " "])("is not %j", (code) => {
    expect(totpStep(secret, code, { now: NOW, last: null })).toBeUndefined();
  });

  test("may be typed in two halves", () => {
    const code = totpCode(secret, NOW);
    expect(totpStep(secret, `${code.slice(0, 3)} ${code.slice(3)}`, { now: NOW, last: null })).toBeDefined();
  });
});

describe("getting a second factor", () => {
  test("a code confirms it; its secret is sealed, and of its ten recovery codes there are hashes", async () => {
    using store = await office();
    const { id, secret, codes } = await store.enrolled();
    expect(store.at(id).needs).toBe("nothing");
    expect(new Set(codes).size).toBe(10);
    const stored = store.db.$client.query("SELECT * FROM staff, staff_recovery_codes").all();
    const text = Bun.inspect(stored, { depth: 9 });
    for (const page of [secret, ...codes]) expect(text).not.toContain(page);
  });

  test("the picture names ISP and account; a wrong code shows it again, and sets nothing", async () => {
    using store = await office();
    const { by, key } = store.at((await store.signIn()).id);
    const { sealed, secret, uri } = startEnrolment(store.db, by, { issuer: "North & Co" }, { now: NOW });
    expect(uri).toStartWith("otpauth://totp/North%20%26%20Co:desk?issuer=North%20%26%20Co&secret=");
    expect(() => confirmEnrolment(store.db, by, { sealed, code: "000000", key }, { now: NOW })).toThrow(
      "wrong",
    );
    expect(recoveryCodesLeft(store.db, by)).toBeUndefined();
    const again = continueEnrolment(store.db, by, { sealed, issuer: "North & Co" }, { now: NOW });
    expect([again.secret, again.uri]).toEqual([secret, uri]);
  });

  test.each<[string, (sealed: string) => string, number]>([
    ["is another account's", (sealed) => sealed, 0],
    ["is half an hour old", (sealed) => sealed, 1800],
    ["was made up", (sealed) => Buffer.from(sealed).toString("base64url"), 0],
  ])("a picture that %s is refused", async (which, change, later) => {
    using store = await office();
    const other = await insertStaff(store.db, "ada");
    const { by, key } = store.at((await store.signIn()).id);
    const { sealed, secret } = startEnrolment(store.db, by, { issuer: "N" }, { now: NOW });
    const who = which.includes("another") ? { ...by, staffId: other.id } : by;
    const now = NOW + later;
    const confirm = () =>
      confirmEnrolment(store.db, who, { sealed: change(sealed), code: totpCode(secret, now), key }, { now });
    expect(confirm).toThrow("begin again");
  });

  test("programs lose the account: its tokens are revoked, and it logs in to the API no more", async () => {
    using store = await office();
    const token = write(store.db, (tx) =>
      issueStaffToken(tx, { staffId: store.staffId, now: NOW, days: 30 }),
    ).token;
    await store.enrolled();
    expect(() => verifyStaffToken(store.db, token, NOW)).toThrow("revoked");
    const credentials = { username: "desk", password: "secret-1", source, now: NOW, days: 1 };
    await expect(signInToApi(store.db, credentials)).rejects.toMatchObject({
      kind: "forbidden",
      message: expect.stringContaining("an account of its own"),
    });
  });
});

describe("signing in with a second factor", () => {
  test("needs a code, after which the session has another id; each code opens once", async () => {
    using store = await office();
    const { secret } = await store.enrolled();
    const [one, two] = [await store.signIn(NOW + 60), await store.signIn(NOW + 60)];
    expect([one.needs, two.needs]).toEqual(["code", "code"]);
    const code = totpCode(secret, NOW + 60);
    const renewed = store.pass(one.id, { code }, NOW + 60);
    expect(store.at(renewed, NOW + 60).needs).toBe("nothing");
    expect(() => store.at(one.id, NOW + 60)).toThrow("not signed in");
    for (const replayed of [code, totpCode(secret, NOW), totpCode(secret, NOW + 30)])
      expect(() => store.pass(two.id, { code: replayed }, NOW + 60)).toThrow("wrong");
    expect(() => store.pass(renewed, { code: totpCode(secret, NOW + 90) }, NOW + 90)).toThrow(
      "needs no code",
    );
    expect(store.at(store.pass(two.id, { code: totpCode(secret, NOW + 90) }, NOW + 90), NOW + 90).needs).toBe(
      "nothing",
    );
  });

  test("a recovery code opens once, however it is typed, and no other account", async () => {
    using store = await office();
    const { codes, by } = await store.enrolled();
    const code = codes[0] ?? "";
    const [one, two] = [await store.signIn(), await store.signIn()];
    expect(() => store.pass(one.id, { recoveryCode: "abcde-fghij" })).toThrow("none of the codes");
    store.pass(one.id, { recoveryCode: ` ${code.toUpperCase().replace("-", " ")} ` });
    expect(recoveryCodesLeft(store.db, by)).toBe(9);
    expect(() => store.pass(two.id, { recoveryCode: code })).toThrow("none of the codes");
    await insertStaff(store.db, "ada");
    store.db.$client.run(
      "UPDATE staff SET totp_secret = (SELECT totp_secret FROM staff WHERE username = 'desk')",
    );
    const ada = { username: "ada", password: "secret-1", source, userAgent: null, now: NOW };
    const { id } = await signInToConsole(store.db, ada);
    expect(() => store.pass(id, { recoveryCode: codes[1] ?? "" })).toThrow("none of the codes");
  });

  test("a code of a second factor that was taken away says nothing of the next one", async () => {
    using store = await office();
    const { by, codes } = await store.enrolled();
    const other = store.pass((await store.signIn()).id, { recoveryCode: codes[0] ?? "" });
    expect(store.at(other).needs).toBe("nothing");
    const proof = { recoveryCode: codes[1] ?? "" };
    removeSecondFactor(store.db, by, { staffId: store.staffId, proof }, { now: NOW });
    await store.enrolled();
    expect(store.at(other).needs).toBe("code");
  });

  test("other sessions that were open before the account had it need a code too", async () => {
    using store = await office();
    const { id } = await store.signIn();
    await store.enrolled();
    expect(store.at(id).needs).toBe("code");
  });

  test("new recovery codes, for a code, put an end to the old ones", async () => {
    using store = await office();
    const { codes, secret, by } = await store.enrolled();
    expect(() => renewRecoveryCodes(store.db, by, { code: "123" }, { now: NOW })).toThrow("wrong");
    const renewed = renewRecoveryCodes(store.db, by, { code: totpCode(secret, NOW + 30) }, { now: NOW });
    expect(new Set([...codes, ...renewed]).size).toBe(20);
    const { id } = await store.signIn();
    expect(() => store.pass(id, { recoveryCode: codes[0] ?? "" })).toThrow("none of the codes");
    store.pass(id, { recoveryCode: renewed[0] ?? "" });
  });
});

describe("taking a second factor away", () => {
  test("the own one by a code or a recovery code, and not without", async () => {
    using store = await office();
    const { by, secret, codes } = await store.enrolled();
    const own = { staffId: store.staffId };
    for (const refused of [{}, { proof: { code: "000000" } }, { proof: { recoveryCode: "abcde-fghij" } }])
      expect(() => removeSecondFactor(store.db, by, { ...own, ...refused }, { now: NOW })).toThrow();
    removeSecondFactor(store.db, by, { ...own, proof: { recoveryCode: codes[3] ?? "" } }, { now: NOW });
    expect(store.at((await store.signIn()).id).needs).toBe("nothing");
    expect(secret).not.toBe((await store.enrolled()).secret);
  });

  test("who is an Admin of the account needs none; of a role that needs one it leads to getting another", async () => {
    using store = await office();
    await store.enrolled();
    needSecondFactor(store.db, cli, { code: 1, needed: 1 }, { now: NOW });
    removeSecondFactor(store.db, cli, { username: "desk" }, { now: NOW });
    expect((await store.signIn()).needs).toBe("enrolment");
    expect(() => removeSecondFactor(store.db, cli, { username: "desk" }, { now: NOW })).toThrow(
      "has no second factor",
    );
  });
});

test("nobody frees the own role, or one that may do more, of its second factor", async () => {
  using store = await office();
  insertRole(store.db, 2, 1, "Till", ["payment_take"]);
  const { by: desk } = store.at((await store.signIn()).id);
  const by = { ...desk, flags: new Set(["api_access", "role_manage"]) };
  for (const code of [1, 2]) {
    needSecondFactor(store.db, by, { code, needed: 1 }, { now: NOW });
    const free = () => needSecondFactor(store.db, by, { code, needed: 0 }, { now: NOW });
    expect(free).toThrow(code === 1 ? "own role" : "permissions that you lack: payment_take");
    needSecondFactor(store.db, by, { code, needed: 1 }, { now: NOW }); // as it stands
  }
  const till = { ...by, flags: new Set([...by.flags, "payment_take"]) };
  needSecondFactor(store.db, till, { code: 2, needed: 0 }, { now: NOW });
  needSecondFactor(store.db, { ...desk, admin: true }, { code: 1, needed: 0 }, { now: NOW });
});

test("another password for oneself ends other sessions and tokens, not this one", async () => {
  using store = await office();
  const [other, own] = [await store.signIn(), await store.signIn()];
  const { by, key } = store.at(own.id);
  const change = (current: string, password: string) =>
    changeOwnPassword(store.db, by, { current, password, key }, { now: NOW });
  await expect(change("secret-9", "secret-22")).rejects.toMatchObject({ kind: "unauthenticated" });
  await expect(change("secret-1", "short")).rejects.toMatchObject({ kind: "invalid" });
  await change("secret-1", "secret-22");
  expect(() => store.at(other.id)).toThrow("not signed in");
  expect(store.at(own.id).needs).toBe("nothing");
  await expect(store.signIn()).rejects.toThrow("wrong username or password");
});
