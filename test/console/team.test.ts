import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, BrowserContextOptions } from "playwright-core";
import type { Db } from "../../db/open.ts";
import { flagNames as flagsOfStore } from "../../src/domain/machine/imports/data-set/roles.ts";
import { permissions } from "../../src/domain/core/actor/permissions.ts";
import { flagNames } from "../../src/http/console/parts/flags.ts";
import { starters } from "../../src/http/console/pages/team/starters.ts";
import { en } from "../support/words.ts";
import { startChromium } from "../support/chromium.ts";
import { ConsoleBrowser, consoleSite, type ConsoleSite, soon } from "../support/console-browser.ts";
import { PlainVisitor } from "../support/plain-visitor.ts";
import { callers, type Tenants, withTenants } from "../support/tenants.ts";
import { crossed } from "../support/runs.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await startChromium();
});
afterAll(() => browser.close());

class World implements Disposable {
  readonly app: Tenants;
  readonly site: ConsoleSite;

  constructor(app: Tenants) {
    this.app = app;
    this.site = consoleSite(app);
  }

  get db(): Db {
    return this.app.db;
  }

  [Symbol.dispose]() {
    void this.site.close();
    this.app[Symbol.dispose]();
  }
}

/** Subscriber 1 lives in East, Riverton; 2 left, and lived there. */
async function world(): Promise<World> {
  const here = new World(await withTenants());
  here.db.$client.run("UPDATE subscribers SET city_id = 1, area_id = 1 WHERE id IN (1, 2)");
  here.db.$client.run("UPDATE subscribers SET archived_at = created_at WHERE id = 2");
  return here;
}

const wide = { viewport: { width: 1440, height: 900 } };
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };
/** What is pressed is the same on both, and what fits a phone fits a desk. */
const mouseOrPhone = crossed<[how: string, options: BrowserContextOptions]>(
  [["on a phone", phone]],
  [["by mouse", wide]],
);
const PLACES = "/console/settings/places";
const STAFF = "/console/settings/staff";
const ROLES = "/console/settings/roles";

const names = ({ db }: World, table: string) =>
  db.$client
    .query<{ name: string }, []>(`SELECT name FROM ${table} WHERE isp_id = 1 ORDER BY id`)
    .all()
    .map(({ name }) => name);
const flagsOf = ({ db }: World, code: number) =>
  db.$client
    .query<{ flag: string }, [number]>(
      "SELECT flag FROM role_permissions WHERE role_code = ? AND value = 1 ORDER BY flag",
    )
    .all(code)
    .map(({ flag }) => flag);
const actions = ({ db }: World) =>
  db.$client
    .query<{ action: string }, []>(
      "SELECT action FROM audit_entries WHERE action NOT LIKE '%sign_in' AND source <> 'cli' ORDER BY id",
    )
    .all()
    .map(({ action }) => action);

/** A form was answered with what is wrong with it, which the browser reports. */
function refused({ complaints }: ConsoleBrowser): void {
  expect(complaints.splice(0).map((one) => one.slice(0, 3))).toEqual(["422"]);
}

