import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { write } from "../../db/open.ts";
import type { Browser } from "playwright-core";
import { readBalance } from "../../src/domain/core/amounts/balance.ts";
import { append } from "../../src/domain/money/billing/ledger.ts";
import { checkGuesses } from "../../src/domain/machine/check/guesses.ts";
import { operator } from "../../src/domain/core/actor/operator.ts";
import type { Subscriber } from "../../src/domain/goods/subscribers/find.ts";
import { startChromium } from "../support/chromium.ts";
import { people, type PortalIsp, portalIsp } from "../support/portal-isp.ts";
import { PortalBrowser } from "../support/portal-browser.ts";
import { cardOf, cardsOf } from "../support/redeem-cards.ts";
import { insertSessions } from "../support/sessions.ts";
import { PlainVisitor } from "../support/plain-visitor.ts";

let browser: Browser;
let isp: PortalIsp;
let notified: Subscriber[];
beforeAll(async () => {
  browser = await startChromium();
});
afterAll(() => browser.close());
beforeEach(async () => {
  notified = [];
  isp = await portalIsp({ renewed: (subscriber) => notified.push(subscriber) });
});
afterEach(() => isp.close());

const rows = <T = Record<string, unknown>>(sql: string) => isp.db.$client.query<T, []>(sql).all();
const balance = (subscriberId: number) => readBalance(isp.db, { subscriberId });
const plain = (html: string) =>
  html
    .replace(/<head>.*?<\/head>/, " ")
    .replace(/<[^>]+>/g, " ")
    .replace(/[\s\u00a0]+/g, " ");
const family = { kind: "package", package_id: 2, price: "20.00" };

/** Somebody who is signed in, with what the forms send. */
async function signedIn(who: number) {
  const { headers } = await isp.call("GET", "/mobile-auto-login", { bearer: await isp.token(who) });
  const cookie = headers.get("set-cookie")?.split(";")[0] ?? "";
  const sent = { headers: { cookie, "accept-language": "en-GB" } };
  const get = async (path = "/portal/card") => String((await isp.call("GET", path, sent)).body);
  const [, form_token = ""] = /name="form_token" value="([^"]+)"/.exec(await get()) ?? [];
  const post = (path: string, code: string) =>
    isp.call("POST", path, { ...sent, form: { form_token, code } });
  return {
    get,
    check: (code: string) => post("/portal/card", code),
    redeem: (code: string) => post("/portal/card/redeem", code),
  };
}

/** Puts a subscriber at the address that the browser has. */
function settle(who: number): void {
  isp.db.$client.run("DELETE FROM sessions WHERE framed_ip = '127.0.0.1'");
  insertSessions(isp.db, { acctSessionId: "walled", subscriberId: who, framedIp: "127.0.0.1" });
}

const phone = { viewport: { width: 320, height: 640 } };
const expectGood = async (visitor: PortalBrowser | PlainVisitor) => {
  if (visitor instanceof PlainVisitor) return;
  await visitor.expectAccessible();
  await visitor.expectToFit();
};

describe.each([false, true])("without a script: %p", (isPlain) => {
  test("on a small phone a refill is typed, seen and redeemed", async () => {
    const code = cardOf(isp.db);
    await using visitor = isPlain
      ? await PlainVisitor.fromApp(isp, people.amara)
      : await PortalBrowser.open(browser, isp, phone);
    if (visitor instanceof PortalBrowser) await visitor.openFromApp(people.amara);
    expect(await visitor.text()).toContain("Have a card?");
    await visitor.page.fill("#code", `${code.slice(0, 4)}-${code.slice(4)}`.toLowerCase());
    await visitor.submit(".have-card button");
    const seen = await visitor.text();
    for (const text of ["Adds US$10.00 to your balance.", "C-000001", "US$35.50", "US$45.50"])
      expect(seen).toContain(text);
    expect(seen).not.toContain(code);
    await expectGood(visitor);
    expect(balance(people.amara)).toBe(3550);

    await visitor.submit("button.solid");
    expect(visitor.page.url()).toBe(`${isp.origin}/portal/card?card=1`);
    const done = await visitor.text();
    for (const text of ["The card is redeemed.", "C-000001", "US$10.00", "US$45.50"])
      expect(done).toContain(text);
    expect(await visitor.page.content()).not.toContain(code);
    expect(balance(people.amara)).toBe(4550);
    await expectGood(visitor);
  });

  test("an expired line is paid by a package card on the page that it gets instead of the internet", async () => {
    const code = cardOf(isp.db, family);
    settle(people.bilal);
    await using visitor = isPlain
      ? new PlainVisitor({ origin: isp.walledOrigin })
      : await PortalBrowser.open(browser, isp, phone);
    await visitor.page.goto(`${isp.walledOrigin}/some/news`);
    await visitor.submit("a[href='/portal/card']");
    expect(await visitor.text()).toContain("Bilal Haddad");
    await visitor.page.fill("#code", code);
    await visitor.submit("button.solid");
    const seen = await visitor.text();
    expect(seen).toContain("Activates Family 30.");
    expect(seen).toContain("Paid until 15 Feb 2030, 12:00.");
    await expectGood(visitor);
    await visitor.submit("button.solid");
    const done = await visitor.text();
    expect(visitor.page.url()).toBe(`${isp.walledOrigin}/portal/card?card=1`);
    expect(done).toContain("The card is redeemed.");
    expect(done).toContain("Family 30");
    expect(await visitor.page.content()).not.toContain(code);
    await expectGood(visitor);
    expect(notified.map(({ id }) => id)).toEqual([people.bilal]);
    expect(balance(people.bilal)).toBe(250);
    expect(rows("SELECT actor, source FROM audit_entries WHERE action = 'card.redeem'")).toEqual([
      { actor: "subscriber user2", source: "walled garden" },
    ]);
  });
});

