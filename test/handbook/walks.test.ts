import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { rmSync } from "node:fs";
import type { Browser } from "playwright-core";
import { openRouter } from "../../src/cli/open-router.ts";
import { createSubscriber } from "../../src/domain/goods/subscribers/create.ts";
import type { NasTools } from "../../src/domain/goods/router-setup/tools.ts";
import { runsFolder } from "../../src/domain/machine/imports/runs/run.ts";
import { writtenLanguages } from "../../src/handbook/files.ts";
import { pages } from "../../src/handbook/pages.ts";
import { loadMessages } from "../../src/http/words/messages.ts";
import { startChromium } from "../support/chromium.ts";
import { ConsoleBrowser, consoleSite, type ConsoleSite } from "../support/console-browser.ts";
import { consoleWorld } from "../support/console-world.ts";
import { FakeConfig } from "../support/fake-routeros-config.ts";
import { by } from "../support/isp.ts";
import { noNasTools } from "../support/routers.ts";
import { isThorough } from "../support/runs.ts";
import { callers, sam, sellTopUps, type Tenants } from "../support/tenants.ts";
import { WatchedRouter } from "../support/watched-router.ts";
import { linesOf, namedOn } from "../support/named-on-page.ts";
import { patternOf, walk } from "../support/walked-page.ts";

/*
 * The steps of the task pages are walked as they stand there, from Today on, on one appliance: what is typed is data, what is seen at the end
 * is told. All are walked in each language of the handbook before a release.
 */

setDefaultTimeout(300_000); // a busy machine is no failure

type Words = ReturnType<typeof loadMessages>;

/** Where a page is walked. */
interface Scene {
  readonly app: Tenants;
  readonly router: WatchedRouter;
  readonly page: ConsoleBrowser["page"];
  readonly words: Words;
}

interface Way {
  readonly byOperator?: boolean;
  /** What is filled in or chosen, by its place. */
  readonly typed?: Readonly<Record<string, string>>;
  /** What the reader chooses or waits for before it. */
  readonly before?: Readonly<Record<string, (scene: Scene) => Promise<unknown>>>;
  /** What the page shows when all is done. */
  readonly ends: (words: Words) => string;
}

/** What the reader chooses, who knows the name. */
const choose =
  (name: string) =>
  async ({ page }: Scene) => {
    await page
      .locator(`:is(#content, dialog[open]) a:visible:has-text(${JSON.stringify(name)})`)
      .first()
      .click();
    await page.waitForLoadState();
  };

const see =
  (text: (words: Words) => string) =>
  ({ page, words }: Scene) =>
    page
      .getByText(new RegExp(patternOf(text(words))))
      .filter({ visible: true })
      .first()
      .waitFor();

const BANK = "Date;Amount;Text;Payer\n15.01.2030;15,00;user1;User 1\n";
const TABLE = `Name,Username,Password,Package,Expires
Lea,lea,pw-lea,Home 1,2030-12-31
Ben,ben,pw-ben,Home 1,2030-12-31
Tom,tom,pw-tom,Home 1,2030-12-31
`;

