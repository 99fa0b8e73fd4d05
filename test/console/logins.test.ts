import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { LiveFeed } from "../../src/domain/service/live/feed.ts";
import { LiveStreams } from "../../src/http/console/live/streams.ts";
import { startChromium } from "../support/chromium.ts";
import { ConsoleBrowser, consoleSite, soon } from "../support/console-browser.ts";
import { temporaryApp } from "../support/http.ts";
import { fillLogins, fillOnline } from "../support/online.ts";
import { eventually } from "../support/radius-server.ts";
import { NOW, templateStore } from "../support/store.ts";
import { PlainVisitor } from "../support/plain-visitor.ts";

const stores = templateStore(async (db) => {
  await fillOnline(db);
  fillLogins(db);
});

let browser: Browser;
beforeAll(async () => {
  browser = await startChromium();
});
afterAll(() => browser.close());

/** Without a script. */
async function plain(path: string) {
  const store = await stores();
  const site = consoleSite(temporaryApp({}, store));
  const visitor = await PlainVisitor.signedIn(site, "ada:secret-1");
  await visitor.goto(path);
  return {
    page: visitor.page,
    visitor,
    async [Symbol.asyncDispose]() {
      await site.close();
      store[Symbol.dispose]();
    },
  };
}

async function opened(path: string, options: Parameters<typeof ConsoleBrowser.signedIn>[3] = {}) {
  const store = await stores();
  const feed = new LiveFeed(store.db);
  const streams = new LiveStreams(feed);
  const site = consoleSite(temporaryApp({ streams }, store));
  const size = { viewport: { width: 1440, height: 500 } };
  const visitor = await ConsoleBrowser.signedIn(browser, site, "ada:secret-1", { ...size, ...options });
  await visitor.goto(path);
  const { page } = visitor;
  return {
    page,
    visitor,
    streams,
    store,
    /** One more login, which the stream tells of; at once, for a test waits for nobody. */
    decide: async (username: string) => {
      await page.evaluate(
        "document.querySelectorAll('[data-live]').forEach((part) => (part.dataset.every = '0'))",
      );
      store.db.$client
        .query(
          `INSERT INTO auth_log (at, nas_id, nas_address, username, accepted, reason) VALUES (${NOW}, 1, '127.0.0.1', ?, 0, 'unknown_user')`,
        )
        .run(username);
      feed.decided([{ subscriberId: null, nasId: 1 }]);
      feed.flush();
    },
    first: () => page.locator("tbody .name").first().innerText(),
    async [Symbol.asyncDispose]() {
      await visitor[Symbol.asyncDispose]();
      streams.close();
      await site.close();
      store[Symbol.dispose]();
    },
  };
}

test("each decision in words: what it was, how often in the hour, and a name that looks like a known one", async () => {
  await using it = await plain("/console/logins?who=");
  const rows = await it.page.locator("tbody tr").allInnerTexts();
  const text = rows.map((row) => row.replaceAll(/\s+/g, " ").trim());
  const of = (name: string) => text.find((row) => row.includes(name));
  expect(of("Sofia Petrov")).toStartWith(
    "11:59:59 refused Sofia Petrov Other device than the one the line is locked to 4× Tower-1 D8:07:B6:1A:4F:C2",
  );
  expect(of("user44")).toStartWith(
    "11:59:52 refused user44 No such name. Like user4: a typing mistake? 4× Harbour-2 50:C7:BF:19:AA:07",
  );
  expect(of("Lucia Fernandes")).toContain(
    "let in to the pay page Lucia Fernandes Expired: let in to the pay page only",
  );
  expect(of("Chen Wei")).toContain("let in Chen Wei Fibre 100 Tower-1");
  expect(of("<b>admin</b>")).toContain("No such name.");
  const side = (await it.page.locator("#logins-side").innerText()).replaceAll(/\s+/g, " ");
  expect(side).toStartWith("Rejected, last hour 34 No such name17 Disabled5");
  expect(side).toContain("One device tries names 02:11:9A:5D:E3:0C on Hill-3: 10 names that nobody has");
  await it.page.click("text=Sofia Petrov >> nth=0"); // the person, in one press
  expect(it.page.url()).toEndWith("/console/subscribers/4");
});

