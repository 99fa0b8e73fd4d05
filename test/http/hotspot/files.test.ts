import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHash, randomBytes } from "node:crypto";
import { transform } from "esbuild";
import type { Browser } from "playwright-core";
import { hotspotFiles, weighPages } from "../../../src/http/hotspot/files.ts";
import md5Script from "../../../src/http/hotspot/assets/md5.js" with { type: "text" };
import { hotspotLanguage, languages } from "../../../src/http/words/languages.ts";

const hotspotLanguages = languages.map(({ tag }) => hotspotLanguage(tag));
import { operator } from "../../../src/domain/core/actor/operator.ts";
import { changeSetting } from "../../../src/domain/machine/settings/change.ts";
import { startChromium } from "../../support/chromium.ts";
import { hotspotSite, Phone } from "../../support/hotspot.ts";
import { fillIn } from "../../support/hotspot-template.ts";
import { aPackage, aSubscriber } from "../../support/isp.ts";
import { startTestRadius, type TestRadius } from "../../support/radius-server.ts";
import { NOW } from "../../support/store.ts";

const CODE = "F3QH5UWT";
const GIB = 2 ** 30;
let browser: Browser;
let radius: TestRadius;
beforeAll(async () => {
  const packages = [aPackage(2, { data_quota_bytes: 5e9 })];
  const subscribers = [
    aSubscriber(1, { username: CODE, password: CODE, connection_type_id: 2, package_id: 2 }),
  ];
  [browser, radius] = await Promise.all([startChromium(), startTestRadius({ packages, subscribers })]);
});
afterAll(async () => {
  await browser.close();
  await radius[Symbol.asyncDispose]();
});

const site = () => hotspotSite(radius.db, { radius: radius.router(), loginBy: ["http-chap"] });

function texts(tag = "en"): Map<string, string> {
  const files = hotspotFiles(radius.db, { ispId: 1, tag }) ?? [];
  return new Map(files.map(({ name, content }) => [name, Buffer.from(content).toString()]));
}

test("md5.js is the MD5 of bytes of any length", () => {
  const scope: { md5?: (bytes: string) => string } = {};
  new Function("window", md5Script)(scope);
  const lengths = Array.from({ length: 200 }, (_, length) => length);
  for (const bytes of lengths.map((length) => randomBytes(length)))
    expect(scope.md5?.(bytes.toString("latin1"))).toBe(createHash("md5").update(bytes).digest("hex"));
});

test("the scripts are ES5, for browsers that phones of 2015 were sold with", async () => {
  for (const [name, script] of texts()) {
    if (!name.endsWith(".js")) continue;
    const [old, latest] = await Promise.all(
      ["es5", "esnext"].map((target) => transform(script, { loader: "js", target, charset: "utf8" })),
    );
    expect([name, old?.code]).toEqual([name, latest?.code]); // nothing had to be put into older words
  }
});

