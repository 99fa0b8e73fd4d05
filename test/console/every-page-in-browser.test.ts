import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { startChromium } from "../support/chromium.ts";
import {
  ConsoleBrowser,
  consoleSessionOf,
  consoleSite,
  type ConsoleSite,
} from "../support/console-browser.ts";
import { adminOf, pages } from "../support/console-pages.ts";
import { consoleWorld } from "../support/console-world.ts";
import { isThorough } from "../support/runs.ts";
import { placePage } from "../support/placed-page.ts";
import { callers, type Tenants } from "../support/tenants.ts";

let browser: Browser;
let app: Tenants;
let site: ConsoleSite;
beforeAll(async () => {
  [browser, app] = await Promise.all([startChromium(), consoleWorld()]);
  site = consoleSite(app);
});
afterAll(async () => {
  await Promise.all([browser.close(), site.close()]);
  app[Symbol.dispose]();
});

/** A window of 1280 x 720 at 200 %: less is seen of a page than on any phone. */
const ZOOMED = { width: 640, height: 360 };
const PHONES = [
  { width: 360, height: 640 },
  { width: 390, height: 667 },
  { width: 390, height: 844 },
];

async function expectTop({ page }: ConsoleBrowser): Promise<void> {
  expect(await page.evaluate<number>("scrollY"), `${page.url()} has scrolled`).toBe(0);
}

/** The rows of a list are gone through by keys. */
async function expectKeys({ page }: ConsoleBrowser, path: string): Promise<void> {
  const rows =
    "[...document.querySelectorAll('#content :is(.table tbody tr, [data-rows] > *)')].filter((row) => row.checkVisibility())";
  // there j and k lead to the next and the previous one of the list that it is of
  const isOfList = "document.querySelector(':is([data-key=j], [data-key=k]):not([hidden])') !== null";
  const count = await page.evaluate<number>(`${isOfList} ? 0 : ${rows}.length`);
  if (count === 0) return;
  await page.evaluate("document.activeElement?.blur()"); // a field keeps the keys
  for (const [key, row] of [
    ["j", 0],
    ["ArrowDown", Math.min(1, count - 1)],
    ["k", 0],
  ] as const) {
    await page.keyboard.press(key);
    const at = await page.evaluate(`${rows}.findIndex((row) => row.contains(document.activeElement))`);
    expect(at, `${path}: the row after ${key}`).toBe(row);
  }
}

/** What a page does by itself where it opens: it is another one on each kind of page. */
const BY_ITSELF = /^(?:autofocus|hx-trigger=load)/;

/** What of a page scripts act on, and which: files, attributes, and what htmx is told. */
function actsOf(path: string, text: string): string[] {
  const kind = path.replaceAll(/\d+|\?.*/g, "");
  const scripts = [...text.matchAll(/<script src="([^"]*)"/g)].map(([, file = ""]) => file);
  const tags = [...text.matchAll(/<[a-z][\w-]*((?:"[^"]*"|[^>"])*)>/g)];
  const attributes = tags.flatMap(([, inner = ""]) =>
    [...inner.matchAll(/\s(data-[\w-]+|hx-[\w-]+|autofocus)(?:="([^"]*)")?/g)].map(
      ([, name = "", value = ""]) => (/^hx-(?:trigger|swap|target)$/.test(name) ? `${name}=${value}` : name),
    ),
  );
  return [...scripts, ...attributes.map((act) => (BY_ITSELF.test(act) ? `${act} on ${kind}` : act))];
}

test("pages with tabs open at their top on a phone, with the tab that is open in sight", async () => {
  await using admin = await ConsoleBrowser.signedIn(browser, site, callers.admin);
  for (const path of pages.filter((one) =>
    /^\/console\/subscribers\/1(\/(sessions|logins|money|changes))?$/.test(one),
  ))
    for (const phone of PHONES) {
      await admin.page.setViewportSize(phone);
      await admin.goto(path);
      await expectTop(admin);
      const tab = await admin.page.locator(".tabs [aria-current]").boundingBox();
      expect(tab && tab.x >= 0 && tab.x + tab.width <= phone.width).toBe(true);
    }
});

/** What fits does so at any height, and what is drawn takes as long as it is high. */
const screens = [
  { viewport: { width: 1440, height: 240 }, colorScheme: "light" },
  { viewport: { width: 390, height: 240 }, colorScheme: "dark" },
] as const;

/**
 * Pages take turns at the two: that each fits on a phone is shown with longer words too (pseudo-language-in-browser.test.ts), and every part is
 * looked at in both by frame.test.ts. Before a release each is looked at in both.
 */

test("every page, wide and light or on a phone and dark, fits, is gone through by keys, and axe finds nothing", async () => {
  await using admin = await ConsoleBrowser.signedIn(browser, site, callers.admin, { viewport: ZOOMED });
  await using operator = await ConsoleBrowser.signedIn(browser, site, callers.operator, { viewport: ZOOMED });
  await using wide = await ConsoleBrowser.signedIn(browser, site, callers.admin, screens[0]);
  await using phone = await ConsoleBrowser.signedIn(browser, site, callers.admin, screens[1]);
  for (const each of [wide, phone]) {
    await each.goto("/console/keys");
    each.expected = /^Framing /; // the policy of that page; the one that has a frame is opened too
  }
  const cookies = new Map<string, string>();
  for (const who of [callers.admin, callers.operator]) cookies.set(who, await consoleSessionOf(site, who));
  const acts = new Set<string>();

  /** Of a page on which scripts have something to do that they had on none before, what they have made of it, after it has opened. */
  async function textOf(path: string): Promise<string | undefined> {
    const who = adminOf(path);
    const headers = { cookie: cookies.get(who) ?? "" };
    const answer = await fetch(site.origin + path, { headers, redirect: "manual" });
    if (answer.headers.get("content-type")?.startsWith("text/html") !== true) return undefined;
    const text = await answer.text();
    const own = actsOf(path, text);
    if (own.every((act) => acts.has(act))) return text;
    for (const act of own) acts.add(act);
    const visitor = who === callers.admin ? admin : operator;
    await visitor.goto(path);
    await expectTop(visitor);
    // what a page asks for after it is there takes the place of its rows, and with them the focus
    await visitor.page.locator("[hx-trigger=load][hx-swap=outerHTML]").waitFor({ state: "detached" });
    await expectKeys(visitor, path);
    return visitor.page.content();
  }

  // a browser keeps a file, and shows none; no script runs in a preview, so that nothing can look at it: it is a page of the portal
  for (const [at, path] of pages.filter((one) => !/\.(csv|zip)(\?|$)|\/preview/.test(one)).entries()) {
    const text = await textOf(path);
    if (text === undefined) continue;
    for (const each of isThorough ? [wide, phone] : [at % 2 === 0 ? wide : phone]) {
      const { content, screen } = await placePage(each.page, text);
      expect(content, `${path} is wider than the screen`).toBeLessThanOrEqual(screen);
      await expectKeys(each, path);
      await each.expectAccessible({ impacts: ["minor", "moderate", "serious", "critical"], of: path });
    }
  }
});
