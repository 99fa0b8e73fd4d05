import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import {
  hourFields,
  hoursSent,
  listRows,
  tierFields,
  tiersSent,
} from "../../src/http/console/pages/packages/fair-values.ts";
import { packageById } from "../../src/domain/goods/packages/packages.ts";
import { type Faults, faultTexts, type FieldErrors } from "../../src/domain/core/errors/errors.ts";
import { verbatim } from "../../src/domain/core/errors/phrase.ts";
import { loadMessages } from "../../src/http/words/messages.ts";
import { startChromium } from "../support/chromium.ts";
import { ConsoleBrowser, consoleSessionOf, consoleSite } from "../support/console-browser.ts";
import { by } from "../support/isp.ts";
import { callers, withTenants } from "../support/tenants.ts";
import { PlainVisitor } from "../support/plain-visitor.ts";

const valuesOf = (fields: Record<string, string>) => (name: string) => fields[name] ?? "";

function sent(send: typeof tiersSent, fields: Record<string, string>): string | FieldErrors {
  const faults: Faults = {};
  const text = send(valuesOf(fields), faults);
  return Object.keys(faults).length > 0 ? faultTexts(faults) : text;
}

describe("rows of tiers and hours", () => {
  test.each([
    "50GB 5M/5M",
    "500MB 512k/2M; 1.5GB 256k/1M; 2TB 0/0",
    "50GB 5M/5M 8M/8M 4M/4M 10/10", // a burst, by the interface
    "1GB 1M/5M; 2GB 1M/4M; 3GB 1M/3M; 4GB 1M/2M; 5GB 1M/1M",
  ])("the tiers %s come back as they were", (text) => {
    expect(sent(tiersSent, tierFields(text))).toBe(text.replace("1.5GB", "1500MB"));
  });

  test.each([
    "mon-fri 22:00-06:00 free 20M/20M",
    "daily 00:00-24:00 free; sat,sun 08:30-12:00 1M/1M 2M/2M 1M/1M 5/5",
    "tue 23:59-24:00 30M/30M",
    Array.from({ length: 10 }, (_, hour) => `daily 0${hour}:00-0${hour}:30 free`).join("; "),
  ])("the hours %s come back as they were", (text) => {
    expect(sent(hoursSent, hourFields(text))).toBe(text);
  });

  test("a rate that is typed anew takes the place of all that it was, and no day is every day", () => {
    const tiers = { ...tierFields("50GB 5M/5M 8M/8M 4M/4M 10/10"), tier_1_up: "1" };
    expect(sent(tiersSent, tiers)).toBe("50GB 1M/5M");
    const hours = { hours_2_from: "22:00", hours_2_to: "6:00", hours_2_down: "20", hours_2_up: "0.512" };
    expect(sent(hoursSent, hours)).toBe("daily 22:00-06:00 512k/20M");
    expect(sent(tiersSent, {})).toBe("");
    expect(sent(hoursSent, {})).toBe("");
  });

  test("the line of a fault is told in the reader's language", () => {
    const faults: Faults = {};
    tiersSent(valuesOf({ tier_2_after: "x" }), faults);
    const [fault] = faults["tiers"] ?? [];
    expect(loadMessages("es").refusals(fault ?? verbatim(""))).toMatch(/^la línea 2 necesita/);
  });

  test("what is missing or wrong is said of its line, with what to write", () => {
    const tier = (values: object) =>
      sent(tiersSent, { tier_1_after: "5", tier_1_down: "1", tier_1_up: "1", ...values });
    const after = { tiers: ["line 1 needs after how many GB it begins, such as 50 or 0.5"] };
    for (const text of ["", "x", "0", "-1", "1e400"]) expect(tier({ tier_1_after: text })).toEqual(after);
    const rate = { tiers: ["line 1 needs a rate down and up, in Mbit/s, such as 5 or 0.512"] };
    for (const text of ["", "fast", "1000000"]) expect(tier({ tier_1_up: text })).toEqual(rate);
    expect(tier({ tier_3_after: "5", tier_3_down: "1", tier_3_up: "1" })).toEqual({
      tiers: ["line 3 must begin after the line before"],
    });
    const hour = (values: object) => sent(hoursSent, { hours_1_from: "1:00", hours_1_to: "2:00", ...values });
    const faultOf = (values: object) => hour(values) as FieldErrors;
    expect(faultOf({})["hours"]?.[0]).toContain("line 1 changes nothing");
    expect(faultOf({ hours_1_to: "25:00" })["hours"]?.[0]).toContain("needs from when to when");
    expect(faultOf({ hours_1_down: "5" })["hours"]?.[0]).toContain("needs a rate down and up");
    expect(faultOf({ hours_1_to: "1:00", hours_1_free: "1" })["hours"]?.[0]).toContain("ends when it begins");
    expect(faultOf({ hours_1_from: "", hours_1_to: "", hours_1_day_3: "1" })["hours"]).toHaveLength(1);
  });

  test("there is always an empty row to write in, until there are as many as there may be", () => {
    expect(listRows("tier", valuesOf({}))).toEqual(["tier_1", "tier_2"]);
    expect(listRows("tier", valuesOf(tierFields("1GB 1M/1M; 2GB 1M/1M")))).toHaveLength(3);
    expect(listRows("tier", valuesOf({ tier_5_up: "1" }))).toHaveLength(5);
  });
});

