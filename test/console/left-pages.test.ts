import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { startChromium } from "../support/chromium.ts";
import { ConsoleBrowser } from "../support/console-browser.ts";

/* What the tests of pages stand on: a visitor comes to a page as nobody had it before. */

const BLANK = `<!doctype html><title>Blank</title><link rel="icon" href="data:,"><h1>Blank</h1><input>`;

let browser: Browser;
let requests: Headers[] = [];
const serve = () =>
  Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      requests.push(request.headers);
      return new Response(BLANK, { headers: { "content-type": "text/html", "cache-control": "no-store" } });
    },
  });
const [server, other] = [serve(), serve()];
const site = { origin: `http://127.0.0.1:${server.port}` };
beforeAll(async () => {
  browser = await startChromium();
});
afterAll(async () => {
  await Promise.all([browser.close(), server.stop(true), other.stop(true)]);
});

/** All that a page knows of who had it before. */
const KNOWN = `(async () => ({
  ...{ cookie: document.cookie, local: localStorage.length, session: sessionStorage.length, name: window.name },
  ...{ databases: (await indexedDB.databases()).length, caches: (await caches.keys()).length },
  ...{ width: innerWidth, height: innerHeight, typed: document.querySelector("input").value },
  ...{ isDark: matchMedia("(prefers-color-scheme: dark)").matches, isPaper: matchMedia("print").matches },
  ...{ isStill: matchMedia("(prefers-reduced-motion: reduce)").matches, opener: opener === null },
  ...{ isHovered: document.querySelector("h1").matches(":hover"), language: navigator.language },
}))()`;

async function knownTo(visitor: ConsoleBrowser): Promise<unknown> {
  requests = [];
  await visitor.goto("/");
  const headers = requests.map((one) => [one.get("cookie"), one.get("authorization")]);
  return { told: await visitor.page.evaluate(KNOWN), headers };
}

test("nothing is left of a visitor in the page that the next one has", async () => {
  const open = () => ConsoleBrowser.open(browser, site);
  const first = await open();
  const clean = await knownTo(first);
  const { page } = first;
  await page.setExtraHTTPHeaders({ authorization: "Bearer x" });
  await page.emulateMedia({ media: "print", colorScheme: "dark", reducedMotion: "reduce" });
  await page.setViewportSize({ width: 390, height: 844 });
  await first.goto("/elsewhere");
  await page.evaluate(`(async () => {
    document.cookie = "it=1; max-age=1000";
    localStorage.setItem("it", "1");
    sessionStorage.setItem("it", "1");
    window.name = "it";
    await caches.open("it");
    await new Promise((done) => (indexedDB.open("it").onsuccess = done));
    addEventListener("beforeunload", (event) => event.preventDefault());
  })()`);
  await page.fill("input", "it");
  await page.hover("h1");
  let count = 0;
  page.on("request", () => count++);
  await first[Symbol.asyncDispose]();

  const second = await open();
  expect(second.page === page).toBe(true);
  expect(second.page.url()).toBe("about:blank");
  expect(await knownTo(second)).toEqual(clean);
  expect(await second.page.evaluate("history.length")).toBe(2); // before it is a blank page alone
  expect(count).toBe(0);
  // what one of them is told of is not told to the other one
  await second.page.evaluate("console.error('it')");
  second.expected = /^it$/;
  await second[Symbol.asyncDispose]();
  expect([first.complaints, second.complaints]).toEqual([[], ["it"]]);
});

test("who wants another screen, scheme or none of the scripts has it", async () => {
  const screen = { viewport: { width: 360, height: 640 }, colorScheme: "dark" } as const;
  for (const options of [{}, screen, { javaScriptEnabled: false }, {}]) {
    await using visitor = await ConsoleBrowser.open(browser, site, options);
    await visitor.goto("/");
    const state = await visitor.page.evaluate(
      "[innerWidth, innerHeight, matchMedia('(prefers-color-scheme: dark)').matches]",
    );
    expect(state).toEqual(options === screen ? [360, 640, true] : [1280, 720, false]);
    await visitor.page.setContent(
      "<h1>no</h1><script>document.querySelector('h1').textContent = 'yes'</script>",
    );
    expect(await visitor.heading()).toBe("javaScriptEnabled" in options ? "no" : "yes");
  }
});

test.each<[string, (visitor: ConsoleBrowser) => Promise<unknown>]>([
  ["a clock of its own", ({ page }) => page.clock.install()],
  ["a script of its own", ({ page }) => page.addInitScript("globalThis.it = 1")],
  ["answers of its own", ({ page }) => page.route("**/*", (route) => route.continue())],
  ["a function of its own", ({ page }) => page.exposeFunction("it", () => 1)],
  ["a second page", ({ page }) => page.context().newPage()],
  [
    "a second window",
    ({ page }) => Promise.all([page.waitForEvent("popup"), page.evaluate("void open('/')")]),
  ],
  ["a key that is held down", ({ page }) => page.keyboard.down("Shift")],
  ["another place where it was", ({ page }) => page.goto(`http://127.0.0.1:${other.port}/`)],
])("a page that had %s is nobody's again", async (_what, does) => {
  const first = await ConsoleBrowser.open(browser, site);
  await first.goto("/");
  await does(first);
  await first[Symbol.asyncDispose]().catch(() => undefined); // it asked a stranger
  await using second = await ConsoleBrowser.open(browser, site);
  expect(second.page === first.page).toBe(false);
  expect(first.page.isClosed()).toBe(true);
  await second.goto("/");
  expect(await second.page.evaluate("globalThis.it")).toBeUndefined();
});

test("of two visitors at a time each has a page and a profile of its own", async () => {
  await using one = await ConsoleBrowser.open(browser, site);
  await using other = await ConsoleBrowser.open(browser, site);
  await one.goto("/");
  await one.page.evaluate("document.cookie = 'it=1'");
  expect(await knownTo(other)).toMatchObject({ told: { cookie: "" } });
});
