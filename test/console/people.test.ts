import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { runBulk } from "../../src/domain/around/bulk/run.ts";
import { startChromium } from "../support/chromium.ts";
import { ConsoleBrowser, consoleSite, type ConsoleSite } from "../support/console-browser.ts";
import { temporaryApp, type TestApp } from "../support/http.ts";
import { by } from "../support/isp.ts";
import { officePeople } from "../support/office-people.ts";
import { NOW } from "../support/store.ts";
import { PlainVisitor } from "../support/plain-visitor.ts";

let browser: Browser;
let app: TestApp;
let site: ConsoleSite;
beforeAll(async () => {
  browser = await startChromium();
});
afterAll(() => browser.close());
beforeEach(async () => {
  app = temporaryApp({}, await officePeople());
  site = consoleSite(app);
});
afterEach(async () => {
  await site.close();
  app[Symbol.dispose]();
});

const LIST = "/console/subscribers";
const ADA = "ada:secret-1";
const visit = () => ConsoleBrowser.signedIn(browser, site, ADA);
const plain = () => PlainVisitor.signedIn(site, ADA);
const ways: [way: string, isPlain: boolean][] = [
  ["with a script", false],
  ["without a script", true],
];
const namesIn = ({ page }: ConsoleBrowser | PlainVisitor) =>
  page.locator("#people tbody .of-name").allInnerTexts();
const count = (table: string) =>
  app.db.$client.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()?.n;

describe("the one box", () => {
  test("from part of a phone number to the person by typing and Enter", async () => {
    await using visitor = await visit();
    const { page } = visitor;
    await visitor.goto(LIST);
    await page.keyboard.press("/");
    await page.keyboard.type("555 0142");
    await page.locator("#found .hit[aria-selected=true] mark", { hasText: "555 0142" }).waitFor();
    expect(await page.locator("#found .hit").count()).toBe(1);
    await visitor.expectAccessible();
    await page.keyboard.press("Enter");
    await page.waitForURL(site.origin + `${LIST}/2`);
  });

  test("in the digits of an Arabic keyboard too", async () => {
    await using visitor = await visit();
    const { page } = visitor;
    await visitor.goto(LIST);
    await page.fill("#search", "٥٥٥ ٠١٤٢");
    await page.locator("#found .hit mark", { hasText: "555 0142" }).waitFor();
  });

  test("what it finds lies over the head of a person, which stays", async () => {
    await using visitor = await visit();
    const { page } = visitor;
    await visitor.goto(`${LIST}/2`);
    await page.fill("#search", "user");
    await page.waitForSelector("#found .hit");
    const head = await page.locator(".person > header").boundingBox();
    const found = await page.locator("#found").boundingBox();
    const [x, y] = [(found?.x ?? 0) + 20, (head?.y ?? 0) + 20];
    expect(y).toBeLessThan((found?.y ?? 0) + (found?.height ?? 0));
    expect(await page.evaluate(`document.elementFromPoint(${x}, ${y}).closest("#found") !== null`)).toBe(
      true,
    );
  });

  test("arrows choose, Esc closes, and what is typed further replaces what was found", async () => {
    await using visitor = await visit();
    const { page } = visitor;
    await visitor.goto(LIST);
    await page.fill("#search", "user");
    await page.waitForSelector("#found .hit");
    await page.keyboard.press("ArrowDown");
    expect(await page.getByRole("combobox", { expanded: true }).getAttribute("aria-controls")).toBe("found");
    expect(await page.locator("#found [aria-selected=true]").count()).toBe(1);
    const second = page.locator("#found .hit").nth(1);
    expect(await second.getAttribute("aria-selected")).toBe("true");
    await page.keyboard.press("Escape");
    expect(await page.locator("#search").getAttribute("aria-expanded")).toBe("false");
    expect(await page.locator("#found").isVisible()).toBe(false);
    await page.fill("#search", "nobody here");
    await page.getByText("Nobody and nothing has").waitFor();
  });

  test("without a script it is a page, with the same people and marks", async () => {
    await using visitor = await plain();
    const { page } = visitor;
    await visitor.goto(LIST);
    await page.fill("#search", "0142");
    await page.press("#search", "Enter");
    await page.waitForURL(/search\?q=0142/);
    expect(await page.locator(".hit").count()).toBe(3);
    expect(await page.locator(".hit mark").allInnerTexts()).toEqual(["0142", "0142", "01:42"]);
  });
});

