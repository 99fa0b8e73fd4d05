import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, BrowserContextOptions } from "playwright-core";
import { readBalance } from "../../src/domain/core/amounts/balance.ts";
import { printedCode } from "../../src/domain/goods/codes/codes.ts";
import { reprintCard } from "../../src/domain/service/cards/print.ts";
import { fillCards } from "../support/cards.ts";
import { startChromium } from "../support/chromium.ts";
import { ConsoleBrowser, consoleSite, type ConsoleSite } from "../support/console-browser.ts";
import { by } from "../support/isp.ts";
import { callers, type Tenants, withTenants } from "../support/tenants.ts";
import { PlainVisitor } from "../support/plain-visitor.ts";
import { crossed } from "../support/runs.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await startChromium();
});
afterAll(() => browser.close());

interface World extends Disposable {
  readonly app: Tenants;
  readonly site: ConsoleSite;
}

async function world(fills = true): Promise<World> {
  const app = await withTenants();
  app.db.$client.run(
    "UPDATE packages SET name = 'Hotspot', price = 100, duration = 1, duration_unit = 'hour' WHERE id = 1",
  );
  if (fills) fillCards(app.db, app.clock.now);
  const site = consoleSite(app);
  return {
    app,
    site,
    [Symbol.dispose]() {
      void site.close();
      app[Symbol.dispose]();
    },
  };
}

const wide = { viewport: { width: 1440, height: 900 } };
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };
/** What is pressed is the same on both, and what fits a phone fits a desk. */
const mouseOrPhone = crossed<[how: string, options: BrowserContextOptions]>(
  [["on a phone", phone]],
  [["by mouse", wide]],
);

const batches = ({ app }: World) =>
  app.db.$client
    .query<{ id: number; quantity: number; reseller: number | null; cards: number }, []>(
      "SELECT id, quantity, reseller_id AS reseller, (SELECT count(*) FROM cards WHERE batch_id = b.id) AS cards FROM card_batches b ORDER BY id",
    )
    .all();
const cardOf = ({ app }: World, id: number) =>
  app.db.$client
    .query<{ state: string; lockedMac: string | null; paid: number | null }, [number]>(
      `SELECT state, locked_mac AS lockedMac, (SELECT amount FROM payments p WHERE p.card_id = c.id AND p.reversed_at IS NULL) AS paid FROM cards c WHERE id = ?`,
    )
    .get(id);

