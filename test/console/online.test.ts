import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import type { RouterAnswer } from "../../src/domain/service/control/routers.ts";
import { LiveFeed } from "../../src/domain/service/live/feed.ts";
import { LiveStreams } from "../../src/http/console/live/streams.ts";
import { RecordedRouters } from "../support/recorded-routers.ts";
import { startChromium } from "../support/chromium.ts";
import {
  ConsoleBrowser,
  consoleSessionOf,
  consoleSite,
  type ConsoleSite,
  soon,
} from "../support/console-browser.ts";
import { temporaryApp } from "../support/http.ts";
import { fillLogins, fillOnline } from "../support/online.ts";
import { NOW, type TemporaryStore, templateStore } from "../support/store.ts";
import { PlainVisitor } from "../support/plain-visitor.ts";

const ADA = "ada:secret-1";
const stores = templateStore(async (db) => {
  await fillOnline(db);
  fillLogins(db);
  db.$client.run("INSERT INTO settings (isp_id, key, value) VALUES (0, 'disconnect_confirm', '0')");
});

let browser: Browser;
beforeAll(async () => {
  browser = await startChromium();
});
afterAll(() => browser.close());

let store: TemporaryStore;
let routers: RecordedRouters;
let feed: LiveFeed;
let streams: LiveStreams;
let site: ConsoleSite;

async function stand(): Promise<void> {
  store = await stores();
  routers = new RecordedRouters();
  feed = new LiveFeed(store.db);
  streams = new LiveStreams(feed);
  site = consoleSite(temporaryApp({ routers, streams }, store));
}

async function opened(path: string, options: Parameters<typeof ConsoleBrowser.signedIn>[3] = {}) {
  await stand();
  const viewport = { width: 1440, height: 900 };
  const visitor = await ConsoleBrowser.signedIn(browser, site, ADA, { viewport, ...options });
  await visitor.goto(path);
  return visitor;
}

/** The same without a script. */
async function plain(path: string): Promise<PlainVisitor> {
  await stand();
  const visitor = await PlainVisitor.signedIn(site, ADA);
  await visitor.goto(path);
  return visitor;
}

afterEach(async () => {
  streams.close();
  await site.close();
  store[Symbol.dispose]();
});

const silent: RouterAnswer = { kind: "failed", reason: "Market-4 does not answer", isSilent: true };
const refused: RouterAnswer = { kind: "failed", reason: "Tower-1 refuses: Missing-Attribute" };

test.each([
  ["acknowledges", { kind: "acknowledged" }, "Tower-1 ended Chen Wei’s session.", /^ended, [\d,.]+ ms$/],
  ["knows nothing of it", { kind: "gone" }, "Tower-1 has no session of Chen Wei any more.", /^ended/],
  [
    "refuses",
    refused,
    "Tower-1 did not do it. Chen Wei’s session still stands: Tower-1 refuses",
    /^router refused$/,
  ],
  [
    "is silent",
    silent,
    "Tower-1 did not answer. Chen Wei’s session still stands: no reply within",
    /^no answer, /,
  ],
] as const)("a router that %s: the message and the row say so", async (_, answer, text, row) => {
  await using visitor = await opened("/console/online");
  const { page } = visitor;
  routers.answer = answer;
  await page.hover("#session-1");
  await page.click("#session-1 button");
  const toast = page.locator("#toasts .toast");
  await toast.waitFor();
  expect((await toast.innerText()).replaceAll(/\s+/g, " ")).toStartWith(text);
  await page.mouse.move(5, 5);
  expect(await soon(async () => row.test(await page.locator("#session-1 .share-cell").innerText()))).toBe(
    true,
  );
  expect(await page.locator("#session-1 .unseen").innerText()).toBe(
    answer.kind === "failed" ? "online" : "ended",
  );
  expect(routers.take()).toEqual(["disconnect S1"]);
});

test("how long the router took is told in the reader's language", async () => {
  await using visitor = await opened("/console/online", { locale: "ar" });
  const { page } = visitor;
  routers.answer = { kind: "acknowledged" };
  await page.hover("#session-1");
  await page.click("#session-1 button");
  const toast = page.locator("#toasts .toast");
  await toast.waitFor();
  await page.mouse.move(5, 5);
  const row = page.locator("#session-1 .share-cell");
  expect(await soon(async () => (await row.innerText()).includes("انتهت"))).toBe(true);
  for (const place of [toast, row]) {
    expect(await place.innerText()).toContain("م.ث");
    expect(await place.innerText()).not.toContain("ms");
  }
});

