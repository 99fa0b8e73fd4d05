import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { startChromium } from "../support/chromium.ts";
import {
  ConsoleBrowser,
  consoleSessionOf,
  consoleSite,
  type ConsoleSite,
} from "../support/console-browser.ts";
import { watchOutages, OutageWatch } from "../../src/domain/service/outages/watch.ts";
import { by } from "../support/isp.ts";
import { watchShift } from "../support/layout-shift.ts";
import { callers, insertOutage, withTenants } from "../support/tenants.ts";

let browser: Browser;
let site: ConsoleSite;
let app: Awaited<ReturnType<typeof withTenants>>;
beforeAll(async () => {
  [browser, app] = await Promise.all([startChromium(), withTenants()]);
  const { db, clock } = app;
  const insert = db.$client.query<unknown, number[]>(
    "INSERT INTO nas_minutes (nas_id, at, isp_id, sessions) VALUES (1, ?, 1, ?)",
  );
  const minute = clock.now - (clock.now % 60);
  for (let back = 1; back <= 1500; back += 1) insert.run(minute - back * 60, 1000 + back);
  db.$client.run(
    `INSERT INTO nas_hours (nas_id, at, isp_id, sessions, sessions_most)
     SELECT nas_id, at - at % 3600 - 172800, 1, min(sessions), max(sessions) FROM nas_minutes GROUP BY 2`,
  );
  site = consoleSite(app);
});
afterAll(async () => {
  await Promise.all([browser.close(), site.close()]);
  app[Symbol.dispose]();
});

/** Nothing asks for itself again while it is looked at. */
const withoutStream = (page: Page) =>
  page.route("**/console/live", (route) => route.fulfill({ contentType: "text/event-stream", body: "\n" }));

test("pointing at a chart says the nearest row of its table, and so do the arrow keys", async () => {
  await using visitor = await ConsoleBrowser.signedIn(browser, site, callers.admin);
  const { page } = visitor;
  await withoutStream(page);
  await visitor.goto("/console");
  const plot = page.locator("#today-plot .plot");
  const drawing = plot.locator(".plot-drawing");
  const rows = plot.locator("tr[data-at]");
  const last = await rows.last().locator("td").first().textContent();
  await drawing.hover({ position: { x: 1, y: 50 } });
  const first = await rows.first().locator("th").textContent();
  expect(await plot.locator(".plot-caption").textContent()).toStartWith(`${first}: core`);
  await page.mouse.move(0, 0);
  expect(await plot.locator(".plot-caption").textContent()).toBe("");
  await drawing.focus();
  await page.keyboard.press("ArrowLeft");
  expect(await plot.locator(".plot-caption").textContent()).toContain(`core ${last}`);
});

test("a month can be zoomed into, by what is asked for then alone", async () => {
  await using visitor = await ConsoleBrowser.signedIn(browser, site, callers.admin);
  const { page } = visitor;
  await withoutStream(page);
  await visitor.goto("/console?plot=online&span=month");
  expect(await page.locator("script[src*=uplot], link[href*=uplot]").count()).toBe(0);
  await page.getByRole("button", { name: "Zoom" }).click();
  await page.locator("#today-plot .uplot canvas").waitFor();
  expect(await page.locator("#today-plot .u-legend").textContent()).toContain("core");
  expect(await page.locator("#today-plot tr[data-at]").count()).toBeGreaterThan(0); // the table stays
});

test("a bar of the expirations is a link that says what it opens", async () => {
  await using visitor = await ConsoleBrowser.signedIn(browser, site, callers.admin);
  await withoutStream(visitor.page);
  await visitor.goto("/console");
  const bar = visitor.page.getByRole("link", { name: /expire, .* have too little/ }).first();
  expect(await bar.getAttribute("href")).toMatch(
    /^\/console\/subscribers\?status=active&expires_from=(\d{4}-\d\d-\d\d)&expires_to=\1$/,
  );
  await bar.focus();
  expect(await visitor.page.locator("#today-expirations .plot-caption").textContent()).toBe(
    await bar.getAttribute("aria-label"),
  );
});

test("who may see no money sees none, and no part of it by its address", async () => {
  const cookie = await consoleSessionOf(site, callers.noFlag);
  const ask = async (path: string, headers = {}) =>
    fetch(site.origin + path, { headers: { cookie, ...headers } });
  const text = await (await ask("/console")).text();
  for (const word of ["Taken", "Owed", "Sales", "wallet", "need money"]) expect(text).not.toContain(word);
  const part = await ask("/console/today/taken", { "hx-request": "true", "hx-request-type": "partial" });
  expect(part.status).toBe(403);
});

const visit = async (path: string, account: string) => {
  const cookie = await consoleSessionOf(site, account);
  const response = await fetch(site.origin + path, { headers: { cookie } });
  return { status: response.status, text: await response.text() };
};

test("an outage of which nothing can be read any more is told all the same", async () => {
  const { db, clock } = app;
  insertOutage(db, 77, 1, 1);
  for (const evidence of ["{", '{"sign":"new"}']) {
    db.$client.query("UPDATE outages SET evidence = ? WHERE id = 77").run(evidence);
    for (const path of ["/console/today/needs", "/console/findings", "/console/outages", "/console/boxes"])
      expect(await visit(path, callers.admin)).toMatchObject({ status: 200 });
    const { text } = await visit("/console/outages/77", callers.admin);
    expect(text).toContain("what showed it cannot be read");
    const watch = new OutageWatch(db, { since: clock.now - 3600 });
    await watchOutages(by, { watch }, { now: clock.now });
  }
  db.$client.run("DELETE FROM outage_lines; DELETE FROM outages");
});

test("whom nothing is open to reads so, and the operator of an unfinished box is led on", async () => {
  expect((await visit("/console", callers.noFlag)).text).toContain("Nothing is open to you yet");
  expect((await visit("/console", callers.admin)).text).not.toMatch(/Nothing is open to you|first start/);
  app.db.$client.run("INSERT INTO setup_steps (step, state, at) VALUES ('password', 'done', 1)");
  const { text } = await visit("/console", callers.operator);
  expect(text).toContain('The first start is not finished. <a href="/console/start">');
  app.db.$client.run("DELETE FROM setup_steps");
  expect((await visit("/console", callers.operator)).text).not.toContain("first start");
});

test("on a phone nothing moves while the page and what needs someone arrive", async () => {
  insertOutage(app.db, 71, 1, 1);
  await using visitor = await ConsoleBrowser.signedIn(browser, site, callers.admin, {
    viewport: { width: 390, height: 844 },
  });
  const { page } = visitor;
  await withoutStream(page);
  const shifted = await watchShift(page);
  // it comes when the page has been painted
  let painted = () => {};
  const isPainted = new Promise<void>((resolve) => (painted = resolve));
  await page.route("**/console/today/needs", async (route) => {
    await isPainted;
    await route.continue();
  });
  await visitor.goto("/console");
  await shifted();
  painted();
  await page.locator("#today-needs:not(.later) .rows").waitFor();
  expect(await shifted()).toBe(0);
  expect(await page.locator("#today-plot").isVisible()).toBe(true);
});
