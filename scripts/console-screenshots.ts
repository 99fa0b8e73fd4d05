import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { makeBackup } from "../src/domain/machine/backup/desk.ts";
import { importDataSet } from "../src/domain/machine/imports/data-set/import.ts";
import { writtenLanguages } from "../src/handbook/files.ts";
import { consoleRoutes } from "../src/http/console/routes.ts";
import { ConsoleBrowser, consoleSite, type ConsoleSite } from "../test/support/console-browser.ts";
import { temporaryApp } from "../test/support/http.ts";
import { fillImports } from "../test/support/imports.ts";
import { by } from "../test/support/isp.ts";
import { NOW, temporaryStore } from "../test/support/store.ts";

const ADMIN = "admin:demo-admin";
/** Some hours into a day, so that it has something to show. */
const now = NOW + 9120;

/** Uploads in three states. */
const uploads = {
  tried: "00000000-0000-4000-8000-000000000001",
  columns: "00000000-0000-4000-8000-000000000002",
  working: "00000000-0000-4000-8000-000000000003",
};

interface Shot {
  path: string;
  /** Before the picture, and after it so that the next one is as it would be. */
  act?: (page: Page) => Promise<unknown>;
  undo?: (page: Page) => Promise<unknown>;
}

interface Look extends BrowserContextOptions {
  name: string;
  width: number;
}

const looks: readonly Look[] = [
  { name: "1440-light", width: 1440, colorScheme: "light" },
  { name: "1440-dark", width: 1440, colorScheme: "dark" },
  { name: "390-light", width: 390, colorScheme: "light" },
  { name: "1440-ar", width: 1440, colorScheme: "light", locale: "ar" },
  { name: "390-ar", width: 390, colorScheme: "light", locale: "ar" },
];

/** Photographs the pages of the console whose pictures are `pattern`, on the demo ISP with its history, at a fixed time. */
export async function photographConsole(browser: Browser, folder: string, pattern: RegExp): Promise<void> {
  using app = await demoApp();
  const site = consoleSite(app);
  const shots = Object.entries(listShots(app));
  for (const { name: lookName, width, ...options } of looks) {
    const viewport = { width, height: 900 };
    await using visitor = await ConsoleBrowser.signedIn(browser, site, ADMIN, { ...options, viewport });
    for (const [name, shot] of shots) {
      const picture = `console-${name}-${lookName}`;
      if (!pattern.test(picture) || !(await open(visitor, site, shot))) continue;
      await shot.act?.(visitor.page);
      await photograph(visitor.page, join(folder, `${picture}.png`), viewport);
      await shot.undo?.(visitor.page);
    }
  }
  await site.close();
}

/** Pages that the README shows, by the names of its pictures. */
const pictures: Record<string, string> = {
  "console-today": "today",
  "console-refused": "subscriber-refused",
  "console-take-payment": "take-payment",
  "console-sales": "reports-sales",
};

/** Pages that the handbook shows, by the names of its pictures. */
const ofHandbook: Record<string, string> = {
  today: "today",
  "sign-up": "sign-up",
  "take-payment": "take-payment",
  "day-close": "money-closing",
  "payments-that-wait": "money-arrived",
  "set-up-router": "routers-one-setup",
  "cards-batch": "cards-batch-of-reseller",
  role: "role-clerk",
  "message-rules": "messages-rules",
  import: "settings-import-runs-one",
  "fair-use": "packages-fair",
};

/** Photographs them as WebP in each language that it is written in, as wide as a page of text is on paper. */
export async function photographHandbook(browser: Browser, folder: string): Promise<void> {
  const viewport = { width: 1100, height: 700 };
  for (const locale of writtenLanguages()) {
    const own = join(folder, locale === "en" ? "" : locale, "pictures");
    mkdirSync(own, { recursive: true });
    await each(browser, { viewport, locale }, ofHandbook, async (page, picture) => {
      const session = await page.context().newCDPSession(page);
      const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 70 });
      writeFileSync(join(own, `${picture}.webp`), Buffer.from(data, "base64"));
      await session.detach();
    });
  }
}

/** Photographs the pages that the README shows as they begin on the screen of a small laptop. */
export async function photographReadme(browser: Browser, folder: string): Promise<void> {
  await each(browser, { viewport: { width: 1360, height: 900 } }, pictures, async (page, picture) => {
    await page.screenshot({ path: join(folder, `${picture}.png`) });
  });
}