describe("places", () => {
  test.each(mouseOrPhone)("are added, renamed and removed beside the tree %s", async (_, options) => {
    using here = await world();
    await using ada = await ConsoleBrowser.signedIn(browser, here.site, callers.admin, options);
    const { page } = ada;
    await ada.goto(PLACES);
    expect(await page.innerText(".place-tree tbody")).toMatch(/Riverton\s+1[^]*East\s+1[^]*Block 4\s+0/);
    await page.click("[aria-label='Add area in Riverton']");
    await page.fill("#drawer #name", "Mill Lane");
    expect(await page.inputValue("#drawer #within")).toBe("1");
    await page.click("#drawer button.solid");
    await page.waitForSelector(".place-tree :text('Mill Lane')");
    await page.click("[aria-label='Edit Mill Lane']");
    await page.fill("#drawer #name", "Mill Road");
    await page.click("#drawer button.solid");
    await page.waitForSelector(".place-tree :text('Mill Road')");
    await ada.expectToFit();
    await page.click("[aria-label='Remove Mill Road']");
    await page.waitForSelector("#drawer button.danger");
    await page.click("#drawer button.danger");
    await page.waitForSelector(".place-tree :text('Mill Road')", { state: "detached" });
    expect(names(here, "areas")).toEqual(["East"]);
    expect(actions(here).slice(-3)).toEqual(["area.create", "area.update", "area.delete"]);
  });

  test("by keyboard alone: an area is added, renamed, moved and removed, and the focus stays where one is", async () => {
    using here = await world();
    here.db.$client.run("INSERT INTO cities (id, isp_id, name) VALUES (3, 1, 'Lakeside')");
    await using ada = await ConsoleBrowser.signedIn(browser, here.site, callers.admin);
    const { page } = ada;
    const { keyboard } = page;
    const focused = () =>
      page.evaluate<string>(
        "document.activeElement.getAttribute('aria-label') ?? (document.activeElement.id || document.activeElement.innerText)",
      );
    /** The focus moves a moment after what it moves to is there. */
    const hasFocus = (name: string) => soon(async () => (await focused()) === name);
    /** Tabs on until something has the focus, as somebody does who reads along. */
    const tabTo = async (name: string) => {
      for (let press = 0; press < 80 && (await focused()) !== name; press++) await keyboard.press("Tab");
      expect(await focused()).toBe(name);
    };
    const opened = () => page.waitForSelector("#drawer[open] form");
    const closed = () => page.waitForSelector("#drawer[open]", { state: "detached" });
    await ada.goto(PLACES);
    await tabTo("Add area in Riverton");
    await keyboard.press("Enter");
    await opened();
    expect(await hasFocus("name")).toBe(true);
    await keyboard.type("Mill Lane");
    await keyboard.press("Enter");
    await page.waitForSelector(".place-tree :text('Mill Lane')");
    await closed();
    expect(await hasFocus("Add area in Riverton")).toBe(true);
    await tabTo("Edit Mill Lane");
    await keyboard.press("Enter");
    await opened();
    expect(await hasFocus("name")).toBe(true);
    await keyboard.type("Mill Road"); // the name is chosen, so that typing takes its place
    await tabTo("within");
    await keyboard.press("L");
    await tabTo("Save");
    await keyboard.press("Enter");
    await page.waitForSelector(".place-tree :text('Mill Road')");
    await closed();
    expect(await page.innerText(".place-tree tbody")).toMatch(/Lakeside[^]*Mill Road[^]*Riverton/);
    await tabTo("Remove Mill Road");
    await keyboard.press("Enter");
    await opened();
    await keyboard.press("Escape");
    await closed();
    expect(await hasFocus("Remove Mill Road")).toBe(true);
    await keyboard.press("Enter");
    await opened();
    await page.focus("#drawer button.danger");
    await keyboard.press("Enter");
    await page.waitForSelector(".place-tree :text('Mill Road')", { state: "detached" });
    expect(names(here, "areas")).toEqual(["East"]);
  });

  test("what stands in the way of removing one is said, with the ways to it", async () => {
    using here = await world();
    await using ada = await ConsoleBrowser.signedIn(browser, here.site, callers.admin);
    const { page } = ada;
    await ada.goto(PLACES);
    await page.click("[aria-label='Remove East']");
    const text = await page.innerText("#drawer section.stack");
    expect(text).toContain("Subareas in it: 1. Move or remove them first.");
    expect(text).toContain("1 subscriber lives there: move them first.");
    expect(text).toContain("1 who left had it");
    expect(await page.locator("#drawer .drawer-foot button").count()).toBe(0);
    const loaded = page.waitForEvent("load");
    await page.click("#drawer section.stack a:has-text('See them')");
    await loaded;
    expect(await page.innerText(".people tbody")).toContain("user1");
    expect(await ada.text()).toMatch(/Area\s+East/);
  });

  test("an area moves to another city, without a script", async () => {
    using here = await world();
    here.db.$client.run("INSERT INTO cities (id, isp_id, name) VALUES (3, 1, 'Lakeside')");
    await using ada = await PlainVisitor.signedIn(here.site, callers.admin);
    await ada.goto(PLACES);
    await ada.submit("[aria-label='Edit East']");
    await ada.page.selectOption("#within", { label: "Lakeside" });
    await ada.submit(".drawer-page button.solid");
    expect(await ada.text()).toContain("East is saved");
    expect(await ada.page.innerText(".place-tree tbody")).toMatch(/Lakeside[^]*East[^]*Riverton/);
    await ada.goto(`${PLACES}/new?kind=city&isp=1`);
    await ada.page.fill("#name", " ");
    await ada.submit(".drawer-page button.solid");
    expect(await ada.page.innerText(".fault")).not.toBe("");
  });

  test("two thousand are bounded, found by a part of the name, and below what they lie in", async () => {
    using here = await world();
    const { $client } = here.db;
    $client.run(
      `WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 2099)
       INSERT INTO areas (isp_id, city_id, name) SELECT 1, 1, 'Area ' || i FROM n`,
    );
    await using ada = await PlainVisitor.signedIn(here.site, callers.admin);
    const { page } = ada;
    await ada.goto(PLACES);
    expect(await page.locator(".place-tree tbody tr").count()).toBe(200);
    expect(await page.innerText(".pages")).toContain("1 to 200 of 2,003");
    await ada.submit(".pages a:has-text('Next')");
    expect(await page.locator(".place-tree tbody tr").first().innerText()).toContain("Riverton");
    expect(await page.locator(".place-tree tbody tr").count()).toBe(201);
    await page.fill(".card-aside form input[name=q]", "AREA 1234");
    await ada.submit(".card-aside form button");
    expect(await page.innerText(".place-tree tbody")).toMatch(/^\s*Riverton[^]*Area 1234/);
    expect(await page.locator(".place-tree tbody tr").count()).toBe(2);
  });

  test("the operator chooses the ISP and adds one; a branch's account reads", async () => {
    using here = await world();
    await using box = await ConsoleBrowser.signedIn(browser, here.site, callers.operator);
    await box.goto(PLACES);
    await box.page.click(".segments a:has-text('Southlink')");
    await box.page.waitForURL(/isp=2/);
    expect(await box.page.innerText(".place-tree tbody")).toContain("Hilton");
    await box.page.click("a:has-text('Add an ISP')");
    await box.page.fill("#drawer #name", "Eastlink");
    await box.page.click("#drawer button.solid");
    await box.page.waitForSelector(".rows li :text('Eastlink')");
    await using mia = await ConsoleBrowser.signedIn(browser, here.site, callers.branch);
    await mia.goto(PLACES);
    expect(await mia.text()).toContain("an account of one branch");
    expect(await mia.page.locator(".place-tree td .button, main a.solid").count()).toBe(0);
    expect(await mia.page.innerText("main")).not.toContain("Harbour");
    expect((await mia.goto(`${PLACES}/new?kind=area`))?.status()).toBe(403);
  });
});

