import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { startChromium } from "../support/chromium.ts";
import {
  ConsoleBrowser,
  consoleSessionOf,
  consoleSite,
  type ConsoleSite,
} from "../support/console-browser.ts";
import { consoleLanguages } from "../../src/http/words/languages.ts";
import { adminOf, pages } from "../support/console-pages.ts";
import { consoleWorld } from "../support/console-world.ts";
import { placePage } from "../support/placed-page.ts";
import { offerPseudoLanguage, pseudo } from "../support/pseudo-language.ts";
import { callers, type Tenants } from "../support/tenants.ts";

let browser: Browser;
let app: Tenants;
let site: ConsoleSite;
beforeAll(async () => {
  [browser, app] = await Promise.all([startChromium(), consoleWorld()]);
  site = consoleSite(app);
  offerPseudoLanguage();
});
afterAll(async () => {
  await Promise.all([browser.close(), site.close()]);
  app[Symbol.dispose]();
});

test("every page bears a language that is 40 % longer and read from right to left, on a phone", async () => {
  await using phone = await ConsoleBrowser.signedIn(browser, site, callers.admin, {
    viewport: { width: 390, height: 240 },
  });
  await phone.goto("/console/keys");
  phone.expected = /^Framing /;
  const cookies = new Map<string, string>();
  for (const who of [callers.admin, callers.operator]) cookies.set(who, await consoleSessionOf(site, who));
  const wide: string[] = [];
  for (const path of pages.filter(
    (one) => !/\.(csv|zip)(\?|$)|\/preview|\/print|\/paper|receipt/.test(one),
  )) {
    const headers = { cookie: cookies.get(adminOf(path)) ?? "", "accept-language": pseudo.tag };
    const answer = await fetch(site.origin + path, { headers, redirect: "manual" });
    if (answer.headers.get("content-type")?.startsWith("text/html") !== true) continue;
    const text = await answer.text();
    if (!text.includes("<html")) continue;
    expect([path, text.includes('dir="rtl"')]).toEqual([path, true]);
    const { content, screen } = await placePage(phone.page, text);
    if (content > screen) wide.push(`${path}: ${content}`);
  }
  expect(wide).toEqual([]);
});

/** In the browser: what stands out of the bar or beside its line. */
const OUTSIDE = `(() => {
  const bar = document.querySelector(".bar").getBoundingClientRect();
  return [...document.querySelectorAll(".bar a, .bar form")].flatMap((one) => {
    const { top, bottom, left, right, width } = one.getBoundingClientRect();
    const isIn = top >= bar.top && bottom <= bar.bottom && left >= bar.left && right <= bar.right;
    return width === 0 || isIn ? [] : [one.textContent.trim()];
  });
})()`;

test("on a tablet the bar holds its buttons in one line, in every language", async () => {
  await using tablet = await ConsoleBrowser.signedIn(browser, site, callers.admin, {
    viewport: { width: 860, height: 240 },
  });
  await tablet.goto("/console/keys");
  const cookie = await consoleSessionOf(site, callers.admin);
  for (const { tag } of consoleLanguages()) {
    const headers = { cookie, "accept-language": tag };
    const { content, screen } = await placePage(
      tablet.page,
      await (await fetch(`${site.origin}/console/keys`, { headers })).text(),
    );
    expect([tag, await tablet.page.evaluate("document.documentElement.lang"), content]).toEqual([
      tag,
      tag,
      screen,
    ]);
    expect([tag, await tablet.page.evaluate(OUTSIDE)]).toEqual([tag, []]);
  }
});
