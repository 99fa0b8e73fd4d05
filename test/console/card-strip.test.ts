import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { fillCards } from "../support/cards.ts";
import { startChromium } from "../support/chromium.ts";
import { ConsoleBrowser, consoleSite, type ConsoleSite, soon } from "../support/console-browser.ts";
import { callers, type Tenants, withTenants } from "../support/tenants.ts";
import type { PlainPage } from "../support/plain-page.ts";
import { PlainVisitor } from "../support/plain-visitor.ts";

const BATCH = "/console/cards/batches/1";
const wide = { viewport: { width: 1440, height: 900 } };
let browser: Browser;
let app: Tenants;
let site: ConsoleSite;
beforeAll(async () => {
  browser = await startChromium();
});
beforeEach(async () => {
  app = await withTenants();
  fillCards(app.db, app.clock.now);
  site = consoleSite(app);
});
afterEach(async () => {
  await site.close();
  app[Symbol.dispose]();
});
afterAll(() => browser.close());

/** Cards of batch 1 that were sold, by their serials, and how many payments there are of them. */
const soldOf = (batch = 1) => {
  const rows = app.db.$client
    .query<{ serial: number; payments: number }, [number]>(
      "SELECT serial, (SELECT count(*) FROM payments p WHERE p.card_id = c.id) AS payments FROM cards c WHERE batch_id = ? AND state = 'sold' ORDER BY serial",
    )
    .all(batch);
  return {
    serials: rows.map(({ serial }) => serial),
    payments: rows.reduce((sum, row) => sum + row.payments, 0),
  };
};
const before = { serials: [2], payments: 1 };

const summary = (page: Page) => page.locator("#strip-told").innerText();
const press = (page: Page | PlainPage) => page.locator("form[action$='/batches/1/sell'] button.solid");
const choose = async (page: Page | PlainPage, from: string, to: string) => {
  await page.fill("#from", from);
  await page.fill("#to", to);
};

test("a strip is sold by keyboard alone: the sum is said before the press, and one paper has its receipts", async () => {
  await using staff = await ConsoleBrowser.signedIn(browser, site, callers.admin, wide);
  const { page } = staff;
  await staff.goto(BATCH);
  await page.getByRole("link", { name: "Sell cards" }).focus();
  await page.keyboard.press("Enter");
  await page.locator("#drawer[open] #to:focus").waitFor();
  expect(await page.inputValue("#from")).toBe("1"); // the next that nobody has bought
  expect(await summary(page)).toContain("1 card, 0001-001");
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.type("7");
  await page.keyboard.press("Tab");
  await page.keyboard.type("9");
  await page.getByText("Take US$3.00 and sell 3 cards").waitFor();
  expect(await summary(page)).toMatch(/3 cards, 0001-007 to 0001-009\s+US\$3\.00\s+US\$1\.00 each/);
  await staff.expectAccessible();
  expect(soldOf()).toEqual(before);
  await page.keyboard.press("Enter");
  const toast = page.locator("#toasts .toast");
  await toast.waitFor();
  expect(await toast.innerText()).toMatch(
    /3 cards are sold for US\$3\.00\s+0001-007 to 0001-009\. Receipts R-\S+ to R-\S+\./,
  );
  expect(soldOf()).toEqual({ serials: [2, 7, 8, 9], payments: 4 });
  expect(
    await soon(async () => (await page.getByRole("link", { name: "Sell 0001-008" }).count()) === 0),
  ).toBe(true);
  await toast.getByRole("link", { name: "Print the receipt" }).click();
  await page.waitForURL("**/receipt?*");
  const printout = await page.locator(".paper").innerText();
  expect(printout).toMatch(/Cash[\s\S]*3 × 1\.00[\s\S]*0001-007 to 0001-009[\s\S]*3\.00/);
  await staff.expectAccessible();
  await page.getByRole("link", { name: "A4" }).click(); // of the same cards
  await page.waitForURL("**/receipt?*paper=a4");
  expect(await page.locator(".paper").innerText()).toContain("0001-007 to 0001-009");
  expect(staff.complaints).toEqual([]);
});

