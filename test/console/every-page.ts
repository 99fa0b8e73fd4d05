import { afterAll, beforeAll, expect, setDefaultTimeout, spyOn, test } from "bun:test";
import { gzipSync } from "node:zlib";
import type { Browser } from "playwright-core";
import type { Db } from "../../db/open.ts";
import { consoleRoutes } from "../../src/http/console/routes.ts";
import { axe } from "../support/visitor.ts";
import { startChromium } from "../support/chromium.ts";
import {
  ConsoleBrowser,
  consoleSessionOf,
  consoleSite,
  type ConsoleSite,
} from "../support/console-browser.ts";
import { amountFields } from "../../src/http/pages/ungrouped.ts";
import { NOW } from "../support/store.ts";
import { COLUMNS, consoleWorld, TRIED, WORKING } from "../support/console-world.ts";
import { asksAgain } from "../support/asked-again.ts";
import { repeated, StatementRuns } from "../support/statement-runs.ts";
import { callers, type Tenants } from "../support/tenants.ts";

/** What the parameters of a path are, where they are not the id 1. */
const parameters: Record<string, string> = {
  ...Object.fromEntries(
    ["", "/entries.csv", "/top-up", "/pay-out", "/correct"].map((end) => [
      `/console/money/wallets/:id${end} id`,
      "2",
    ]),
  ),
  "/console/boxes/:number number": "B-1",
  "/console/settings/import/new/:source source": "csv",
  ...Object.fromEntries(
    ["", "/told.csv"].map((end) => [`/console/settings/import/runs/:id${end} id`, TRIED]),
  ),
  kind: "city",
  preset: "paystack",
  "/console/messages/channels/new/:preset preset": "twilio",
  "/console/settings/set/:key key": "auto_renew_lead",
  "/console/settings/group/:group group": "money",
};

const backup = `gatehouse-${new Date(NOW * 1000).toISOString().slice(0, 19).replaceAll(":", "")}Z.db`;

/** Paths with what they are asked for with; every page is asked for as it is too. */
const also: readonly string[] = [
  "/console/online?router=1&package=1&area=1&pay=1&houses=1&sort=-up",
  ...[
    "/console/reports/sales?per=month&by=salesperson&beside=before&sort=-difference",
    "/console/reports/owed?by=area",
  ],
  "/console/reports/traffic?group=package&per=month",
  "/console/reports/online?group=nas&resolution=minute",
  ...["a4-10&from=1&to=3&template=1", "a4-48&from=1", "roll-58&from=1", "roll-80&to=2"].map(
    (asked) => `/console/cards/batches/1/print?sheet=${asked}`,
  ),
  ...["", "&state=waiting", "&state=failed"].map((state) => `/console/settings/webhooks/1?${state}`),
  ...["signed", "own", "mpesa_c2b"].map((preset) => `/console/settings/payment-sources/new/${preset}`),
  ...["smtp", "own", "sms_get"].map((preset) => `/console/messages/channels/new/${preset}`),
  ...["?view=all", "/1?q=user1", "/1/assign?to=1"].map((asked) => `/console/money/arrived${asked}`),
  ...[
    "?state=failed&channel=1",
    "?state=waiting&rule=1&user=1",
    "/3",
    "/4",
    "/again?channel=1",
    "/cancel?rule=1",
  ].map((asked) => `/console/messages${asked}`),
  "/console/subscribers/1?kind=messages",
  "/console/trail?entity=subscriber&entity_id=1&from=2020-01-01&to=2031-01-01",
  "/console/logins?outcome=rejected&reason=mac_locked&router=1&who=user1&kind=pppoe",
  ...["/console/subscribers?status=active,expired&line=online&sort=-balance", "/console/search?q=user"],
  ...["/console/routers?show=look&q=co", "/console/routers/1?span=month"],
  ...["/console/routers/1/setup?also=hotspot,walled", "/console/routers/test-login?username=user1"],
  "/console/subscribers/bulk?operation=extend&id=1&id=2",
  ...["id=1&id=2", "outage=1"].map((whom) => `/console/subscribers/bulk?operation=message&${whom}`),
  "/console/subscribers?branch=11&city=1&subarea=1",
  ...["/console/settings/places?q=block", "/console/settings/staff?q=a&kind=2&role=1&status=1"],
  ...["/console/settings/places/area/1", "/console/settings/places/branch/11/remove"],
  ...["/console/settings/staff/2", "/console/settings/staff/4/may", "/console/settings/roles/2"],
  "/console/subscribers/bulk?operation=area&all=1&status=active",
  ...[COLUMNS, WORKING].map((id) => `/console/settings/import/runs/${id}`),
  ...[
    "/console/settings?q=pay",
    "/console/settings?q=nothing+like+it",
    "/console/settings/set/payment_methods",
  ],
  ...["home", "expired", "walled"].map(
    (page) => `/console/settings/branding/preview?page=${page}&scheme=dark`,
  ),
  ...["?kind=access&package=1&reseller=none&show=open", "?reseller=2", "?kind=package"].map(
    (query) => `/console/cards${query}`,
  ),
  ...["refill", "package", "access&package_id=2"].map((kind) => `/console/cards/new?kind=${kind}`),
  ...[
    "1?standing=active",
    "1?standing=new&page=2",
    "1/cards.csv?standing=sold",
    "1/sell?from=7&to=9",
    "1/receipt?paper=a4",
    "2",
    "2/void",
  ].map((batch) => `/console/cards/batches/${batch}`),
  ...["2", "3", "4", "5", "6", "13", "14", "3/void", "14/sell"].map((card) => `/console/cards/${card}`),
  "/console/search?q=C-000003",
  ...["/console/packages/1?kind=cisco", "/console/routers/77/setup"],
  ...["2", "3"].map((box) => `/console/settings/access-boxes/${box}`),
  ...["try", "download"].map((work) => `/console/settings/backups/${work}?name=${backup}`),
];