describe("staff", () => {
  test.each(mouseOrPhone)("an account is added with a password that is shown once %s", async (_, options) => {
    using here = await world();
    await using ada = await ConsoleBrowser.signedIn(browser, here.site, callers.admin, options);
    const { page } = ada;
    await ada.goto(STAFF);
    await page.click("main a.solid");
    await page.fill("#drawer #name", "Grace");
    await page.fill("#drawer #username", "ada");
    await page.selectOption("#drawer #role_code", { label: "Spare" });
    await page.click("#drawer button.solid");
    await page.waitForSelector("#drawer .fault");
    expect(await page.innerText("#drawer .fault")).toBe("Is taken by another account.");
    refused(ada);
    await page.fill("#drawer #username", "grace");
    await page.click("#drawer button.solid");
    await page.waitForSelector("#drawer .once");
    const password = await page.innerText("#drawer .once");
    await ada.expectToFit();
    await using grace = await ConsoleBrowser.open(browser, here.site);
    await grace.goto("/console/sign-in");
    await grace.signIn("grace", password);
    expect(await grace.heading()).toBe("Today");
    await ada.goto(`${STAFF}?q=grace`);
    expect(await page.innerText(".staff-table tbody")).toMatch(/Grace grace[^]*Staff[^]*Spare/);
  });

  test("what somebody did lately stands in sentences, and all of it is one press away", async () => {
    using here = await world();
    await using ada = await PlainVisitor.signedIn(here.site, callers.admin);
    await ada.goto(`${STAFF}/1`);
    expect(await ada.text()).toContain("Signed in to the console, Ada");
    await ada.submit("a[href='/console/trail?staff_id=1']");
    expect(await ada.heading()).toBe("Trail");
    expect(await ada.page.locator(".trail-entry").count()).toBeGreaterThan(0);
  });

  test("by keyboard alone: a new password, which ends their sessions", async () => {
    using here = await world();
    await using mia = await ConsoleBrowser.signedIn(browser, here.site, callers.branch);
    await using ada = await ConsoleBrowser.signedIn(browser, here.site, callers.admin);
    const { page } = ada;
    await ada.goto(`${STAFF}/4`);
    expect(await page.innerText(".session")).toContain("last seen");
    await page.focus("a:has-text('New password')");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#drawer #password");
    await page.focus("#drawer #password");
    await page.keyboard.type("short");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#drawer .fault");
    refused(ada);
    await page.fill("#drawer #password", "long-enough-9");
    await page.focus("#drawer #password");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".toast.good");
    expect(await page.innerText(".toast.good")).toContain("Mia has a new password");
    await page.waitForSelector(":text('Nobody is signed in with this account.')");
    await mia.goto("/console");
    expect(mia.page.url()).toContain("/console/sign-in");
  });

  test("without a script: disabled, enabled, a second factor reset, sessions ended, the last Admin kept", async () => {
    using here = await world();
    here.db.$client.run("UPDATE staff SET totp_secret = x'00' WHERE id = 6");
    await using mia = await ConsoleBrowser.signedIn(browser, here.site, callers.branch);
    await using ada = await PlainVisitor.signedIn(here.site, callers.admin);
    await ada.goto(`${STAFF}/4`);
    await ada.submit(".session button");
    expect(await ada.text()).toContain("1 session has ended");
    await ada.submit("a:has-text('Disable')");
    await ada.submit(".drawer-page button.danger");
    expect(await ada.text()).toContain("Mia is kept out");
    await ada.submit("button:has-text('Enable')");
    expect(await ada.text()).toContain("Mia may sign in again");
    await ada.goto(`${STAFF}/6`);
    await ada.submit("a:has-text('Reset second factor')");
    await ada.submit(".drawer-page button.danger");
    expect(await ada.text()).toContain("Nil has no second factor any more");
    await ada.goto(`${STAFF}/1/edit`);
    await ada.page.selectOption("#profile_type", "2");
    await ada.submit(".drawer-page button.solid");
    expect(await ada.page.innerText(".note")).toContain("is the last Admin of the ISP");
    await ada.goto(`${STAFF}/1/disable`);
    await ada.submit(".drawer-page button.danger");
    expect(await ada.page.innerText(".note")).toContain("Nobody disables the own account");
    await mia.goto("/console");
    expect(mia.page.url()).toContain("/console/sign-in");
    expect(actions(here)).toEqual([
      ...["staff.console_end", "staff.status", "staff.status", "staff.second_factor_off"],
    ]);
  });

  test("a Reseller's limit is set where it belongs, and goes with the kind", async () => {
    using here = await world();
    await using ada = await PlainVisitor.signedIn(here.site, callers.admin);
    await ada.goto(`${STAFF}/3/edit`);
    await ada.page.fill("#credit_limit", "50");
    await ada.submit(".drawer-page button.solid");
    await ada.goto(`${STAFF}?kind=3`);
    expect(await ada.page.innerText(".staff-table tbody")).toMatch(/Rob rob\s+Reseller[^]*50\.00/);
    await ada.goto(`${STAFF}/3/edit`);
    await ada.page.selectOption("#profile_type", "2");
    await ada.submit(".drawer-page button.solid");
    expect(await ada.text()).toContain("Rob is saved");
    expect(here.db.$client.query("SELECT credit_limit FROM staff WHERE id = 3").get()).toEqual({
      credit_limit: 0,
    });
  });

  test("who may do less sees no buttons, and is refused in words", async () => {
    using here = await world();
    here.db.$client.run("UPDATE staff SET branch_id = 11, role_code = 1 WHERE id = 6");
    here.db.$client.run("UPDATE staff SET branch_id = 11 WHERE id = 7");
    await using mia = await PlainVisitor.signedIn(here.site, callers.branch);
    await mia.goto(`${STAFF}/7`);
    expect(await mia.page.locator("main .page-head .actions *").count()).toBe(0);
    await mia.goto(`${STAFF}/7/edit`);
    await mia.submit(".drawer-page button.solid");
    expect(await mia.page.innerText(".note")).toContain("Only an Admin can do this to an Admin");
    expect((await mia.goto(`${STAFF}/5`))?.status()).toBe(404);
  });

  test("what somebody may do is said in pages, actions and money", async () => {
    using here = await world();
    here.db.$client.run("UPDATE staff SET role_code = 4 WHERE id = 6");
    await using ada = await PlainVisitor.signedIn(here.site, callers.admin);
    await ada.goto(`${STAFF}/6/may`);
    expect(await ada.page.innerText(".sentence")).toBe(en.team.may.nothing);
    expect(await ada.text()).toContain(en.team.may.noMoney);
    await ada.goto(`${STAFF}/2/may`);
    expect(await ada.page.innerText(".sentence")).toStartWith("Works with subscribers, lines, money,");
    expect(await ada.text()).toContain("Of the own subscribers alone.");
  });
});