describe("a batch is made", () => {
  test.each(mouseOrPhone)(
    "%s: the sentence follows what is typed, and what it says is made",
    async (_, options) => {
      using here = await world(false);
      here.app.db.$client.run("UPDATE staff SET credit_limit = 1000000 WHERE id = 2");
      await using staff = await ConsoleBrowser.signedIn(browser, here.site, callers.admin, options);
      const { page } = staff;
      await staff.goto("/console/cards");
      expect(await page.innerText("#content")).toContain("No cards yet");
      await page.click("#content a.solid");
      await page.waitForURL("**/cards/new");
      expect(await page.innerText("#told .strong")).toMatch(
        /^100 cards of 1 hour, from the first login, one device, \S+1\.00 each; the ISP holds them, worth \S+100\.00 in all\.$/,
      );
      await page.fill("#quantity", "210");
      await page.selectOption("#reseller_id", "2");
      await page.fill("#reseller_price", "0.80");
      await page.selectOption("#charge_on", "handover");
      await page.getByText(/Rex’s wallet pays \S*168\.00 now/).waitFor();
      await staff.expectToFit();
      await page.getByRole("button", { name: "Make 210 cards" }).click();
      await page.waitForURL("**/cards/batches/1");
      expect(batches(here)).toEqual([{ id: 1, quantity: 210, reseller: 2, cards: 210 }]);
      expect(readBalance(here.app.db, { staffId: 2 })).toBe(-16_800);
      expect(await page.innerText("#content")).toContain("210 new");
    },
  );

  test("without a script: what was changed is read before it is made, and a double press makes one", async () => {
    using here = await world(false);
    await using staff = await PlainVisitor.signedIn(here.site, callers.admin);
    const { page } = staff;
    await staff.goto("/console/cards/new?kind=refill");
    await page.fill("#quantity", "20");
    await page.fill("#price", "5");
    await staff.submit("#told button.solid");
    expect(batches(here)).toEqual([]);
    expect(await page.innerText("#content")).toContain("Nothing has been made yet");
    expect(await page.innerText("#told .strong")).toMatch(
      /^20 cards of \S*5\.00 for a wallet; the ISP holds them/,
    );
    const form = page.sent("#making");
    await page.click("#told button.solid");
    await page.waitForURL("**/cards/batches/1");
    form.delete("needs_sale");
    await page.goto("/console/cards/new", { method: "POST", body: form });
    expect(page.url()).toEndWith("/console/cards/batches/1");
    expect(batches(here)).toEqual([{ id: 1, quantity: 20, reseller: null, cards: 20 }]);
  });

  test("by keyboard alone, and faults stand at their fields", async () => {
    using here = await world(false);
    await using staff = await ConsoleBrowser.signedIn(browser, here.site, callers.admin, wide);
    const { page } = staff;
    await staff.goto("/console/cards/new");
    await page.focus("#quantity");
    await page.keyboard.press("Control+a");
    await page.keyboard.type("20000");
    await page.getByText("then it stands here").waitFor();
    await page.keyboard.press("Enter");
    await page.locator("#quantity-fault").waitFor();
    expect(batches(here)).toEqual([]);
    await page.locator("#quantity:focus").waitFor();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("3");
    await page.getByRole("button", { name: "Make 3 cards" }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL("**/cards/batches/1");
    expect(batches(here)).toHaveLength(1);
  });
});

describe("a card is found", () => {
  test.each([
    ["its number", "c-000003"],
    ["what stands on the paper", "0001-003"],
    ["its code", undefined],
  ])("by %s, which stands in no address", async (_, text) => {
    using here = await world();
    const code =
      text ?? reprintCard(here.app.db, by, { id: 3 }, { now: here.app.clock.now }).card.code.toLowerCase();
    await using staff = await ConsoleBrowser.signedIn(browser, here.site, callers.admin, wide);
    const { page } = staff;
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    await staff.goto("/console/cards");
    await page.fill("#card", code);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/cards/3");
    expect(await page.innerText(".verdict h2")).toMatch(
      /^Active since .*, 38m left, .*one device online at /,
    );
    expect(requests.filter((url) => url.toLowerCase().includes(code))).toEqual([]);
    if (text === undefined) expect(await page.content()).not.toContain(code.toUpperCase());
  });

  test.each([
    ["with a script", wide],
    ["on a phone", phone],
  ])("by its code in the one box, %s: one press, and no address has it", async (_, options) => {
    using here = await world();
    const { code } = reprintCard(here.app.db, by, { id: 3 }, { now: here.app.clock.now }).card;
    await using staff = await ConsoleBrowser.signedIn(browser, here.site, callers.admin, options);
    const { page } = staff;
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    await staff.goto("/console");
    await page.keyboard.press("/");
    await page.keyboard.type(printedCode(code).toLowerCase());
    await page.locator("#found").getByText("Find the card with this code").waitFor();
    await staff.expectAccessible();
    await page.keyboard.press("Enter");
    await page.waitForURL("**/cards/3");
    const dashed = printedCode(code).toLowerCase();
    expect(
      requests.filter((url) => [code.toLowerCase(), dashed].some((one) => url.toLowerCase().includes(one))),
    ).toEqual([]);
    await page.keyboard.press("/");
    await page.keyboard.type("nosuchcode7");
    await page.locator("#found").getByText("Find the card with this code").waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL("**/cards/find");
    expect(await page.innerText("#content")).toContain("No card was found");
  });

  test("one that is none is not repeated; the one box finds numbers", async () => {
    using here = await world();
    await using staff = await PlainVisitor.signedIn(here.site, callers.admin);
    const { page } = staff;
    await staff.goto("/console/cards");
    await page.fill("#card", "NOSUCHCODE7");
    await staff.submit("form[action$='/find'] button");
    expect(await page.innerText("#content")).toContain("No card was found");
    expect(await page.content()).not.toContain("NOSUCHCODE7");
    for (const q of ["C-000003", "0001-003"]) {
      await staff.goto(`/console/search?q=${q}`);
      expect(await page.innerText("#content")).toContain("card 0001-003, active");
    }
  });
});

describe("a card", () => {
  test.each([
    ["in a drawer", ({ site }: World) => ConsoleBrowser.signedIn(browser, site, callers.admin, wide)],
    ["without a script", ({ site }: World) => PlainVisitor.signedIn(site, callers.admin)],
  ])("is sold at the desk %s, for money in the till", async (_, open) => {
    using here = await world();
    await using staff = await open(here);
    const { page } = staff;
    await staff.goto("/console/cards/1");
    expect(await page.innerText(".verdict h2")).toBe("New: nobody has bought or used it yet");
    await page.click(".verdict a.solid");
    await page.locator("form[action$='/1/sell'] button.solid").click();
    await page.locator(".toast").first().waitFor();
    expect(await page.innerText("#toasts")).toMatch(/C-000001 is sold for \S*1\.00[^]*Receipt R-/);
    expect(cardOf(here, 1)).toMatchObject({ state: "sold", paid: 100 });
    expect(readBalance(here.app.db, { staffId: 1 })).toBe(0);
  });

  test("lets another device in at a press", async () => {
    using here = await world();
    await using staff = await ConsoleBrowser.signedIn(browser, here.site, callers.admin, wide);
    const { page } = staff;
    await staff.goto("/console/cards/3");
    await page.getByRole("button", { name: "Let another device use it" }).click();
    await page.locator("#toasts .toast").waitFor();
    expect(await page.innerText("#toasts")).toContain("C-000003 is locked to no device any more");
    expect(cardOf(here, 3)?.lockedMac).toBeNull();
  });

  test("that was sold becomes void, and its buyer gets the money back", async () => {
    using here = await world();
    await using staff = await ConsoleBrowser.signedIn(browser, here.site, callers.operator, wide);
    const { page } = staff;
    await staff.goto("/console/cards/2");
    await page.click(".page-head a[href$='/void']");
    const drawer = page.locator("#drawer");
    await drawer.getByText(/Hand \S*1\.00 back to the buyer/).waitFor();
    await drawer.locator("#reason").fill("torn");
    await drawer.locator("button.danger").click();
    await page.locator("#toasts .toast").waitFor();
    expect(cardOf(here, 2)).toMatchObject({ state: "void", paid: null });
    await staff.goto("/console/cards/2");
    expect(await page.innerText(".verdict")).toContain("Reason: torn.");
  });

  test("in use says which sessions end, and refuses without a reason", async () => {
    using here = await world();
    await using staff = await PlainVisitor.signedIn(here.site, callers.admin);
    const { page } = staff;
    await staff.goto("/console/cards/3/void");
    expect(await page.innerText("#content")).toContain("nothing is refunded");
    expect(await page.innerText("#content")).toContain("One session ends, at ");
    await page.click("button.danger");
    await page.locator("#reason-fault").waitFor();
    expect(cardOf(here, 3)?.state).toBe("active");
  });
});

test("a batch becomes void after it was said what that does in money", async () => {
  using here = await world();
  here.app.db.$client.run("UPDATE card_batches SET charge_on = 'handover' WHERE id = 2");
  here.app.db.$client.run("UPDATE cards SET charged_at = 1 WHERE batch_id = 2");
  await using staff = await ConsoleBrowser.signedIn(browser, here.site, callers.admin, wide);
  const { page } = staff;
  await staff.goto("/console/cards/batches/2");
  await page.click(".page-head a[href$='/void']");
  const drawer = page.locator("#drawer");
  await drawer.getByText(/Rex gets \S*16\.00 back into the wallet/).waitFor();
  await drawer.locator("#reason").fill("misprinted");
  await drawer.getByRole("button", { name: "Make 2 cards void" }).click();
  await page.locator("#toasts .toast").waitFor();
  expect(await page.innerText("#toasts")).toMatch(/2 cards are void[^]*Rex got \S*16\.00 back/);
  expect(readBalance(here.app.db, { staffId: 2 })).toBe(1600);
});

test("a batch shows its cards by how they stand, and a file of them without codes", async () => {
  using here = await world();
  await using staff = await ConsoleBrowser.signedIn(browser, here.site, callers.admin, wide);
  const { page } = staff;
  await staff.goto("/console/cards");
  await page.click(".table tr:has-text('0001') a:has-text('1 active')");
  await page.waitForURL("**/batches/1?standing=active");
  expect(await page.locator("tbody tr").allInnerTexts()).toEqual([expect.stringContaining("C-000003")]);
  const file = await page.context().request.get(`${here.site.origin}/console/cards/batches/1/cards.csv`);
  const lines = (await file.text()).trim().split("\n");
  expect(lines).toHaveLength(13);
  const { code } = reprintCard(here.app.db, by, { id: 1 }, { now: here.app.clock.now }).card;
  expect(lines.join("")).not.toContain(code);
});

test("past its days a batch says what nobody bought, what nobody used, and what ended in use", async () => {
  using here = await world();
  const { app } = here;
  app.db.$client.run("UPDATE card_batches SET sell_by = ?1, use_by = ?1 WHERE id = 1", [app.clock.now - 1]);
  await using staff = await ConsoleBrowser.signedIn(browser, here.site, callers.admin, wide);
  const { page } = staff;
  for (const [figure, standing, serials] of [
    ["7 expired unsold", "unsold", [1, 7, 8, 9, 10, 11, 12]],
    ["1 expired after sale", "unused", [2]],
    ["1 ended", "ended", [5]],
  ] as const) {
    await staff.goto("/console/cards");
    await page.click(`.table tr:has-text('0001') a:has-text('${figure}')`);
    await page.waitForURL(`**/batches/1?standing=${standing}`);
    expect(await page.locator(".stock ul").innerText()).toContain(figure);
    expect(await page.locator(".segments [aria-current]").innerText()).toMatch(
      new RegExp(`${serials.length}$`),
    );
    expect(await page.locator("tbody tr td.lead").allInnerTexts()).toEqual(
      serials.map((serial) => `0001-${String(serial).padStart(3, "0")}`),
    );
  }
  await staff.expectAccessible();
});

test("a reseller sees the batches that it holds, sells from them without money, and makes none", async () => {
  using here = await world();
  await using rex = await ConsoleBrowser.signedIn(browser, here.site, callers.reseller, wide);
  const { page } = rex;
  await rex.goto("/console/cards");
  expect(await page.locator(".table tbody tr").count()).toBe(1);
  expect(await page.locator("a[href='/console/cards/new']").count()).toBe(0);
  expect((await rex.goto("/console/cards/1"))?.status()).toBe(404);
  await rex.goto("/console/cards/14");
  await page.click(".verdict a.solid");
  await page.getByText("You keep what you take for it").waitFor();
  await page.locator("#drawer button.solid").click();
  await page.locator("#toasts .toast").waitFor();
  expect(cardOf(here, 14)).toMatchObject({ state: "sold", paid: null });
});

test("who may only see cards sees no button, and a card’s session and decision lead to it", async () => {
  using here = await world();
  here.app.db.$client.run(
    "UPDATE role_permissions SET value = 0 WHERE role_code = 1 AND flag IN ('card_make', 'card_sell', 'card_void')",
  );
  await using mia = await ConsoleBrowser.signedIn(browser, here.site, callers.branch, wide);
  const { page } = mia;
  for (const path of ["/console/cards", "/console/cards/batches/1", "/console/cards/1", "/console/cards/3"]) {
    await mia.goto(path);
    expect(
      await page.locator("#content .page-head :is(.solid, .danger), #content .verdict .button").count(),
    ).toBe(0);
  }
  expect((await mia.goto("/console/cards/new"))?.status()).toBe(403);
  await using ada = await ConsoleBrowser.signedIn(browser, here.site, callers.admin, wide);
  for (const path of ["/console/online", "/console/logins"]) {
    await ada.goto(path);
    await ada.page.click("#content a[href='/console/cards/3']");
    await ada.page.waitForURL("**/cards/3");
  }
});
