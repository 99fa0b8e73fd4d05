import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { fillCards } from "../support/cards.ts";
import { startChromium } from "../support/chromium.ts";
import { ConsoleBrowser, consoleSite, type ConsoleSite, soon } from "../support/console-browser.ts";
import { callers, type Tenants, withTenants } from "../support/tenants.ts";
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

const stateOfCard = (id: number) =>
  app.db.$client.query<{ state: string }, [number]>("SELECT state FROM cards WHERE id = ?").get(id)?.state;
const salesOf = (id: number) =>
  app.db.$client
    .query<{ count: number }, [number]>("SELECT count(*) AS count FROM payments WHERE card_id = ?")
    .get(id)?.count;
const mayOnly = (...flags: readonly string[]) =>
  app.db.$client
    .query<unknown, [string]>(
      "UPDATE role_permissions SET value = 0 WHERE role_code = 1 AND flag LIKE 'card_%' AND flag NOT IN (SELECT value FROM json_each(?))",
    )
    .run(JSON.stringify(flags));

test("a card is sold from its row by keyboard alone, and the row says so", async () => {
  await using staff = await ConsoleBrowser.signedIn(browser, site, callers.admin, wide);
  const { page } = staff;
  await staff.goto(`${BATCH}?standing=new`);
  const sell = page.getByRole("link", { name: "Sell 0001-007" });
  await sell.focus();
  await page.keyboard.press("Enter");
  const press = page.locator("#drawer[open] button.solid");
  await press.waitFor();
  await staff.expectAccessible();
  await page.keyboard.press("Enter"); // of the field that has the focus
  await page.locator("#toasts .toast").waitFor();
  expect([stateOfCard(7), salesOf(7)]).toEqual(["sold", 1]);
  expect(await soon(async () => (await sell.count()) === 0)).toBe(true);
});

test("card after card is sold by keys alone", async () => {
  await using staff = await ConsoleBrowser.signedIn(browser, site, callers.admin, wide);
  const { page } = staff;
  await staff.goto("/console/cards/7");
  await page.keyboard.press("u");
  await page.locator("#drawer[open] button.solid").waitFor();
  await page.keyboard.press("Enter");
  await page.locator("#toasts .toast").waitFor();
  const next = page.locator("#content a[data-key=j]");
  await next.waitFor();
  const href = await next.getAttribute("href");
  expect(await page.locator("#toasts .toast .row a").last().getAttribute("href")).toBe(href);
  await page.keyboard.press("j");
  await page.waitForURL(`**${href}`);
  expect(href).not.toBe("/console/cards/7");
  expect(await page.locator("#content a[data-key=u]").count()).toBe(1);
});

test("two of the staff at one card: the second is told who has it, and no money moves", async () => {
  await using ada = await ConsoleBrowser.signedIn(browser, site, callers.admin, wide);
  await using mia = await ConsoleBrowser.signedIn(browser, site, callers.branch, wide);
  for (const { page } of [ada, mia]) {
    await page.goto(`${site.origin}/console/cards/1`);
    await page.click(".verdict a.solid");
    await page.locator("#drawer[open] button.solid").waitFor();
  }
  await ada.page.click("#drawer button.solid");
  await ada.page.locator("#toasts .toast").waitFor();
  await mia.page.click("#drawer button.solid");
  await mia.page.locator("#drawer .note").waitFor();
  expect(await mia.page.innerText("#drawer .note")).toMatch(/C-000001 (is|was) .*sold/);
  expect(salesOf(1)).toBe(1);
});

test("without a script the way back to the form says that the card is sold, and sells it once", async () => {
  await using staff = await ConsoleBrowser.signedIn(browser, site, callers.admin, {
    javaScriptEnabled: false,
  });
  const { page } = staff;
  await staff.goto("/console/cards/1/sell");
  await staff.submit("form[action$='/1/sell'] button.solid");
  expect(await staff.text()).toContain("C-000001 is sold");
  await page.goBack();
  expect(await staff.text()).toContain("It cannot be sold: it is sold.");
  expect(await page.locator("form[action$='/1/sell'] button.solid").isDisabled()).toBe(true);
  expect(salesOf(1)).toBe(1);
});