async function each(
  browser: Browser,
  look: BrowserContextOptions,
  named: Readonly<Record<string, string>>,
  take: (page: Page, picture: string) => Promise<void>,
): Promise<void> {
  using app = await demoApp();
  const site = consoleSite(app);
  await using _closed = { [Symbol.asyncDispose]: () => site.close() }; // after the visitor has left
  const shots = listShots(app);
  await using visitor = await ConsoleBrowser.signedIn(browser, site, ADMIN, {
    colorScheme: "light",
    ...look,
  });
  for (const [picture, name] of Object.entries(named)) {
    const shot = shots[name];
    if (!shot || !(await open(visitor, site, shot))) throw new Error(`there is no page ${name}`);
    await shot.act?.(visitor.page);
    await take(visitor.page, picture);
    await shot.undo?.(visitor.page);
  }
}

/** The demo ISP as scripts/run loads it. */
async function demoApp() {
  const store = temporaryStore();
  await importDataSet(store.db, by, JSON.parse(made("demo-isp.ts", "1742")), { now });
  made("demo-history.ts", store.folder);
  const app = temporaryApp({ showParts: true }, store);
  app.clock.now = now;
  await fillImports(app, uploads);
  makeBackup(app.db, by, app.backups);
  await app.backups.ended;
  return app;
}

function made(script: string, argument: string): string {
  const env = { ...process.env, DEMO_NOW: String(now) };
  const { success, stdout, stderr } = Bun.spawnSync(
    [process.execPath, join(import.meta.dir, script), argument],
    { env },
  );
  if (!success) throw new Error(stderr.toString());
  return stdout.toString();
}

/** Each page by the name of its picture: all that there are, and some as they are after something was done. */
function listShots({ db }: Awaited<ReturnType<typeof demoApp>>): Record<string, Shot> {
  const person = (where: string) => {
    const found = db.$client
      .query<{ id: number; box: string }, []>(
        `SELECT s.id, box_number AS box FROM subscribers s ${where} LIMIT 1`,
      )
      .get();
    if (!found) throw new Error(`the demo has nobody ${where}`);
    return found;
  };
  const refused = person("JOIN auth_log a ON a.subscriber_id = s.id AND a.reason = 'mac_locked'");
  const expired = person("JOIN auth_log a ON a.subscriber_id = s.id AND a.reason = 'expired'");
  const online = person("JOIN sessions o ON o.subscriber_id = s.id AND o.stopped_at IS NULL");
  const of = ({ id }: { id: number }) => `/console/subscribers/${id}`;
  const filled = (path: string) =>
    path
      .replace("/subscribers/:id", `/subscribers/${refused.id}`)
      .replace("/wallets/:id", "/wallets/4")
      .replace("/boxes/:number", `/boxes/${refused.box}`)
      .replace("/new/:source", "/new/csv")
      .replace("/help/:page", "/help/payment-providers")
      .replace("/runs/:id", `/runs/${uploads.tried}`)
      .replace("/places/:kind/", "/places/city/")
      .replace(":group", "money")
      .replace(":key", "payment_methods")
      .replaceAll(/:\w+/g, "1");
  const paths = consoleRoutes
    .filter(({ method, path }) => method === "GET" && !/\.\w+$/.test(path) && path !== "/console/live")
    .map(({ path }) => path);
  return {
    ...Object.fromEntries(
      [...paths, "/console/parts"].map((path) => [pictureName(path), { path: filled(path) }] as const),
    ),
    "subscriber-refused": { path: of(refused) },
    "subscriber-expired": { path: of(expired) },
    "subscriber-online": { path: of(online) },
    "take-payment": {
      path: of(expired),
      act: async (page) => {
        await page.keyboard.press("p");
        await page.locator("#drawer[open] form").waitFor();
      },
    },
    "help-found": { path: "/console/help?q=forgoten+pasword" },
    "help-beside": {
      path: "/console/routers",
      act: async (page) => {
        await page.keyboard.press("?");
        await page.locator("#drawer[open] .prose").waitFor();
      },
    },
    found: {
      path: "/console/subscribers",
      act: async (page) => {
        await page.fill("#search", "0142");
        await page.locator("#found .hit").first().waitFor();
      },
    },
    "import-columns": { path: `/console/settings/import/runs/${uploads.columns}` },
    "import-working": { path: `/console/settings/import/runs/${uploads.working}` },
    "routers-set-up-hotspot": { path: "/console/routers/1/setup?also=hotspot,walled" },
    "subscriber-fair": { path: "/console/subscribers/17" },
    "routers-pool": { path: "/console/routers/pools/1" },
    "packages-fair": { path: "/console/packages/9" },
    "packages-fair-edit": { path: "/console/packages/9/edit" },
    "routers-silent": { path: "/console/routers?show=look" },
    "staff-clerk": { path: "/console/settings/staff/3" },
    "staff-clerk-may": { path: "/console/settings/staff/3/may" },
    "role-clerk": { path: "/console/settings/roles/3" },
    seeing: {
      path: "/console/settings/staff/3",
      act: async (page) => {
        await page.locator('form[action$="/see-as"] button').click();
        await page.locator(".seeing").waitFor();
      },
      undo: (page) => page.locator(".seeing button").click(),
    },
    ...cardShots(db),
    bulk: { path: `/console/subscribers/bulk?operation=extend&id=${refused.id}&id=${expired.id}` },
  };
}

