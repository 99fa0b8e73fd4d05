import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { readBalance } from "../../src/domain/core/amounts/balance.ts";
import { startChromium } from "../support/chromium.ts";
import { ConsoleBrowser, consoleSite, type ConsoleSite } from "../support/console-browser.ts";
import { cardOf, cardsOf } from "../support/redeem-cards.ts";
import { callers, type Tenants, withTenants } from "../support/tenants.ts";
import { PlainVisitor } from "../support/plain-visitor.ts";

let browser: Browser;
let app: Tenants;
let site: ConsoleSite;
beforeAll(async () => {
  browser = await startChromium();
});
afterAll(() => browser.close());
beforeEach(async () => {
  app = await withTenants();
  app.clock.now += 600;
  site = consoleSite(app);
});
afterEach(async () => {
  await site.close();
  app[Symbol.dispose]();
});

const PERSON = "/console/subscribers/1";
const balance = () => readBalance(app.db, { subscriberId: 1 });

test("beside the page of a subscriber a card is typed, seen and redeemed", async () => {
  const code = cardOf(app.db);
  const before = balance();
  await using visitor = await ConsoleBrowser.signedIn(browser, site, callers.admin);
  visitor.expected = /^422 /; // of the browser, that a form was refused
  const { page } = visitor;
  await visitor.goto(PERSON);
  await page.locator(".person-actions summary").click();
  await page.getByText("Redeem a card").click();
  await page.locator("#drawer #code").fill("NO-SUCH-CODE");
  await page.getByText("Show what it does").click();
  await page.getByText("There is no card with this code").waitFor();
  expect(await page.locator("#drawer #code").inputValue()).toBe("NO-SUCH-CODE");
  await page.locator("#drawer #code").fill(code.toLowerCase());
  await page.getByText("Show what it does").click();
  await page.getByText("Card C-000001 puts").waitFor();
  expect(balance()).toBe(before);
  await visitor.expectAccessible();
  await page.getByRole("button", { name: "Redeem the card" }).click();
  await page.getByText("Card C-000001 is redeemed").waitFor();
  expect(balance()).toBe(before + 1000);
  expect(await page.content()).not.toContain(code);
  await visitor.goto(`${PERSON}/statement?from=2030-01-01&to=2030-12-31`);
  expect(await visitor.text()).toContain("C-000001");
  await visitor.goto(PERSON);
  expect(await visitor.text()).toContain("C-000001");
});

test("without a script it is a page, and a package card says until when the line runs", async () => {
  const [first, second] = cardsOf(app.db, { kind: "package", package_id: 1, quantity: 2 });
  const before = balance();
  await using visitor = await PlainVisitor.signedIn(site, callers.admin);
  const { page } = visitor;
  const send = async (code?: string) => {
    if (code !== undefined) await page.fill("#code", code);
    await page.locator("#content form[method=post] .button").first().click();
    await page.waitForLoadState();
  };
  await visitor.goto(`${PERSON}/card`);
  await send("");
  expect(await visitor.text()).toContain("Type the code that is on the card.");
  await send(first?.code);
  expect(await visitor.text()).toContain("Card C-000001 activates");
  await send();
  expect(await visitor.text()).toContain("Card C-000001 is redeemed");
  expect(balance()).toBe(before);
  await visitor.goto(`${PERSON}/card`);
  await send(second?.code);
  expect(await visitor.text()).toContain("was activated 0 s ago");
  expect(await page.locator("#code").inputValue()).toBe("");
});
