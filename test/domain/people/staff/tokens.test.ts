import { describe, expect, test } from "bun:test";
import { write } from "../../../../db/open.ts";
import { staffTokens } from "../../../../db/schema.ts";
import {
  issueStaffToken,
  refreshStaffToken,
  revokeStaffToken,
  revokeStaffTokens,
  verifyStaffToken,
} from "../../../../src/domain/people/staff/tokens.ts";
import { insertIsps, insertStaff } from "../../../support/people.ts";
import { NOW, undoneEmptyStores } from "../../../support/store.ts";

const temporaryStore = undoneEmptyStores();

const DAY = 86_400;

async function signedIn() {
  const store = temporaryStore();
  insertIsps(store.db);
  const { id: staffId } = await insertStaff(store.db, "ada");
  const issue = (now = NOW) => write(store.db, (tx) => issueStaffToken(tx, { staffId, now, days: 30 })).token;
  const valid = (token: string, now = NOW) => {
    try {
      return verifyStaffToken(store.db, token, now).staffId === staffId;
    } catch (error) {
      expect(error).toMatchObject({ kind: "unauthenticated" });
      return false;
    }
  };
  return Object.assign(store, { staffId, issue, valid });
}

describe("token life cycle", () => {
  test("none -> valid: a number, a pipe and a secret of at least 40 characters, stored as a hash", async () => {
    using store = await signedIn();
    const token = store.issue();
    expect(token).toMatch(/^\d+\|[\w-]{40,}$/);
    expect(store.valid(token)).toBe(true);
    const secret = token.split("|")[1] ?? "";
    expect(JSON.stringify(store.db.select().from(staffTokens).all())).not.toContain(secret);
  });

  test("valid -> refreshed: the presented token is revoked at once, the new one has a full life", async () => {
    using store = await signedIn();
    const token = store.issue();
    const refreshed = refreshStaffToken(store.db, { token, now: NOW + 10 * DAY, days: 30 });
    expect(refreshed.expiresAt).toBe(NOW + 40 * DAY);
    expect(store.valid(token, NOW + 10 * DAY)).toBe(false);
    expect(store.valid(refreshed.token, NOW + 39 * DAY)).toBe(true);
  });

  test("refreshed twice: the second one is refused and the first one's token stays valid", async () => {
    using store = await signedIn();
    const token = store.issue();
    const first = refreshStaffToken(store.db, { token, now: NOW, days: 30 });
    expect(() => refreshStaffToken(store.db, { token, now: NOW, days: 30 })).toThrow("log in again");
    expect(store.valid(first.token)).toBe(true);
  });

  test("log out revokes the presented token only; log out everywhere all of the account's", async () => {
    using store = await signedIn();
    const { id: otherId } = await insertStaff(store.db, "bob");
    const other = write(store.db, (tx) => issueStaffToken(tx, { staffId: otherId, now: NOW, days: 30 }));
    const [first, second, third] = [store.issue(), store.issue(), store.issue()];
    revokeStaffToken(store.db, { token: first, now: NOW });
    expect([first, second, third].map((token) => store.valid(token))).toEqual([false, true, true]);
    write(store.db, (tx) => revokeStaffTokens(tx, store.staffId, NOW));
    expect([second, third].map((token) => store.valid(token))).toEqual([false, false]);
    expect(verifyStaffToken(store.db, other.token, NOW).staffId).toBe(otherId);
  });

  test("expired at expires_at, and neither refreshed nor revoked after it", async () => {
    using store = await signedIn();
    const token = store.issue();
    expect(store.valid(token, NOW + 30 * DAY - 1)).toBe(true);
    const now = NOW + 30 * DAY;
    expect(store.valid(token, now)).toBe(false);
    expect(() => refreshStaffToken(store.db, { token, now, days: 30 })).toThrow("log in again");
    expect(() => revokeStaffToken(store.db, { token, now })).toThrow("log in again");
  });

  test("a disabled account's token is refused even where nobody revoked it", async () => {
    using store = await signedIn();
    const token = store.issue();
    store.db.$client.run("UPDATE staff SET status = 2");
    expect(store.valid(token)).toBe(false);
  });
});

test("malformed and altered tokens are refused", async () => {
  using store = await signedIn();
  const token = store.issue();
  const [id, secret = ""] = token.split("|");
  const wrong = [
    "",
    "|",
    `${id}|`,
    secret,
    `0${token}`,
    `-${token}`,
    `${token} `,
    `${token}x`,
    `${id}|${secret.slice(1)}A`,
  ];
  wrong.push(`9${token}`, `999999999999999999|${secret}`, `${id}|${"A".repeat(43)}`, `${id}.0|${secret}`);
  expect(wrong.filter((candidate) => store.valid(candidate))).toEqual([]);
});

test("issuing forgets the account's expired tokens, so the table does not grow for ever", async () => {
  using store = await signedIn();
  for (let i = 0; i < 5; i++) store.issue(NOW + i);
  store.issue(NOW + 31 * DAY);
  expect(store.db.select().from(staffTokens).all()).toHaveLength(1);
});
