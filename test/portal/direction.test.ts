import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Browser } from "playwright-core";
import { languages } from "../../src/http/words/languages.ts";
import { startChromium } from "../support/chromium.ts";
import { PortalBrowser } from "../support/portal-browser.ts";
import { people, type PortalIsp, portalIsp } from "../support/portal-isp.ts";
import { insertSessions } from "../support/sessions.ts";

setDefaultTimeout(60_000); // a browser on a busy machine

let browser: Browser;
let isp: PortalIsp;
beforeAll(async () => {
  [browser, isp] = await Promise.all([startChromium(), portalIsp()]);
});
afterAll(async () => {
  await Promise.all([browser.close(), isp.close()]);
});

const Texts = Type.Array(Type.String());

/**
 * Texts and named attributes of letters of a script, that are neither marked as being in a direction or a language of their own nor
 * isolated inside a sentence. What is stored is marked; so on an Arabic page each Latin letter left is of a word that no language has.
 */
const unmarked = (script: "Latin" | "Arabic") => `(() => {
  const inner = /\\u2068[^\\u2068\\u2069]*\\u2069/g;
  const bare = (text) => { let last; do { last = text; text = text.replace(inner, ""); } while (text !== last); return text; };
  const own = "bdi, [dir]:not(html), [lang]:not(html), script, style, noscript";
  const found = [];
  const look = (element, text) => {
    if (!element.closest(own) && /\\p{Script=${script}}/u.test(bare(text))) found.push(text.trim());
  };
  for (const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT); walk.nextNode(); )
    look(walk.currentNode.parentElement, walk.currentNode.data);
  const names = ["aria-label", "title", "alt", "placeholder", "data-label", "data-day", "data-show", "data-hide"];
  for (const element of document.body.querySelectorAll("*"))
    for (const name of names) look(element, element.getAttribute(name) ?? "");
  return found;
})()`;

/** What stands out of the screen or of what it stands in. */
const OVERFLOWING = `(() => {
  const out = [];
  const isHidden = (element) => element.closest(".skip, .hero-art, svg, thead, .quiet") !== null;
  for (const element of document.body.querySelectorAll("*")) {
    if (isHidden(element)) continue;
    const { left, right, width } = element.getBoundingClientRect();
    const isOut = width > 0 && (left < -1 || right > document.documentElement.clientWidth + 1);
    const isFull = element.matches("a, button, p, h1, h2, li, dt, dd, th, td, section, article, main, header, summary")
      && getComputedStyle(element).display !== "inline" && element.clientWidth > 0
      && element.scrollWidth > element.clientWidth + 1 && !element.closest(".hero, .scroll");
    if (isOut || isFull) out.push(element.outerHTML.slice(0, 160));
  }
  return out;
})()`;

const pages = [
  "/portal",
  "/portal/sessions?page=2",
  "/portal/invoices",
  "/portal/invoices/3",
  "/portal/settings",
  "/portal/invoices/99",
];

/** Every page, and what those with a problem are shown. */
async function* walk(visitor: PortalBrowser, troubled: readonly number[]): AsyncGenerator<string> {
  await visitor.goto("/portal/sign-in");
  yield "sign-in";
  for (const path of pages) {
    if (path === "/portal") await visitor.openFromApp(people.amara);
    else await visitor.goto(path);
    yield path;
  }
  for (const who of troubled) {
    await visitor.openFromApp(who);
    yield `home of ${who}`;
    settle(who);
    await visitor.page.goto(`${isp.walledOrigin}/news`);
    yield `captive ${who}`;
  }
}

/** Puts a subscriber at the address that the browser has. */
function settle(who: number): void {
  isp.db.$client.run("DELETE FROM sessions WHERE framed_ip = '127.0.0.1'");
  insertSessions(isp.db, { acctSessionId: "walled", subscriberId: who, framedIp: "127.0.0.1" });
}

const list = async ({ page }: PortalBrowser, script: string) =>
  Value.Decode(Texts, await page.evaluate(script));