const pages = [
  ...consoleRoutes
    .filter(({ method, path }) => method === "GET" && !isStream(path))
    .map(({ path }) =>
      path.replaceAll(
        /:(\w+)/g,
        (_, name: string) => parameters[`${path} ${name}`] ?? parameters[name] ?? "1",
      ),
    ),
  ...also,
];

/** Pages that are the operator's alone are asked for by one. */
const adminOf = (path: string) =>
  /^\/console\/(start|settings\/(access-boxes|backups|appliance))/.test(path)
    ? callers.operator
    : callers.admin;

/** It does not end by itself. */
function isStream(path: string): boolean {
  return path === "/console/live";
}

let browser: Browser;
let app: Tenants;
let site: ConsoleSite;

async function ask(path: string, account: string, headers: Record<string, string> = {}) {
  const cookie = await sessionOf(account);
  const response = await fetch(site.origin + path, { headers: { cookie, ...headers }, redirect: "manual" });
  return { status: response.status, text: await response.text() };
}

const sessions = new Map<string, string>();
async function sessionOf(account: string): Promise<string> {
  const known = sessions.get(account) ?? (await consoleSessionOf(site, account));
  sessions.set(account, known);
  return known;
}

const forms = (text: string) => [...text.matchAll(/<form[^>]*action="([^"]*)"[^>]*>(.*?)<\/form>/gs)];
const POST = /method="post"/;

/** What makes a row that is no ISP's, or whose ISP is that of what it is made of. */
const ofNoIsp = /access-boxes|\/restore|kind=isp|batches\/new\?kind|\/cards\/new\?|wallets|assign/;

async function asked(path: string, watched: ReturnType<typeof watch>) {
  watched.begin();
  await ask(path, adminOf(path));
  return watched.statements();
}

/** What a connection is asked: the statements that it keeps compiled, and the texts that it compiles for this once. */
function watch({ $client }: Db) {
  const kept = spyOn($client, "query");
  const once = [spyOn($client, "prepare"), spyOn($client, "run")];
  return {
    begin: () => [kept, ...once].forEach((spy) => spy.mockClear()),
    statements: () =>
      kept.mock.results.map(({ value }, index) => ({
        statement: value,
        text: kept.mock.calls[index]?.[0] ?? "",
      })),
    compiled: () => once.flatMap(({ mock }) => mock.calls.map(([text]) => text)),
    end: () => [kept, ...once].forEach((spy) => spy.mockRestore()),
  };
}

const weights = new Map<string, number>();

/** Of a file that many pages have, as it is sent. */
async function weightOf(file: string): Promise<number> {
  const known = weights.get(file);
  if (known !== undefined) return known;
  const response = await fetch(site.origin + file);
  expect(response.status).toBe(200);
  const weight = gzipSync(await response.arrayBuffer()).length;
  weights.set(file, weight);
  return weight;
}