test("the style says its colours without names too, and has nothing that browsers of 2015 lack", () => {
  const css = texts().get("style.css") ?? "";
  for (const [, property, value = ""] of css.matchAll(/([\w-]+):([^;{}]*var\([^;{}]*);/g)) {
    const [before = ""] = css.split(`${property}:${value};`);
    expect([property, value, before.trimEnd().endsWith(";")]).toEqual([property, value, true]);
    expect(/#[0-9a-f]{3,6}\b/.test(before.slice(before.lastIndexOf(`${property}:`)))).toBe(true);
  }
  const modern =
    /(?:-(?:inline|block)(?:-start|-end)?|[^-]inset|gap|aspect-ratio)\s*:|:(?:is|where|has)\(|clamp\(|min\(|max\(|@(?:layer|container|supports)|#[0-9a-f]{8}|anywhere/;
  expect(css.match(modern)).toBeNull();
});

test("a browser without what came after ES5 logs in by a code, and is told what is left", async () => {
  await using hotspot = await site();
  await using phone = await Phone.before(browser, hotspot, { locale: "sw" });
  await phone.page.addInitScript(`
    for (const [of, names] of [
      [Array, ["from", "of"]], [Array.prototype, ["find", "findIndex", "includes", "flat", "flatMap", "at"]],
      [String.prototype, ["includes", "startsWith", "endsWith", "repeat", "padStart", "replaceAll", "at"]],
      [Object, ["assign", "entries", "values", "fromEntries"]], [NodeList.prototype, ["forEach"]],
      [window, ["Map", "Set", "Symbol", "Promise", "fetch", "URL", "URLSearchParams", "TextEncoder"]],
    ]) for (const name of names) delete of[name];`);
  await phone.goto("/login");
  await phone.enter("f3qh-5uwt");
  await phone.page.locator("[data-w=goOn]:text('Endelea'), [data-w=logOut]:text('Ondoka')").waitFor();
  expect(hotspot.servlet.logins).toEqual([{ username: CODE, by: "chap" }]);
  expect(phone.complaints).toEqual([]);
});

test("a browser that knows no <details>, and so folds nothing, logs in by name and password, and by a code", async () => {
  await using hotspot = await site();
  await using browserOf2015 = await Phone.before(browser, hotspot);
  const { page } = browserOf2015;
  await page.addInitScript("delete HTMLDetailsElement.prototype.open");
  await browserOf2015.goto("/login");
  await page.click("summary");
  await page.fill("#username", "amara");
  await page.fill("[name=password]", "wrong");
  await browserOf2015.submit("button.button");
  await page.waitForSelector("#error");
  await page.click("summary");
  await page.fill("[name=password]", "");
  await browserOf2015.enter("f3qh-5uwt");
  await browserOf2015.isLetIn();
  expect(hotspot.servlet.logins.map(({ username }) => username)).toEqual(["amara", CODE]);
});

test("a phone loads less than 40 kB to log in", () => {
  const files = hotspotFiles(radius.db, { ispId: 1, tag: "en" }) ?? [];
  expect(weighPages(files).login).toBeLessThan(40_000);
});

test("nothing is loaded from elsewhere, and what the router does not fill in has nothing to be filled in", () => {
  for (const [name, text] of texts()) {
    expect([name, /(?:src|href|url)\s*[=(]\s*["']?(?:https?:)?\/\//.test(text)]).toEqual([name, false]);
    if (!/\.(html|txt|json)$/.test(name)) expect([name, text.includes("$(")]).toEqual([name, false]);
  }
});

test("every language of the portal has every sentence", () => {
  const [english] = hotspotLanguages;
  const same = new Set(["d", "h", "min", "s", "Code"]);
  for (const { portal, words } of hotspotLanguages.slice(1))
    for (const [key, sentence] of Object.entries(words)) {
      const isEnglish = Object.entries(english?.words ?? {}).some(
        ([name, text]) => name === key && text === sentence,
      );
      expect([portal.tag, key, sentence.trim() === "" || (isEnglish && !same.has(sentence))]).toEqual([
        portal.tag,
        key,
        false,
      ]);
    }
});

test("a name that looks like a variable or like HTML stays a name", () => {
  const by = operator("root", "cli");
  changeSetting(
    radius.db,
    by,
    { key: "portal_name", value: "<b>$(username) & Sons", ispId: 1 },
    { now: NOW },
  );
  try {
    const page = fillIn(texts().get("login.html") ?? "", { username: "taken" });
    expect(page).toContain("&lt;b&gt;&#36;(username) &amp; Sons");
  } finally {
    changeSetting(radius.db, by, { key: "portal_name", value: "", ispId: 1 }, { now: NOW });
  }
});

describe("the Captive Portal API", () => {
  const answer = async (origin: string): Promise<unknown> => (await fetch(`${origin}/api`)).json();

  test("says that one has to log in, then what is left", async () => {
    await using hotspot = await site();
    await using phone = await Phone.before(browser, hotspot);
    expect(await answer(hotspot.origin)).toEqual({
      captive: true,
      "user-portal-url": `${hotspot.origin}/login`,
      "can-extend-session": true,
    });
    await phone.goto("/login");
    await phone.enter(CODE);
    const { online } = hotspot.servlet;
    if (!online) throw new Error("not logged in");
    Object.assign(online, { uptime: 60, bytesIn: 1e9, bytesOut: 5e8 });
    expect(await answer(hotspot.origin)).toEqual({
      captive: false,
      "user-portal-url": `${hotspot.origin}/status`,
      "seconds-remaining": online.sessionTimeout - 60,
      "bytes-remaining": online.totalLimit - 1.5e9,
      "can-extend-session": true,
    });
  });
});

test("a login without a limit says of none what is left", async () => {
  await using hotspot = await site();
  await using phone = await Phone.before(browser, hotspot);
  await phone.goto("/login");
  await phone.enter(CODE);
  const { online } = hotspot.servlet;
  if (!online) throw new Error("not logged in");
  hotspot.servlet.online = { ...online, sessionTimeout: 0, totalLimit: 0 };
  expect(await (await fetch(`${hotspot.origin}/api`)).json()).toEqual({
    captive: false,
    "user-portal-url": `${hotspot.origin}/status`,
    "can-extend-session": true,
  });
  await phone.goto("/status");
  await phone.page.getByText("Online for").waitFor();
  expect(await phone.text()).not.toMatch(/---|left/);
});

test("a device that asks for another host is led to the login page, and out after it", async () => {
  await using hotspot = await site();
  await using phone = await Phone.before(browser, hotspot);
  const elsewhere = () =>
    fetch(`${hotspot.origin}/generate_204`, { headers: { host: "www.example.com" }, redirect: "manual" });
  const led = await elsewhere();
  expect([led.status, led.headers.get("location")?.startsWith(`${hotspot.origin}/login?dst=`)]).toEqual([
    302,
    true,
  ]);
  for (const path of ["/", "/status", "/logout"]) {
    await phone.goto(path);
    expect(new URL(phone.page.url()).pathname).toBe("/login");
  }
  await phone.enter(CODE);
  expect(await (await elsewhere()).text()).toBe("the internet");
});

test("the status page says what is left, and logging out ends the session in the books", async () => {
  await using hotspot = await site();
  await using phone = await Phone.before(browser, hotspot);
  await phone.goto("/login");
  await phone.enter(CODE);
  const { online } = hotspot.servlet;
  if (!online) throw new Error("not logged in");
  Object.assign(online, {
    sessionTimeout: 100_000,
    totalLimit: 5 * GIB,
    uptime: 3700,
    bytesIn: 4e8,
    bytesOut: 1e9,
  });
  await phone.goto("/status");
  await phone.page.getByText("1 d 2 h").waitFor();
  expect(await phone.text()).toMatch(/Data left\s+\S?4 GB/);
  expect(await phone.text()).toMatch(/Online for\s+1 h 1 min/);
  await phone.expectAccessible();
  await phone.submit("button.button");
  expect(await phone.heading()).toBe("You are logged out");
  const ended = radius.db.$client
    .query<{ seconds: number; cause: string | null }, []>(
      "SELECT session_time AS seconds, terminate_cause AS cause FROM sessions ORDER BY id DESC LIMIT 1",
    )
    .get();
  expect(ended).toMatchObject({ seconds: 3700 });
  await phone.page.click("a.button");
  await phone.page.waitForSelector("#username");
});

test("a phone is spoken to in its language, and nothing stands out of the page", async () => {
  await using hotspot = await site();
  await using phone = await Phone.before(browser, hotspot, { viewport: { width: 320, height: 640 } });
  const { page } = phone;
  const protocol = await page.context().newCDPSession(page);
  const userAgent = await page.evaluate<string>("navigator.userAgent");
  for (const { portal, words } of hotspotLanguages) {
    // a profile of its own for each would take five times the work
    await protocol.send("Emulation.setUserAgentOverride", { userAgent, acceptLanguage: portal.tag });
    await phone.goto("/login");
    await page.getByText(words.lead).waitFor();
    expect([portal.tag, await page.getAttribute("html", "dir")]).toEqual([portal.tag, portal.dir]);
    await phone.expectToFit();
    // what axe looks at is the same in every language that is read the same way
    if (portal.tag !== "fr" && portal.tag !== "ur") continue;
    await phone.expectAccessible();
    await page.emulateMedia({ colorScheme: "dark" });
    await phone.expectAccessible();
    await phone.enter("ZZZZZZZZ");
    await page.getByText(words.wrong).waitFor();
    await phone.expectToFit();
    await page.emulateMedia({ colorScheme: "light" });
  }
});

test("a language that is chosen by hand is kept", async () => {
  await using hotspot = await site();
  await using phone = await Phone.before(browser, hotspot);
  await phone.goto("/login");
  await phone.page.selectOption("#language", "ur");
  await phone.page.getByText("جڑیں", { exact: true }).waitFor();
  await phone.goto("/login");
  await phone.page.getByText("جڑیں", { exact: true }).waitFor();
  await phone.page.selectOption("#language", "en");
  await phone.page.getByText("Type the code of your card.").waitFor();
});