test.each(languages.map(({ tag, dir }) => [tag, dir] as const))(
  "%s, from %s: every page is in that direction and fits at 320 and 1280 px",
  async (tag, dir) => {
    const small = { width: 320, height: 640 };
    await using visitor = await PortalBrowser.open(browser, isp, { locale: tag, viewport: small });
    const { page } = visitor;
    const { bilal, used, never, postpaid, back } = people;
    const troubled = dir === "rtl" ? [bilal, used, never, postpaid, back] : [bilal];
    for await (const name of walk(visitor, troubled)) {
      const root = page.locator("html");
      expect([name, await root.getAttribute("lang"), await root.getAttribute("dir")]).toEqual([
        name,
        tag,
        dir,
      ]);
      if (dir === "rtl") expect([name, await list(visitor, unmarked("Latin"))]).toEqual([name, []]);
      for (const width of [320, 1280]) {
        await page.setViewportSize({ width, height: 640 });
        expect([name, width, await list(visitor, OVERFLOWING)]).toEqual([name, width, []]);
      }
      await page.setViewportSize(small);
      if (tag === "ar") await visitor.expectAccessible();
    }
  },
);

test("what is stored in Arabic keeps its direction on a page from the left", async () => {
  isp.db.$client.run("UPDATE subscribers SET name = 'أمارا', address = 'شارع الميناء 12' WHERE id IN (1, 2)");
  isp.db.$client.run("UPDATE packages SET name = 'عائلة 30' WHERE id = 2");
  isp.db.$client.run("UPDATE invoices SET package_name = 'عائلة 30', tax_name = 'ضريبة' WHERE id = 3");
  await using visitor = await PortalBrowser.open(browser, isp);
  for await (const name of walk(visitor, [people.bilal, people.back]))
    expect([name, await list(visitor, unmarked("Arabic"))]).toEqual([name, []]);
});

test("a language is chosen without JavaScript, and stays", async () => {
  await using visitor = await PortalBrowser.open(browser, isp, { javaScriptEnabled: false });
  const root = visitor.page.locator("html");
  const choose = async (name: string) => {
    const loaded = visitor.page.waitForEvent("load");
    await visitor.page.getByRole("link", { name, exact: true }).click();
    await loaded;
  };
  await visitor.goto("/portal/sign-in?done=signed-out");
  await visitor.page.click(".language-menu summary");
  await choose("العربية");
  expect([await root.getAttribute("lang"), await root.getAttribute("dir")]).toEqual(["ar", "rtl"]);
  expect(visitor.page.url()).toBe(`${isp.origin}/portal/sign-in?done=signed-out`);
  await visitor.openFromApp(people.amara);
  await visitor.goto("/portal/settings");
  expect(await visitor.heading()).toBe("الإعدادات");
  await choose("Русский");
  expect(await visitor.heading()).toBe("Настройки");
  const cookies = await visitor.page.context().cookies();
  expect(cookies.find(({ name }) => name === "gatehouse_language")).toMatchObject({
    value: "ru",
    sameSite: "Lax",
    path: "/",
  });
});

test("on the captive page a language is chosen for the very page that was wanted", async () => {
  settle(people.bilal);
  await using visitor = await PortalBrowser.open(browser, isp);
  await visitor.page.goto(`${isp.walledOrigin}/some/news?today=1`);
  await visitor.page.click(".language-menu summary");
  await visitor.submit(".languages a[hreflang=hi]");
  expect(await visitor.heading()).toBe("आपका पैक खत्म हो गया है");
  expect(visitor.page.url()).toBe(`${isp.walledOrigin}/some/news?today=1`);
});

test.each([
  ["//elsewhere.example/x?gatehouse_language=ar", "?"],
  ["/news?a=%E2%82%AC&gatehouse_language=ar&b=1", "?a=%E2%82%AC&b=1"],
])("the way back from %s is of the same path", async (path, location) => {
  const answer = await fetch(isp.walledOrigin + path, { redirect: "manual" });
  expect([answer.status, answer.headers.get("location")]).toEqual([303, location]);
});

test("a language that there is not changes nothing, in a query or a cookie", async () => {
  const path = "/portal/sign-in";
  for (const tag of ["xx", "", "AR", "__proto__", "<script>"]) {
    const query = await fetch(`${isp.origin}${path}?${new URLSearchParams({ gatehouse_language: tag })}`);
    const cookie = await fetch(isp.origin + path, {
      headers: { cookie: `gatehouse_language=${encodeURIComponent(tag)}` },
    });
    for (const answer of [query, cookie]) {
      expect(answer.headers.getSetCookie().join()).not.toContain("gatehouse_language");
      expect(await answer.text()).toContain('<html lang="en" dir="ltr"');
    }
  }
});