describe.each(ways)("the list %s", (_, isPlain) => {
  const visit = () => (isPlain ? plain() : ConsoleBrowser.signedIn(browser, site, ADA));

  test("is narrowed by several values of a kind, sorted, and cleared", async () => {
    await using visitor = await visit();
    const { page } = visitor;
    await visitor.goto(LIST);
    expect(await namesIn(visitor)).toHaveLength(9);
    await page.click("summary:has-text('Area')");
    await page.getByLabel("Quayside").check();
    await page.getByLabel("Hill View").check();
    await visitor.submit(".filter-menu .menu[open] button");
    expect(await namesIn(visitor)).toEqual([
      "Amara Okafor",
      "Joseph Mwangi",
      "Leila Haddad",
      "Samuel Otieno",
    ]);
    expect(await page.locator(".people-tools .actions strong").innerText()).toBe("4");
    await visitor.submit("th.of-balance a");
    expect((await namesIn(visitor))[0]).toBe("Samuel Otieno");
    await visitor.submit("a[aria-label='Clear Area']");
    expect(await namesIn(visitor)).toHaveLength(9);
    expect(page.url()).toContain("sort=balance");
  });

  test("a view shows as many as it says", async () => {
    await using visitor = await visit();
    await visitor.goto(LIST);
    await visitor.submit(".segments a:has-text('Lapsed')");
    expect(await namesIn(visitor)).toEqual(["Leila Haddad"]);
    expect(await visitor.page.locator(".segments [aria-current]").innerText()).toMatch(/Lapsed\s*1/);
  });

  test("columns are chosen, and stay chosen", async () => {
    await using visitor = await visit();
    const { page } = visitor;
    await visitor.goto(`${LIST}?status=expired`);
    await page.click("summary[aria-label=Columns]");
    await page.getByLabel("Username").uncheck();
    await page.getByLabel("Mobile").check();
    await visitor.submit(".menu.at-end button");
    expect(page.url()).toContain("status=expired");
    await visitor.goto(LIST);
    const heads = await page.locator("#people th").allInnerTexts();
    expect(heads).toContain("Mobile");
    expect(heads).not.toContain("Username");
  });

  test("many are extended: who and who not, the result of each", async () => {
    await using visitor = await visit();
    const { page } = visitor;
    await visitor.goto(LIST);
    for (const name of ["Amara Okafor", "Leila Haddad", "Samuel Otieno"])
      await page.getByLabel(`Choose ${name}`).check();
    await page.click(".bulk-bar button[value=extend]");
    await page.getByText("2 will be extended").waitFor();
    const trial = await page.locator("#trial").innerText();
    expect(trial).toContain("Amara Okafor, to Sat 26 Jan, 12:00");
    expect(trial).toContain("One of them had ended and gets in again.");
    expect(trial).toContain("Leila Haddad, starts again until Wed 16 Jan, 12:00");
    expect(trial).toContain("Samuel Otieno: the subscriber is disabled; enable it first");
    await page.fill("#reason", "Outage of Hill-3");
    await visitor.submit("#trial .button.solid");
    expect(await visitor.heading()).toBe("Extending");
    await runBulk(app.db, by, { clock: () => NOW });
    if (isPlain) await page.reload();
    await page.getByText("2 of 3 are done.").waitFor();
    const results = await page.locator("#job tbody tr").allInnerTexts();
    expect(results.map((row) => row.replace(/\s+/g, " ").trim())).toEqual([
      "Amara Okafor done",
      "Leila Haddad done",
      "Samuel Otieno the subscriber is disabled; enable it first",
    ]);
    expect(count("extensions")).toBe(2);
  });
});

test("all that match are meant by their filter, whatever stands on the page", async () => {
  await using visitor = await visit();
  const { page } = visitor;
  await visitor.goto(`${LIST}?router=2`);
  await page.locator("#people tbody input").first().check();
  await page.locator("[data-all]").check();
  await page.click(".bulk-bar summary");
  await page.click(".bulk-bar button[value=area]");
  await page.selectOption("dialog #area_id", "2");
  await page.getByText("2 will be moved").waitFor();
  await visitor.submit("dialog #trial .button.solid");
  await runBulk(app.db, by, { clock: () => NOW });
  expect(count("subscribers WHERE area_id = 2 AND nas_id = 2")).toBe(2);
});

test("rows are chosen in a range with Shift, by x, and all at once", async () => {
  await using visitor = await visit();
  const { page } = visitor;
  await visitor.goto(LIST);
  const boxes = page.locator("#people tbody input");
  await boxes.nth(1).click();
  await boxes.nth(3).click({ modifiers: ["Shift"] });
  expect(await page.locator("[data-count]").innerText()).toBe("3");
  await page.locator("h1").click();
  await page.keyboard.press("Tab");
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  expect(await page.locator("[data-count]").innerText()).toBe("4");
  await page.locator("[data-choose-all]").click();
  expect(await page.locator("[data-count]").innerText()).toBe("9");
  await page.locator("[data-choose-all]").click();
  expect(await page.locator(".bulk-bar").isVisible()).toBe(false);
});

