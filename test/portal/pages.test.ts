import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { startChromium } from "../support/chromium.ts";
import { DAY } from "../support/isp.ts";
import { people, type PortalIsp, portalIsp } from "../support/portal-isp.ts";
import { insertSessions } from "../support/sessions.ts";
import { NOW } from "../support/store.ts";
import { isThorough } from "../support/runs.ts";
import { PortalBrowser } from "../support/portal-browser.ts";
import { PlainVisitor } from "../support/plain-visitor.ts";

let browser: Browser;
let isp: PortalIsp;
beforeAll(async () => {
  [browser, isp] = await Promise.all([startChromium(), portalIsp()]);
});
afterAll(async () => {
  await Promise.all([browser.close(), isp.close()]);
});

const pages: [path: string, heading: string][] = [
  ["/portal", "You are online"],
  ["/portal/sessions", "Sessions"],
  ["/portal/sessions?page=3", "Sessions"],
  ["/portal/invoices", "Invoices"],
  ["/portal/invoices/3", "Invoice I-2029-000003"],
  ["/portal/settings", "Settings"],
  ["/portal/settings?done=password", "Settings"],
];

/**
 * Each width and each scheme is looked at once: a scheme has other colours, and the same sizes. The pages take turns at the two: that each fits
 * at both is shown in every language (direction.test.ts). Before a release each is looked at in both.
 */
const screens = [
  { width: 320, colorScheme: "dark", turn: 0 },
  { width: 1280, colorScheme: "light", turn: 1 },
] as const;

test.each(screens)(
  "every page at $width px, $colorScheme: fits, is accessible, complains of nothing, asks nobody else",
  async ({ width, colorScheme, turn }) => {
    await using visitor = await PortalBrowser.open(browser, isp, {
      viewport: { width, height: 640 },
      colorScheme,
    });
    await visitor.goto("/portal/sign-in");
    await visitor.expectToFit();
    await visitor.expectAccessible();
    await visitor.openFromApp(people.amara);
    for (const [at, [path, heading]] of pages.entries()) {
      if (!isThorough && at % 2 !== turn) continue;
      expect((await visitor.goto(path))?.status()).toBe(200);
      expect(await visitor.heading()).toBe(heading);
      await visitor.expectToFit();
      await visitor.expectAccessible();
    }
  },
);

test.each([
  ["expired", people.bilal, "Your package has expired", ["light"]],
  ["never activated", people.never, "Not activated yet", ["dark"]],
  ["used up", people.used, "Your data is used up", ["light"]],
  ["offline and owing", people.postpaid, "You are offline", ["dark"]],
  ["expired, without the money for it", people.bilal, "Your package has expired", ["dark"]],
  ["of an ISP whose colour is yellow", people.stranger, "You are offline", ["light", "dark"]],
] as const)("home of somebody %s", async (_name, who, heading, schemes) => {
  for (const colorScheme of schemes) {
    await using visitor = await PortalBrowser.open(browser, isp, {
      viewport: { width: 320, height: 640 },
      colorScheme,
    });
    await visitor.openFromApp(who);
    expect(await visitor.heading()).toBe(heading);
    await visitor.expectToFit();
    await visitor.expectAccessible();
  }
});

test("what is to be paid stands on one line, whatever the currency and the phone", async () => {
  await using visitor = await PortalBrowser.open(browser, isp);
  await visitor.openFromApp(people.bilal);
  const amount = visitor.page.locator(".payment strong").first();
  for (const text of ["PKR\u00a01,500.00", "PKR\u00a015,000.00", "IDR\u00a01,250,000.00"])
    for (const width of [320, 360, 390, 412]) {
      await visitor.page.setViewportSize({ width, height: 640 });
      const lines = await amount.evaluate((element, shown) => {
        element.textContent = shown;
        const range = element.ownerDocument.createRange();
        range.selectNodeContents(element);
        return range.getClientRects().length;
      }, text);
      expect({ text, width, lines }).toEqual({ text, width, lines: 1 });
      await visitor.expectToFit();
    }
});

test("home says it all: state, address, package, days left, balance, data, thirty days", async () => {
  await using visitor = await PortalBrowser.open(browser, isp);
  await visitor.openFromApp(people.amara);
  expect(visitor.page.url()).toBe(`${isp.origin}/portal`);
  const text = await visitor.text();
  for (const page of [
    "Hello, Amara Okafor",
    "Since 07:00",
    "Address 100.64.12.7",
    "Active",
    "10 days left",
    "Family 30",
    "30 Mbit/s down · 10 Mbit/s up",
    "US$35.50",
    "59%",
    "117 GB of 200 GB used",
    "82.6 GB left",
  ])
    expect(text).toContain(page);
  expect(await visitor.page.locator("svg.chart g.day").count()).toBe(30);
  expect(await visitor.page.locator("svg.chart").getAttribute("aria-label")).toMatch(
    /^Usage of the last 30 days: .* down, .* up$/,
  );
  expect(await visitor.page.locator(".numbers tbody tr").count()).toBe(30);
  await visitor.page.locator("g.day").last().hover();
  expect(await visitor.page.locator("[data-readout]").innerText()).toMatch(/^15 Jan: Down .* · Up /);
});

