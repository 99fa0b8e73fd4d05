import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { write } from "../../../db/open.ts";
import { newestDecision, recordDecisions } from "../../../src/domain/service/access/auth-log.ts";
import { importCards } from "../../../src/domain/service/cards/import.ts";
import { CodeKeys, normalCode, printedCode } from "../../../src/domain/goods/codes/codes.ts";
import type { NamedAttribute } from "../../../src/radius/packet/codec.ts";
import { makeBatch, makeCard, placesOf } from "../../support/card-codes.ts";
import { aSubscriber, by } from "../../support/isp.ts";
import { TestHandlers } from "../../support/radius-handlers.ts";
import { NOW } from "../../support/store.ts";

// What stands in the books, of both RADIUS threads, of names that may hold a code.

const PHONE = "02:00:00:00:00:01";

let handlers: TestHandlers;
beforeEach(async () => {
  handlers = await TestHandlers.open({
    subscribers: [aSubscriber(1), aSubscriber(2, { username: "h7k-lane 3" })],
  });
});
afterEach(() => handlers[Symbol.asyncDispose]());

/** What the books have of a name after a login with it and a Start of it. */
async function booked(
  name: string | Buffer,
): Promise<[login: string | undefined, session: string | undefined]> {
  const attributes: NamedAttribute[] = [
    ["Service-Type", "Login-User"],
    ["NAS-Port-Type", "Wireless-802.11"],
    ["Calling-Station-Id", PHONE],
  ];
  handlers.login({ name, password: "x", attributes });
  recordDecisions(handlers.db, handlers.decided.slice(-1));
  await handlers.account("Start", [
    ["User-Name", name],
    ["Acct-Session-Id", String(handlers.decided.length)],
    ["Calling-Station-Id", PHONE],
  ]);
  const session = handlers.db.$client
    .query<{ username: string }, []>("SELECT username FROM sessions ORDER BY id DESC LIMIT 1")
    .get();
  return [handlers.decided.at(-1)?.username, session?.username];
}

const both = (name: string): [string, string] => [name, name];
const begins = (name: string) => both(`${normalCode(name).slice(0, 3)}…`);

describe("of a code that is no text, or in what is longer, only how it begins is kept", () => {
  test.each<[string, (code: string) => string | Buffer, (code: string) => string]>([
    ["with a NUL behind it", (code) => `${code}\0`, () => "C-000001"],
    [
      "in wide letters",
      (code) => code.replace(/[A-Z0-9]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0)),
      () => "C-000001",
    ],
    [
      "with a byte that is no text behind it",
      (code) => Buffer.from(`${code}\xa0`, "latin1"),
      (code) => `${code.slice(0, 3)}…`,
    ],
    [
      "with a dash of another alphabet",
      (code) => Buffer.from(printedCode(code).replace("-", "\x96"), "latin1"),
      (code) => `${code.slice(0, 3)}…`,
    ],
    ["twice", (code) => code + code, (code) => `${code.slice(0, 3)}…`],
    ["with a backslash behind it", (code) => `${code}\\`, () => "…"],
    ["with a realm of a letter", (code) => `${code}\\u`, () => "…"],
    [
      "with dots for dashes",
      (code) => printedCode(code).replaceAll("-", "."),
      (code) => `${printedCode(code).slice(0, 3)}…`,
    ],
    [
      "with a line in the middle, in small letters",
      (code) => printedCode(code).replaceAll("-", "_").toLowerCase(),
      (code) => `${printedCode(code).slice(0, 3)}…`,
    ],
    ["with what it is", (code) => `code:${code}`, () => "COD…"],
    [
      "as the address of a login page",
      (code) => `http://wifi/login?username=${code}&password=${code}`,
      () => "HTT…",
    ],
  ])("%s", async (_, written, text) => {
    // as most of them look: drawn, not chosen
    const codes = makeBatch(handlers.db, { quantity: 9, length: 8 }).map((one) => one.code);
    const index = codes.findIndex((one) => /[A-Z].*[A-Z]/.test(one) && /\d[A-Z]/.test(one));
    const code = codes[index] ?? "";
    handlers.db.$client.run("UPDATE cards SET id = id + 10");
    handlers.db.$client.run(`UPDATE cards SET id = 1 WHERE serial = ${index + 1}`);
    expect(await booked(written(code))).toEqual(both(text(code)));
    for (const text of [code, printedCode(code)]) expect(placesOf(handlers.db, text)).toEqual([]);
  });

  test("of digits alone too, whatever stands for the dashes", async () => {
    const { code } = makeCard(handlers.db, { alphabet: "0123456789", length: 10 });
    for (const mark of [".", "_", "/", "+", ",", ":"])
      expect(await booked(printedCode(code).replaceAll("-", mark))).toEqual(begins(code));
    for (const name of ["ahmed_ali.2024", "john.smith", "maria-7.net"])
      expect(await booked(name)).toEqual(both(name));
  });

  test.each([0x660, 0x6f0, 0x966, 0x9e6])(
    "in digits of another script, whose zero is character %d",
    async (zero) => {
      const { code } = makeCard(handlers.db, { alphabet: "0123456789", length: 10 });
      const written = (text: string) =>
        text.replace(/\d/g, (digit) => String.fromCharCode(zero + Number(digit)));
      expect(await booked(written(code))).toEqual(both("C-000001"));
      const wrong = code.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10));
      expect(await booked(written(wrong))).toEqual(begins(wrong));
    },
  );

  test("and of bytes that are no code all of them, as ever", async () => {
    makeCard(handlers.db);
    expect(await booked(Buffer.from("jos\xe9", "latin1"))).toEqual(both("jos\\xe9"));
  });
});

