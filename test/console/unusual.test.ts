import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { startChromium } from "../support/chromium.ts";
import { ConsoleBrowser, consoleSite } from "../support/console-browser.ts";
import type { PlainPage } from "../support/plain-page.ts";
import { booked } from "../support/office.ts";
import { callers, withTenants } from "../support/tenants.ts";
import { PlainVisitor } from "../support/plain-visitor.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await startChromium();
});
afterAll(() => browser.close());

/** Where an amount is typed: what else the form wants, and the button that is its own. */
const forms: [name: string, path: string, fill: (page: Page | PlainPage) => Promise<unknown>, own: string][] =
  [
    ["the desk", "/console/subscribers/1/pay", () => Promise.resolve(), "button[name=do][value=renew]"],
    ["a top-up", "/console/money/wallets/2/top-up", () => Promise.resolve(), ".drawer-foot button.solid"],
    [
      "the sign-up",
      "/console/sign-up",
      async (page) => {
        await page.fill("#name", "Nadia New");
        await page.fill("#mobile_number", "+15550007");
        for (const name of ["nas_id", "package_id"])
          await page.selectOption(`#${name}`, { index: (await page.locator(`#${name} option`).count()) - 1 });
      },
      ".band.after button.solid",
    ],
  ];

describe.each([
  ["with a script", false],
  ["without one", true],
])("20,000,000 in place of 2,000 is asked about once, in words, %s", (_script, isPlain) => {
  test.each(forms)("at %s", async (_, path, fill, own) => {
    using app = await withTenants();
    const site = consoleSite(app);
    await using _closing = { [Symbol.asyncDispose]: async () => void (await site.close()) };
    app.db.$client.run("UPDATE packages SET price = 200000");
    const before = booked(app.db);
    await using staff = await (isPlain
      ? PlainVisitor.signedIn(site, callers.admin)
      : ConsoleBrowser.signedIn(browser, site, callers.admin));
    if (staff instanceof ConsoleBrowser) staff.expected = /^422 /; // a question is no success yet
    const { page } = staff;
    const amount = page.locator("#amount").last(); // the desk opens its answer beside itself
    await staff.goto(path);
    await fill(page);
    await amount.fill("20000000");
    await amount.press("Enter");
    const take = page.getByRole("button", { name: "Take it all the same" });
    await take.waitFor();
    expect(booked(app.db)).toEqual(before);
    const text = (await page.innerText(".note.wait")).replaceAll("\u00a0", " ");
    expect(text).toContain("Is US$20,000,000.00 meant, 20 million?");
    expect(text).toContain("It is 10,000 times the price of");
    expect((await amount.inputValue()).replace(".00", "")).toBe("20000000");

    if (staff instanceof ConsoleBrowser)
      await staff.page.locator(".note.wait").evaluate((note) => note.setAttribute("data-answered", ""));
    await amount.press("Enter"); // by habit: the same question, from a new answer
    await page.locator(".note.wait:not([data-answered])", { hasText: "20 million" }).waitFor();
    expect(booked(app.db)).toEqual(before);
    await amount.fill("30000000");
    await take.click();
    await page.getByText("30 million").waitFor();
    expect(booked(app.db)).toEqual(before);

    await amount.fill("2000");
    await page.locator(own).last().click();
    await take.waitFor({ state: "detached" });
    expect(booked(app.db).filter(([, , amount]) => amount === 200_000)).toHaveLength(1);

    await staff.goto(path);
    await fill(page);
    if (path.endsWith("sign-up")) await page.fill("#mobile_number", "+15550008");
    await amount.fill("20000000");
    await amount.press("Enter");
    await take.click();
    await take.waitFor({ state: "detached" });
    expect(booked(app.db).filter(([, , amount]) => amount === 2_000_000_000)).toHaveLength(1);
  });
});