const known = new Set(also);
/** What another width or scheme can make worse. */
const LOOKS = [
  ...["color-contrast", "link-in-text-block", "scrollable-region-focusable"],
  ...["aria-hidden-focus", "nested-interactive", "button-name", "link-name", "label"],
];
/** What stands on every page: to look at it takes as long as at the page itself. */
const FRAME = [".side", ".bar", ".foot"];
const screens = [
  { width: 1440, colorScheme: "light" },
  { width: 390, colorScheme: "dark" },
] as const;

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
async function expectKeys({ page }: ConsoleBrowser): Promise<void> {
  const rows =
    "[...document.querySelectorAll('#content :is(.table tbody tr, [data-rows] > *)')].filter((row) => row.checkVisibility())";
  // what a page asks for after it is there takes the place of its rows, and with them the focus
  await page.locator("[hx-trigger=load][hx-swap=outerHTML]").waitFor({ state: "detached" });
  // there j and k lead to the next and the previous one of the list that it is of
  if ((await page.locator(":is([data-key=j], [data-key=k]):not([hidden])").count()) > 0) return;
  const count = await page.evaluate<number>(`${rows}.length`);
  if (count === 0) return;
  await page.evaluate("document.activeElement?.blur()"); // a field keeps the keys
  for (const [key, row] of [
    ["j", 0],
    ["ArrowDown", Math.min(1, count - 1)],
    ["k", 0],
  ] as const) {
    await page.keyboard.press(key);
    const at = await page.evaluate(`${rows}.findIndex((row) => row.contains(document.activeElement))`);
    expect(at, `${page.url()}: the row after ${key}`).toBe(row);
  }
}

