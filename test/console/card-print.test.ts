import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { createCardBatch } from "../../src/domain/service/cards/batches.ts";
import { changeSetting } from "../../src/domain/machine/settings/change.ts";
import { startChromium } from "../support/chromium.ts";
import {
  ConsoleBrowser,
  consoleSessionOf,
  consoleSite,
  type ConsoleSite,
  soon,
} from "../support/console-browser.ts";
import { cli } from "../support/people.ts";
import { callers, type Tenants, withTenants } from "../support/tenants.ts";
import { PlainVisitor } from "../support/plain-visitor.ts";

const BATCH = "/console/cards/batches/1";
const TEMPLATES = "/console/cards/templates";
let browser: Browser;
let app: Tenants;
let site: ConsoleSite;
beforeAll(async () => {
  [browser, app] = await Promise.all([startChromium(), withTenants()]);
  site = consoleSite(app);
  const hour = { kind: "access", package_id: 1, price: "1.00", duration: 1, duration_unit: "hour" };
  createCardBatch(app.db, cli, { isp_id: 1, branch_id: 11, quantity: 1000, ...hour }, app.clock);
});
afterAll(async () => {
  await Promise.all([browser.close(), site.close()]);
  app[Symbol.dispose]();
});

async function ask(path: string, account: string, init: RequestInit = {}) {
  const cookie = await consoleSessionOf(site, account);
  const response = await fetch(site.origin + path, { headers: { cookie }, redirect: "manual", ...init });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

let presses = 0;
/** The same as a press of a form of the session; a `key` that stands for an earlier press makes it that one again. */
async function press(path: string, account: string, fields: Readonly<Record<string, string>> = {}) {
  const cookie = await consoleSessionOf(site, account);
  const { text } = await ask("/console/me", account, { headers: { cookie } });
  const token = /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? "";
  const body = new URLSearchParams({ form_token: token, key: `press-${presses++}`, ...fields });
  return ask(path, account, { method: "POST", headers: { cookie, origin: site.origin }, body });
}

const printings = () =>
  app.db.$client
    .query<{ actor: string; after: string }, []>(
      "SELECT actor, after FROM audit_entries WHERE action = 'card_batch.print' ORDER BY id",
    )
    .all();
const codes = () =>
  app.db.$client
    .query<{ sealed: Uint8Array }, []>("SELECT code_sealed AS sealed FROM cards ORDER BY serial")
    .all()
    .map(({ sealed }) => app.db.vault.openText(sealed));

test("choosing shows no code and writes nothing; showing does, is kept by nobody, and is in the trail", async () => {
  const before = printings();
  const choosing = await ask(`${BATCH}/print`, callers.admin);
  expect(choosing.status).toBe(200);
  for (const code of codes()) expect(choosing.text.replaceAll("-", "")).not.toContain(code);
  expect(printings()).toEqual(before);
  const answer = await ask(`${BATCH}/print?sheet=a4-21&from=1&to=21`, callers.admin);
  expect(answer.text).toContain('name="from"');
  for (const code of codes().slice(0, 21)) expect(answer.text.replaceAll("-", "")).not.toContain(code);
  expect(printings()).toEqual(before);
  const fields = { sheet: "a4-21", from: "1", to: "21", template: "" };
  const name = await press(`${BATCH}/print`, callers.admin, fields);
  expect(name.text.match(/<article/g)).toHaveLength(21);
  expect(name.headers.get("cache-control")).toBe("no-store");
  expect(name.headers.get("referrer-policy")).toBe("no-referrer");
  const textNow = { actor: "ada", after: '{"from":1,"to":21,"cards":21,"on":"sheet"}' };
  expect(printings()).toEqual([...before, textNow]);
});

test("a press shows codes once: sent again it shows none and writes nothing, and offers another one", async () => {
  const fields = { sheet: "a4-21", from: "1", to: "2", template: "", key: "one-press" };
  const first = await press(`${BATCH}/print`, callers.admin, fields);
  const before = printings();
  const again = await press(`${BATCH}/print`, callers.admin, fields);
  expect(again.text).toContain("These codes were shown already");
  expect(again.text).toContain("Show them again");
  for (const code of codes().slice(0, 2)) {
    expect(first.text.replaceAll("-", "")).toContain(code);
    expect(again.text.replaceAll("-", "")).not.toContain(code);
  }
  expect(printings()).toEqual(before);
  // the form as it stood, with other cards, is another press
  const other = await press(`${BATCH}/print`, callers.admin, { ...fields, to: "3" });
  expect(other.text.match(/<article/g)).toHaveLength(3);
  const card = await press("/console/cards/1/print", callers.admin, { key: "one-press" });
  expect(card.text.replaceAll("-", "")).toContain(codes()[0] ?? "none");
  const cardAgain = await press("/console/cards/1/print", callers.admin, { key: "one-press" });
  expect(cardAgain.text.replaceAll("-", "")).not.toContain(codes()[0]);
});

test("a reload, and the way back and forth, show no code, with and without a script", async () => {
  for (const javaScriptEnabled of [true, false]) {
    await using visitor = await ConsoleBrowser.signedIn(browser, site, callers.admin, { javaScriptEnabled });
    const { page } = visitor;
    await visitor.goto(`${BATCH}/print`);
    await page.fill("#to", "3");
    await visitor.submit("form.stack .button.solid");
    expect(await page.locator(".ticket").count()).toBe(3);
    const before = printings().length;
    await page.reload();
    expect(await visitor.text()).toContain("These codes were shown already");
    expect(await page.locator(".ticket").count()).toBe(0);
    await page.goBack();
    expect(await page.locator("#from").count()).toBe(1);
    await page.goForward().catch(() => null); // a browser that keeps nothing asks before it sends a form again
    expect(await page.locator(".ticket").count()).toBe(0);
    expect(printings().length).toBe(before);
  }
});

test("a range that the batch does not have is said beside its field", async () => {
  const { status, text } = await press(`${BATCH}/print`, callers.admin, { from: "7", to: "3" });
  expect(status).toBe(422);
  expect(text).toContain("No code was shown");
  expect(text).toContain("must be from 7 to 1000");
});

test("what fits into one printing follows the paper that is chosen", async () => {
  await using visitor = await ConsoleBrowser.signedIn(browser, site, callers.admin);
  await visitor.goto(`${BATCH}/print`);
  const help = visitor.page.locator("#to-help");
  expect(await help.textContent()).toContain("Up to 462 cards");
  await visitor.page.selectOption("#sheet", "a4-10");
  expect(await soon(async () => (await help.textContent())?.includes("Up to 480 cards") === true)).toBe(true);
});

test("a page holds as many whole sheets as are printed in one go, and leads to the others", async () => {
  await using visitor = await PlainVisitor.signedIn(site, callers.admin);
  await visitor.goto(`${BATCH}/print`);
  await visitor.page.selectOption("#sheet", "a4-48");
  await visitor.submit("form.stack .button.solid");
  const serials = () => visitor.page.locator(".ticket-number").allInnerTexts();
  expect([(await serials())[0], (await serials()).at(-1), (await serials()).length]).toEqual([
    ...["0001-001", "0001-480"],
    480,
  ]);
  expect(await visitor.page.locator(".ticket-sheet").count()).toBe(10);
  for (const [first, last] of [
    ["0001-481", "0001-960"],
    ["0001-961", "0001-1000"],
  ]) {
    await visitor.submit("text=Next cards");
    expect([(await serials())[0], (await serials()).at(-1)]).toEqual([first, last]);
  }
  expect(await visitor.page.locator("text=Next cards").count()).toBe(0);
});

test("void cards are not printed", async () => {
  app.db.$client.run("UPDATE cards SET state = 'void' WHERE serial IN (2, 3)");
  const { text } = await press(`${BATCH}/print`, callers.admin, { from: "1", to: "3" });
  expect(text.match(/<article/g)).toHaveLength(1);
  expect(text).toContain("2 void cards are left out.");
  const none = await press(`${BATCH}/print`, callers.admin, { from: "2", to: "3" });
  expect(none.text).toContain("All cards of this range are void");
  const one = await press("/console/cards/2/print", callers.admin);
  expect([one.status, one.text.includes("is void and opens nothing")]).toEqual([422, true]);
  app.db.$client.run("UPDATE cards SET state = 'new'");
});

test("the file has every code of the batch, is kept by nobody, and is in the trail", async () => {
  const before = printings().length;
  const { status, headers, text } = await press(`${BATCH}/codes.csv`, callers.admin);
  expect(status).toBe(200);
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("content-disposition")).toBe('attachment; filename="cards-0001.csv"');
  const [head, ...rows] = text.replace("\uFEFF", "").trim().split("\r\n");
  expect(head).toBe("number,on_paper,code,printed_code,state");
  expect(rows.map((row) => row.split(",")[2]?.replaceAll("-", ""))).toEqual(codes());
  expect(rows[0]).toStartWith("C-000001,0001-001,");
  expect(printings().slice(before)).toEqual([
    { actor: "ada", after: '{"from":1,"to":1000,"cards":1000,"on":"file"}' },
  ]);
});