describe("roles", () => {
  test.each(mouseOrPhone)("what ticks change is said before it is saved %s", async (_, options) => {
    using here = await world();
    await using ada = await ConsoleBrowser.signedIn(browser, here.site, callers.admin, options);
    const { page } = ada;
    await ada.goto(`${ROLES}/2`);
    await page.check("input[value=payment_view]");
    await page.uncheck("input[value=api_access]");
    await page.waitForSelector("#changes :text('will no longer')");
    const text = await page.innerText("#changes");
    expect(text).toContain("Idle (1 person) will see payments.");
    expect(text).toContain("Idle (1 person) will no longer use the API.");
    await ada.expectToFit();
    await ada.submit("#changes button.solid");
    expect(await ada.text()).toContain("2 permissions changed");
    expect(flagsOf(here, 2)).toEqual(["payment_view"]);
  });

  test("without a script nothing is saved that was not read, nor of a role that has changed since", async () => {
    using here = await world();
    await using ada = await PlainVisitor.signedIn(here.site, callers.admin);
    const { page } = ada;
    await ada.goto(`${ROLES}/2`);
    await page.check("input[value=payment_view]");
    await ada.submit("#changes button");
    expect(await page.innerText("#changes")).toContain("Idle (1 person) will see payments.");
    expect(flagsOf(here, 2)).toEqual(["api_access"]);
    here.db.$client.run("INSERT INTO role_permissions VALUES (2, 'wallet_adjust', 1)");
    await ada.submit("#changes button");
    expect(await page.innerText("#changes")).toContain("will no longer correct wallets");
    expect(flagsOf(here, 2)).toEqual(["api_access", "wallet_adjust"]);
    await page.check("input[value=wallet_adjust]");
    await ada.submit("#changes button");
    await ada.submit("#changes button");
    expect(flagsOf(here, 2)).toEqual(["api_access", "payment_view", "wallet_adjust"]);
  });

  test("what one lacks is not one's to give, whatever is sent", async () => {
    using here = await world();
    here.db.$client.run("UPDATE staff SET role_code = 2 WHERE id = 6");
    for (const flag of ["role_view", "role_manage", "setting_manage"])
      here.db.$client.query("INSERT INTO role_permissions VALUES (2, ?, 1)").run(flag);
    await using nil = await ConsoleBrowser.signedIn(browser, here.site, callers.noFlag);
    const { page } = nil;
    await nil.goto(`${ROLES}/4`);
    expect(await page.isDisabled("input[value=wallet_adjust]")).toBe(true);
    expect(await page.innerText("label:has(input[value=wallet_adjust])")).toContain("Not yours to give");
    await page.evaluate("for (const box of document.querySelectorAll('.flag input')) box.disabled = false");
    await page.check("input[value=wallet_adjust]");
    await page.check("input[value=setting_manage]");
    await page.waitForSelector("#changes :text('change settings')");
    expect(await page.innerText("#changes")).not.toContain("wallets");
    await nil.submit("#changes button.solid");
    expect(flagsOf(here, 4)).toEqual(["setting_manage"]);
  });

  test("by keyboard alone: made from a starter, copied, renamed, a second factor needed, deleted", async () => {
    using here = await world();
    await using ada = await ConsoleBrowser.signedIn(browser, here.site, callers.admin);
    const { page } = ada;
    const pressOn = async (what: string) => {
      await page.focus(what);
      const loaded = page.waitForEvent("load");
      await page.keyboard.press("Enter");
      await loaded;
    };
    await ada.goto(`${ROLES}/new?like=clerk`);
    await page.focus("#name");
    await pressOn("#name");
    expect(await ada.heading()).toBe("Clerk");
    expect(flagsOf(here, 5)).toContain("payment_take");
    await ada.goto(`${ROLES}/5/copy`);
    await pressOn("#name");
    expect(await ada.heading()).toBe("Clerk, copy");
    expect(flagsOf(here, 6)).toEqual(flagsOf(here, 5));
    await page.focus("button:has-text('Need it')");
    await page.keyboard.press("Enter");
    await page.waitForSelector("button:has-text('Need it no more')");
    await ada.goto(`${ROLES}/6/delete`);
    await pressOn(".drawer-page button.danger");
    expect(await ada.text()).toContain("The role Clerk, copy is gone");
    await ada.goto(`${ROLES}/1/delete`);
    expect(await ada.text()).toContain("4 people have this role: give them another one first.");
    expect(await page.locator(".drawer-page button.danger").count()).toBe(0);
  });

  test("an ISP without any begins with those that most have", async () => {
    using here = await world();
    here.db.$client.run("DELETE FROM roles WHERE isp_id = 2");
    await using sue = await ConsoleBrowser.signedIn(browser, here.site, callers.otherTenant, phone);
    await sue.goto(ROLES);
    expect(await sue.page.locator(".starters li").count()).toBe(starters.length);
    await sue.expectToFit();
    await sue.page.click(".starters li:has-text('Technician') a");
    expect(await sue.page.inputValue("#drawer #name")).toBe("Technician");
    await sue.submit("#drawer button.solid");
    expect(await sue.heading()).toBe("Technician");
  });
});

describe("permissions", () => {
  test("each that an operation needs, and each of the store, has its words and a place among the others", async () => {
    using here = await world();
    const needed = Object.values(permissions).filter((flag) => typeof flag === "string");
    const known = new Set([...needed, ...flagsOfStore(here.db)]);
    expect([...new Set<string>(flagNames)].sort()).toEqual([...known].sort());
    expect(Object.keys(en.team.flags).sort()).toEqual([...flagNames].sort());
    expect(new Set(flagNames).size).toBe(flagNames.length);
  });
});