test("the file has all that match, whichever page it is asked from", async () => {
  await using visitor = await visit();
  await visitor.goto(`${LIST}?status=active`);
  const download = visitor.page.waitForEvent("download");
  await visitor.page.click("a[download]");
  const text = await Bun.file(await (await download).path()).text();
  expect(text.trimEnd().split("\r\n")).toHaveLength(6);
  expect(text).toContain(
    "2,Joseph Mwangi,user2,'+1 555 0142,active,Home 1,2030-01-25 12:00:00,0,refused,Hill-3",
  );
});

async function fillNewcomer({ page }: ConsoleBrowser | PlainVisitor): Promise<void> {
  await page.fill("#name", "Amara Okafor");
  await page.fill("#mobile_number", "+1 555 0777");
  await page.fill("#nic_number", "77 014 283");
  await page.selectOption("#nas_id", "1");
  await page.selectOption("#package_id", "2");
}

describe.each(ways)("signing up %s", (_, isPlain) => {
  const visit = () => (isPlain ? plain() : ConsoleBrowser.signedIn(browser, site, ADA));

  test("one form: refused where something is wrong with nothing lost, then the sheet", async () => {
    await using visitor = await visit();
    const { page } = visitor;
    await visitor.goto("/console/sign-up");
    await fillNewcomer(visitor);
    const password = await page.inputValue("#password");
    await page.fill("#mobile_number", "+1 555 0142");
    if (isPlain) await page.fill("#amount", "22.00");
    else {
      await page.getByText("is taken by Joseph Mwangi").waitFor();
      expect(await page.inputValue("#username")).toBe("amara.okafor2");
      expect(await page.inputValue("#amount")).toBe("22.00");
    }
    await visitor.submit("#sign-up .button.solid");
    expect(await page.locator("#mobile_number-fault").innerText()).toBe("is taken by another subscriber");
    expect(await page.inputValue("#nic_number")).toBe("77 014 283");
    expect(await page.inputValue("#password")).toBe(password);
    expect(count("payments")).toBe(0);
    await page.fill("#mobile_number", "+1 555 0777");
    await visitor.submit("#sign-up .button.solid");
    expect(await visitor.heading()).toBe("Amara Okafor is signed up");
    expect(await page.locator(".welcome .credential").allInnerTexts()).toEqual(["amara.okafor2", password]);
    const sheet = await page.locator(".welcome .paper").innerText();
    expect(sheet).toMatch(/Welcome to[\s\S]*Package[\s\S]*Speed, down and up\s+\d+ \/ \d+ Mbit\/s/);
    expect(await page.locator(".welcome svg.qr").isVisible()).toBe(true);
    expect(await visitor.text()).toContain("receipt R-2030-000001");
    expect(page.url()).toEndWith("/console/sign-up");
    if (visitor instanceof ConsoleBrowser) {
      await visitor.expectToFit();
      await visitor.expectAccessible();
      await visitor.page.emulateMedia({ media: "print" });
      const shown = visitor.page.locator("main, .paper");
      const [main = 0, paper = 0] = await shown.evaluateAll((all) => all.map((one) => one.clientWidth));
      expect(paper).toBeGreaterThan(main * 0.9); // the sheet has the width of its page
      await visitor.page.emulateMedia({ media: null });
    }
    await page.reload(); // sends the form once more
    expect(await visitor.heading()).toBe("Amara Okafor is signed up");
    expect([count("payments"), count("subscribers")]).toEqual([1, 11]);
    expect(app.lines.join("")).not.toContain(password);
  });
});

test("who may not take money signs up without it, and who may not sign up is shown no way to", async () => {
  const { $client } = app.db;
  await using desk = await PlainVisitor.signedIn(site, "sal:secret-1");
  await desk.goto(LIST);
  expect(await desk.page.getByRole("link", { name: "Sign up" }).count()).toBe(0);
  expect((await desk.goto("/console/sign-up")).status()).toBe(403);
  expect(await desk.page.locator("#people th.of-balance").count()).toBe(0);
  $client.run(
    "INSERT INTO role_permissions (role_code, flag, value) VALUES (1, 'subscriber_add', 1) ON CONFLICT DO UPDATE SET value = 1",
  );
  await desk.goto("/console/sign-up");
  expect(await desk.page.locator("#amount, [name=activate]").count()).toBe(0);
  await fillNewcomer(desk);
  await desk.page.click(".folded summary");
  await desk.page.selectOption("#salesperson_id", "1");
  await desk.submit("#sign-up .button.solid");
  expect(await desk.text()).toContain("the line is not open yet");
});

test("names are text, whatever they look like", async () => {
  app.db.$client.run(
    `UPDATE subscribers SET name = '<img src=x onerror=alert(1)>', username = '"><script>', box_number = '</td>' WHERE id = 1`,
  );
  await using visitor = await visit();
  const { page } = visitor;
  await visitor.goto(LIST);
  expect((await namesIn(visitor)).join()).toContain("<img src=x onerror=alert(1)>");
  await page.fill("#search", "<img");
  await page.waitForSelector("#found .hit mark");
  expect(await page.locator("img[src=x]").count()).toBe(0);
});
