/* See scripts/screenshots. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { photographConsole, photographHandbook, photographReadme } from "./console-screenshots.ts";
import { insertSessions } from "../test/support/sessions.ts";
import { launchChromium } from "../test/support/chromium.ts";
import { DAY } from "../test/support/isp.ts";
import { people, portalIsp } from "../test/support/portal-isp.ts";
import { NOW } from "../test/support/store.ts";

const isReadme = process.argv[2] === "--readme";
const isHandbook = process.argv[2] === "--handbook";
const [folder = ".", pattern = ""] = isReadme
  ? [".github", "^home-1280-light$"]
  : isHandbook
    ? ["systemd/handbook", "^$"]
    : process.argv.slice(2);
/** The pictures whose names have the pattern. */
const only = new RegExp(pattern);
mkdirSync(folder, { recursive: true });
const isp = await portalIsp();
const browser = await launchChromium();

interface Shot {
  who?: number;
  path: string;
  /** The router says that it is connected, as it does of whoever is in the walled garden. */
  isConnected?: boolean;
  act?: (page: Page) => Promise<unknown>;
}

/** Each page by the name of its picture: who looks, and where. */
const pages: Record<string, Shot> = {
  "sign-in": { path: "/portal/sign-in" },
  "sign-in-wrong": { path: "/portal/sign-in", act: wrongPassword },
  offline: { path: "/portal/offline" },
  home: { who: people.amara, path: "/portal" },
  "home-table": { who: people.amara, path: "/portal", act: (page) => page.click("summary") },
  "home-expired": { who: people.bilal, path: "/portal" },
  "home-connected": { who: people.bilal, path: "/portal", isConnected: true },
  "home-covered": { who: people.back, path: "/portal" },
  "home-renewed": { who: people.back, path: "/portal", act: renew },
  "home-renewed-twice": { who: people.back, path: "/portal", act: renewTwice },
  "home-inactive": { who: people.never, path: "/portal" },
  "home-used-up": { who: people.used, path: "/portal" },
  "home-postpaid": { who: people.postpaid, path: "/portal" },
  "home-other-isp": { who: people.stranger, path: "/portal" },
  sessions: { who: people.amara, path: "/portal/sessions?page=2" },
  invoices: { who: people.amara, path: "/portal/invoices" },
  invoice: { who: people.amara, path: "/portal/invoices/3" },
  settings: { who: people.amara, path: "/portal/settings?done=password" },
  missing: { who: people.amara, path: "/portal/invoices/4" },
  "captive-unknown": { path: "walled" },
  "captive-expired": { who: people.bilal, path: "walled" },
  "captive-covered": { who: people.back, path: "walled" },
  "captive-used-up": { who: people.used, path: "walled" },
  "captive-renewed": { who: people.amara, path: "walled" },
};

/** Those that are taken from the right to the left too. */
const mirrored = ["sign-in", "home", "home-expired", "sessions", "invoice", "settings", "captive-expired"];

interface Look {
  colorScheme: "light" | "dark";
  width: number;
  locale: string;
}

for (const colorScheme of ["light", "dark"] as const)
  for (const width of [320, 1280]) {
    const look = { colorScheme, width, locale: "en-GB" };
    for (const [name, shot] of Object.entries(pages))
      await take(shot, `${name}-${width}-${colorScheme}`, look);
  }
for (const name of mirrored)
  for (const width of [320, 1280]) {
    const shot = pages[name];
    if (shot) await take(shot, `${name}-ar-${width}`, { colorScheme: "light", width, locale: "ar" });
  }

await isp.close();
if (isReadme) await photographReadme(browser, folder);
else if (isHandbook) await photographHandbook(browser, folder);
else await photographConsole(browser, folder, only);
await browser.close();
process.stdout.write(`${folder}\n`);

async function take(
  { who, path, act, isConnected = path === "walled" }: Shot,
  name: string,
  { colorScheme, width, locale }: Look,
): Promise<void> {
  if (!only.test(name)) return;
  const viewport = { width, height: width === 320 ? 640 : 860 };
  const context = await browser.newContext({ colorScheme, viewport, locale });
  const page = await context.newPage();
  isp.db.$client.run("DELETE FROM sessions WHERE framed_ip = '127.0.0.1'");
  isp.db.$client
    .query("UPDATE services SET activated_at = NULL, expires_at = ? WHERE subscriber_id = ?")
    .run(NOW - DAY, people.back);
  if (isConnected && who !== undefined)
    insertSessions(isp.db, { acctSessionId: "walled", subscriberId: who, framedIp: "127.0.0.1" });
  if (path === "walled") {
    await page.goto(`${isp.walledOrigin}/news`);
  } else {
    if (who !== undefined) await signIn(page, who);
    await page.goto(isp.origin + path);
  }
  await act?.(page);
  await page.screenshot({ path: join(folder, `${isReadme ? "portal" : name}.png`), fullPage: true });
  await context.close();
}

async function signIn(page: Page, who: number): Promise<void> {
  const bearer = await isp.token(who);
  const { headers } = await isp.call("GET", "/mobile-auto-login", { bearer });
  const [, value = ""] = /^gatehouse_portal=([^;]+)/.exec(headers.get("set-cookie") ?? "") ?? [];
  await page.context().addCookies([{ name: "gatehouse_portal", value, url: isp.origin }]);
}

async function renew(page: Page): Promise<void> {
  await page.click(".renew button");
  await page.getByRole("status").or(page.getByRole("alert")).waitFor();
}

/** Once more from the page as it was: what a double press is. */
async function renewTwice(page: Page): Promise<void> {
  await renew(page);
  await page.click(".renew button");
}

async function wrongPassword(page: Page): Promise<void> {
  await page.fill("#username", `nobody${Math.random()}`);
  await page.fill("#password", "wrong");
  await page.click("button.solid");
}
