import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, type BrowserContext, chromium } from "playwright-core";

const QUIET = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** The same engine without the parts that draw a window opens a page for a third of the work. */
const PROGRAMS = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];

/** One that was closed from outside is not used again. */
let running: Promise<Browser> | undefined;

/** One for each process of the tests, for a start takes a second of a core. */
export async function startChromium(): Promise<Browser> {
  running ??= launchChromium().then((one) => one.once("disconnected", () => (running = undefined)));
  const browser = await running;
  const contexts = new Set<BrowserContext>();
  const own: Partial<Browser> = {
    newContext: async (options) => {
      const context = await browser.newContext(options);
      contexts.add(context);
      context.on("close", () => contexts.delete(context));
      return context;
    },
    close: async () => {
      await Promise.all([...contexts].map((context) => context.close()));
    },
  };
  return new Proxy(browser, {
    get: (target, name) => {
      const value: unknown = Reflect.get(own, name) ?? Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** Debian's Chromium, headless, with a profile and home of its own, and without the network beyond this machine. */
export async function launchChromium(): Promise<Browser> {
  const home = mkdtempSync(join(tmpdir(), "gatehouse-chromium-"));
  process.once("exit", () => rmSync(home, { recursive: true, force: true }));
  const browser = await chromium.launch({
    env: { ...process.env, HOME: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home },
    executablePath: process.env["CHROMIUM"] ?? PROGRAMS.find((path) => existsSync(path)) ?? "chromium",
    args: [...QUIET, "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"],
  });
  browser.on("disconnected", () => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
  return browser;
}