describe("of a code that is mistyped only how it begins is kept", () => {
  test("with a symbol too many, too few or another one", async () => {
    makeCard(handlers.db, { length: 8 });
    for (const name of ["A7K2MP9W5", "A7K2MP9", "A7K2MP0W", "a7k2mp9w5", "a7k2-mp9"])
      expect(await booked(name)).toEqual(begins(name));
    for (const name of ["samantha7", "peterson", "ahmed-2024"])
      expect(await booked(name)).toEqual(both(name));
  });

  test("but a name that begins as somebody's does is that, mistyped", async () => {
    makeCard(handlers.db, { length: 8 });
    expect(await booked("h7k-lane 3b")).toEqual(both("h7k-lane 3b"));
    expect(await booked("h7m-lane 3b")).toEqual(begins("h7m-lane 3b"));
  });

  test("of another system, whose codes have lengths and symbols of their own", async () => {
    bring(["482913", "sun4kq", "SUN9ZZ"]);
    expect(await booked("482913")).toEqual(both("C-000001"));
    for (const name of ["482914", "4829135", "sun4kr", "SUN4KRT"])
      expect(await booked(name)).toEqual(begins(name));
    expect(await booked("48291")).toEqual(both("48…"));
    for (const name of ["48", "sunny.side"]) expect(await booked(name)).toEqual(both(name));
  });
});

test("wrong codes of another system are guesses too", () => {
  bring(["482913", "771204"]);
  const ask = (name: string) =>
    handlers.login({
      name,
      attributes: [
        ["Service-Type", "Login-User"],
        ["NAS-Port-Type", 19],
        ["Calling-Station-Id", PHONE],
      ],
    });
  for (let nth = 0; nth < 5; nth++) ask(`48290${nth}`);
  ask("482913");
  expect(handlers.decided.at(-1)).toMatchObject({
    reason: "too_many_guesses",
    username: "482…",
    cardId: null,
  });
});

/** A batch of codes that nobody here drew. */
function bring(codes: readonly string[]): void {
  const { db } = handlers;
  const keys = new CodeKeys(db.vault);
  const kept = codes.map((code) => ({
    key: keys.of(normalCode(code)),
    sealed: db.vault.seal(normalCode(code)),
  }));
  const batch = {
    ispId: 1,
    kind: "access" as const,
    packageId: 1,
    price: 100,
    note: null,
    origin: "elsewhere",
    endsAt: null,
    validity: null,
    uptimeSeconds: null,
  };
  write(db, (tx) => importCards(tx, by, batch, { codes: kept, now: NOW }));
}

test("a decision is found again by the name that a router sent, whoever it was", async () => {
  const { code } = makeCard(handlers.db, { length: 8 });
  const wrong = `${code.slice(0, -1)}${code.endsWith("A") ? "B" : "A"}`;
  for (const name of [code, wrong, "HOTSPOT\\user1", "sam", `${code}9`]) {
    await booked(name);
    const newest = handlers.db.$client.query<{ id: number }, []>("SELECT max(id) AS id FROM auth_log").get();
    expect(newestDecision(handlers.db, by, name)?.id).toBe(newest?.id ?? 0);
  }
});
