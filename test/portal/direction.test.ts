import { afterAll, beforeAll, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Browser } from "playwright-core";
import { redeemCard } from "../../src/domain/service/cards/redeem.ts";
import { languages } from "../../src/http/words/languages.ts";
import { startChromium } from "../support/chromium.ts";
import { PortalBrowser } from "../support/portal-browser.ts";
import { by } from "../support/isp.ts";
import { people, type PortalIsp, portalIsp } from "../support/portal-isp.ts";
import { cardOf } from "../support/redeem-cards.ts";
import { insertSessions } from "../support/sessions.ts";
import { NOW } from "../support/store.ts";

let browser: Browser;
let isp: PortalIsp;
beforeAll(async () => {
  [browser, isp] = await Promise.all([startChromium(), portalIsp()]);
  const code = cardOf(isp.db); // so that the pages speak of cards
  redeemCard(isp.db, by, { subscriberId: people.amara, code }, { now: NOW });
});
afterAll(async () => {
  await Promise.all([browser.close(), isp.close()]);
});

const Texts = Type.Array(Type.String());
const Looked = Type.Array(
  Type.Object({ path: Type.String(), lang: Type.String(), dir: Type.String(), out: Texts, unmarked: Texts }),
);

/** In the browser: what there is to say of a document. */
const LOOK = `
const unmarkedOf = (script) => {
  const letters = new RegExp("\\\\p{Script=" + script + "}", "u");
  const inner = /\\u2068[^\\u2068\\u2069]*\\u2069/g;
  const bare = (text) => { let last; do { last = text; text = text.replace(inner, ""); } while (text !== last); return text; };
  const own = "bdi, [dir]:not(html), [lang]:not(html), script, style, noscript";
  const found = [];
  const look = (element, text) => {
    if (letters.test(text) && !element.closest(own) && letters.test(bare(text))) found.push(text.trim());
  };
  for (const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT); walk.nextNode(); )
    look(walk.currentNode.parentElement, walk.currentNode.data);
  const names = ["aria-label", "title", "alt", "placeholder", "data-label", "data-day", "data-show", "data-hide"];
  for (const element of document.body.querySelectorAll("*"))
    for (const name of names) look(element, element.getAttribute(name) ?? "");
  return found;
};
const overflowing = () => {
  const out = [];
  const apart = ".skip, .hero-art, svg, thead, .quiet";
  const screen = document.documentElement.clientWidth;
  const blocks = "a, button, p, h1, h2, li, dt, dd, th, td, section, article, main, header, summary";
  for (const element of document.body.querySelectorAll("*")) {
    const { left, right, width } = element.getBoundingClientRect();
    const isOut = width > 0 && (left < -1 || right > screen + 1);
    const isFull = element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1 && element.matches(blocks)
      && getComputedStyle(element).display !== "inline" && !element.closest(".hero, .scroll, .unseen");
    if ((isOut || isFull) && element.closest(apart) === null) out.push(element.outerHTML.slice(0, 160));
  }
  return out;
};
const { lang, dir } = document.documentElement;`;

/**
 * Texts and named attributes of letters of a script, that are neither marked as being in a direction or a language of their own nor
 * isolated inside a sentence. What is stored is marked; so on an Arabic page each Latin letter left is of a word that no language has.
 */
async function unmarked({ page }: PortalBrowser, script: "Latin" | "Arabic"): Promise<string[]> {
  return Value.Decode(Texts, await page.evaluate(`(() => {${LOOK} return unmarkedOf("${script}"); })()`));
}