test.each([
  ["noFlag", 403],
  ["otherBranch", 404],
  ["otherTenant", 404],
  ["reseller", 404],
  ["branch", 200],
] as const)("somebody else (%s) gets no code: %p", async (caller, status) => {
  for (const path of [`${BATCH}/print`, `${BATCH}/codes.csv`, "/console/cards/1/print"]) {
    const answer = await press(path, callers[caller]);
    expect(answer.status).toBe(status);
    if (status !== 200) for (const code of codes().slice(0, 3)) expect(answer.text).not.toContain(code);
  }
});

test("who sees as somebody else is shown no code, and nothing is written", async () => {
  const cookie = await consoleSessionOf(site, callers.admin);
  const home = await (await fetch(`${site.origin}/console/settings/staff/4`, { headers: { cookie } })).text();
  const token = /name="form_token" value="([^"]+)"/.exec(home)?.[1] ?? "";
  const body = new URLSearchParams({ form_token: token });
  const headers = { cookie, origin: site.origin };
  const begun = await fetch(`${site.origin}/console/settings/staff/4/see-as`, {
    method: "POST",
    headers,
    body,
    redirect: "manual",
  });
  expect(begun.status).toBe(303);
  const before = printings().length;
  for (const path of [`${BATCH}/print`, `${BATCH}/codes.csv`, "/console/cards/1/print"]) {
    const answer = await fetch(site.origin + path, { method: "POST", headers, body });
    expect(answer.status).toBe(403);
    const text = await answer.text();
    for (const code of codes().slice(0, 3)) expect(text).not.toContain(code);
  }
  expect((await fetch(`${site.origin}${BATCH}/print`, { headers: { cookie } })).status).toBe(200);
  expect(printings().length).toBe(before);
});

