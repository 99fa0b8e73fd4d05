import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { startChromium } from "../support/chromium.ts";
import { ConsoleBrowser, consoleSite, type ConsoleSite } from "../support/console-browser.ts";
import { withTenants } from "../support/tenants.ts";

let browser: Browser;
let site: ConsoleSite;
let app: Awaited<ReturnType<typeof withTenants>>;
beforeAll(async () => {
  [browser, app] = await Promise.all([startChromium(), withTenants({ showParts: true })]);
  site = consoleSite(app);
});
afterAll(async () => {
  await Promise.all([browser.close(), site.close()]);
  app[Symbol.dispose]();
});

const screens = [
  { width: 360, colorScheme: "light" },
  { width: 390, colorScheme: "dark" },
  { width: 1440, colorScheme: "light" },
  { width: 1920, colorScheme: "dark" },
] as const;

test.each(screens)(
  "the sign-in page and every part at $width px, $colorScheme: fit, are accessible, complain of nothing, ask nobody else",
  async ({ width, colorScheme }) => {
    const options = { viewport: { width, height: 800 }, colorScheme };
    await using visitor = await ConsoleBrowser.open(browser, site, options);
    await visitor.goto("/console/parts");
    await visitor.expectToFit();
    await visitor.expectAccessible({ impacts: ["minor", "moderate", "serious", "critical"] });
    await visitor.signIn("ada", "secret-1");
    expect(await visitor.heading()).toBe("Parts"); // where one wanted to go
    await visitor.expectToFit();
    await visitor.expectAccessible({ impacts: ["minor", "moderate", "serious", "critical"] });
  },
);

test("keys: ? opens help in the drawer, Esc closes it and gives the focus back, g and a letter go to a page", async () => {
  await using visitor = await ConsoleBrowser.signedIn(browser, site, "ada:secret-1");
  const { page } = visitor;
  await visitor.goto("/console"); // where no field has the focus
  await page.keyboard.press("?");
  await page.getByRole("dialog").getByRole("link", { name: "Keys" }).waitFor(); // of the handbook's chapter about the page
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await page.keyboard.press("/");
  expect(await page.evaluate("document.activeElement.id")).toBe("search");
  await page.keyboard.type("gx?");
  expect(await page.inputValue("#search")).toBe("gx?"); // keys rest in a field
});
