import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import { gzipSync } from "node:zlib";
import type { Db } from "../../db/open.ts";
import { consoleSessionOf, consoleSite, type ConsoleSite } from "../support/console-browser.ts";
import { amountFields } from "../../src/http/pages/ungrouped.ts";
import { adminOf, pages } from "../support/console-pages.ts";
import { consoleWorld } from "../support/console-world.ts";
import { asksAgain } from "../support/second-request.ts";
import { repeated, StatementRuns } from "../support/statement-runs.ts";
import { callers, type Tenants } from "../support/tenants.ts";

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

const visited = new Map<string, Promise<{ status: number; text: string }>>();
/** A page as who sees all of it has it, asked for once. */
function pageOf(path: string) {
  const page = visited.get(path) ?? ask(path, adminOf(path));
  visited.set(path, page);
  return page;
}

const forms = (text: string) => [...text.matchAll(/<form[^>]*action="([^"]*)"[^>]*>(.*?)<\/form>/gs)];
const POST = /method="post"/;

/** What makes a row that is no ISP's, or whose ISP is that of what it is made of. */
const ofNoIsp = /access-boxes|\/restore|kind=isp|batches\/new\?kind|\/cards\/new\?|wallets|assign/;

async function visit(path: string, watched: ReturnType<typeof watch>) {
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

beforeAll(async () => {
  app = await consoleWorld();
  site = consoleSite(app);
});

afterAll(async () => {
  await site.close();
  app[Symbol.dispose]();
});

test.each(pages)(
  "%s is there for an Admin, as a page and as a part, and says nothing unfinished",
  async (path) => {
    const part = ask(path, adminOf(path), { "hx-request": "true", "hx-request-type": "partial" });
    for (const { status, text } of [await pageOf(path), await part]) {
      expect(status).toBeLessThan(400);
      const words = path.endsWith(".zip") ? "" : text.replaceAll(/<[^>]*>/g, " ");
      // the trail's file has what changed as JSON, where nothing is null
      const unfinished = path === "/console/trail.csv" ? words.replaceAll(":null", "") : words;
      expect(unfinished).not.toMatch(/\b(undefined|NaN|null|Infinity)\b|\[object |\bfunction\b/);
      expect(text).not.toMatch(/ style="| on[a-z]+="|<script>/);
    }
  },
);

test.each(pages.filter((path) => /\/(new|sign-up|usual|ready|bank)\b/.test(path) && !ofNoIsp.test(path)))(
  "%s asks who sees several ISPs whose it will be",
  async (path) => {
    const { status, text } = await ask(path, callers.operator);
    if (status !== 200) return;
    const making = forms(text).filter(
      ([whole, action]) => POST.test(whole) && /\/(new|sign-up|usual|ready|bank|upload)\b/.test(action ?? ""),
    );
    for (const [, action, fields] of making)
      expect(`${action} ${fields}`, action).toMatch(/name="isp_id"|[?&]isp=|name="package_id" value/);
  },
);

test.each(pages.filter((path) => !/\.(csv|zip)/.test(path)))(
  "%s reads its amounts with their thousands parted too",
  async (path) => {
    const { text } = await pageOf(path);
    const amounts = [...text.matchAll(/<div class="prefixed">.*?<input\b[^>]*? name="([^"]*)"/gs)];
    for (const [, name = ""] of amounts) expect([...amountFields]).toContain(name);
  },
);

test.each(pages.filter((path) => !/\.(csv|zip)/.test(path)))(
  "%s has no required field in a part that stands closed",
  async (path) => {
    const { text } = await pageOf(path);
    for (const [whole, inside = ""] of text.matchAll(
      /<details(?![^>]* open)[^>]*>((?:(?!<details).)*?)<\/details>/gs,
    )) {
      expect(inside).not.toMatch(/<(input|select|textarea)[^>]* (required|aria-invalid)/);
      // what has fields opens by itself when one of them is refused; filters are never
      if (/<(input(?![^>]*type="hidden")|select|textarea)/.test(inside))
        expect(whole).toMatch(/^<details class="(fold|menu)/);
    }
  },
);

/** The page with these names asked for too. */
const withQuery = (path: string, query: string) => `${path}${path.includes("?") ? "&" : "?"}${query}`;

// a report is one page
test.each(pages.filter((path) => !/\.(csv|zip)|\/reports\//.test(path)))(
  "%s leads to files of all that it lists, whichever part of it is shown",
  async (path) => {
    if (!(await pageOf(path)).text.includes(".csv")) return;
    const { text } = await ask(withQuery(path, "before=1000000&page=2"), adminOf(path));
    const files = [...text.matchAll(/href="([^"]*\.csv[^"]*)"/g)].map(([, href = ""]) => href);
    expect(files.filter((href) => /[?;](before|page)=/.test(href))).toEqual([]);
  },
);

test.each(pages.filter((path) => !/\.(csv|zip)/.test(path)))(
  "%s shows the end of its list to who asks for more pages than there are",
  async (path) => {
    if (!(await pageOf(path)).text.includes("<tr")) return; // it has no rows
    const list = path.replace("&page=2", "");
    const at = async (page: number) => (await ask(withQuery(list, `page=${page}`), adminOf(path))).text;
    const rows = (text: string) => text.split("<tr").length;
    const goesOn = /rel="next" href="[^"]*[?;]page=/;
    const beyond = await at(99);
    const before = Number(/rel="prev" href="[^"]*[?;]page=(\d+)/.exec(beyond)?.[1] ?? 0);
    const last = await at(before + 1);
    expect(rows(beyond)).toBe(rows(last));
    expect(last).not.toMatch(goesOn);
    if (before > 0) expect(await at(before)).toMatch(goesOn);
  },
);

test.each(pages)("%s is refused or shown to somebody else, and never breaks", async (path) => {
  // of those who see a part of the ISP or all of it the pages take turns, for the ways of two of them are gone by themselves (ways.test.ts)
  const third = (["reseller", "branch", "operator"] as const)[pages.indexOf(path) % 3] ?? "branch";
  for (const caller of ["noFlag", "otherTenant", third] as const) {
    const { status } = await ask(path, callers[caller]);
    expect([200, 303, 403, 404], `${caller} of ${path}`).toContain(status);
  }
});

test.each(pages)("a third call of %s builds no query and compiles no statement", async (path) => {
  await pageOf(path);
  const watched = watch(app.db);
  try {
    const known = new Set((await visit(path, watched)).map(({ statement }) => statement));
    const anew = (await visit(path, watched)).filter(({ statement }) => !known.has(statement));
    expect([...watched.compiled(), ...anew.map(({ text }) => text)]).toEqual([]);
  } finally {
    watched.end();
  }
});

test.each(pages)("a warm call of %s runs no statement twice with the same values", async (path) => {
  await pageOf(path);
  using runs = new StatementRuns(app.db);
  await ask(path, adminOf(path));
  const again = repeated(runs.take());
  const why = asksAgain(path);
  if (why === undefined) expect(again).toEqual([]);
  else expect(again, `no more: ${why}`).not.toEqual([]);
});

test.each(pages)("%s weighs at most 60 kB on a first visit, as it is sent", async (path) => {
  const { text } = await pageOf(path);
  let weight = gzipSync(text).length;
  for (const [, file = ""] of text.matchAll(
    /(?:src|href)="(\/(?:console|portal)\/(?:assets|brand)\/[^"]+)"/g,
  )) {
    weight += await weightOf(file.replaceAll("&amp;", "&"));
  }
  expect(weight).toBeLessThan(60_000);
});

test("reasons that rows keep and made-up addresses are told in the reader's language beside a subscriber", async () => {
  const { text } = await ask("/console/subscribers/1", callers.admin, { "accept-language": "bn" });
  expect(text.match(/নিয়মে যত দেরি চলে তার বেশি হয়েছে/g)).toHaveLength(2);
  expect(text).not.toContain("late by more than");
  expect(text).toContain("প্রাইভেট অ্যাড্রেস");
  expect(text).not.toContain("private address");
});