test("a press is seen at once: its row says who is asked, its button keeps its words, nothing is asked twice", async () => {
  await using visitor = await opened("/console/online");
  const { page } = visitor;
  const { promise, resolve } = Promise.withResolvers<void>();
  routers.until = promise;
  routers.answer = silent;
  await page.locator("#session-2 .act button").focus();
  await page.keyboard.press("Enter");
  await page.locator("#session-2[aria-busy] .asking").waitFor();
  expect(await page.locator("#session-2 .share-cell").innerText()).toBe("Asking Market-4");
  expect(await page.locator("#session-2 .act button[aria-busy]").innerText()).toBe("Disconnect");
  await page.keyboard.press("Enter");
  // what a live part brings anew has the focus again a moment later
  expect(
    await soon(() => page.evaluate<boolean>("document.activeElement.closest('tr')?.id === 'session-2'")),
  ).toBe(true);
  resolve();
  await page.locator("#toasts .toast").waitFor();
  // though the row is still held by the focus, it says what came of it
  expect(
    await soon(async () =>
      (await page.locator("#session-2 .share-cell").innerText()).startsWith("no answer"),
    ),
  ).toBe(true);
  expect(
    await soon(() => page.evaluate<boolean>("document.activeElement.closest('tr')?.id === 'session-2'")),
  ).toBe(true);
  expect(await page.locator("[aria-busy]").count()).toBe(0);
  expect(routers.take()).toEqual(["disconnect S2"]);
});

test("a row keeps the focus when its session has ended and its button is gone", async () => {
  await using visitor = await opened("/console/online");
  const { page } = visitor;
  await page.locator("#session-2 .act button").focus();
  await page.keyboard.press("Enter");
  await page.locator("#session-2.over").waitFor();
  expect(
    await soon(() => page.evaluate<boolean>("document.activeElement.closest('tr')?.id === 'session-2'")),
  ).toBe(true);
});

test("by keyboard alone: to a line, press, and read the answer", async () => {
  await using visitor = await opened("/console");
  const { page } = visitor;
  await page.keyboard.press("g");
  await page.keyboard.press("o");
  await page.waitForURL("**/console/online");
  await page.keyboard.press("j");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Tab");
  expect(await page.evaluate("document.activeElement.closest('tr').id")).toBe("session-2");
  expect(await page.evaluate("document.activeElement.type")).toBe("submit");
  await page.keyboard.press("Enter");
  await page.locator("#toasts .toast").waitFor();
  expect(routers.take()).toEqual(["disconnect S2"]);
});

test("some at once: those that are ticked, and how many of them are over", async () => {
  await using visitor = await opened("/console/online");
  const { page } = visitor;
  routers.answer = (requests) => (requests === "disconnect S3" ? refused : { kind: "acknowledged" });
  expect(await page.locator("#chosen").isVisible()).toBe(false);
  for (const id of [1, 3, 4]) await page.check(`#session-${id} input[type=checkbox]`);
  expect(await page.locator("#chosen .nowrap").innerText()).toBe("3 chosen");
  const inSight = "const { top, bottom } = document.querySelector('#chosen').getBoundingClientRect(); ";
  expect(
    await page.evaluate<boolean>(`(() => { ${inSight} return top > 0 && bottom <= innerHeight; })()`),
  ).toBe(true);
  await page.click("#chosen button");
  const toast = page.locator("#toasts .toast");
  await toast.waitFor();
  expect(await soon(() => page.locator("#chosen").isHidden())).toBe(true);
  expect((await toast.innerText()).replaceAll(/\s+/g, " ")).toContain(
    "2 of 3 sessions are over. 1 goes on: Tower-1 refuses: Missing-Attribute",
  );
  expect(routers.take().sort()).toEqual(["disconnect S1", "disconnect S3", "disconnect S4"]);
});

test("all of a router: only when its name was typed, and what became of them is said", async () => {
  await using visitor = await opened("/console/online?router=1");
  const { page } = visitor;
  await page.click("text=End a router’s sessions");
  await page.locator("#drawer[open] #confirm:focus").waitFor();
  await page.fill("#confirm", "tower");
  await page.keyboard.press("Enter");
  await page.locator("#drawer .fault").waitFor();
  expect(await page.inputValue("#confirm")).toBe("tower");
  expect(visitor.complaints.splice(0)).toEqual([`422 ${site.origin}/console/online/end-all?router=1`]);
  expect(routers.take()).toEqual([]);
  await page.fill("#confirm", "Tower-1");
  await page.keyboard.press("Enter");
  const toast = page.locator("#toasts .toast");
  await toast.waitFor();
  expect(await toast.innerText()).toContain("Tower-1: 4 sessions ended.");
  expect(routers.take()).toHaveLength(4);
  expect(await soon(async () => (await page.locator("#drawer[open]").count()) === 0)).toBe(true);
});

test("without a script: the same buttons, and the answer on the page that follows", async () => {
  await using visitor = await plain("/console/online");
  routers.answer = silent;
  await visitor.submit("#session-2 button");
  expect(await visitor.text()).toContain("Market-4 did not answer.");
  await visitor.page.check("#session-1 input[type=checkbox]");
  await visitor.submit("#chosen button");
  expect(await visitor.text()).toContain("0 of 1 session is over.");
  await visitor.goto("/console/online/end-all?router=3");
  await visitor.page.fill("#confirm", "Hill-3");
  routers.answer = { kind: "acknowledged" };
  await visitor.submit("form[action^='/console/online/end-all'] .button.danger");
  expect(await visitor.text()).toContain("Hill-3: 2 sessions ended.");
});

