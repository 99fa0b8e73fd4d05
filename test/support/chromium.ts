import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";

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

/** Debian's Chromium, without a window, in a profile and a home of its own; no other host than this machine answers it. */
export async function startChromium(): Promise<Browser> {
  const home = mkdtempSync(join(tmpdir(), "gatehouse-chromium-"));
  const browser = await chromium.launch({
    env: { ...process.env, HOME: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home },
    executablePath: process.env["CHROMIUM"] ?? PROGRAMS.find((path) => existsSync(path)) ?? "chromium",
    args: [...QUIET, "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"],
  });
  browser.on("disconnected", () => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
  return browser;
}