describe("what a package says", () => {
  async function desk() {
    const app = await withTenants();
    const headers = { cookie: await consoleSessionOf(app, callers.admin) };
    const ask = async (path: string, init: RequestInit = {}) => {
      const answer = await app.app.handle(new Request(`http://localhost${path}`, { ...init, headers }));
      return { status: answer.status, html: await answer.text() };
    };
    return { ...app, ask, [Symbol.dispose]: () => app[Symbol.dispose]() };
  }

  test.each([
    ["rate_limit", "9M/9M 20M/20M 5M/5M 10/10 4 1M/1M"],
    ["rate_limit", "0/0"],
    ["quota_exceeded", "1M/1M 2M/2M 512k/512k 10/10"],
    ["quota_exceeded", "1M"],
    ["quota_exceeded", "0/0"],
    ["data_quota_bytes", "123456789012"],
    ["top_up_bytes", "1"],
  ])("its %s %s is as it was after a form that changed its price alone", async (column, value) => {
    using app = await desk();
    app.db.$client.run(`UPDATE packages SET ${column} = ? WHERE id = 1`, [value]);
    const { html } = await app.ask("/console/packages/1/edit");
    const body = new URLSearchParams(fieldsOf(html));
    body.set("price", "16.00");
    expect((await app.ask("/console/packages/1/edit", { method: "POST", body })).status).toBe(303);
    const stored = app.db.$client.query(`SELECT price, ${column} AS value FROM packages WHERE id = 1`).get();
    expect(stored).toEqual({ price: 1600, value: /^\d+$/.test(value) ? Number(value) : value });
  });

  test("a rate without a limit can be typed beside a tier, which needs one", async () => {
    using app = await desk();
    const send = async (fields: Record<string, string>) => {
      const body = new URLSearchParams(fieldsOf((await app.ask("/console/packages/1/edit")).html));
      for (const [name, value] of Object.entries(fields)) body.set(name, value);
      return app.ask("/console/packages/1/edit", { method: "POST", body });
    };
    const tier = { tier_1_after: "5", tier_1_down: "1", tier_1_up: "1" };
    const refused = await send({ ...tier, rate_down: "", rate_up: "" });
    expect(refused.html).toContain("0/0 is without a limit");
    expect((await send({ ...tier, rate_down: "0", rate_up: "0" })).status).toBe(303);
    expect(packageById(app.db, by, 1)).toMatchObject({ rateLimit: "0/0", tiers: "5GB 1M/1M" });
    expect((await app.ask("/console/packages/1/edit")).html).toMatch(/name="rate_down" value="0"/);
    for (const path of ["/console/packages/1", "/console/packages"]) {
      const { html } = await app.ask(path);
      expect(html).toContain("no limit");
      expect(html).not.toContain("0 / 0");
    }
    const slower = { quota_then: "slower", slower_down: "0", slower_up: "0" };
    expect((await send(slower)).html).toContain('id="slower_down-fault"');
  });

  test("a top-up is told by what it adds, not as a package that runs", async () => {
    using app = await desk();
    app.db.$client.run(
      "UPDATE packages SET name = 'More', duration = 77, top_up_bytes = 5000000000, top_up_rolls = 0 WHERE id = 1",
    );
    const words = async (path: string) => (await app.ask(path)).html.replace(/.*<main/s, "<main");
    const page = await words("/console/packages/1");
    expect(page).toContain("Added to the package that runs");
    const row = /<tr>(?:(?!<tr>).)*More.*?<\/tr>/s.exec(await words("/console/packages"))?.[0] ?? "";
    expect(row).toContain("5 GB");
    for (const text of [page, row])
      for (const untrue of ["77", "Mbit/s", "no limit", "Session-Timeout"])
        expect(text).not.toContain(untrue);
  });
});

