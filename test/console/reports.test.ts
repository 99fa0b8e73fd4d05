import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import type { Db } from "../../db/open.ts";
import { activate } from "../../src/domain/service/activation/activate.ts";
import { voidSoldInvoice } from "../../src/domain/desk/void/void.ts";
import { packageSales } from "../../src/domain/around/reports/sales.ts";
import { takePayment } from "../../src/domain/desk/payments/take.ts";
import { reportSales } from "../../src/domain/around/reports/money.ts";
import { listPeriods, rangeBeside } from "../../src/http/console/parts/periods.ts";
import { looks, slugOf } from "../../src/http/console/pages/reports/looks.ts";
import { en } from "../support/words.ts";
import { reports } from "../../src/wire/reports.ts";
import { localDay, startOfDay } from "../../src/domain/core/time/time.ts";
import { startChromium } from "../support/chromium.ts";
import {
  ConsoleBrowser,
  consoleSessionOf,
  consoleSite,
  type ConsoleSite,
} from "../support/console-browser.ts";
import { by, DAY } from "../support/isp.ts";
import { NOW } from "../support/store.ts";
import { callers, type Tenants, withTenants } from "../support/tenants.ts";
import { PlainVisitor } from "../support/plain-visitor.ts";

let browser: Browser;
let app: Tenants;
let site: ConsoleSite;
beforeAll(async () => {
  [browser, app] = await Promise.all([startChromium(), withTenants()]);
  fillBooks(app.db);
  site = consoleSite(app);
});
afterAll(async () => {
  await Promise.all([browser.close(), site.close()]);
  app[Symbol.dispose]();
});

/** Sales and payments on some days of this month, NOW's, and of the one before; one sale of December is void in January. */
function fillBooks(db: Db): void {
  const sell = (subscriberId: number, packageId: number, daysAgo: number) => {
    const now = NOW - daysAgo * DAY;
    takePayment(db, by, { subscriberId, amount: 5000, method: "cash" }, { now: now - 60 });
    return activate(db, by, { subscriberId, packageId }, { now });
  };
  const undone = sell(2, 1, 40);
  sell(1, 1, 35);
  sell(1, 2, 33);
  sell(1, 1, 12);
  sell(1, 2, 6);
  sell(2, 1, 6);
  sell(9, 9, 5);
  const reason = "sold by mistake";
  voidSoldInvoice(db, by, { invoiceId: undone.invoiceId, reason, endService: false }, { now: NOW - 3 * DAY });
}

const month = { from: startOfDay(20300101), to: NOW };
const ispOne = { ...by, scope: { ispId: 1, branchId: null, salespersonId: null } };