test("whose session has ended is asked to sign in, and the card is not sold before", async () => {
  await using staff = await PlainVisitor.signedIn(site, callers.admin);
  await staff.goto("/console/cards/1/sell");
  app.db.$client.run("DELETE FROM staff_sessions");
  await staff.submit("form[action$='/1/sell'] button.solid");
  expect(await staff.heading()).toBe("Sign in");
  expect([stateOfCard(1), salesOf(1)]).toEqual(["new", 0]);
});

test("a clerk who may sell sells, and neither makes, prints nor voids", async () => {
  mayOnly("card_view", "card_sell");
  await using clerk = await ConsoleBrowser.signedIn(browser, site, callers.branch, wide);
  const { page } = clerk;
  await clerk.goto(BATCH);
  expect(await page.locator(".page-head .button").allInnerTexts()).toEqual(["Sell cards", "CSV"]);
  expect(await page.getByRole("link", { name: /^Sell 0001/ }).count()).toBeGreaterThan(0);
  for (const path of [`${BATCH}/print`, "/console/cards/1/print", `${BATCH}/void`, "/console/cards/new"])
    expect([path, (await clerk.goto(path))?.status()]).toEqual([path, 403]);
  await clerk.goto("/console/cards/1");
  await page.click(".verdict a.solid");
  await page.click("#drawer[open] button.solid");
  await page.locator("#toasts .toast").waitFor();
  expect(stateOfCard(1)).toBe("sold");
});

test("who may not see cards finds none of them anywhere", async () => {
  mayOnly();
  await using mia = await ConsoleBrowser.signedIn(browser, site, callers.branch, wide);
  await mia.goto("/console");
  expect(await mia.page.locator("a[href='/console/cards']").count()).toBe(0);
  for (const path of ["/console/cards", BATCH, "/console/cards/1", "/console/cards/3/sessions"])
    expect([path, (await mia.goto(path))?.status()]).toEqual([path, 403]);
  await mia.goto("/console/search?q=7K7K7K7K");
  expect(await mia.text()).not.toContain("Find the card");
});

test("a card that was used often leads to all of its sessions", async () => {
  app.db.$client.run(
    `INSERT INTO sessions (nas_id, nas_address, acct_session_id, username, mac, started_at, updated_at, stopped_at, card_id)
     WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
     SELECT s.nas_id, s.nas_address, 'again-' || i, s.username, s.mac, s.started_at - i * 60, s.updated_at, s.started_at - i * 60 + 30, 3
     FROM n, sessions s WHERE s.acct_session_id = 'card-3'`,
  );
  await using staff = await ConsoleBrowser.signedIn(browser, site, callers.admin, wide);
  const { page } = staff;
  await staff.goto("/console/cards/3");
  expect(await page.locator(".verdict > .fields li").allInnerTexts()).toEqual([
    expect.stringMatching(/^\s*Time\s+38m left of 1h\s*$/),
    expect.stringMatching(/^\s*Time online\s+50m left of 1h\s*$/),
  ]);
  await page.getByRole("link", { name: "All 61" }).click();
  await page.waitForURL("**/cards/3/sessions");
  expect(await page.locator("tbody tr").count()).toBe(50);
  await staff.expectAccessible();
  await page.click("a[rel=next]");
  await page.waitForURL("**/sessions?page=2");
  expect(await page.locator("tbody tr").count()).toBe(11);
});

test("cards say their money in the currency of their ISP, whoever looks", async () => {
  // of an ISP that has bookings nobody changes it, so it is written as it is stored
  app.db.$client.run(
    "INSERT OR REPLACE INTO settings (isp_id, key, value) VALUES (1, 'currency', '\"EUR\"')",
  );
  app.db.$client.run("UPDATE payments SET currency = 'EUR'");
  const operator = await PlainVisitor.signedIn(site, callers.operator);
  for (const path of [
    ...["/console/cards", BATCH, "/console/cards/batches/2"],
    ...["/console/cards/1", "/console/cards/1/sell", "/console/cards/2/void", "/console/cards/13"],
    "/console/cards/new?package_id=1",
    ...["/console/reports/cards?isp_id=1", "/console/reports/card-stock?isp_id=1"],
  ]) {
    await operator.goto(path);
    const text = await operator.page.innerText("#content");
    expect([path, text.includes("€") || /EUR/.test(text)]).toEqual([path, true]);
    // of the stock nothing is said with a currency, where it is that of several ISPs
    expect(text.replace(/^In stock:.*$/m, ""), path).not.toContain("US$");
  }
});
