import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { startChromium } from "../support/chromium.ts";
import { callers, openSession, type Tenants, withTenants } from "../support/tenants.ts";
import { ConsoleBrowser, consoleSite, type ConsoleSite } from "../support/console-browser.ts";

let browser: Browser;
let app: Tenants;
let site: ConsoleSite;
beforeAll(async () => {
  [browser, app] = await Promise.all([startChromium(), withTenants()]);
  site = consoleSite(app);
  openSession(app, 1);
});
afterAll(async () => {
  await Promise.all([browser.close(), site.close()]);
  app[Symbol.dispose]();
});

async function opened(path: string): Promise<ConsoleBrowser> {
  const visitor = await ConsoleBrowser.signedIn(browser, site, callers.admin);
  await visitor.goto(path);
  return visitor;
}

/** What has the focus, by what is read of it. */
const focused = ({ page }: ConsoleBrowser) =>
  page.evaluate<string>(
    "document.activeElement.getAttribute('aria-label') ?? (document.activeElement.id || document.activeElement.innerText)",
  );

test("a drawer that a key has opened gives the focus back to what the key stands for", async () => {
  await using visitor = await opened("/console");
  const { page } = visitor;
  await page.keyboard.press("p");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  expect(await focused(visitor)).toBe("Take payment");
});

test("n makes what the page is about, and a new subscriber elsewhere", async () => {
  await using visitor = await opened("/console/packages");
  const { page } = visitor;
  await page.keyboard.press("n");
  await page.waitForURL("**/console/packages/new");
  await page.goto(`${site.origin}/console`);
  await page.keyboard.press("n");
  await page.waitForURL("**/console/sign-up");
});

test("Space ticks the box that has the focus, on a page that it would pause too", async () => {
  await using visitor = await opened("/console/online");
  const box = visitor.page.locator("tbody input[type=checkbox]").first();
  await box.focus();
  await visitor.page.keyboard.press("Space");
  expect(await box.isChecked()).toBe(true);
});

test("a menu is gone through by arrows, and closes when the focus leaves it", async () => {
  await using visitor = await opened("/console/subscribers");
  const { page } = visitor;
  const menu = page.locator("details.menu").first();
  await menu.locator("summary").focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowDown");
  expect(await menu.locator(".menu-panel :focus").count()).toBe(1);
  await page.keyboard.press("Escape");
  expect(await menu.getAttribute("open")).toBeNull();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Shift+Tab");
  expect(await menu.getAttribute("open")).toBeNull();
});

test("from a list to a person and on to the next, who came of that list", async () => {
  await using visitor = await opened("/console/subscribers");
  const { page } = visitor;
  const links = page.locator("#people tbody .of-name a");
  const [first, second] = [await links.first().getAttribute("href"), await links.nth(1).getAttribute("href")];
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.waitForURL(`**${first}`);
  await page.keyboard.press("j");
  await page.waitForURL(`**${second}`);
  await page.keyboard.press("k");
  await page.waitForURL(`**${first}`);
});

test("a button that was pressed has the focus when the answer is there", async () => {
  await using visitor = await opened("/console/subscribers/1");
  const { page } = visitor;
  await page.getByRole("button", { name: "Disconnect" }).first().focus();
  await page.keyboard.press("Enter");
  await page.locator("#toasts .toast").waitFor();
  await page.waitForFunction("document.activeElement !== document.body");
  expect(await focused(visitor)).toBe("Disconnect");
});

test("the first field that was refused has the focus", async () => {
  await using visitor = await opened("/console/me");
  const { page } = visitor;
  await page.fill("#current", "not-this-one");
  await page.fill("#chosen", "long-enough-1");
  await visitor.submit("form:has(#chosen) button.button");
  expect(await focused(visitor)).toBe("current");
});