/** What a browser would send of the form of the editor, as it is. */
function fieldsOf(html: string): [string, string][] {
  const form = /<form id="package-form".*?<\/form>/s.exec(html)?.[0] ?? "";
  const attribute = (tag: string, name: string) => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1];
  const inputs = [...form.matchAll(/<input[^>]*>/g)]
    .map(([tag]) => tag)
    .filter((tag) => attribute(tag, "type") !== "checkbox" || / checked/.test(tag))
    .map((tag): [string, string] => [attribute(tag, "name") ?? "", attribute(tag, "value") ?? ""]);
  const selects = [...form.matchAll(/<select[^>]*>.*?<\/select>/gs)].map(([tag]): [string, string] => {
    const chosen = /<option value="([^"]*)" selected/.exec(tag) ?? /<option value="([^"]*)"/.exec(tag);
    return [attribute(tag, "name") ?? "", chosen?.[1] ?? ""];
  });
  return [...inputs, ...selects];
}

describe("the editor of a package", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser.close());

  test("tiers and hours are typed in rows, without a script, and stand in words on the package's page", async () => {
    using app = await withTenants();
    const site = consoleSite(app);
    try {
      await using box = await PlainVisitor.signedIn(site, callers.admin);
      const { page } = box;
      await box.goto("/console/packages/1/edit");
      await page.fill("[name=rate_down]", "40");
      await page.fill("[name=rate_up]", "20");
      await page.click(".package-part:has([name=tier_1_after]) > summary");
      await page.fill("[name=tier_1_after]", "200");
      await page.fill("[name=tier_1_down]", "20");
      await page.selectOption("[name=fair_window]", "month");
      await page.fill("[name=hours_1_from]", "22:00");
      await page.fill("[name=hours_1_to]", "06:00");
      await page.check("[name=hours_1_day_5]");
      await page.check("[name=hours_1_day_6]");
      await page.check("[name=hours_1_free]");
      await box.submit("#package-form button.solid");
      expect(await box.text()).toContain("line 1 needs a rate down and up, in Mbit/s");
      expect(await page.inputValue("[name=hours_1_from]")).toBe("22:00");
      await page.fill("[name=tier_1_up]", "10");
      await box.submit("#package-form button.solid");
      expect(packageById(app.db, by, 1)).toMatchObject({
        tiers: "200GB 10M/20M",
        hours: "sat,sun 22:00-06:00 free",
        fairWindow: "month",
      });
      await box.goto("/console/packages/1");
      const text = await box.text();
      expect(text).toContain("after 200 GB: 20 / 10 Mbit/s");
      expect(text).toContain("Sat, Sun 22:00 – 06:00: does not count");
      // another press of the same form changes nothing
      await box.goto("/console/packages/1/edit");
      await box.submit("#package-form button.solid");
      expect(packageById(app.db, by, 1)).toMatchObject({ tiers: "200GB 10M/20M" });
    } finally {
      await site.close();
    }
  });
});

test("what few packages need stands closed, under a heading that says what is set", async () => {
  const browser = await startChromium();
  using app = await withTenants();
  const site = consoleSite(app);
  try {
    app.db.$client.run("UPDATE packages SET data_quota_bytes = 100000000000 WHERE id = 1");
    await using box = await ConsoleBrowser.signedIn(browser, site, callers.admin);
    const { page } = box;
    await box.goto("/console/packages/1/edit");
    for (const name of ["name", "price", "duration", "rate_down", "rate_up"])
      expect([name, await page.locator(`[name=${name}]`).isVisible()]).toEqual([name, true]);
    for (const name of ["quota", "tier_1_after", "top_up", "framed_pool"])
      expect([name, await page.locator(`[name=${name}]`).isVisible()]).toEqual([name, false]);
    const heads = await page.locator(".package-part > summary").allInnerTexts();
    expect(heads[0]).toContain("100 GB");
    expect(heads[2]).toContain("nothing set");
  } finally {
    await browser.close();
    await site.close();
  }
});