test.each([
  ["reason=disabled", ["Riverton Primary School"]],
  ["outcome=accepted", ["Chen Wei", "Lucia Fernandes", "Ewa Kowalska", "Fatima Zahra El Amrani"]],
  ["who=USER5", ["Priya Nair"]],
  ["who=50-c7-bf-77-21-c9", ["Riverton Primary School"]],
  ["router=2&outcome=rejected", ["user44", "Priya Nair"]],
  ["kind=unknown&who=user44", ["user44"]],
  ["kind=hotspot", []],
])("%s narrows them", async (query, names) => {
  await using it = await plain(`/console/logins?${query}`);
  expect([...new Set(await it.page.locator("tbody .name").allInnerTexts())]).toEqual(names);
  if (names.length === 0) expect(await it.visitor.text()).toContain("Nothing matches");
});

test("a decision appears as it happens; Space holds them, and lets them go on", async () => {
  await using it = await opened("/console/logins");
  expect(await eventually(() => it.streams.count === 1)).toBe(true);
  await it.decide("newcomer");
  expect(await soon(async () => (await it.first()) === "newcomer")).toBe(true);
  await it.page.keyboard.press("Space");
  expect(await it.page.locator("[data-pause]").getAttribute("aria-pressed")).toBe("true");
  expect(await it.page.locator("[data-live-chip]").innerText()).toBe("Paused");
  await it.decide("waiting");
  await Bun.sleep(700);
  expect(await it.first()).toBe("newcomer");
  await it.page.keyboard.press("Space");
  expect(await soon(async () => (await it.first()) === "waiting")).toBe(true);
});

test("while somebody has scrolled down the rows stay, and what is new is counted and one press away", async () => {
  await using it = await opened("/console/logins");
  expect(await eventually(() => it.streams.count === 1)).toBe(true);
  const before = await it.first();
  await it.page.evaluate("scrollTo(0, 600)");
  await it.decide("one");
  await it.decide("two");
  const news = it.page.locator("[data-news]");
  await news.waitFor({ state: "visible" });
  expect(await soon(async () => (await news.innerText()).startsWith("2 new"))).toBe(true);
  expect(await it.first()).toBe(before);
  await it.page.evaluate("document.querySelector('[data-news]').click()");
  expect(await soon(async () => (await it.first()) === "two")).toBe(true);
  expect(await news.isVisible()).toBe(false);
});

test("an open menu, and a pointer on the rows, hold the order", async () => {
  await using it = await opened("/console/logins");
  expect(await eventually(() => it.streams.count === 1)).toBe(true);
  await it.page.hover("tbody tr >> nth=2");
  const before = await it.first();
  await it.decide("held");
  await Bun.sleep(700);
  expect(await it.first()).toBe(before);
  await it.page.mouse.move(5, 5);
  expect(await soon(async () => (await it.first()) === "held")).toBe(true);
});

test("a tab that is not seen has no stream and asks for nothing; seen again it is as things are", async () => {
  await using it = await opened("/console/logins");
  expect(await eventually(() => it.streams.count === 1)).toBe(true);
  const see = (hidden: boolean) =>
    it.page.evaluate(
      `Object.defineProperty(document, "hidden", { value: ${hidden}, configurable: true }); document.dispatchEvent(new Event("visibilitychange"))`,
    );
  await see(true);
  expect(await eventually(() => it.streams.count === 0)).toBe(true);
  let requests = 0;
  it.page.on("request", () => requests++);
  await it.decide("unseen");
  await Bun.sleep(300);
  expect(requests).toBe(0);
  await see(false);
  expect(await soon(async () => (await it.first()) === "unseen")).toBe(true);
});

test("when the session ends the page does not go on saying that it is live", async () => {
  await using it = await opened("/console/logins");
  it.visitor.expected = /^401 |EventSource/; // the browser's own word about the stream that is no more
  expect(await eventually(() => it.streams.count === 1)).toBe(true);
  const chip = it.page.locator("[data-live-chip]");
  expect(await soon(async () => (await chip.innerText()) === "Live")).toBe(true);
  it.store.db.$client.run("DELETE FROM staff_sessions");
  it.streams.look();
  expect(await soon(async () => (await chip.innerText()) === "Paused")).toBe(true);
});