test("what is not set is said with the way there, and gone when it is set", async () => {
  const without = await press(`${BATCH}/print`, callers.admin, { from: "1", to: "1" });
  expect(without.text).not.toContain("ticket-qr");
  expect(without.text).toContain("the address of your hotspot is not set");
  expect(without.text).toContain('href="/console/settings/set/hotspot_address"');
  for (const [key, value] of [
    ["hotspot_address", "login.hotspot"],
    ["wifi_name", "Harbour"],
  ] as const)
    changeSetting(app.db, cli, { key, value, ispId: 1 }, app.clock);
  const { text } = await press(`${BATCH}/print`, callers.admin, { from: "1", to: "1" });
  expect(text).toContain("ticket-qr");
  expect(text).not.toContain("is not set");
});

test("a template is made while one sees its card, chosen for a batch, changed, and deleted", async () => {
  await using visitor = await ConsoleBrowser.signedIn(browser, site, callers.admin);
  const { page } = visitor;
  await visitor.goto(`${TEMPLATES}/new`);
  await page.fill("#name", "Kiosk");
  await page.fill("#heading", "Harbour Kiosk");
  await page.selectOption("#sheet", "a4-10");
  await page.check("input[name=wifi_qr]");
  await page.uncheck("input[name=price]");
  const sample = page.locator("#template-sample");
  expect(await soon(async () => (await sample.locator(".ticket-qr").count()) === 2)).toBe(true);
  expect(await sample.locator(".ticket-name").textContent()).toBe("Harbour Kiosk");
  expect(await soon(async () => (await sample.locator(".ticket-price").count()) === 0)).toBe(true);
  await visitor.submit("main form .button.solid");
  expect(await visitor.text()).toContain("The template Kiosk is made");

  await visitor.goto(`${BATCH}/print`);
  await page.selectOption("#template", { label: "Kiosk" });
  const answer = page.locator("#print-sample .ticket-name");
  expect(await soon(async () => (await answer.textContent()) === "Harbour Kiosk")).toBe(true);
  await visitor.submit("form.stack .button.solid");
  expect(await page.locator(".ticket-name").first().textContent()).toBe("Harbour Kiosk");

  await visitor.goto(`${TEMPLATES}/1`);
  await page.fill("#name", "");
  await page.locator("#name").evaluate((field) => field.removeAttribute("required"));
  await visitor.submit("main form .button.solid");
  expect(await visitor.text()).toContain("Nothing was saved");
  await page.fill("#name", "Desk");
  await visitor.submit("main form .button.solid");
  expect(await visitor.text()).toContain("The template Desk is saved");
  await visitor.goto(`${TEMPLATES}/1`);
  await page.click("main .button.danger");
  const drawer = page.locator("#drawer[open]");
  await drawer.getByText("Delete the template Desk").waitFor();
  expect(await visitor.text()).not.toContain("is deleted");
  await visitor.submit("#drawer .button.danger");
  expect(await visitor.text()).toContain("The template Desk is deleted");
  expect(visitor.complaints).toEqual([]);
});