test("a double press redeems once, and both lead to what the card did", async () => {
  const code = cardOf(isp.db);
  const { redeem } = await signedIn(people.amara);
  const answers = await Promise.all([redeem(code), redeem(code)]);
  expect(answers.map(({ status, headers }) => [status, headers.get("location")])).toEqual([
    [303, "/portal/card?card=1"],
    [303, "/portal/card?card=1"],
  ]);
  expect(balance(people.amara)).toBe(4550);
});

test("of two people who send one code at once one has it", async () => {
  const code = cardOf(isp.db);
  const [amara, back] = [await signedIn(people.amara), await signedIn(people.back)];
  const answers = await Promise.all([amara.redeem(code), back.redeem(code)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 422]);
  expect(balance(people.amara) + balance(people.back)).toBe(3550 + 24_000 + 1000);
  const refused = answers.find(({ status }) => status === 422);
  expect(plain(String(refused?.body))).toContain("This card was used on 15 Jan 2030");
});

describe("refused in words that say what to do, with nothing booked", () => {
  test.each<[name: string, who: number, input: object, change: string | null, said: string]>([
    ["void", people.amara, {}, "UPDATE cards SET state = 'void'", "This card is not valid any more."],
    ["not sold", people.amara, { needs_sale: 1 }, null, "This card is not sold yet."],
    [
      "over",
      people.amara,
      { sell_by: "2030-02-01 00:00:00" },
      "UPDATE card_batches SET sell_by = 1000000000",
      "This card ended on 9 Sept 2001",
    ],
    ["for the hotspot", people.amara, { kind: "access", package_id: 2 }, null, "This card is for the Wi-Fi."],
    ["of another ISP", people.stranger, {}, null, "There is no card with this code."],
    [
      "a package on top of a debt",
      people.bilal,
      family,
      "debt",
      "You owe US$5.00, and this card does not cover that.",
    ],
    ["a frozen line", people.amara, family, "UPDATE services SET frozen_at = 5", "The card is not used; ask"],
    [
      "too soon",
      people.amara,
      family,
      "UPDATE services SET activated_at = 1894708799",
      "less than two minutes ago",
    ],
  ])("%s", async (_name, who, input, change, text) => {
    const code = cardOf(isp.db, { ...input });
    if (change === "debt")
      write(isp.db, (tx) => {
        const debt = { account: { subscriberId: 2 }, ispId: 1, amount: -750, kind: "adjustment" } as const;
        append(tx, debt, isp.clock.now, operator("root", "cli"));
      });
    else if (change?.includes("activated_at"))
      isp.db.$client.query("UPDATE services SET activated_at = ?").run(isp.clock.now - 1);
    else if (change !== null) isp.db.$client.run(change);
    const { check, redeem } = await signedIn(who);
    const before = [
      rows("SELECT * FROM cards"),
      rows("SELECT * FROM ledger_entries"),
      rows("SELECT * FROM services"),
    ];
    for (const { status, body } of [await check(code), await redeem(code)]) {
      expect([422, 429]).toContain(status);
      expect(plain(String(body))).toContain(text);
      // only what may be a mistake, or has to wait, is left
      expect(String(body).includes(code)).toBe(/^(There is no card|less than two minutes)/.test(text));
    }
    expect([
      rows("SELECT * FROM cards"),
      rows("SELECT * FROM ledger_entries"),
      rows("SELECT * FROM services"),
    ]).toEqual(before);
    expect(notified).toEqual([]);
  });

  test("without a code, or from a form of somebody else", async () => {
    const { check } = await signedIn(people.amara);
    expect(plain(String((await check(" ")).body))).toContain("Type the code that is on the card.");
    settle(people.bilal);
    const foreign = await fetch(`${isp.walledOrigin}/portal/card/redeem`, {
      method: "POST",
      body: new URLSearchParams({ form_token: "x", code: cardOf(isp.db) }),
    });
    expect(foreign.status).toBe(403);
    expect(balance(people.bilal)).toBe(250);
  });
});