/** Pages as each language has them, each put in the place of the one that is open, with the styles that are there. */
async function inEveryLanguage({ page }: PortalBrowser, paths: readonly string[]) {
  const found = await page.evaluate(`(async () => {
    const looked = [];
    const tags = ${JSON.stringify(languages.map(({ tag }) => tag))};
    const read = (path) => Promise.all(tags.map(async (tag) =>
      (await fetch(path, { headers: { "accept-language": tag } })).text()));
    for (const path of ${JSON.stringify(paths)})
      for (const text of await read(path)) {
        const other = new DOMParser().parseFromString(text, "text/html");
        for (const name of ["lang", "dir"]) document.documentElement[name] = other.documentElement[name];
        document.body.replaceWith(document.adoptNode(other.body));
        for (const button of document.querySelectorAll("[data-print], [data-reveal]")) button.hidden = false;
        for (const menu of document.querySelectorAll("details")) menu.open = true;
        ${LOOK}
        looked.push({ path, lang, dir, out: overflowing(), unmarked: dir === "rtl" ? unmarkedOf("Latin") : [] });
      }
    return looked;
  })()`);
  const expected = languages.map(({ tag, dir }) => ({ lang: tag, dir }));
  for (const path of paths)
    expect(Value.Decode(Looked, found).filter((look) => look.path === path)).toEqual(
      expected.map(({ lang, dir }) => ({ path, lang, dir, out: [], unmarked: [] })),
    );
}

const pages = [
  "/portal",
  "/portal/card?card=1",
  "/portal/sessions?page=2",
  "/portal/invoices",
  "/portal/invoices/3",
  "/portal/settings?done=password",
  "/portal/invoices/99",
];
const troubled = [people.bilal, people.used, people.never, people.postpaid, people.back];

/** Puts a subscriber at the address that the browser has. */
function settle(who: number): void {
  isp.db.$client.run("DELETE FROM sessions WHERE framed_ip = '127.0.0.1'");
  insertSessions(isp.db, { acctSessionId: "walled", subscriberId: who, framedIp: "127.0.0.1" });
}

test.each([320, 1280])(
  "at %d px every page in every language is in its direction, fits, and has no word of another",
  async (width) => {
    await using visitor = await PortalBrowser.open(browser, isp, { viewport: { width, height: 640 } });
    visitor.expected = /^404 /; // that there is no invoice 99
    await visitor.goto("/portal/sign-in");
    await inEveryLanguage(visitor, ["/portal/sign-in"]);
    await visitor.openFromApp(people.amara);
    await inEveryLanguage(visitor, pages);
    for (const who of width === 320 ? troubled : []) {
      await visitor.openFromApp(who);
      await inEveryLanguage(visitor, ["/portal"]);
      settle(who);
      await visitor.page.goto(`${isp.walledOrigin}/news`);
      await inEveryLanguage(visitor, who === people.bilal ? ["/news", "/portal/card"] : ["/news"]);
    }
  },
);

/** Every page, as somebody opens one after the other. */
async function* walk(visitor: PortalBrowser): AsyncGenerator<string> {
  await visitor.goto("/portal/sign-in");
  yield "sign-in";
  await visitor.openFromApp(people.amara);
  for (const path of pages) {
    await visitor.goto(path);
    yield path;
  }
  settle(people.bilal);
  await visitor.page.goto(`${isp.walledOrigin}/news`);
  yield "captive";
}

test("who reads Arabic can use every page", async () => {
  const viewport = { width: 320, height: 640 };
  await using visitor = await PortalBrowser.open(browser, isp, { locale: "ar", viewport });
  for await (const name of walk(visitor)) {
    expect([name, await visitor.page.locator("html").getAttribute("dir")]).toEqual([name, "rtl"]);
    await visitor.expectToFit();
    await visitor.expectAccessible();
  }
});

test("what is stored in Arabic keeps its direction on a page from the left", async () => {
  isp.db.$client.run("UPDATE subscribers SET name = 'أمارا', address = 'شارع الميناء 12' WHERE id IN (1, 2)");
  isp.db.$client.run("UPDATE packages SET name = 'عائلة 30' WHERE id = 2");
  isp.db.$client.run("UPDATE invoices SET package_name = 'عائلة 30', tax_name = 'ضريبة' WHERE id = 3");
  await using visitor = await PortalBrowser.open(browser, isp);
  for await (const name of walk(visitor))
    expect([name, await unmarked(visitor, "Arabic")]).toEqual([name, []]);
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
  expect(await visitor.heading()).toBe("आपका प्लान खत्म हो गया है");
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
