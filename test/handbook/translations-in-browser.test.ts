import { afterAll, beforeAll, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Browser } from "playwright-core";
import { writtenLanguages } from "../../src/handbook/files.ts";
import { pages } from "../../src/handbook/pages.ts";
import { startChromium } from "../support/chromium.ts";
import {
  ConsoleBrowser,
  consoleSessionOf,
  consoleSite,
  type ConsoleSite,
} from "../support/console-browser.ts";
import { placePage } from "../support/placed-page.ts";
import { callers, type Tenants, withTenants } from "../support/tenants.ts";

let browser: Browser;
let app: Tenants;
let site: ConsoleSite;
beforeAll(async () => {
  [browser, app] = await Promise.all([startChromium(), withTenants()]);
  site = consoleSite(app);
});
afterAll(async () => {
  await Promise.all([browser.close(), site.close()]);
  app[Symbol.dispose]();
});

/** In the browser: what of a page stands out of the screen though nothing there is gone through, and commands that are not read from the left. */
const LOOK = `(() => {
  const said = (element) => element.outerHTML.slice(0, 100);
  const within = [...document.querySelectorAll("#content :is(article, .broad) *")];
  const isOut = (element) => {
    const { left, right, width } = element.getBoundingClientRect();
    return width > 0 && (left < -1 || right > innerWidth + 1) && !element.closest("pre, table");
  };
  const isTurned = (element) => element.matches("pre, code") && getComputedStyle(element).direction !== "ltr";
  return { out: within.filter(isOut).map(said), turned: within.filter(isTurned).map(said), parts: within.length };
})()`;
const Looked = Type.Object({
  out: Type.Array(Type.String()),
  turned: Type.Array(Type.String()),
  parts: Type.Number(),
});

test.each(writtenLanguages())(
  "in %s every page of the handbook fits a phone, and commands are read from the left",
  async (language) => {
    await using phone = await ConsoleBrowser.signedIn(browser, site, callers.admin, {
      viewport: { width: 390, height: 844 },
    });
    await phone.goto("/console/keys");
    phone.expected = /^Framing /; // the policy of a page that another is placed in
    const cookie = await consoleSessionOf(site, callers.admin);
    for (const path of ["/console/help", ...pages(language).map(({ slug }) => `/console/help/${slug}`)]) {
      const headers = { cookie, "accept-language": language };
      const text = await (await fetch(`${site.origin}${path}`, { headers })).text();
      const { content, screen } = await placePage(phone.page, text);
      const { out, turned, parts } = Value.Decode(Looked, await phone.page.evaluate(LOOK));
      const isRead = parts > 5;
      expect({ path, over: content - screen, out, turned, isRead }).toEqual({
        ...{ path, over: 0 },
        ...{ out: [], turned: [], isRead: true },
      });
    }
  },
);
