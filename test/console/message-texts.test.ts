import { afterAll, afterEach, beforeAll, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser } from "playwright-core";
import { startChromium } from "../support/chromium.ts";
import { ConsoleBrowser, consoleSite, type ConsoleSite } from "../support/console-browser.ts";
import { callers, type Tenants, withTenants } from "../support/tenants.ts";

setDefaultTimeout(120_000); // a browser on a busy machine

const TEXTS = "/console/messages/texts";
let browser: Browser;
let app: Tenants;
let site: ConsoleSite;
beforeAll(async () => {
  browser = await startChromium();
});
afterAll(() => browser.close());
beforeEach(async () => {
  app = await withTenants();
  site = consoleSite(app);
});
afterEach(async () => {
  await site.close();
  app[Symbol.dispose]();
});

test.each([true, false])(
  "ready texts are added, shown with a subscriber and changed (script: %p)",
  async (javaScriptEnabled) => {
    await using visitor = await ConsoleBrowser.signedIn(browser, site, callers.admin, { javaScriptEnabled });
    const { page } = visitor;
    await visitor.goto(`${TEXTS}/ready`);
    await page.uncheck('[name=language][value="ru"]');
    await page.click("#content .button.solid");
    await page.waitForSelector("text=Ready texts added: 60");
    await page.click('#content bdi:text-is("welcome")');
    await page.fill("#body", "Welcome, {{username}}“");
    if (!javaScriptEnabled) await page.click("[formaction]");
    await page.waitForSelector("text=Longer because of “");
    expect(await page.locator(".text-shown").innerText()).toMatch(/^Welcome, \w+“$/);
    await page.fill("#body", "Welcome, {{nobody}}");
    await page.click("#content .button.solid");
    await page.waitForSelector("#body-fault");
    await page.fill("#body", "Welcome, {{name}}");
    await page.click("#content .button.solid");
    await page.waitForSelector("text=The text is saved.");
    await page.click('#content bdi:text-is("العربية")');
    expect(await page.locator("#text-preview [dir=rtl]").count()).toBe(1);
    if (javaScriptEnabled) await visitor.expectAccessible();
  },
);
