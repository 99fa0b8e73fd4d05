import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser } from "playwright-core";
import { pages } from "../../src/handbook/pages.ts";
import { startChromium } from "../support/chromium.ts";
import { by } from "../support/isp.ts";
import { createSubscriber } from "../../src/domain/goods/subscribers/create.ts";
import { ConsoleBrowser, consoleSite, type ConsoleSite } from "../support/console-browser.ts";
import { consoleWorld } from "../support/console-world.ts";
import { callers, sam, type Tenants } from "../support/tenants.ts";
import { actsOf, walk, type Walk } from "../support/walked-page.ts";

/* The steps of the task pages are walked as they stand there, from Today on, on one appliance: what is typed is data, what is seen at the end is told. */

setDefaultTimeout(300_000); // a busy machine is no failure

let browser: Browser;
let app: Tenants;
let site: ConsoleSite;
let operator: ConsoleBrowser;
let admin: ConsoleBrowser;
beforeAll(async () => {
  [browser, app] = await Promise.all([startChromium(), consoleWorld()]);
  createSubscriber(app.db, by, sam, { now: app.clock.now });
  site = consoleSite(app);
  admin = await ConsoleBrowser.signedIn(browser, site, callers.admin);
  operator = await ConsoleBrowser.signedIn(browser, site, callers.operator);
  for (const { page } of [admin, operator]) page.setDefaultTimeout(30_000);
});
afterAll(async () => {
  await admin[Symbol.asyncDispose]();
  await operator[Symbol.asyncDispose]();
  await browser.close();
  await site.close();
  app[Symbol.dispose]();
});

interface Way extends Walk {
  readonly byOperator?: boolean;
  /** What the page shows when all is done. */
  readonly ends: string | RegExp;
}

/** What the reader chooses, who knows the name. */
const choose = (name: string) => async () => {
  const { page } = admin;
  await page
    .locator(`:is(#content, dialog[open]) a:visible:has-text(${JSON.stringify(name)})`)
    .first()
    .click();
  await page.waitForLoadState();
};

const typed = (values: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(values).map(([at, value]) => [at, () => value]));

const BANK = "Date;Amount;Text;Payer\n15.01.2030;15,00;user1;User 1\n";

const ways: Readonly<Record<string, Way>> = {
  "take-payments": {
    typed: typed({ "1.2": "sam", "2.1": "20" }),
    before: { "2.1": choose("Sam") },
    ends: /taken, renewed/,
  },
  "extend-and-change": {
    typed: typed({ "2.1": "2d", "2.2": "cable cut" }),
    before: { "1.2": choose("User 1") },
    ends: "Extended until",
  },
  "print-cards": {
    typed: typed({ "2.1": "roll-80", "2.2": "1" }),
    before: { "1.2": choose("0001") },
    ends: "Batch 0001, cards 001 to 012",
  },
  "close-the-day": { typed: typed({ "2.1": "6" }), ends: "Your day is closed" },
  "staff-and-roles": {
    typed: typed({ "2.1": "Nia", "2.2": "nia", "2.3": "1" }),
    ends: "has an account",
  },
  "add-router": { typed: typed({ "2.1": "north", "2.2": "10.0.9.1" }), ends: "/radius add" },
  "address-pools": {
    typed: typed({ "2.1": "north", "2.2": "10.30.0.2-10.30.0.9" }),
    ends: "north was added",
  },
  "message-channels": { ends: "The rules are there and on." },
  "message-rules": {
    typed: typed({ "2.1": "Soon over", "2.2": "subscriber", "2.3": "thanks" }),
    ends: "The rule is there.",
  },
  "payments-that-wait": {
    typed: typed({ "1.4": BANK }),
    ends: "One line was taken.",
  },
  "sign-in": { typed: typed({ "2.2": "" }), before: { "2.1": choose("Max") }, ends: "It is shown this once" },
  branding: { typed: typed({ "2.1": "In cash at 3 Quay Street" }), ends: "The branding is saved" },
  "back-up": {
    byOperator: true,
    // one is made at a time, and none is tried meanwhile
    before: { "2.1": async () => app.backups.ended },
    ends: "The trial restore has begun",
  },
  "packages-and-roles": {
    typed: typed({ "1.3": "Home 50", "1.4": "30", "2.4": "Till", "2.5": "clerk" }),
    before: { "2.1": () => admin.page.locator("h1", { hasText: "Home 50" }).waitFor() },
    ends: "The role Till is there",
  },
};

test.each(Object.entries(ways))(
  "%s is walked by its steps",
  async (slug, { byOperator = false, ends, ...way }) => {
    const visitor = byOperator ? operator : admin;
    await visitor.goto("/console");
    await walk(visitor.page, slug, way);
    await visitor.page.locator("body", { hasText: ends }).waitFor();
  },
);

test("every page with steps in the console is walked", () => {
  const walked = new Set([...Object.keys(ways), "first-subscriber"]);
  const left = pages().filter(({ slug }) => actsOf(slug).length > 0 && !walked.has(slug));
  expect(left.map(({ slug }) => slug)).toEqual([]);
});