/** A card as it stands in each way, the drawer that sells one, and sheets of paper as they are printed. */
function cardShots({ $client }: Awaited<ReturnType<typeof demoApp>>["db"]): Record<string, Shot> {
  const card = (where: string) => {
    const found = $client
      .query<{ id: number; batch: number }, []>(
        `SELECT c.id, c.batch_id AS batch FROM cards c JOIN card_batches b ON b.id = c.batch_id WHERE ${where} ORDER BY c.id LIMIT 1`,
      )
      .get();
    if (!found) throw new Error(`the demo has no card where ${where}`);
    return found;
  };
  const fresh = card("c.state = 'new' AND b.kind = 'access' AND b.reseller_id IS NULL");
  const online = card("c.id IN (SELECT card_id FROM sessions WHERE stopped_at IS NULL)");
  const halfUsed = card("b.quota_total > 0 AND c.used_octets BETWEEN 1 AND b.quota_total - 1");
  const redeemed = card("c.redeemed_by IS NOT NULL");
  const ofReseller = card("b.reseller_id IS NOT NULL");
  const one = ({ id }: { id: number }) => `/console/cards/${id}`;
  const show = (sheet: string, to: number, template = "") => ({
    path: `/console/cards/batches/${fresh.batch}/print?sheet=${sheet}&template=${template}&to=${to}`,
    act: async (page: Page) => {
      const text = page.waitForEvent("load");
      await page.locator("form.stack .button.solid").click();
      await text;
    },
  });
  return {
    "card-new": { path: one(fresh) },
    "card-online": { path: one(online) },
    "card-half-used": { path: one(halfUsed) },
    "card-redeemed": { path: one(redeemed) },
    "card-void": { path: one(card("c.state = 'void'")) },
    "card-used-up": { path: one(card("c.used_octets >= b.quota_total AND b.quota_total > 0")) },
    "card-sell": {
      path: one(fresh),
      act: async (page) => {
        await page.click(".verdict a.solid");
        await page.locator("#drawer[open] form").waitFor();
      },
    },
    "cards-batch-to-sell": { path: `/console/cards/batches/${fresh.batch}?standing=new` },
    "cards-batch-of-reseller": { path: `/console/cards/batches/${ofReseller.batch}` },
    "cards-new-refill": { path: "/console/cards/new?kind=refill" },
    "cards-sheet-a4": show("a4-21", 21),
    "cards-sheet-roll": show("roll-58", 2, "2"),
  };
}

/** `/console/subscribers/:id/money` is `subscribers-one-money`, the first page `today`. */
function pictureName(path: string): string {
  const name = path.replace(/^\/console\/?/, "").replaceAll(/:\w+/g, "one");
  return name === "" ? "today" : name.replaceAll("/", "-");
}

/** False for what is no page of its own: a part of one, a way on to another, and what the demo has none of. */
async function open(visitor: ConsoleBrowser, { origin }: ConsoleSite, { path }: Shot): Promise<boolean> {
  const answer = await visitor.goto(path);
  if (!answer || answer.status() === 403 || answer.status() === 404 || answer.url() !== origin + path)
    return false;
  if (!answer.ok()) throw new Error(`${path}: ${answer.status()}`);
  return /^<!doctype html>/i.test(await answer.text());
}

/** The whole page, on a screen that is as high: what stands at its foot is not drawn across it. */
async function photograph(
  page: Page,
  path: string,
  viewport: { width: number; height: number },
): Promise<void> {
  const height = await page.evaluate<number>("document.documentElement.scrollHeight");
  await page.setViewportSize({ ...viewport, height: Math.max(height, viewport.height) });
  await page.screenshot({ path });
  await page.setViewportSize(viewport);
}
