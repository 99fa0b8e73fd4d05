import { afterAll, afterEach, beforeAll, beforeEach } from "bun:test";
import type { Browser, BrowserContextOptions } from "playwright-core";
import { startChromium } from "./chromium.ts";
import { PlainVisitor } from "./plain-visitor.ts";
import { ConsoleBrowser, consoleSite, type ConsoleSite } from "./console-browser.ts";
import { callers, type Tenants, withTenants } from "./tenants.ts";

export interface ConsoleScene {
  readonly app: Tenants;
  readonly site: ConsoleSite;
  readonly browser: Browser;
  /** Somebody at the console, the Admin by default. */
  readonly signedIn: (options?: BrowserContextOptions, account?: string) => Promise<ConsoleBrowser>;
  /** The same without a script. */
  readonly plain: (account?: string) => Promise<PlainVisitor>;
}

/** For a file of tests, which share a browser; each has a store of its own with what `fill` adds. */
export function consoleScene(fill: (app: Tenants) => void = () => {}): ConsoleScene {
  let now: { app: Tenants; site: ConsoleSite } | undefined;
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    const app = await withTenants();
    fill(app);
    now = { app, site: consoleSite(app) };
  });
  afterEach(async () => {
    await now?.site.close();
    now?.app[Symbol.dispose]();
    now = undefined;
  });
  const there = <T>(one: T | undefined): T => {
    if (one === undefined) throw new Error("the scene is there within a test alone");
    return one;
  };
  return {
    get app() {
      return there(now).app;
    },
    get site() {
      return there(now).site;
    },
    get browser() {
      return there(browser);
    },
    signedIn: (options = {}, account = callers.admin) =>
      ConsoleBrowser.signedIn(there(browser), there(now).site, account, options),
    plain: (account = callers.admin) => PlainVisitor.signedIn(there(now).site, account),
  };
}