test("by mouse on a phone: numbers as they stand on the cards, in another way of paying, with a reference", async () => {
  await using staff = await ConsoleBrowser.signedIn(browser, site, callers.admin, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  const { page } = staff;
  await staff.goto(BATCH);
  await page.getByRole("link", { name: "Sell cards" }).tap();
  await page.locator("#drawer[open] #to").waitFor();
  await choose(page, "0001-011", "0001-012");
  await page.getByText("Take US$2.00 and sell 2 cards").waitFor();
  await staff.expectToFit();
  await staff.expectAccessible();
  await page.locator(".pay-methods label").last().tap();
  await page.fill("#reference", "TX-77");
  await page.locator("form[action$='/batches/1/sell'] button.solid").tap();
  await page.locator("#toasts .toast").waitFor();
  expect(soldOf()).toEqual({ serials: [2, 11, 12], payments: 3 });
  const references = app.db.$client
    .query<{ reference: string | null; note: string | null }, []>(
      "SELECT reference, note FROM payments WHERE card_id > 10 ORDER BY id",
    )
    .all();
  expect(references).toEqual([
    { reference: "TX-77", note: null },
    { reference: null, note: expect.stringMatching(/^paid with R-/) },
  ]);
});

test("without a script other numbers are said with their sum first, and sold by the next press alone", async () => {
  await using staff = await PlainVisitor.signedIn(site, callers.admin);
  const { page } = staff;
  await staff.goto(`${BATCH}/sell`);
  await choose(page, "8", "10");
  const form = "form[action$='/batches/1/sell'] button.solid";
  await staff.submit(form);
  expect(await staff.text()).toContain("Nothing is sold yet");
  expect(await press(page).innerText()).toBe("Take US$3.00 and sell 3 cards");
  expect(soldOf()).toEqual(before);
  await staff.submit(form);
  expect(await staff.heading()).toContain("Batch 0001");
  expect(await staff.text()).toContain("3 cards are sold for US$3.00");
  expect(soldOf()).toEqual({ serials: [2, 8, 9, 10], payments: 4 });
  await staff.goto(`${BATCH}/sell?from=8&to=10`);
  expect(await staff.text()).toContain("0001-008 is sold, 0001-009 is sold, and 0001-010 is sold");
});

test("what is pressed twice is sold once", async () => {
  await using staff = await PlainVisitor.signedIn(site, callers.admin);
  const { page } = staff;
  await staff.goto(`${BATCH}/sell?from=7&to=9`);
  const form = page.sent("form[action$='/batches/1/sell']");
  for (const _ of ["first", "second"])
    expect((await page.goto(`${BATCH}/sell`, { method: "POST", body: form })).status()).toBe(200);
  expect(soldOf()).toEqual({ serials: [2, 7, 8, 9], payments: 4 });
  const text = await staff.text();
  expect(new Set(text.match(/Receipts R-\S+ to R-\S+/g)).size).toBe(1);
});

test("a card that somebody sold meanwhile, or another price, is told, and nothing is sold", async () => {
  await using ada = await ConsoleBrowser.signedIn(browser, site, callers.admin, wide);
  const { page } = ada;
  await ada.goto(`${BATCH}/sell?from=7&to=9`);
  app.db.$client.run("UPDATE card_batches SET price = 250 WHERE id = 1");
  await ada.submit("form[action$='/batches/1/sell'] button.solid");
  await page.getByText("Nothing is sold yet").waitFor();
  await page.getByText("Take US$7.50 and sell 3 cards").waitFor();
  expect(soldOf()).toEqual(before);
  app.db.$client.run("UPDATE cards SET state = 'sold', sold_at = ? WHERE id = 8", [app.clock.now]);
  await press(page).click();
  await page.getByText(/Not done: C-000008 was sold/).waitFor();
  expect(await summary(page)).toContain("They cannot be sold together: 0001-008 is sold.");
  expect(soldOf()).toEqual({ serials: [2, 8], payments: 1 });
});

test("numbers that are none of the batch, in the wrong order or too many are told beside their field", async () => {
  await using staff = await ConsoleBrowser.signedIn(browser, site, callers.admin, wide);
  const { page } = staff;
  await staff.goto(BATCH);
  await page.getByRole("link", { name: "Sell cards" }).click();
  await page.locator("#drawer[open] #to:focus").waitFor();
  for (const [from, to, expected] of [
    ["7", "13", "Type a number from 1 to 12"],
    ["7", "0002-008", "Type a number from 1 to 12"],
    ["9", "7", "The last card comes before the first."],
    ["1", "12", "0001-002 is sold, 0001-003 is active, 0001-004 is used up, and 2 more are not new"],
  ] as const) {
    await choose(page, from, to);
    await page.locator("#strip-told").getByText(expected).waitFor();
    expect(await press(page).innerText()).toBe("See what they cost");
  }
  await choose(page, "9", "7");
  await page.locator("#strip-told").getByText("comes before").waitFor();
  await press(page).click();
  await page.locator("#to[aria-invalid=true]:focus").waitFor();
  await staff.expectAccessible();
  expect(soldOf()).toEqual(before);
});

test("a reseller marks cards that it holds, and is asked for no money", async () => {
  await using rex = await ConsoleBrowser.signedIn(browser, site, callers.reseller, wide);
  const { page } = rex;
  app.db.$client.run("UPDATE role_permissions SET value = 1 WHERE flag IN ('card_view', 'card_sell')");
  await rex.goto("/console/cards/batches/2");
  await page.getByRole("link", { name: "Sell cards" }).click();
  await page.locator("#drawer[open] #to:focus").waitFor();
  expect(await page.locator("#drawer [name=method]").count()).toBe(0);
  await page.fill("#to", "3");
  await page.getByText("Mark 2 cards as sold").waitFor();
  expect(await summary(page)).toContain("You keep what you take for them");
  await page.click("#drawer button.solid");
  await page.locator("#toasts .toast").waitFor();
  expect(await page.locator("#toasts .toast").innerText()).toMatch(
    /2 cards are sold\s+0002-002 to 0002-003\./,
  );
  expect(soldOf(2)).toEqual({ serials: [2, 3], payments: 0 });
});

test("who may not sell is not offered it, and refused; so is a branch cards of the whole ISP", async () => {
  await using mia = await ConsoleBrowser.signedIn(browser, site, callers.branch, wide);
  const { page } = mia;
  const offers = page.getByRole("link", { name: "Sell cards" });
  await mia.goto(BATCH);
  expect(await offers.count()).toBe(1);
  app.db.$client.run("UPDATE card_batches SET branch_id = NULL WHERE id = 1");
  await mia.goto(BATCH);
  expect(await offers.count()).toBe(0);
  await mia.goto(`${BATCH}/sell?from=7&to=8`);
  await press(page).click();
  await page.getByText(/whole ISP’s/).waitFor();
  app.db.$client.run("UPDATE role_permissions SET value = 0 WHERE flag = 'card_sell'");
  expect((await mia.goto(`${BATCH}/sell`))?.status()).toBe(403);
  expect(soldOf()).toEqual(before);
});
