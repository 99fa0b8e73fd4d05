import { describe, expect, spyOn, test } from "bun:test";
import { type Db, openWriter, setBusyTimeout } from "../../../../db/open.ts";
import { subscriberTokens } from "../../../../db/schema.ts";
import { resetPassword } from "../../../../src/domain/goods/subscribers/reset-password.ts";
import { signInSubscriber } from "../../../../src/domain/goods/subscribers/sign-in.ts";
import { setSubscriberStatus } from "../../../../src/domain/goods/subscribers/status.ts";
import { verifySubscriberToken } from "../../../../src/domain/goods/subscribers/tokens.ts";
import { aSubscriber, by, loadIsp } from "../../../support/isp.ts";
import { NOW, templateStore, temporaryStore } from "../../../support/store.ts";

const signIn = (db: Db, username: string, password: string) =>
  signInSubscriber(db, { username, password, source: "10.0.0.1", now: NOW, days: 30 });

// as a subscriber has it: only what a test waits for costs less (test/support/preload.ts)
const portalHash = Bun.password.hashSync("portal-1", {
  algorithm: "argon2id",
  memoryCost: 19_456,
  timeCost: 2,
});

/** Subscriber 1 has the password of its line only, 2 one of its own for the portal, 3 is disabled. */
const subscribers = templateStore((db) =>
  loadIsp(db, {
    subscribers: [
      aSubscriber(1, { username: "zoë", password: "Łódź é" }),
      aSubscriber(2, { portal_pass: portalHash }),
      aSubscriber(3, { status: 0 }),
    ],
  }),
);

describe("a sign-in costs one argon2 verification of the same cost, whatever there is", () => {
  test.each([
    ["nobody has the name", "nobody", "pw-1"],
    ["the line's password, wrong", "zoë", "wrong"],
    ["the line's password, right", "zoë", "Łódź é"],
    ["the portal's password, wrong", "user2", "wrong"],
    ["the portal's password, right", "user2", "portal-1"],
    ["a disabled account, wrong", "user3", "wrong"],
    ["a disabled account, right", "user3", "pw-3"],
  ])("%s", async (_case, username, password) => {
    using store = await subscribers();
    using verify = spyOn(Bun.password, "verify");
    await signIn(store.db, username, password).catch(() => {});
    expect(verify).toHaveBeenCalledTimes(1);
    expect(verify.mock.calls[0]?.[1]).toStartWith("$argon2id$v=19$m=19456,t=2,p=1$");
  });
});

test("letters compare as they are read, composed or not", async () => {
  using store = await subscribers();
  for (const form of ["NFC", "NFD"] as const) {
    const { subscriber } = await signIn(store.db, "ZOË".normalize(form), "Łódź é".normalize(form));
    expect(subscriber.id).toBe(1);
  }
});

describe("what changes while the password is verified counts", () => {
  test("another password", async () => {
    using store = await subscribers();
    const attempt = signIn(store.db, "zoë", "Łódź é");
    resetPassword(store.db, by, { subscriberId: 1, password: "other" }, { now: NOW });
    expect(await attempt.catch(({ code }) => code)).toBe("wrong_credentials");
  });

  test("a disabled account", async () => {
    using store = await subscribers();
    const attempt = signIn(store.db, "zoë", "Łódź é");
    setSubscriberStatus(store.db, by, { subscriberId: 1, enabled: false }, { now: NOW });
    expect(await attempt.catch(({ code }) => code)).toBe("account_disabled");
  });
});

test("a token of one appliance is none of another's, for each signs with a key of its own", async () => {
  using one = await subscribers();
  using other = temporaryStore();
  await loadIsp(other.db, { subscribers: [aSubscriber(1)] });
  const { token } = await signIn(one.db, "zoë", "Łódź é");
  other.db.insert(subscriberTokens).values(one.db.select().from(subscriberTokens).all()).run();
  expect(await verifySubscriberToken(one.db, token, NOW)).toMatchObject({ subscriberId: 1 });
  const refusal = await verifySubscriberToken(other.db, token, NOW).catch(({ code }) => code);
  expect(refusal).toBe("token_invalid");
});

test("a disk that keeps another writer for a while keeps nobody out", async () => {
  using store = await subscribers();
  setBusyTimeout(store.db, 20);
  const other = openWriter(store.folder, { busyTimeout: 0 });
  other.$client.run("BEGIN IMMEDIATE");
  setTimeout(() => other.$client.run("COMMIT"), 400);
  expect(await signIn(store.db, "zoë", "Łódź é")).toMatchObject({ subscriber: { id: 1 } });
  other.$client.close();
});

test("guesses from many addresses, as fast as they are refused, keep nobody out who has the password of the line", async () => {
  using store = await subscribers();
  // Which addresses failed before is remembered by the process: these are in no other test.
  const customer = (i: number) => `2001:db8:6e55:${i.toString(16)}::1`;
  const signInFrom = (source: string, username: string, password: string) =>
    signInSubscriber(store.db, { username, password, source, now: NOW, days: 30 });
  const over = new AbortController();
  const guesser = async (source: string) => {
    while (!over.signal.aborted) {
      await signInFrom(source, "zoë", "wrong").catch(() => {});
      await Bun.sleep(10);
    }
  };
  const guessers = Array.from({ length: 150 }, (_, i) => guesser(customer(i)));
  try {
    await Bun.sleep(300);
    for (let i = 0; i < 10; i++)
      expect(await signInFrom(customer(200), "zoë", "Łódź é")).toMatchObject({ subscriber: { id: 1 } });
  } finally {
    over.abort();
    await Promise.all(guessers);
  }
});
