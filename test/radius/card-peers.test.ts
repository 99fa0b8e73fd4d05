import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "bun:test";
import { printedCode } from "../../src/domain/goods/codes/codes.ts";
import { testLogin } from "../../src/radius/client/test-login.ts";
import { ownSecret } from "../../src/radius/server/clients.ts";
import { cardRow, makeBatch, makeCard } from "../support/card-codes.ts";
import { NAS_SECRET } from "../support/isp.ts";
import { radclient } from "../support/peers.ts";
import { eventually, startTestRadius } from "../support/radius-server.ts";

// The access thread with a real store, asked for cards by radclient and by two routers at one moment.

const router = { isp_id: 1, secret: NAS_SECRET };
const nas = [
  { ...router, id: 1, name: "core", address: "127.0.0.1" },
  { ...router, id: 2, name: "edge", address: "127.0.0.2" },
];
const radius = await startTestRadius({ nas });
const { auth } = radius.server;
const { db, folder } = radius.store;
const cards = makeBatch(db, { quantity: 12, prefix: "WX" }, 0);
const left = [...cards];
function unused() {
  const card = left.pop();
  if (!card) throw new Error("more cards are needed");
  return card;
}
afterAll(() => radius[Symbol.asyncDispose]());

const radclientAsks = async (attributes: string) => {
  const text = await radclient(
    auth.port,
    "auth",
    `${attributes}, Calling-Station-Id = "02:00:00:00:00:01", Message-Authenticator = 0x00`,
    { secret: NAS_SECRET },
  );
  return /Received (\S+)/.exec(text.output)?.[1];
};

describe("radclient logs in", () => {
  test.each<[string, (code: string) => string]>([
    ["PAP", (code) => `User-Name = "${code}", User-Password = "${code}"`],
    [
      "PAP, small and with dashes",
      (code) => `User-Name = "${printedCode(code).toLowerCase()}", User-Password = "${code}"`,
    ],
    ["PAP with a blank for a password", (code) => `User-Name = "${code}", User-Password = " "`],
    ["CHAP", (code) => `User-Name = "${code}", CHAP-Password = "${code}"`],
    [
      "CHAP, typed in small letters",
      (code) => `User-Name = "${code}", CHAP-Password = "${code.toLowerCase()}"`,
    ],
    ["MS-CHAP", (code) => `User-Name = "${code.toLowerCase()}", MS-CHAP-Password = "${code.toLowerCase()}"`],
    [
      "MS-CHAP, as printed",
      (code) => `User-Name = "${printedCode(code)}", MS-CHAP-Password = "${printedCode(code)}"`,
    ],
  ])("by %s", async (_, attributes) => {
    const { id, code } = unused();
    expect(await radclientAsks(attributes(code))).toBe("Access-Accept");
    expect(await eventually(() => cardRow(db, id)["state"] === "active")).toBe(true);
    expect(radius.decided.at(-1)).toMatch(/^C-0000\d\d accepted$/);
  });

  test("and not with another password", async () => {
    const { code } = unused();
    expect(await radclientAsks(`User-Name = "${code}", User-Password = "x"`)).toBe("Access-Reject");
  });
});

test("of two routers that ask at one moment one gets the card", async () => {
  const { id, code } = unused();
  const routers = ["127.0.0.1", "127.0.0.2"].map((localAddress) => radius.client({ localAddress }));
  const replies = await Promise.all(
    routers.map((one, nth) =>
      one.access({
        name: code,
        password: code,
        method: "mschapv2" as const,
        attributes: [["Calling-Station-Id", `02:00:00:00:02:0${nth}`]],
      }),
    ),
  );
  expect(replies.map((reply) => reply?.code).sort()).toEqual(["Access-Accept", "Access-Reject"]);
  expect(replies.flatMap((reply) => reply?.faults)).toEqual([]);
  expect(await eventually(() => cardRow(db, id)["state"] === "active")).toBe(true);
});

test("a test of ours uses nothing up", async () => {
  const { id, code } = makeCard(db, {}, 0);
  const before = radius.decided.length;
  const answer = await testLogin({
    server: { host: "127.0.0.1", port: auth.port },
    secret: ownSecret(db.vault),
    username: code,
    password: "",
    method: "pap",
    attributes: [],
  });
  expect(answer?.code).toBe("Access-Accept");
  expect(await eventually(() => radius.decided.length > before)).toBe(true);
  expect(cardRow(db, id)).toMatchObject({ state: "new", first_used_at: null });
});

test("no code stands anywhere in the store's files or in the log, but sealed", async () => {
  const { id, code } = unused();
  await radclientAsks(`User-Name = "${code}", User-Password = "${code}"`);
  const wrong = `${code.slice(0, -1)}${code.endsWith("A") ? "B" : "A"}`;
  await radclientAsks(`User-Name = "${wrong}", User-Password = "${wrong}"`);
  await radclientAsks(`User-Name = "${printedCode(wrong)}", User-Password = "x"`);
  expect(
    await eventually(
      () => radius.decided.filter((one) => one === `${wrong.slice(0, 3)}… unknown_user`).length === 2,
    ),
  ).toBe(true);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.startsWith("gatehouse.db"),
  );
  expect(files.length).toBeGreaterThan(0);
  const written = [
    ...files.map((name) => readFileSync(join(folder, name), "latin1")),
    JSON.stringify(radius.lines),
    JSON.stringify(radius.decided),
    JSON.stringify(radius.server.counts("auth")),
  ]
    .join("\n")
    .toUpperCase();
  for (const one of [...cards.map(({ code: own }) => own), wrong]) {
    expect(written.includes(one)).toBe(false);
    expect(written.includes(printedCode(one))).toBe(false);
  }
  expect(written.includes(`C-${String(id).padStart(6, "0")} ACCEPTED`)).toBe(true);
});
