import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { setting, settingDefinitions, type SettingKey } from "../../src/domain/core/settings/settings.ts";
import { brandKeys } from "../../src/domain/people/branding/branding.ts";
import { takePayment } from "../../src/domain/desk/payments/take.ts";
import { controls, groups } from "../../src/http/console/pages/settings/controls.ts";
import { en } from "../support/words.ts";
import { startChromium } from "../support/chromium.ts";
import {
  ConsoleBrowser,
  consoleSessionOf,
  consoleSite,
  type ConsoleSite,
  soon,
} from "../support/console-browser.ts";
import { cli } from "../support/people.ts";
import { PlainVisitor } from "../support/plain-visitor.ts";
import { callers, type Tenants, withTenants } from "../support/tenants.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await startChromium();
});
afterAll(() => browser.close());

async function world(): Promise<{ app: Tenants; site: ConsoleSite } & AsyncDisposable> {
  const app = await withTenants();
  const site = consoleSite(app);
  return {
    app,
    site,
    [Symbol.asyncDispose]: async () => {
      await site.close();
      app[Symbol.dispose]();
    },
  };
}

const SETTINGS = "/console/settings";
const BRANDING = `${SETTINGS}/branding`;

test("every setting has words, stands in one group, and says what follows of it", () => {
  const keys = Object.keys(settingDefinitions).sort();
  expect(Object.keys(controls).sort()).toEqual(keys);
  expect(Object.keys(en.settings.words).sort()).toEqual(keys);
  for (const key of keys as SettingKey[]) {
    expect(groups).toContain(controls[key].group);
    const { name, text, effect, none } = en.settings.words[key];
    const output = [name, text, effect("12 days", 34), effect("12 days", null), none ?? name];
    for (const one of output) expect(one).toMatch(/^[A-Z0-9“].*\S$/);
    expect(output.join(" ")).not.toMatch(/undefined|null|\[object/);
    const { values } = settingDefinitions[key];
    const isOffByZero = /\b0\b/.test(text) && values.read("0") !== undefined;
    const saysValue = effect("12 days", 34) !== effect("13 days", 34);
    expect({ key, saysNone: none !== undefined }).toEqual({
      key,
      saysNone: saysValue && (values.read("") === "" || isOffByZero),
    });
  }
  expect(new Set(keys.map((key) => en.settings.words[key as SettingKey].name)).size).toBe(keys.length);
});

test("a setting is found by its name at the command line, says what follows while it is typed, and is looked at once more before it touches money", async () => {
  await using here = await world();
  await using ada = await ConsoleBrowser.signedIn(browser, here.site, callers.admin);
  const { page } = ada;
  await ada.goto(SETTINGS);
  await page.fill(".setting-bar [name=q]", "tax_percent");
  expect(await soon(async () => (await page.locator(".settings-list li").count()) === 1)).toBe(true);
  await page.click(".settings-list .button");
  await ada.typeInto("#tax_percent", "18");
  const follows = page.locator("#effect");
  expect(await soon(async () => (await follows.innerText()).includes("say 18 % tax"))).toBe(true);
  await page.keyboard.press("Enter");
  await page.getByText("Look at it once more").waitFor();
  expect(await page.locator(".quoted").innerText()).toContain("0 % → 18 %");
  expect(setting(here.app.db, "tax_percent", 1)).toBe(0);
  await page.click("#drawer .button.solid");
  await page.locator(".toast.good").waitFor();
  expect(setting(here.app.db, "tax_percent", 1)).toBe(18);
  expect(setting(here.app.db, "tax_percent", 2)).toBe(0);
  const row = page.locator(".settings-list li", { hasText: "Tax in the price" });
  expect(await soon(async () => (await row.innerText()).includes("Own value"))).toBe(true);
  await ada.expectAccessible({ impacts: ["minor", "moderate", "serious", "critical"] });
});

test("without a script a group is saved as a whole or not at all, with what is wrong beside its field", async () => {
  await using here = await world();
  await using ada = await PlainVisitor.signedIn(here.site, callers.admin);
  const { page } = ada;
  await ada.goto(`${SETTINGS}/group/money`);
  await page.fill("#tax_name", "GST");
  await page.fill("#tax_percent", "180");
  await ada.submit("main .button.solid");
  expect(await page.locator(".fault").innerText()).toContain("must be a percentage from 0 to 100");
  expect(await page.inputValue("#tax_name")).toBe("GST");
  expect(setting(here.app.db, "tax_name", 1)).toBe("");
  await page.fill("#tax_percent", "7.5");
  await page.uncheck("input[value=other]");
  await page.fill("#payment_methods_more", "voucher");
  await ada.submit("main .button.solid");
  const text = await ada.text();
  expect(text).toContain("0 % → 7.5 %");
  expect(text).toContain("cash, bank, mobile, card, online, voucher");
  await ada.submit("main .button.solid");
  expect(await ada.text()).toContain("3 settings are saved");
  expect(setting(here.app.db, "payment_methods", 1)).toBe("cash, bank, mobile, card, online, voucher");
  expect([setting(here.app.db, "tax_name", 1), setting(here.app.db, "tax_percent", 1)]).toEqual(["GST", 7.5]);

  await ada.goto(`${SETTINGS}/set/tax_name`);
  await ada.submit("form.action .button");
  expect(await ada.text()).toContain("Name of the tax is Empty again");
  expect(setting(here.app.db, "tax_name", 1)).toBe("");
});

test("the operator's are shown to the operator alone, with what they reach; those of an ISP beside them", async () => {
  await using here = await world();
  await using ada = await ConsoleBrowser.signedIn(browser, here.site, callers.admin);
  await ada.goto(SETTINGS);
  expect(await ada.text()).not.toContain("Lines and RADIUS");
  expect((await ada.goto(`${SETTINGS}/set/acct_interim_interval`))?.status()).toBe(404);
  await using box = await PlainVisitor.signedIn(here.site, callers.operator);
  await box.goto(`${SETTINGS}/set/acct_interim_interval`);
  expect(await box.text()).toContain("a report every 5 minutes from the next login on");
  await box.goto(`${SETTINGS}?isp=2`);
  expect(await box.text()).not.toContain("Lines and RADIUS");
  await box.goto(`${SETTINGS}/set/portal_name?isp=2`);
  await box.page.fill("#portal_name", "South");
  await box.submit("main .button.solid");
  expect(setting(here.app.db, "portal_name", 2)).toBe("South");
  expect(setting(here.app.db, "portal_name")).toBe("");
});

test("a folder that cannot be is refused in words before it is stored", async () => {
  await using here = await world();
  await using box = await PlainVisitor.signedIn(here.site, callers.operator);
  await box.goto(`${SETTINGS}/set/backup_folder`);
  await box.page.fill("#backup_folder", "/proc/nothing");
  await box.submit("main .button.solid");
  expect(await box.page.locator(".fault").innerText()).toContain("/proc/nothing");
  expect(setting(here.app.db, "backup_folder")).toBe("");
});

test("the brand is seen while it is typed, in a frame of the real page, and stored by its button alone", async () => {
  await using here = await world();
  await using ada = await ConsoleBrowser.signedIn(browser, here.site, callers.admin);
  const { page } = ada;
  await ada.goto(BRANDING);
  const frame = page.frameLocator("#brand-frame");
  await frame.getByText("Northlink").waitFor();
  await page.fill("#portal_name", "Harbour Net");
  await page.fill("#portal_color", "#b00020");
  await frame.getByText("Harbour Net").waitFor();
  const styleOf = async (selector: string, name: string) => {
    const text = page.frames().find((one) => one.url().includes("/preview"));
    // it may be on its way to the next look at this moment
    const found = await text
      ?.evaluate(`getComputedStyle(document.querySelector("${selector}")).${name}`)
      .catch(() => undefined);
    return String(found);
  };
  const color = () => styleOf("button.solid", "backgroundColor");
  expect(await soon(async () => (await color()).includes("176, 0, 32"))).toBe(true);
  expect(await soon(async () => !(await page.locator("#contrast").innerText()).includes("7.2 to 1"))).toBe(
    true,
  );
  for (const [label, words] of [
    ["Online", "Online"],
    ["Expired", "Expired"],
    ["Walled garden", "What to do"],
  ] as const) {
    await page.locator(".brand-looks a", { hasText: label }).click();
    await frame.getByText(words).first().waitFor();
  }
  const ground = () => styleOf("body", "color");
  const light = await ground();
  await page.locator(".brand-looks a", { hasText: "Dark" }).click();
  expect(await soon(async () => !["undefined", light].includes(await ground()))).toBe(true);
  await page.locator(".brand-looks a", { hasText: "Wide" }).click();
  await page.locator("#brand-frame.wide").waitFor();
  expect(setting(here.app.db, "portal_name", 1)).toBe("");
  await ada.expectAccessible({ impacts: ["minor", "moderate", "serious", "critical"] });
  await ada.submit("#brand .button.solid");
  expect([setting(here.app.db, "portal_name", 1), setting(here.app.db, "portal_color", 1)]).toEqual([
    "Harbour Net",
    "#b00020",
  ]);
  await page.setViewportSize({ width: 390, height: 844 });
  await ada.expectToFit();
});

test("without a script a button shows the brand as it is typed, and what cannot be is told", async () => {
  await using here = await world();
  await using ada = await PlainVisitor.signedIn(here.site, callers.admin);
  const { page } = ada;
  await ada.goto(`${BRANDING}?page=walled`);
  await page.fill("#portal_expired_text", "See you at the shop.");
  await ada.submit("[name=preview]");
  const frame = await PlainVisitor.signedIn(here.site, callers.admin);
  await frame.goto((await page.getAttribute("#brand-frame", "src")) ?? "");
  expect(await frame.text()).toContain("See you at the shop.");
  expect(setting(here.app.db, "portal_expired_text", 1)).toBe("");
  await page.fill("#portal_chat", "javascript:alert(1)");
  await ada.submit("#brand .button.solid");
  expect(await page.locator(".fault").innerText()).toContain("https://");
  expect(await page.inputValue("#portal_expired_text")).toBe("See you at the shop.");
});

test("on a phone the tab that is open is in sight", async () => {
  await using here = await world();
  const phone = { viewport: { width: 390, height: 844 } };
  await using box = await ConsoleBrowser.signedIn(browser, here.site, callers.operator, phone);
  await box.goto("/console/settings/appliance");
  const right = "document.querySelector('.tabs [aria-current]').getBoundingClientRect().right";
  expect(await soon(async () => Number(await box.page.evaluate(right)) <= 390)).toBe(true);
});

test("a logo is taken by its content, and removed again", async () => {
  await using here = await world();
  await using ada = await PlainVisitor.signedIn(here.site, callers.admin);
  const { page } = ada;
  const send = async (text: string) => {
    await ada.goto(BRANDING);
    await page.setInputFiles("#logo", {
      name: "logo.svg",
      mimeType: "image/svg+xml",
      buffer: Buffer.from(text),
    });
    await ada.submit("form[enctype] .button");
  };
  await send("no picture");
  expect(await page.locator(".fault").innerText()).toContain("PNG, JPEG, WebP or SVG");
  await send('<svg xmlns="http://www.w3.org/2000/svg"/>');
  expect(await ada.text()).toContain("The logo is taken");
  expect(setting(here.app.db, "portal_logo", 1)).toMatch(/^upload:/);
  await ada.submit(".after .button");
  expect(await ada.text()).toContain("The logo is gone");
  expect(setting(here.app.db, "portal_logo", 1)).toBe("");
});

test("a logo that is picked is seen before it is stored, also on another page of the preview", async () => {
  await using here = await world();
  await using ada = await ConsoleBrowser.signedIn(browser, here.site, callers.admin);
  const { page } = ada;
  await ada.goto(BRANDING);
  const frame = page.frameLocator("#brand-frame");
  await frame.locator(".brand .monogram").waitFor();
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><script>parent.ran = 1</script><rect width="8" height="8"/></svg>';
  await page.setInputFiles("#logo", {
    name: "logo.svg",
    mimeType: "image/svg+xml",
    buffer: Buffer.from(svg),
  });
  const isDrawn = () =>
    frame.locator(".brand .logo").evaluate((logo) => Reflect.get(logo, "naturalWidth") === 8);
  await frame.locator(".brand .logo").waitFor();
  expect(await soon(isDrawn)).toBe(true);
  await page.locator(".brand-looks a", { hasText: "Walled garden" }).click();
  await frame.getByText("What to do").first().waitFor();
  await frame.locator(".brand .logo").waitFor();
  expect(await soon(isDrawn)).toBe(true);
  expect(setting(here.app.db, "portal_logo", 1)).toBe("");
  expect(await page.evaluate("window.ran")).toBeUndefined();
  await page.setInputFiles("#logo", []);
  await frame.locator(".brand .monogram").waitFor();
});

test("a currency that books are kept in is told before it is typed over", async () => {
  await using here = await world();
  await using ada = await ConsoleBrowser.signedIn(browser, here.site, callers.admin);
  const paid = { subscriberId: 1, amount: 500, method: "cash" };
  takePayment(here.app.db, cli, paid, { now: here.app.clock.now });
  await ada.goto(`${SETTINGS}/set/currency`);
  await ada.page.fill("#currency", "EUR");
  await ada.page.waitForSelector("#effect :text('the books of')");
});

test("the preview alone may be framed, by our own pages, and does nothing", async () => {
  await using here = await world();
  const cookie = await consoleSessionOf(here.site, callers.admin);
  const ask = (path: string) => fetch(here.site.origin + path, { headers: { cookie } });
  const preview = await ask(`${BRANDING}/preview?page=home&portal_name=%3Cscript%3E`);
  const policy = preview.headers.get("content-security-policy") ?? "";
  for (const rule of [
    "frame-ancestors 'self'",
    "form-action 'none'",
    "default-src 'none'",
    "sandbox allow-same-origin",
  ])
    expect(policy).toContain(rule);
  expect(policy).not.toContain("script-src");
  expect(preview.headers.get("x-frame-options")).toBe("SAMEORIGIN");
  const text = await preview.text();
  expect(text).not.toMatch(/<script|<a [^>]*href/);
  for (const path of [BRANDING, SETTINGS, "/console", "/portal/sign-in"]) {
    const { headers } = await ask(path);
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(headers.get("content-security-policy")?.includes("frame-src 'self'")).toBe(path === BRANDING);
  }
  const colors = await ask(`${BRANDING}/colors.css?color=${encodeURIComponent("red;}body{display:none")}`);
  expect(await colors.text()).not.toContain("display:none");
  expect(brandKeys.every((key) => controls[key].kind !== "logo")).toBe(true);
});
