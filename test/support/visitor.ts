import { expect } from "bun:test";
import type { Browser, BrowserContextOptions, Page, Response } from "playwright-core";
import { findingsOf } from "./axe.ts";
import { leavePage, takePage } from "./left-pages.ts";

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

  /** Everything that axe finds, or what excludes people; by all or some rules. */
  async expectAccessible({
    impacts = ["serious", "critical"],
    rules,
    of = this.page.url(),
  }: {
    impacts?: readonly string[];
    rules?: readonly string[] | undefined;
    of?: string;
  } = {}): Promise<void> {
    const { findings, note } = await findingsOf(this.page, { impacts, rules });
    expect(findings, of).toEqual([]);
    note();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await leavePage(this.page);
    expect(this.complaints.filter((complaint) => !this.expected.test(complaint))).toEqual([]);
    expect(this.strangers).toEqual([]);
  }
}
