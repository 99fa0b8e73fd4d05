import type { Browser, BrowserContextOptions, CDPSession, Page } from "playwright-core";

/* Opening a page in a new profile takes half again the work of looking at one in it, so that pages that were left are taken again. */

/** A page that can be used again. */
interface Kept {
  readonly page: Page;
  /** A raw session, for what Playwright resets only with a new profile. */
  readonly past: CDPSession;
  readonly of: string;
  readonly left: Kept[];
  readonly origins: Set<string>;
  /** Something lasting was done to it. */
  isSpent: boolean;
}

/** Pages kept for next visitors; the oldest is closed. */
const MOST = 3;

const leftOf = new WeakMap<Browser, Kept[]>();
const keptOf = new WeakMap<Page, Kept>();

const LISTENED = [
  ...["console", "dialog", "domcontentloaded", "download", "filechooser", "frameattached", "framedetached"],
  ...["framenavigated", "load", "pageerror", "popup", "request", "requestfailed", "requestfinished"],
  ...["response", "websocket", "worker"],
] as const;

/** Commands whose effects cannot be reset: a page that used them is not used again. */
const OF_ALL =
  "addInitScript clock exposeBinding exposeFunction route routeFromHAR routeWebSocket setDefaultNavigationTimeout setDefaultTimeout";
const OF_CONTEXT =
  "grantPermissions newCDPSession on once setExtraHTTPHeaders setGeolocation setHTTPCredentials setOffline tracing";
const LASTING = {
  page: [...OF_ALL.split(" "), "addLocatorHandler"],
  context: [...OF_ALL.split(" "), ...OF_CONTEXT.split(" ")],
  keys: ["down"],
};

/** A page of a clean profile; give it back with `leavePage`. */
export async function takePage(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const { viewport = { width: 1280, height: 720 }, colorScheme = "light", ...rest } = options;
  if (viewport === null) return (await browser.newContext(options)).newPage();
  const of = JSON.stringify(rest);
  const left = leftOf.get(browser) ?? [];
  leftOf.set(browser, left);
  const at = left.findLastIndex((one) => one.of === of && !one.page.isClosed());
  const [kept = await openPage(browser, { ...rest, viewport, colorScheme }, { of, left })] =
    at < 0 ? [] : left.splice(at, 1);
  if (at >= 0) await setScreen(kept, { ...rest, viewport, colorScheme });
  const { page, origins } = kept;
  page.on("framenavigated", (frame) => URL.canParse(frame.url()) && origins.add(new URL(frame.url()).origin));
  page.on("download", () => (kept.isSpent = true));
  return page;
}

async function openPage(
  browser: Browser,
  options: BrowserContextOptions,
  kept: Pick<Kept, "of" | "left">,
): Promise<Kept> {
  // a worker would fetch what it keeps for each of them
  const context = await browser.newContext({ locale: "en-GB", serviceWorkers: "block", ...options });
  context.setDefaultTimeout(60_000); // generous, because a busy machine is no failure
  const page = await context.newPage();
  const past = await context.newCDPSession(page);
  const it: Kept = { page, past, ...kept, origins: new Set(), isSpent: false };
  context.on("page", () => (it.isSpent = true));
  const note = (target: object, names: readonly string[]) => {
    for (const name of names) {
      const own: unknown = Reflect.get(target, name);
      const value: unknown = typeof own === "function" ? own.bind(target) : own;
      const get = () => {
        it.isSpent = true;
        return value;
      };
      Object.defineProperty(target, name, { get });
    }
  };
  note(page, LASTING.page);
  note(context, LASTING.context);
  for (const hands of [page.keyboard, page.mouse]) note(hands, LASTING.keys);
  keptOf.set(page, it);
  return it;
}

async function setScreen(
  { page }: Kept,
  { viewport, colorScheme, reducedMotion, forcedColors, contrast }: BrowserContextOptions,
): Promise<void> {
  if (viewport) await page.setViewportSize(viewport);
  await page.emulateMedia({
    media: null,
    colorScheme: colorScheme ?? "light",
    reducedMotion: reducedMotion ?? "no-preference",
    forcedColors: forcedColors ?? "none",
    contrast: contrast ?? "no-preference",
  });
}

/** Resets and keeps a page. */
export async function leavePage(page: Page): Promise<void> {
  const kept = keptOf.get(page);
  const isKept = kept && !kept.isSpent && !page.isClosed() && (await clear(kept).catch(() => false));
  if (!isKept) return page.context().close();
  kept.left.push(kept);
  if (kept.left.length > MOST) await kept.left.shift()?.page.context().close();
}

/** Whether it is clean; the browser still caches files named by their content. */
async function clear(kept: Kept): Promise<boolean> {
  const { page, past, origins } = kept;
  for (const event of LISTENED) page.removeAllListeners(event);
  const own = page.url();
  // no other message of the protocol clears what is kept for a tab, and that only for where it is
  if (own.startsWith("http")) await page.evaluate("sessionStorage.clear(); window.name = ''");
  const elsewhere = [...origins].filter((origin) => origin !== "null" && origin !== new URL(own).origin);
  if (elsewhere.length > 0) return false;
  await page.goto("about:blank");
  await Promise.all([
    page.context().clearCookies(),
    page.context().clearPermissions(),
    page.setExtraHTTPHeaders({}),
    page.mouse.move(-1, -1),
    past.send("Page.resetNavigationHistory"),
    ...[...origins].map((origin) => past.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" })),
  ]);
  origins.clear();
  return !kept.isSpent;
}