async function ask(path: string, account: string = callers.admin) {
  const cookie = await consoleSessionOf(site, account);
  const response = await fetch(site.origin + path, { headers: { cookie }, redirect: "manual" });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

describe("words", () => {
  const chapters = en.reports;
  test("every report has a page with a name, a sum, what it counts, and what belongs there", () => {
    expect(looks.map(({ report }) => report.name).toSorted()).toEqual(
      reports.map(({ name }) => name).toSorted(),
    );
    for (const { name } of reports)
      for (const chapter of [chapters.tabs, chapters.whole, chapters.about, chapters.belongs])
        expect(chapter[name], name).toBeString();
  });

  test("every column, filter and value of a report has words", () => {
    const missing = looks.flatMap(({ report, fields }) => {
      const columns = Object.keys(report.kinds).filter(
        (name) => !/(^|_)id$/.test(name) && !["isp", "currency", "words"].includes(name),
      );
      const values = Object.values(fields).flatMap(({ schema }): string[] =>
        (schema["anyOf"] ?? []).flatMap((one: { const?: string }) => one.const ?? []),
      );
      return [
        ...columns.filter((name) => chapters.columns[name] === undefined),
        ...Object.keys(fields).filter((name) => chapters.labels[name] === undefined),
        ...values.filter((name) => chapters.values[name] === undefined),
      ];
    });
    expect(missing).toEqual([]);
  });
});

describe("the time beside", () => {
  const range = (first: number, last: number) => ({ from: startOfDay(first), to: startOfDay(last) + 3600 });
  const days = ({ from, to }: { from: number; to: number }) => [localDay(from), localDay(to)];
  const cases: [string, Parameters<typeof rangeBeside>, [number, number]][] = [
    ["the days before", [range(20300110, 20300115), "before", "day"], [20300104, 20300109]],
    ["the same days of a shorter month", [range(20300301, 20300331), "month", "day"], [20300201, 20300228]],
    ["the same days of the month before", [range(20300101, 20300115), "month", "day"], [20291201, 20291215]],
    ["the same days a year before", [range(20280229, 20280301), "year", "day"], [20270228, 20270301]],
    ["as many months before", [range(20290201, 20300115), "before", "month"], [20280201, 20290115]],
  ];
  test.each(cases)("%s", (_, range, expected) => {
    expect(days(rangeBeside(...range))).toEqual(expected);
  });

  test("bars are the local days or months of a range", () => {
    expect(listPeriods(range(20291230, 20300102), "day")).toEqual([20291230, 20291231, 20300101, 20300102]);
    expect(listPeriods(range(20291130, 20300102), "month")).toEqual([202911, 202912, 203001]);
  });
});

test("Reports is a page that leads to each of them, by what they are about, and to nobody without the flag", async () => {
  const { status, text } = await ask("/console/reports");
  expect(status).toBe(200);
  for (const look of looks) expect(text).toContain(`href="/console/reports/${slugOf(look)}"`);
  for (const name of Object.values(en.reports.groups)) expect(text).toContain(`<h2>${name}</h2>`);
  expect((await ask("/console/reports", callers.noFlag)).status).toBe(403);
  expect((await ask("/console/reports/sales", callers.noFlag)).status).toBe(403);
});

test("sales by package: the sum, what stands beside it, the table and the picture say what the operation says", async () => {
  await using visitor = await PlainVisitor.signedIn(site, callers.admin);
  const { page } = visitor;
  await visitor.goto("/console/reports/sales");
  const expected = reportSales(app.db, ispOne, { ...month, by: ["package"] }).rows;
  const december = rangeBeside(month, "month", "day");
  const before = reportSales(app.db, ispOne, { ...december, by: ["package"] }).rows;
  const sum = (rows: typeof expected) => rows.reduce((all, { net }) => all + net, 0);
  const money = (minor: number) => (minor / 100).toFixed(2).replace("-", "\u2212");
  expect(await page.locator(".page-head .hint").innerText()).toContain("January 2030, counted at ");
  expect((await page.locator(".report dl > :first-child dd").innerText()).replaceAll(/\s+/g, "")).toBe(
    `US$${money(sum(expected))}`,
  );
  const facts = (await page.locator(".report dl").innerText()).replaceAll(/\s+/g, " ");
  expect(facts).toContain(`December, same days ${money(sum(before))}`);
  const rows = await page.locator(".report .table tbody tr").allInnerTexts();
  expect(rows).toHaveLength(expected.length);
  for (const { package: name, net } of expected)
    expect(rows.find((row) => row.includes(name ?? ""))).toContain(money(net));
  expect((await page.locator(".report .table tfoot .sum").innerText()).trim()).toBe(money(sum(expected)));
  // one bar for each day, and the void of a sale of December beneath the line of its own day
  expect(await page.locator("[data-bar]").count()).toBe(15);
  const twelfth = await page.locator("tr[data-at]").nth(11).getAttribute("data-says");
  expect(twelfth).toStartWith(
    `Sat 12 Jan: −US$${money(-expected.reduce((all, row) => all + row.voided, 0)).replace("\u2212", "")}, December `,
  );
});

test("figures lead to their rows, as far as a list has just these", async () => {
  const { text } = await ask("/console/reports/sales?from=2030-01-01&to=2030-01-15");
  expect(text).toContain('href="/console/money/invoices?from=2030-01-01&amp;to=2030-01-15&amp;package=1"');
  expect(text).toContain('href="/console/packages/1"');
  const byArea = await ask("/console/reports/sales?by=area");
  expect(byArea.text).not.toContain("/console/money/invoices?");
  const paid = await ask("/console/reports/collections?from=2030-01-01&to=2030-01-15");
  expect(paid.text).toContain('href="/console/money?from=2030-01-01&amp;to=2030-01-15&amp;method=cash"');
});

test("without a script a filter is chosen and shown, kept in the address, and taken away again", async () => {
  await using visitor = await PlainVisitor.signedIn(site, callers.admin);
  const { page } = visitor;
  await visitor.goto("/console/reports/sales");
  await page.click(".filter-menu summary");
  await page.selectOption("#package_id", "2");
  await page.selectOption("#pill-by", "salesperson");
  await visitor.submit(".filters noscript button");
  expect(page.url()).toContain("package_id=2");
  expect(await page.locator("#package_id").inputValue()).toBe("2");
  expect(await page.locator(".report .table tbody tr").allInnerTexts()).toHaveLength(1);
  await visitor.submit("text=Month >> nth=0");
  expect(await page.locator("#package_id").inputValue()).toBe("2");
  expect(await page.locator("[data-bar]").count()).toBe(12);
  await visitor.submit("text=Clear filters");
  expect(page.url()).toEndWith("/console/reports/sales");
});

test("with a script a choice is shown at once, and the keyboard stays where it was", async () => {
  await using visitor = await ConsoleBrowser.signedIn(browser, site, callers.admin);
  const { page } = visitor;
  await visitor.goto("/console/reports/sales");
  await page.focus("#pill-beside");
  const answered = page.waitForResponse((one) => one.url().includes("beside=none"));
  await page.selectOption("#pill-beside", "none");
  await answered;
  await page.waitForFunction("!document.querySelector('.report dl').innerText.includes('Difference')");
  expect(await page.evaluate("document.activeElement.id")).toBe("pill-beside");
  expect(page.url()).toContain("beside=none");
  // a bar is reached by the keyboard, says itself, and leads to its day
  await page.locator("a[data-bar]").nth(8).focus();
  expect(await page.locator(".plot-caption").innerText()).toStartWith("Wed 9 Jan: US$");
  await page.keyboard.press("Enter");
  await page.waitForURL(/invoices\?from=2030-01-09&to=2030-01-09/);
  expect(visitor.complaints).toEqual([]);
});

test("the table is sorted by any of its columns, both ways, and the file is as it stands", async () => {
  await using visitor = await PlainVisitor.signedIn(site, callers.admin);
  const { page } = visitor;
  await visitor.goto("/console/reports/sales?by=");
  const days = () => page.locator(".report .table tbody .lead").allInnerTexts();
  const first = await days();
  expect(first[0]).toContain("Thu 3 Jan");
  await visitor.submit(".report .table th >> text=Day");
  expect(await page.locator("th[aria-sort='descending']").innerText()).toContain("Day");
  expect(await days()).toEqual(first.toReversed());
  await visitor.submit(".report .table th >> text=Day");
  expect(await days()).toEqual(first);
});

test("the file has the rows of the table, and is the API's of the same filters", async () => {
  const cookie = { authorization: `Basic ${btoa(callers.admin)}`, accept: "text/csv" };
  const lines = (text: string) => text.replace("\ufeff", "").trim().split("\r\n");
  const same: [page: string, api: string][] = [
    ["sales.csv?by=", "sales?by=day"],
    ["sales.csv?per=month&by=salesperson", "sales?by=salesperson&from=2029-02-01"],
    ["sales.csv?each=1", "sales?by=day,package"],
    ["collections.csv?package_id=1&by=staff", "collections?by=staff&package_id=1&from=2030-01-01"],
    ["owed.csv?by=area", "owed?by=area"],
    ["debtors.csv", "debtors"],
    ["expiring.csv?days=30", "expiring?days=30"],
    ["renewals.csv", "renewals"],
    ["growth.csv", "growth"],
    ["traffic.csv", "traffic"],
    ["top-users.csv", "top_users"],
    ["online.csv", "online"],
    ["resellers.csv", "resellers"],
    ["concessions.csv", "concessions"],
    ["card-stock.csv", "card_stock"],
    ["cards.csv", "cards"],
    ["cards.csv?by=seller", "cards?by=seller"],
    ["logins.csv?group=reason", "logins?group=reason"],
  ];
  for (const [path, api] of same) {
    const file = await ask(`/console/reports/${path}`);
    const expected = await app.app.handle(
      new Request(`http://localhost/api/v1/report/${api}`, { headers: cookie }),
    );
    expect(expected.status, api).toBe(200);
    const [head, ...rows] = lines(await expected.text());
    expect(lines(file.text)[0], path).toBe(head);
    expect(lines(file.text).slice(1).toSorted(), path).toEqual(rows.toSorted());
  }
});

test("each sees what the scope of the account has, and no report of what is not theirs", async () => {
  const own = await ask("/console/reports/sales", callers.reseller);
  expect(own.status).toBe(200);
  const ofReseller = { ...by, scope: { ispId: 1, branchId: null, salespersonId: 2 } };
  const [sum] = reportSales(app.db, ofReseller, { ...month, by: [] }).rows;
  expect(own.text).toContain(((sum?.net ?? 0) / 100).toFixed(2));
  expect(own.text).not.toContain("/console/reports/online");
  expect(own.text).not.toContain('name="salesperson_id"');
  expect((await ask("/console/reports/online", callers.branch)).status).toBe(403);
  expect((await ask("/console/reports/sales?branch_id=12", callers.branch)).text).toContain(
    en.reports.belongs["sales"] ?? "",
  );
});

test("who has several ISPs sees one at a time, for their currencies are never summed", async () => {
  const { text } = await ask("/console/reports/sales?isp_id=2", callers.operator);
  expect(text).toMatch(/<option value="2" selected="">Southlink/);
  const ofTwo = { ...by, scope: { ispId: 2, branchId: null, salespersonId: null } };
  const [sum] = reportSales(app.db, ofTwo, { ...month, by: [] }).rows;
  expect(text).toContain(((sum?.net ?? 0) / 100).toFixed(2));
});

test("sales by package end with what is active now and its price, to who may see packages, in the file too", async () => {
  const head = /<thead.*?<\/thead>/gs;
  const { text } = await ask("/console/reports/sales");
  expect(text.match(head)?.at(-1)).toMatch(/Difference.*Active now.*Price/s);
  const own = packageSales(app.db, ispOne, { now: NOW });
  const csv = (await ask("/console/reports/sales.csv")).text.trim().split("\r\n");
  const names = csv[0]?.split(",") ?? [];
  expect(names.slice(-4)).toEqual(["voided", "net", "active_now", "price"]);
  expect(csv.length).toBeGreaterThan(2);
  for (const line of csv.slice(1)) {
    const cells = line.split(",");
    const id = Number(cells[names.indexOf("package_id")]);
    const price = app.db.$client.query<{ price: number }, [number]>(
      "SELECT price FROM packages WHERE id = ?",
    );
    expect(cells.slice(-2).map(Number)).toEqual([
      own.find(({ packageId }) => packageId === id)?.active ?? 0,
      (price.get(id)?.price ?? 0) / 100,
    ]);
  }
  expect((await ask("/console/reports/sales?by=area")).text).not.toContain("Active now");
});

test("a time that is too long for a bar for each day is by month, beside the year before", async () => {
  const years = await ask("/console/reports/sales?per=day&from=2025-01-16&to=2030-01-15&beside=month");
  expect(years.status).toBe(200);
  expect(years.text.match(/data-bar=/g)).toHaveLength(61);
  expect(years.text).toContain("Jan 2024 – Jan 2029");
  const quarter = await ask("/console/reports/sales?from=2029-10-15&to=2030-01-15");
  expect(quarter.text.match(/data-bar=/g)).toHaveLength(93);
});

test("a range that cannot be is said beside the filters, and nothing is there says what belongs there", async () => {
  const long = await ask("/console/reports/renewals?from=2020-01-01");
  expect([long.status, long.text.includes("may be at most 366 days after from here")]).toEqual([400, true]);
  const wrong = await ask("/console/reports/sales?from=yesterday");
  expect([wrong.status, wrong.text.includes('aria-invalid="true"')]).toEqual([400, true]);
  const none = await ask("/console/reports/sales?from=2030-01-14&to=2030-01-15&beside=none");
  expect(none.text).toContain(en.reports.belongs["sales"] ?? "");
});

test("on a phone rows have two lines, on paper stands what is reported and no filter", async () => {
  await using visitor = await ConsoleBrowser.signedIn(browser, site, callers.admin, {
    viewport: { width: 390, height: 800 },
  });
  const { page } = visitor;
  for (const look of looks) {
    await visitor.goto(`/console/reports/${slugOf(look)}`);
    await visitor.expectToFit();
  }
  await visitor.goto("/console/reports/sales");
  expect(await page.locator(".report .table thead").isVisible()).toBe(false);
  await page.emulateMedia({ media: "print" });
  expect(await page.locator(".filters").isVisible()).toBe(false);
  expect(await page.locator(".tabs").isVisible()).toBe(false);
  expect(await page.locator(".report .table").isVisible()).toBe(true);
  expect(await page.locator(".plot-drawing").isVisible()).toBe(true);
  expect(await page.locator("h1").innerText()).toBe("Sales");
});

test("of a rank nothing is drawn, and a page with the first of many says of how many", async () => {
  const { text: debtors } = await ask("/console/reports/debtors");
  expect(debtors).not.toContain("plot-drawing");
  const insert = app.db.$client.query(
    "INSERT INTO usage_months (subscriber_id, month, input_octets, output_octets) VALUES (?, 203001, 1, 2)",
  );
  for (const id of [1, 2]) insert.run(id);
  const { text: users } = await ask("/console/reports/top-users?limit=1", callers.operator);
  expect(users).toContain("The first 1 of 2.");
  const { text: all } = await ask("/console/reports/top-users", callers.operator);
  expect(all).not.toContain("The first");
  expect(all).not.toContain("plot-drawing");
});

test("a bar of a row has its name, or the table says it alone", async () => {
  const { text } = await ask("/console/reports/concessions");
  const labels = [...text.matchAll(/class="plot-label[^"]*"[^>]*>([^<]*)</g)].map(([, label]) => label);
  expect(labels.filter((label) => /^\d+$/.test(label ?? ""))).toEqual([]);
});

test("who needs money first, who renews by themselves, and who has it are the parts of those that end, as on Today", () => {
  const look = looks.find(({ report }) => report.name === "expiring");
  expect(look?.derived?.({ expiring: 12, need_money: 5, covered: 3 })).toEqual({ ready: 4 });
  expect(look?.picture({})).toMatchObject({ series: { measures: ["need_money", "covered", "ready"] } });
});

test("what is wrong with a filter that stands closed opens it", async () => {
  const narrow = async (query: string) => {
    const { text } = await ask(`/console/reports/sales${query}`);
    return /<details class="menu[^"]*"( open)?[^>]*>[^<]*<summary>Narrow[^]*?<\/details>/.exec(text);
  };
  expect((await narrow(""))?.[1]).toBeUndefined();
  const [whole, open] = (await narrow("?package_id=x")) ?? [];
  expect([open, whole?.includes('aria-invalid="true"')]).toEqual([" open", true]);
});

test("days that are the usual ones are chosen as such", async () => {
  const chosen = async (query: string) => {
    const { text } = await ask(`/console/reports/expiring${query}`);
    const [select = ""] = /<select[^>]*name="days"[^]*?<\/select>/.exec(text) ?? [];
    return /<option[^>]*selected[^>]*>(\d+)/.exec(select)?.[1];
  };
  expect([await chosen("?days=14"), await chosen("?days=30")]).toEqual(["14", "30"]);
});

test("of a rank with very many it is said that there are more", async () => {
  using other = await withTenants();
  const { $client } = other.db;
  const columns = $client
    .query<{ name: string }, []>("SELECT name FROM pragma_table_info('subscribers')")
    .all()
    .map(({ name }) => name);
  const copied: Readonly<Record<string, string>> = {
    id: "n",
    username: "'copy' || n",
    username_key: "'copy' || n",
    nic_number: "NULL",
  };
  $client.run(
    `WITH RECURSIVE ids(n) AS (VALUES (1000) UNION ALL SELECT n + 1 FROM ids WHERE n < 2001)
     INSERT INTO subscribers (${columns.join(", ")})
     SELECT ${columns.map((name) => copied[name] ?? `s.${name}`).join(", ")} FROM ids, subscribers s WHERE s.id = 1`,
  );
  $client.run(
    "INSERT INTO usage_months (subscriber_id, month, input_octets, output_octets) SELECT id, 203001, 1, id FROM subscribers WHERE id >= 1000",
  );
  const cookie = await consoleSessionOf(other, callers.operator);
  const text = async (query: string) => {
    const url = `http://localhost/console/reports/top-users${query}`;
    const text = await (await other.app.handle(new Request(url, { headers: { cookie } }))).text();
    return /The first [^<.]*/.exec(text)?.[0];
  };
  expect(await text("")).toBe("The first 20 of more than 1,000");
  $client.run("DELETE FROM usage_months WHERE subscriber_id = 1000");
  $client.run("DELETE FROM usage_months WHERE subscriber_id = 1001");
  expect(await text("?limit=100")).toBe("The first 100 of 1,000");
});

test.each([25, 31])("a package's months are twelve whole ones, also on the %d. of the last", async (day) => {
  using other = await withTenants();
  const now = startOfDay(20290203) + 3600;
  takePayment(other.db, by, { subscriberId: 1, amount: 5000, method: "cash" }, { now: now - 60 });
  activate(other.db, by, { subscriberId: 1, packageId: 1 }, { now });
  other.clock.now = startOfDay(20300100 + day) + 43_200;
  const cookie = await consoleSessionOf(other, callers.admin);
  const url = "http://localhost/console/packages/1";
  const text = await (await other.app.handle(new Request(url, { headers: { cookie } }))).text();
  const months = [...text.matchAll(/aria-label="(\w+ 20\d\d): \$(\d+\.\d\d)/g)].map(([, month, sum]) => [
    month,
    sum,
  ]);
  expect(months).toHaveLength(12);
  expect(months[0]).toEqual(["February 2029", "15.00"]);
});
