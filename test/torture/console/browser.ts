import type { Browser, BrowserContext, Page } from "playwright-core";
import { type Notes, format } from "../notes.ts";
import type { Visitor } from "./visitor.ts";
import type { World } from "./world.ts";

/** What only a browser tells: a script that ran, an element that was made, a page that asked elsewhere. */
export async function lookAtPages(
  world: World,
  notes: Notes,
  { visitor, paths, launch }: { visitor: Visitor; paths: readonly string[]; launch: () => Promise<Browser> },
): Promise<void> {
  const browser = await launch();
  try {
    const context = await browser.newContext();
    const cookies = [...visitor.cookies].map(([name, value]) => ({ name, value, url: world.origin }));
    await context.addCookies(cookies);
    const waiting = [...paths];
    const opened = new Set<string>();
    const tabs = Array.from({ length: TABS }, async () => {
      const tab = await openTab(context, world, { notes, opened });
      for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) await tab.lookAt(path);
    });
    await Promise.all(tabs);
    notes.figure("of them looked at in a browser, where nothing stored ran", format(paths.length));
  } finally {
    await browser.close();
  }
}

/** Pages that are open beside each other: much of the time one waits for the other side. */
const TABS = 3;

interface Looking {
  readonly notes: Notes;
  /** Drawers that were looked at, whatever their ids: many pages open the same. */
  readonly opened: Set<string>;
}

async function openTab(context: BrowserContext, world: World, looking: Looking) {
  const { notes } = looking;
  const page = await context.newPage();
  let here = "";
  page.on("dialog", (dialog) => {
    notes.fault(`${here} runs what is stored: ${dialog.message()}`);
    dialog.dismiss().catch(() => {});
  });
  page.on("console", (message) => {
    if (/Content Security Policy|Content-Security-Policy/.test(message.text()))
      notes.fault(`${here} wants what its policy forbids: ${message.text().slice(0, 160)}`);
  });
  page.on("pageerror", (error) => notes.fault(`${here}: ${String(error)}`));
  page.on("request", (request) =>
    notes.expect(request.url().startsWith(world.origin), `${here} asks ${request.url()}`),
  );
  return {
    lookAt: (path: string) => {
      here = path;
      return lookAt(page, world, looking, path);
    },
  };
}

async function lookAt(page: Page, world: World, { notes, opened }: Looking, path: string): Promise<void> {
  await page.goto(world.origin + path, { waitUntil: "load" });
  const made = await page.evaluate<number>(
    "document.querySelectorAll('[data-evil], img[src=x], [onerror], [onclick], script:not([src])').length",
  );
  notes.expect(made === 0, `${path} makes elements of what is stored`);
  // parts that a press asks for: what opens beside the page
  for (const link of (await page.locator("[hx-target='#drawer']:visible").all()).slice(0, 2)) {
    const leads = (await link.getAttribute("hx-get")) ?? (await link.getAttribute("href"));
    const drawer = leads?.replaceAll(/\d+/g, "1") ?? "";
    if (opened.has(drawer)) continue;
    if (drawer !== "") opened.add(drawer);
    await link.dispatchEvent("click", {}, { timeout: 2000 }).catch(() => {}); // whatever lies above it
    await page.waitForTimeout(150);
    const inside = await page.evaluate<number>("document.querySelectorAll('[data-evil], img[src=x]').length");
    notes.expect(inside === 0, `${path} makes elements of what is stored in its drawer`);
    await page.keyboard.press("Escape");
  }
}