const ways: Readonly<Record<string, Way>> = {
  "take-payments": {
    typed: { "1.2": "sam", "2.1": "20" },
    before: { "2.1": choose("Sam") },
    ends: ({ pay }) => pay.takenAndRenewed("…"),
  },
  "extend-and-change": {
    typed: { "2.1": "2d", "2.2": "cable cut" },
    before: { "1.2": choose("User 1") },
    ends: ({ subscriber }) => subscriber.said.extended("…"),
  },
  "print-cards": {
    typed: { "2.1": "roll-80", "2.2": "1" },
    before: { "1.2": choose("0001") },
    ends: () => "012",
  },
  "close-the-day": { typed: { "2.1": "6" }, ends: ({ money }) => money.closedWith("…") },
  "staff-and-roles": {
    typed: { "2.1": "Nia", "2.2": "nia", "2.3": "1" },
    ends: ({ team }) => team.staff.created("Nia"),
  },
  "add-router": { typed: { "2.1": "north", "2.2": "10.0.9.1" }, ends: () => "/radius add" },
  "address-pools": {
    typed: { "2.1": "north", "2.2": "10.30.0.2-10.30.0.9" },
    ends: ({ pools }) => pools.added("north"),
  },
  "message-channels": { ends: ({ messageChannels }) => messageChannels.pushRulesDone },
  "message-rules": {
    typed: { "2.1": "Soon over", "2.2": "subscriber", "2.3": "thanks" },
    ends: ({ messageRules }) => messageRules.made,
  },
  "payments-that-wait": { typed: { "1.4": BANK }, ends: ({ bankFiles }) => bankFiles.taken(1) },
  "sign-in": { typed: { "2.2": "" }, before: { "2.1": choose("Max") }, ends: ({ team }) => team.staff.once },
  branding: { typed: { "2.1": "In cash at 3 Quay Street" }, ends: ({ settings }) => settings.branding.saved },
  "back-up": {
    byOperator: true,
    // one is made at a time, and none is tried meanwhile
    before: { "2.1": ({ app }) => app.backups.ended },
    ends: ({ backups }) => backups.trying,
  },
  "payment-providers": {
    typed: { "2.1": "Shop", "2.2": "sk_live_1" },
    ends: ({ paymentSources }) => paymentSources.made("Shop"),
  },
  cards: {
    typed: { "1.3": "12", "1.4": "1.50", "2.2": "1", "2.3": "2", "3.2": "sold twice" },
    before: {
      "1.5": see(({ cardMaking }) => cardMaking.each("…1…50…")),
      "2.4": see(({ cardStrip }) => cardStrip.press("…", cardStrip.cards(2))),
      "3.1": choose("0003-005"),
    },
    ends: ({ card }) => card.voidDone("C-…"),
  },
  "change-settings": { byOperator: true, typed: { "2.1": "Asia/Karachi" }, ends: () => "Asia/Karachi" },
  "fair-use": {
    typed: { "2.1": "200", "2.2": "10", "2.3": "10", "4.1": "20" },
    before: { "1.2": choose("Home 1"), "3.2": choose("User 1") },
    ends: ({ fairUse }) => fairUse.sold("Three days more"),
  },
  "move-spreadsheet": {
    typed: { "1.4": TABLE },
    before: { "1.1": async ({ app }) => rmSync(runsFolder(app.folder), { recursive: true }) }, // nothing is under way yet
    ends: ({ importing }) => importing.moved.title,
  },
  "set-up-router": {
    typed: { "2.1": "admin", "2.2": "secret" },
    before: {
      "1.1": async ({ router }) => void (router.api.options.config = new FakeConfig()),
      "1.2": choose("core"),
    },
    ends: ({ routerSetup }) => routerSetup.doneUnproven("core"),
  },
  "keep-router-configurations": {
    before: { "1.2": choose("core") },
    ends: ({ routerConfig }) => routerConfig.kept,
  },
  "watch-routers": {
    before: { "1.1": ({ router }) => router.setUp(), "1.2": choose("core") },
    ends: ({ routerWatch }) => routerWatch.looked("core"),
  },
  radsec: {
    typed: { "2.1": "203.0.113.10" },
    before: { "1.2": choose("core") },
    ends: ({ radsec }) => radsec.made.title("core"),
  },
  hotspot: {
    before: { "1.2": choose("core") },
    ends: ({ routers }) => routers.hotspot.sent("core", "hotspot"),
  },
  libreqos: {
    typed: { "2.1": "shaper-2", "2.2": "10.0.0.20", "2.3": "its-own-secret" },
    ends: ({ shapers }) => shapers.made("shaper-2"),
  },
  assistant: {
    before: { "2.1": choose("R-9") },
    ends: ({ asked }) => asked.done("books"),
  },
  programs: {
    typed: { "2.1": "bookkeeping" },
    before: { "2.1": choose("Everything") },
    ends: ({ apiKeys }) => apiKeys.made("bookkeeping"),
  },
  webhooks: {
    typed: { "2.1": "https://books.example/hooks/gatehouse" },
    ends: ({ webhooks }) => webhooks.shown.made,
  },
  "own-words": { byOperator: true, ends: ({ languages }) => languages.noFaults },
  "access-boxes": {
    byOperator: true,
    typed: { "2.1": "tower-9" },
    ends: ({ accessBoxes }) => accessBoxes.joinTitle("tower-9"),
  },
  "packages-and-roles": {
    typed: { "1.3": "Home 50", "1.4": "30", "2.4": "Till", "2.5": "clerk" },
    before: { "2.1": ({ page }) => page.locator("h1", { hasText: "Home 50" }).waitFor() },
    ends: ({ team }) => team.roles.created("Till"),
  },
};