/** One of so many parts of all tests of all pages: each is a file, so that workers share them. */
export function testPages(part: number, of: number): void {
  const some = pages.filter((_, at) => at % of === part);
  setDefaultTimeout(120_000); // a browser on a busy machine
  beforeAll(async () => {
    [browser, app] = await Promise.all([startChromium(), consoleWorld()]);
    site = consoleSite(app);
    sessions.clear();
  });

  afterAll(async () => {
    await Promise.all([browser.close(), site.close()]);
    app[Symbol.dispose]();
  });

  test.each(some)(
    "%s is there for an Admin, as a page and as a part, and says nothing unfinished",
    async (path) => {
      for (const headers of [{}, { "hx-request": "true", "hx-request-type": "partial" }]) {
        const { status, text } = await ask(path, adminOf(path), headers);
        expect(status).toBeLessThan(400);
        const words = path.endsWith(".zip") ? "" : text.replaceAll(/<[^>]*>/g, " ");
        // the trail's file has what changed as JSON, where nothing is null
        const unfinished = path === "/console/trail.csv" ? words.replaceAll(":null", "") : words;
        expect(unfinished).not.toMatch(/\b(undefined|NaN|null|Infinity)\b|\[object |\bfunction\b/);
        expect(text).not.toMatch(/ style="| on[a-z]+="|<script>/);
      }
    },
  );

  test.each(some.filter((path) => /\/(new|sign-up|usual|ready|bank)\b/.test(path) && !ofNoIsp.test(path)))(
    "%s asks who sees several ISPs whose it will be",
    async (path) => {
      const { status, text } = await ask(path, callers.operator);
      if (status !== 200) return;
      const making = forms(text).filter(
        ([whole, action]) =>
          POST.test(whole) && /\/(new|sign-up|usual|ready|bank|upload)\b/.test(action ?? ""),
      );
      for (const [, action, fields] of making)
        expect(`${action} ${fields}`, action).toMatch(/name="isp_id"|[?&]isp=|name="package_id" value/);
    },
  );

  test.each(some.filter((path) => !/\.(csv|zip)/.test(path)))(
    "%s reads its amounts with their thousands parted too",
    async (path) => {
      const { text } = await ask(path, adminOf(path));
      const amounts = [...text.matchAll(/<div class="prefixed">.*?<input\b[^>]*? name="([^"]*)"/gs)];
      for (const [, name = ""] of amounts) expect([...amountFields]).toContain(name);
    },
  );

  test.each(some.filter((path) => !/\.(csv|zip)/.test(path)))(
    "%s has no required field in a part that stands closed",
    async (path) => {
      const { text } = await ask(path, adminOf(path));
      for (const [whole, inside = ""] of text.matchAll(
        /<details(?![^>]* open)[^>]*>((?:(?!<details).)*?)<\/details>/gs,
      )) {
        expect(inside).not.toMatch(/<(input|select|textarea)[^>]* (required|aria-invalid)/);
        // what has fields opens by itself when one of them is refused; filters are never
        if (/<(input(?![^>]*type="hidden")|select|textarea)/.test(inside))
          expect(whole).toMatch(/^<details class="(fold|menu|report-narrow)/);
      }
    },
  );

  test.each(some)("%s is refused or shown to somebody else, and never breaks", async (path) => {
    // of those who see a part of the ISP or all of it the pages take turns, for the ways of two of them are gone by themselves (ways.test.ts)
    const third = (["reseller", "branch", "operator"] as const)[some.indexOf(path) % 3] ?? "branch";
    for (const caller of ["noFlag", "otherTenant", third] as const) {
      const { status } = await ask(path, callers[caller]);
      expect([200, 303, 403, 404], `${caller} of ${path}`).toContain(status);
    }
  });

  test.each(some)("a third call of %s builds no query and compiles no statement", async (path) => {
    await sessionOf(adminOf(path));
    const known = new Set<unknown>();
    const watched = watch(app.db);
    try {
      for (const _ of [1, 2]) for (const { statement } of await asked(path, watched)) known.add(statement);
      const anew = (await asked(path, watched)).filter(({ statement }) => !known.has(statement));
      expect([...watched.compiled(), ...anew.map(({ text }) => text)]).toEqual([]);
    } finally {
      watched.end();
    }
  });

  test.each(some)("a warm call of %s runs no statement twice with the same values", async (path) => {
    await ask(path, adminOf(path));
    using runs = new StatementRuns(app.db);
    await ask(path, adminOf(path));
    const again = repeated(runs.take());
    const why = asksAgain(path);
    if (why === undefined) expect(again).toEqual([]);
    else expect(again, `no more: ${why}`).not.toEqual([]);
  });

  test("pages with tabs open at their top on a phone, with the tab that is open in sight", async () => {
    await using admin = await ConsoleBrowser.signedIn(browser, site, callers.admin);
    for (const path of some.filter((one) =>
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

  test("every page, wide and light as on a phone and dark, fits, is gone through by keys, and axe finds nothing", async () => {
    await using admin = await ConsoleBrowser.signedIn(browser, site, callers.admin);
    await using operator = await ConsoleBrowser.signedIn(browser, site, callers.operator);
    // a browser keeps a file, and shows none; no script runs in a preview, so that nothing can look at it: it is a page of the portal
    for (const { page } of [admin, operator]) await page.addInitScript({ content: await axe.text() });
    const shown = some.filter((one) => !/\.(csv|zip)(\?|$)|\/preview/.test(one));
    for (const [at, path] of shown.entries()) {
      const visitor = adminOf(path) === callers.admin ? admin : operator;
      await visitor.page.setViewportSize(ZOOMED); // before, for a page may scroll by what it does when it opens
      const answer = await visitor.goto(path);
      await expectTop(visitor);
      if (!answer?.headers()["content-type"]?.startsWith("text/html")) continue;
      await expectKeys(visitor);
      // the same page asked for in another way has the same parts
      const isKnown = known.has(path);
      for (const [nth, { width, colorScheme }] of screens.entries()) {
        if (isKnown && nth === 0) continue;
        await visitor.page.setViewportSize({ width, height: 900 });
        await visitor.page.emulateMedia({ colorScheme });
        await visitor.expectToFit();
        // axe looks at every second page in one of the two: every part is looked at in both by frame.test.ts
        if (!isKnown && at % 2 !== nth) continue;
        await visitor.expectAccessible({
          impacts: ["minor", "moderate", "serious", "critical"],
          rules: isKnown ? LOOKS : undefined,
          without: at < screens.length ? [] : FRAME,
        });
      }
    }
  }, 600_000);

  test.each(some)("%s weighs at most 60 kB on a first visit, as it is sent", async (path) => {
    const { text } = await ask(path, adminOf(path));
    let weight = gzipSync(text).length;
    for (const [, file = ""] of text.matchAll(
      /(?:src|href)="(\/(?:console|portal)\/(?:assets|brand)\/[^"]+)"/g,
    )) {
      weight += await weightOf(file.replaceAll("&amp;", "&"));
    }
    expect(weight).toBeLessThan(60_000);
  });
}