test("five wrong codes a minute, then no code is looked at; right ones do not count, and no code is logged", async () => {
  const cards = cardsOf(isp.db, { quantity: 8 });
  const { check, redeem } = await signedIn(people.amara);
  for (const { code } of cards.slice(0, 7)) expect((await redeem(code)).status).toBe(303);
  for (let nth = 0; nth < 5; nth++) expect((await check(`WRONG-${nth}`)).status).toBe(422);
  const last = cards[7]?.code ?? "";
  const refused = await redeem(last);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(plain(String(refused.body))).toContain("Too many attempts.");
  const { redeem: another } = await signedIn(people.back);
  expect((await another(last)).status).toBe(303);
  for (let nth = 0; nth < 20; nth++) await check(`WRONG-${nth}`);
  const log = isp.lines.join("\n");
  expect(log.match(/guessing codes of cards/g)).toHaveLength(2); // of the account, and of the address
  expect(log).not.toContain("WRONG");
  const answer = checkGuesses(isp.db, isp.clock.now).map(({ message }) => message);
  expect(answer).toEqual([
    expect.stringMatching(
      /^(subscriber|address) .* typed more than 20 wrong codes of cards within a minute, once/,
    ),
    expect.stringMatching(/^(subscriber|address) .*Ask who that is, and disable the account/),
  ]);
  expect(checkGuesses(isp.db, isp.clock.now + 3600)).toEqual([]);
  const kept = ["audit_entries", "ledger_entries", "subscriber_tokens", "idempotency_keys"];
  const stored = JSON.stringify(kept.map((table) => rows(`SELECT * FROM ${table}`)));
  for (const { code } of cards) {
    expect(log).not.toContain(code);
    expect(stored).not.toContain(code);
  }
});

test("an ISP without such cards does not speak of them", async () => {
  cardOf(isp.db, { kind: "access", package_id: 2 });
  const { get } = await signedIn(people.amara);
  expect(await get("/portal")).not.toContain("Have a card?");
  settle(people.bilal);
  expect(await (await fetch(`${isp.walledOrigin}/news`)).text()).not.toContain("/portal/card");
});

test("what a card did is shown to who redeemed it, for an hour", async () => {
  const code = cardOf(isp.db);
  const [amara, back] = [await signedIn(people.amara), await signedIn(people.back)];
  await amara.redeem(code);
  expect(await amara.get("/portal/card?card=1")).toContain("The card is redeemed.");
  expect(await back.get("/portal/card?card=1")).not.toContain("The card is redeemed.");
  isp.clock.now += 3600;
  const later = await amara.get("/portal/card?card=1");
  expect(later).not.toContain("The card is redeemed.");
  expect(later).toContain("C-000001");
});

test("the app sees and redeems a card in the same way", async () => {
  const code = cardOf(isp.db);
  const bearer = await isp.token(people.amara);
  const ask = (what: string, value: string) =>
    isp.call("POST", `/api/v1/subscriber/card/${what}`, { bearer, json: { code: value } });
  expect(await ask("preview", code)).toMatchObject({
    status: 200,
    body: { success: true, data: { card: "C-000001", credited: 10, balance: 35.5, balance_after: 45.5 } },
  });
  expect(await ask("redeem", code)).toMatchObject({
    status: 200,
    body: { success: true, data: { card: "C-000001", credited: 10, package_name: null, balance: 45.5 } },
  });
  expect(await ask("redeem", code)).toMatchObject({ status: 422, body: { success: false } });
  for (let nth = 0; nth < 5; nth++) expect((await ask("redeem", `NO${nth}`)).status).toBe(404);
  expect((await ask("redeem", "NO6")).status).toBe(429);
});