/** What the suite walks, in a share of its time: what staff do in their first days and at the counter, and a page each of the other languages. */
const inSuite: Readonly<Record<string, readonly string[]>> = {
  en: [
    "add-router",
    "back-up",
    "cards",
    "change-settings",
    "close-the-day",
    "extend-and-change",
    "move-spreadsheet",
    "packages-and-roles",
    "set-up-router",
    "staff-and-roles",
    "take-payments",
  ],
  es: ["change-settings"],
  ar: ["cards"],
};

let browser: Browser;
beforeAll(async () => {
  browser = await startChromium();
});
afterAll(() => browser.close());

describe.each(writtenLanguages())("in %s", (language) => {
  let app: Tenants;
  let site: ConsoleSite;
  let router: WatchedRouter;
  let admin: ConsoleBrowser;
  let operator: ConsoleBrowser;
  beforeAll(async () => {
    const open: NasTools["open"] = (nas, login, body) =>
      openRouter(nas, { ...login, port: router.api.port }, body);
    app = await consoleWorld({ nasTools: { ...noNasTools, open } });
    router = await WatchedRouter.start(app.db);
    sellTopUps(app.db);
    createSubscriber(app.db, by, sam, { now: app.clock.now });
    site = consoleSite(app);
    admin = await ConsoleBrowser.signedIn(browser, site, callers.admin, { locale: language });
    operator = await ConsoleBrowser.signedIn(browser, site, callers.operator, { locale: language });
  });
  afterAll(async () => {
    await admin[Symbol.asyncDispose]();
    await operator[Symbol.asyncDispose]();
    await site.close();
    await router[Symbol.asyncDispose]();
    app[Symbol.dispose]();
  });

  const walked = Object.entries(ways).filter(([slug]) => isThorough || inSuite[language]?.includes(slug));
  test.each(walked)(
    "%s is walked by its steps",
    async (slug, { byOperator = false, typed = {}, before = {}, ends }) => {
      const visitor = byOperator ? operator : admin;
      const scene = { app, router, page: visitor.page, words: loadMessages(language) };
      await visitor.goto("/console");
      await walk(visitor.page, slug, {
        language,
        typed: Object.fromEntries(Object.entries(typed).map(([at, value]) => [at, () => value])),
        before: Object.fromEntries(Object.entries(before).map(([at, act]) => [at, () => act(scene)])),
      });
      await see(ends)(scene);
    },
  );
});

/** Pages that name places or buttons of the console and have no steps, with why. */
const notWalked: Readonly<Record<string, string>> = {
  "books-die": "says where the age of a backup stands",
  environment: "says of which page a variable is",
  "move-in": "has what is to be done for all systems; what is pressed stands with that of each",
  "other-providers": "says where a payment waits",
  permissions: "says on which page they stand",
  "walled-garden": "has sentences that begin in bold",
};

const tells = /\b(?:Settings|Money|Messages|Routers|Packages|Cards), [A-Z]/;

test("every page that says what is pressed has steps that are walked, or is known with why not", () => {
  const walked = new Set([...Object.keys(ways), "first-subscriber"]);
  const left = pages().filter(
    (page) =>
      !walked.has(page.slug) &&
      linesOf(page).some(
        (line) =>
          tells.test(line) ||
          namedOn(line).some(({ name, isField, isHead }) => isField || (!isHead && /^\p{Lu}/u.test(name))),
      ),
  );
  expect(left.map(({ slug }) => slug).sort()).toEqual(Object.keys(notWalked).sort());
});
