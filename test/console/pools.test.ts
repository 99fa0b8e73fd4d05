import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { activate } from "../../src/domain/service/activation/activate.ts";
import { credit } from "../../src/domain/money/billing/credit.ts";
import { startChromium } from "../support/chromium.ts";
import { ConsoleBrowser, consoleSite, type ConsoleSite } from "../support/console-browser.ts";
import { by } from "../support/isp.ts";
import { callers, type Tenants, withTenants } from "../support/tenants.ts";

let browser: Browser;
let tenants: Tenants;
let site: ConsoleSite;

beforeAll(async () => {
  browser = await startChromium();
  tenants = await withTenants();
  site = consoleSite(tenants);
});
afterAll(async () => {
  await browser.close();
  await site.close();
  tenants[Symbol.dispose]();
});

test("a pool is added, chosen in a package, and says who has which address of it; who has it is found", async () => {
  const visitor = await ConsoleBrowser.signedIn(browser, site, callers.admin);
  const { page } = visitor;
  await visitor.goto("/console/routers");
  await page.click("text=Address pools");
  await page.click("text=Add a pool");
  await page.fill("#name", "flats");
  await page.fill("#range", "10.20.0.9");
  await visitor.submit("form.stack button.solid");
  expect(await visitor.text()).toContain("Must be addresses such as 10.0.0.2-10.0.3.254");
  await page.fill("#range", "10.20.0.9-10.20.0.12");
  await visitor.submit("form.stack button.solid");
  expect(await visitor.text()).toContain("Meets that of the pool homes");
  await page.fill("#range", "10.40.0.0/30");
  await visitor.submit("form.stack button.solid");
  expect(await visitor.heading()).toBe("flats");
  expect(await visitor.text()).toContain("0 of 2 are given, 2 are free.");

  await visitor.goto("/console/packages/1/edit");
  await page.click(".package-part:has(#address_pool) > summary");
  await page.selectOption("#address_pool", "flats");
  await visitor.submit("form button.solid");
  credit(site.db, by, { subscriberId: 1, amount: 100_000 }, { now: site.clock.now });
  activate(site.db, by, { subscriberId: 1, packageId: 1 }, { now: site.clock.now });

  await visitor.goto("/console/routers/pools");
  await visitor.submit("table >> text=flats");
  expect(await visitor.text()).toContain("1 of 2 are given, 1 are free.");
  expect(await visitor.text()).toContain("10.40.0.1");
  await visitor.submit("table a");
  expect(new URL(page.url()).pathname).toBe("/console/subscribers/1");
  expect(await visitor.text()).toContain("10.40.0.1, theirs from the pool");

  // and is found by the address, as by the line
  await visitor.goto("/console/subscribers/1/edit");
  await page.locator("details.edit-section:has(#circuit_id) summary").click();
  await page.fill("#circuit_id", "eth 0/7");
  await page.fill("#remote_id", "olt-3");
  await page.click("form:has(#circuit_id) button.solid");
  await page.getByText("Saved Line of DHCP").waitFor();
  for (const words of ["eth 0/7", "olt-3", "10.40.0.1"]) {
    await visitor.goto(`/console/search?q=${encodeURIComponent(words)}`);
    expect(await page.locator('a[href^="/console/subscribers/1"]').count()).toBeGreaterThan(0);
  }
});

test("an account of a branch sees pools and changes none", async () => {
  const visitor = await ConsoleBrowser.signedIn(browser, site, callers.branch);
  await visitor.goto("/console/routers/pools/1");
  expect(await visitor.text()).toContain("0 of 254 are given");
  expect(await visitor.text()).not.toContain("Name and range");
});