test("who is online stands by rate, data and time, and is narrowed by router, package, area and pay page", async () => {
  await using visitor = await plain("/console/online");
  const names = () => visitor.page.locator("tbody .name").allInnerTexts();
  expect((await names()).slice(0, 3)).toEqual(["Chen Wei", "Rahul Mehta", "Riverton Primary School"]);
  const visible = async (query: string) => {
    await visitor.goto(`/console/online?${query}`);
    return names();
  };
  expect((await visible("sort=down"))[0]).toBe("Fatima Zahra El Amrani");
  expect((await visible("sort=-uptime"))[0]).toBe("Chen Wei");
  expect((await visible("sort=data"))[0]).toBe("Lucia Fernandes");
  expect(await visible("router=4")).toEqual(["Rahul Mehta", "Café Marula"]);
  expect(await visible("package=2")).toEqual(["Sofia Petrov", "Priya Nair", "Ewa Kowalska"]);
  expect(await visible("area=1")).toEqual(["Chen Wei", "Rahul Mehta", "Riverton Primary School"]);
  expect(await visible("pay=1")).toEqual(["Lucia Fernandes"]);
  expect(await visible("router=4&pay=1")).toEqual([]);
  expect(await visitor.text()).toContain("Nothing matches");
  await visitor.goto("/console/online");
  const row = (await visitor.page.locator("#session-2").innerText()).replaceAll(/\s+/g, " ");
  expect(row).toContain(
    "Market-4 100.64.12.2 2C:C8:1B:77:0E:5AMikroTik Fibre 100 1d 2h 212 GB 88.7 11m old 4.4",
  );
});

test.each(["online", "logins"])(
  "%s answers to the keys of a list, and its people are gone through by j and k",
  async (page) => {
    await using visitor = await opened(`/console/${page}`);
    const { keyboard } = visitor.page;
    const rows = visitor.page.locator("#content .table tbody tr");
    const person = (row: number) => rows.nth(row).locator("a[href^='/console/subscribers/']").first();
    const people = await visitor.page
      .locator("#content .table a.name[href^='/console/subscribers/']")
      .evaluateAll((links) => [...new Set(links.map((link) => link.getAttribute("href")))]);
    const at = () =>
      visitor.page.evaluate<number>(
        "[...document.querySelectorAll('#content .table tbody tr')].findIndex((row) => row.contains(document.activeElement))",
      );
    for (const [key, row] of [
      ...[["j", 0] as const, ["j", 1] as const, ["ArrowDown", 2] as const],
      ...[["ArrowUp", 1] as const, ["k", 0] as const],
    ]) {
      await keyboard.press(key);
      expect([key, await at()]).toEqual([key, row]);
    }
    while ((await person(await at()).count()) === 0) await keyboard.press("j");
    const first = await person(await at()).getAttribute("href");
    await keyboard.press("Enter");
    await visitor.page.waitForURL(`**${first}`);
    const next = people[people.indexOf(first) + 1] ?? "";
    await keyboard.press("j");
    await visitor.page.waitForURL(`**${next}`);
    await keyboard.press("k");
    await visitor.page.waitForURL(`**${first}`);
  },
);

test("two houses: the lines of names that several devices use", async () => {
  await using visitor = await plain("/console");
  store.db.$client.run(
    `INSERT INTO sessions (nas_id, nas_address, acct_session_id, username, subscriber_id, mac, nas_port_id, started_at, updated_at)
     VALUES (2, '127.0.0.2', 'B1', 'user5', 5, 'AA:BB:CC:00:00:01', 'ether9', ${NOW - 600}, ${NOW - 10})`,
  );
  await visitor.goto("/console/online?houses=1");
  expect(await visitor.page.locator("tbody .name").allInnerTexts()).toEqual(["Priya Nair", "Priya Nair"]);
});

test("files of who is online and of logins have all that matches", async () => {
  await stand();
  const cookie = await consoleSessionOf(site, ADA);
  const lines = async (path: string) =>
    (await (await fetch(site.origin + path, { headers: { cookie } })).text()).trim().split("\r\n");
  expect(await lines("/console/online.csv?router=4")).toEqual([
    "name,username,subscriber_id,router,address,mac_address,maker,package,started_at,reported_at,input_octets,output_octets,down_bits_s,up_bits_s,pay_page",
    expect.stringContaining("Rahul Mehta,user2,2,Market-4,100.64.12.2,2C:C8:1B:77:0E:5A,MikroTik,Fibre 100,"),
    expect.stringContaining("Café Marula,user6,6,Market-4,"),
  ]);
  const rejected = await lines("/console/logins.csv?reason=disabled");
  expect(rejected.length).toBe(6);
  expect(rejected[1]).toContain(",user3,3,Riverton Primary School,0,disabled,");
});