test("the first page is under 50 KB with all that it needs, most of which the browser keeps", async () => {
  await using visitor = await PortalBrowser.open(browser, isp);
  const bodies: Promise<Buffer>[] = [];
  visitor.page.on("response", (response) => {
    bodies.push(response.body().catch(() => Buffer.alloc(0)));
  });
  await visitor.openFromApp(people.amara);
  await visitor.page.waitForLoadState("networkidle");
  const bytes = (await Promise.all(bodies)).reduce((sum, body) => sum + body.length, 0);
  expect(bytes).toBeGreaterThan(20_000);
  expect(bytes).toBeLessThan(50_000);
  const again = await fetch(
    `${isp.origin}${await visitor.page.locator("link[rel=stylesheet]").first().getAttribute("href")}`,
  );
  expect(again.headers.get("cache-control")).toContain("immutable");
  const unchanged = await fetch(again.url, { headers: { "if-none-match": again.headers.get("etag") ?? "" } });
  expect(unchanged.status).toBe(304);
});

test("the invoice prints without the frame of the page", async () => {
  await using visitor = await PortalBrowser.open(browser, isp);
  await visitor.openFromApp(people.amara);
  await visitor.goto("/portal/invoices/3");
  await visitor.page.emulateMedia({ media: "print" });
  expect(await visitor.page.locator("header.top").isVisible()).toBe(false);
  expect(await visitor.page.locator("article").innerText()).toContain("Paid on 26 Dec 2029");
});

test("everything can be reached with the keyboard, and the focus is seen", async () => {
  await using visitor = await PortalBrowser.open(browser, isp);
  await visitor.openFromApp(people.amara);
  const reached: string[] = [];
  for (let i = 0; i < 12; i++) {
    await visitor.page.keyboard.press("Tab");
    reached.push(
      await visitor.page.evaluate<string>(
        "document.activeElement.textContent.trim() + '|' + getComputedStyle(document.activeElement).outlineStyle",
      ),
    );
  }
  for (const name of [
    "Skip to the content",
    "Home",
    "Sessions",
    "Invoices",
    "Settings",
    "Sign out",
    "Show as a table",
  ])
    expect(reached).toContain(`${name}|solid`);
});

test("renewing by keyboard, without JavaScript", async () => {
  await using visitor = await PortalBrowser.open(browser, isp, { javaScriptEnabled: false });
  expireGrace();
  await visitor.goto("/portal");
  await visitor.signIn("user7", "pw-7");
  expect(await visitor.heading()).toBe("Your package has expired");
  await visitor.expectToFit();
  const loaded = visitor.page.waitForEvent("load");
  await visitor.page.locator(".renew button").press("Enter");
  await loaded;
  expect(await visitor.page.getByRole("status").innerText()).toContain("US$22.00 was booked");
  expect(await visitor.heading()).toBe("You are offline");
});

test.each(["light", "dark"] as const)(
  "the renewal, what was booked and why not can be read by everybody, %s",
  async (colorScheme) => {
    await using visitor = await PortalBrowser.open(browser, isp, {
      viewport: { width: 320, height: 640 },
      colorScheme,
    });
    expireGrace();
    await visitor.openFromApp(people.back);
    await visitor.expectAccessible();
    for (const role of ["status", "alert"] as const) {
      await visitor.submit(".renew button"); // the second one is too soon
      await visitor.page.getByRole(role).waitFor();
      await visitor.expectToFit();
      await visitor.expectAccessible();
    }
  },
);

/** Grace expired yesterday, whatever was tried before. */
function expireGrace(): void {
  isp.db.$client
    .query("UPDATE services SET activated_at = NULL, expires_at = ? WHERE subscriber_id = ?")
    .run(NOW - DAY, people.back);
}

test("without JavaScript: sign in, read every page, sign out", async () => {
  await using visitor = new PlainVisitor(isp);
  await visitor.goto("/portal");
  await visitor.signIn("user1", "pw-1");
  expect(await visitor.heading()).toBe("You are online");
  for (const [path, heading] of pages) {
    await visitor.goto(path);
    expect(await visitor.heading()).toBe(heading);
  }
  await visitor.submit("header.top form button");
  expect(await visitor.text()).toContain("You are signed out.");
  await visitor.goto("/portal/sessions");
  expect(new URL(visitor.page.url()).pathname).toBe("/portal/sign-in");
});

test("a session that is open, and one of each ending, in the words of people", async () => {
  insertSessions(isp.db, {
    acctSessionId: "x",
    subscriberId: people.used,
    terminateCause: "Lost-Carrier",
    stoppedAt: isp.clock.now - 60,
  });
  await using visitor = await PortalBrowser.open(browser, isp);
  await visitor.openFromApp(people.used);
  await visitor.goto("/portal/sessions");
  expect(await visitor.text()).toContain("Line lost");
});
