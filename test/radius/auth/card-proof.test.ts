import { afterAll, describe, expect, test } from "bun:test";
import { printedCode } from "../../../src/domain/goods/codes/codes.ts";
import { makeBatch } from "../../support/card-codes.ts";
import { TestHandlers } from "../../support/radius-handlers.ts";

// Of any name that is a code and any password, by any method: what logs in is what the rule says, and nothing else.

const handlers = await TestHandlers.open();
afterAll(() => handlers[Symbol.asyncDispose]());
const { db } = handlers;
const cards = [
  { length: 8 },
  { length: 10, prefix: "WX" },
  { length: 13, alphabet: "0123456789" },
  { length: 9, prefix: "A" },
].flatMap((form) => makeBatch(db, { ...form, quantity: 3, devices: 1000 }));

const TRIES = 400;
const SIGNS = [" ", "-", "–", "  ", ""];

/** The same numbers from 0 to below `end` each time. */
function numbers(seed: number): (end: number) => number {
  let state = seed;
  return (end) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * end);
  };
}

/** A code as somebody might type it: in either case, with signs between its symbols. */
function entered(code: string, below: (end: number) => number): string {
  const small = below(3);
  return [...code]
    .map((symbol) => {
      const isSmall = small === 0 || (small === 1 && below(2) === 0);
      return (
        (isSmall ? symbol.toLowerCase() : symbol) + (below(4) === 0 ? (SIGNS[below(SIGNS.length)] ?? "") : "")
      );
    })
    .join("");
}

function passwordsFor(code: string, name: string, other: string, below: (end: number) => number): string[] {
  return [
    ...["", name, code, code.toLowerCase(), printedCode(code), printedCode(code).toLowerCase()],
    ...[
      entered(code, below),
      code.slice(1),
      code.slice(0, -1),
      `${code}2`,
      `${code}\u{ad}`,
      other,
      "x",
      " ",
      "-",
    ],
  ];
}

/** What is compared with PAP, written apart from what is tested. */
const plain = (text: string) => text.replace(/[\s\u2013\u{ad}-]/gu, "").toUpperCase();

describe.each(["pap", "chap", "mschap", "mschapv2"] as const)("by %s", (method) => {
  test(`${TRIES} names and passwords`, () => {
    const below = numbers(method.length * 7919 + method.charCodeAt(0));
    const seen = { accepted: 0, refused: 0 };
    for (let nth = 0; nth < TRIES; nth++) {
      handlers.clock.now += 61;
      const { code } = cards[below(cards.length)] ?? { code: "" };
      const other = cards[below(cards.length)]?.code ?? "";
      const name = entered(code, below);
      const passwords = passwordsFor(code, name, other, below);
      const password = passwords[below(passwords.length)] ?? "";
      const allowed =
        method === "pap"
          ? [code, ""].includes(plain(password))
          : ["", name, code, code.toLowerCase(), printedCode(code)].includes(password);
      const reply = handlers.login({ name, password, method });
      const came = [reply?.code, reply?.faults, handlers.decided.at(-1)?.reason];
      const expected = allowed ? ["Access-Accept", [], "accepted"] : ["Access-Reject", [], "wrong_password"];
      expect([name, password, ...came]).toEqual([name, password, ...expected]);
      seen[allowed ? "accepted" : "refused"]++;
    }
    expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(TRIES / 10);
  });
});
