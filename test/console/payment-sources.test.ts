import { expect, test } from "bun:test";
import { consoleScene } from "../support/console-scene.ts";

const SOURCES = "/console/settings/payment-sources";

const scene = consoleScene();

const send = "#content form:not(.action) .button.large >> nth=0";

test("a provider is set up from what is known of it, gets an address, a new one, and goes", async () => {
  await using visitor = await scene.plain();
  const { page } = visitor;
  await visitor.goto(SOURCES);
  await page.click("#content .button.solid");
  await page.click('a:text-is("Paystack")');
  await page.fill("#secret", "short");
  await page.click(send);
  await page.waitForSelector("#secret-fault");
  await page.fill("#secret", "sk_live_123456789");
  await page.click(send);
  await page.waitForSelector("#address");
  const address = await page.locator("#address").innerText();
  expect(address).toMatch(/\/pay\/[0-9a-f]{32}$/);
  expect(await page.content()).not.toContain("sk_live_");
  const href = page.url();
  await page.goto(`${href}/rotate`);
  await page.click(send);
  await page.waitForURL(href);
  expect(await page.locator("#address").innerText()).not.toBe(address);
  await page.goto(`${href}/edit`);
  expect(await page.inputValue("#secret")).toBe("");
  await page.selectOption("#method", "bank");
  await page.click(send);
  await page.waitForURL(href);
  await page.goto(`${href}/delete`);
  await page.click(send);
  await page.waitForURL(`**${SOURCES}`);
  expect(await visitor.text()).toContain("Nobody tells of payments yet");
});

test("a program gets a secret that is shown this once", async () => {
  await using visitor = await scene.plain();
  const { page } = visitor;
  await visitor.goto(`${SOURCES}/new/signed`);
  await page.fill("#name", "till");
  await page.click(send);
  await page.waitForSelector("pre#secret");
  const secret = await page.locator("pre#secret").innerText();
  expect(secret).toStartWith("whsec_");
  await page.click("#content .button.solid");
  await page.waitForURL(/payment-sources\/\d+$/);
  expect(await page.content()).not.toContain(secret);
});
