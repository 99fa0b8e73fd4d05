import { fileURLToPath } from "node:url";
import { expect } from "bun:test";
import type { Browser, BrowserContextOptions, Page, Response } from "playwright-core";
import { leavePage, takePage } from "./left-pages.ts";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

/** Loaded once, not sent for every check. */
export const axe = Bun.file(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")));
/** Text colour, background and size that axe has judged in this process. */
const knownColours = new Set<string>();
const Colours = Type.Array(Type.String());

/**
 * In the browser: has axe judge contrast only for new combinations of colours. Elements that overlap, have a value or are
 * disabled are always judged. Returns the new ones.
 */
const SPARE = `(known) => {
  const seen = new Set(known);
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true });
  const hasText = ({ childNodes }) => [...childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim() !== "");
  const isOdd = (element) => element.matches("input, select, textarea, :disabled, [aria-disabled]")
    || element.closest("label")?.control?.disabled === true;
  const spare = (element, beneath) => {
    const style = getComputedStyle(element);
    if (/absolute|fixed|sticky/.test(style.position) || isOdd(element)) return;
    const own = [style.backgroundColor, style.backgroundImage, style.opacity].join(" ");
    const ground = own === "rgba(0, 0, 0, 0) none 1" ? beneath : beneath + "/" + own;
    const key = [ground, style.color, style.fontSize, style.fontWeight, style.textShadow].join(" ");
    if (!hasText(element) || (isShown(element) && seen.has(key))) element.toggleAttribute("data-spared", true);
    else if (isShown(element)) seen.add(key);
    for (const inner of element.children) spare(inner, ground);
  };
  for (const element of document.querySelectorAll("[data-spared]")) element.removeAttribute("data-spared");
  const { backgroundColor } = getComputedStyle(document.documentElement);
  const isMedia = (feature) => matchMedia(feature).matches;
  spare(document.body, [backgroundColor, isMedia("(prefers-color-scheme: dark)"), isMedia("(forced-colors: active)")].join(" "));
  axe.configure({ rules: [{ id: "color-contrast", selector: ":not([data-spared])" }] });
  return [...seen].slice(known.length);
}`;

const Findings = Type.Array(Type.Object({ id: Type.String(), impact: Type.String(), where: Type.String() }));

/** The served origin; nothing else may be requested. */
export interface Site {
  readonly origin: string;
  readonly walledOrigin?: string;
}

/** A browser profile of its own, with every complaint of the browser. */
export class Visitor implements AsyncDisposable {
  readonly page: Page;
  readonly site: Site;
  readonly complaints: string[] = [];
  /** Complaints that the test expects. */
  expected = /^$/;
  /** Requested hosts other than the appliance. */
  readonly strangers: string[] = [];

  protected constructor(site: Site, page: Page) {
    this.site = site;
    this.page = page;
    page.on("pageerror", (error) => this.complaints.push(String(error)));
    page.on("console", (message) => {
      const isStatus = message.text().startsWith("Failed to load resource: the server responded");
      if (message.type() === "error" && !isStatus) this.complaints.push(message.text());
    });
    const own = [site.origin, ...(site.walledOrigin === undefined ? [] : [site.walledOrigin])];
    page.on("request", (request) => {
      const url = request.url().replace(/^blob:/, ""); // what a page made itself
      if (!own.some((origin) => url.startsWith(origin))) this.strangers.push(url);
    });
    page.on("response", (response) => {
      const isOfPage = response.request().resourceType() !== "document";
      if (isOfPage && response.status() >= 400)
        this.complaints.push(`${response.status()} ${response.url()}`);
    });
  }

  /** A page in a profile of its own, nothing left of another user. */
  protected static newPage(browser: Browser, options: BrowserContextOptions): Promise<Page> {
    return takePage(browser, options);
  }

  goto(path: string): Promise<Response | null> {
    return this.page.goto(this.site.origin + path);
  }

  async submit(button: string): Promise<void> {
    const loaded = this.page.waitForEvent("load");
    await this.page.click(button);
    await loaded;
  }

  heading(): Promise<string> {
    return this.page.locator("h1").innerText();
  }

  text(): Promise<string> {
    return this.page.locator("body").innerText();
  }

  async expectToFit(): Promise<void> {
    const [content, screen] = await this.page.evaluate<[number, number]>(
      "[document.documentElement.scrollWidth, document.documentElement.clientWidth]",
    );
    expect(content, `${this.page.url()} is wider than the screen`).toBeLessThanOrEqual(screen);
  }

  /** Everything that axe finds, or what excludes people; by all or some rules; the whole page, or `without` what all pages have. */
  async expectAccessible({
    impacts = ["serious", "critical"],
    rules,
    without = [],
    of = this.page.url(),
  }: {
    impacts?: readonly string[];
    rules?: readonly string[] | undefined;
    without?: readonly string[];
    of?: string;
  } = {}): Promise<void> {
    const where = `{ include: [document], exclude: ${JSON.stringify(without.map((one) => [one]))} }`;
    const runOnly = rules ? `, runOnly: { type: "rule", values: ${JSON.stringify(rules)} }` : "";
    if (!(await this.page.evaluate<boolean>("'axe' in globalThis")))
      await this.page.evaluate(await axe.text());
    // who leaves something out, or asks for some rules, has not looked at all colours
    const isWhole = rules === undefined && without.length === 0;
    const colours = isWhole
      ? await this.page.evaluate(`(${SPARE})(${JSON.stringify([...knownColours])})`)
      : [];
    // it would wait a minute for the answer of a frame whose scripts are kept still; what is in one is a page that is looked at by itself
    const found = await this.page
      .evaluate(`axe.run(${where}, { iframes: false, preload: false, resultTypes: ["violations"]${runOnly} }).then(({ violations }) =>
      violations.filter(({ impact }) => ${JSON.stringify(impacts)}.includes(impact)).flatMap(({ id, impact, nodes }) =>
        nodes.map(({ html }) => ({ id, impact, where: html.slice(0, 160) }))))`);
    expect(Value.Decode(Findings, found), of).toEqual([]);
    for (const colour of Value.Decode(Colours, colours)) knownColours.add(colour);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await leavePage(this.page);
    expect(this.complaints.filter((complaint) => !this.expected.test(complaint))).toEqual([]);
    expect(this.strangers).toEqual([]);
  }
}
