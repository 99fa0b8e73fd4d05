import type { Browser, BrowserContextOptions } from "playwright-core";
import type { Db } from "../../db/open.ts";
import { consoleCookie } from "../../src/http/console/session-cookie.ts";
import { signInToConsole } from "../../src/domain/people/staff/console-sessions.ts";
import type { AnyElysia } from "elysia";
import { listen } from "../../src/http/server.ts";
import type { Seconds } from "../../src/domain/core/time/time.ts";
import { type Site, Visitor } from "./visitor.ts";

export function consoleSite({ app, db, clock }: { app: AnyElysia; db: Db; clock: { now: Seconds } }) {
  const lan = listen(app, { hostname: "127.0.0.1", port: 0 });
  return { db, clock, origin: `http://${lan.address}`, close: () => lan.stop(0) };
}

export type ConsoleSite = ReturnType<typeof consoleSite>;

/** `account` is `name:password`. */
export async function consoleSessionOf(
  { db, clock }: Pick<ConsoleSite, "db" | "clock">,
  account: string,
): Promise<string> {
  const [username = "", password = ""] = account.split(":");
  const now = clock.now;
  const { id } = await signInToConsole(db, { username, password, source: "127.0.0.1", userAgent: null, now });
  return consoleCookie.write(id, false).split(";")[0] ?? "";
}

/** A member of staff at the console. */
export class ConsoleBrowser extends Visitor {
  static async open(
    browser: Browser,
    site: Site,
    options: BrowserContextOptions = {},
  ): Promise<ConsoleBrowser> {
    return new ConsoleBrowser(site, await Visitor.newPage(browser, options));
  }

  /** Signed in as `name:password`, without the sign-in page. */
  static async signedIn(
    browser: Browser,
    site: ConsoleSite,
    account: string,
    options: BrowserContextOptions = {},
  ): Promise<ConsoleBrowser> {
    const visitor = await ConsoleBrowser.open(browser, site, options);
    const [name = "", value = ""] = (await consoleSessionOf(site, account)).split("=");
    await visitor.page.context().addCookies([{ name, value, url: site.origin }]);
    return visitor;
  }

  /** Types once the page has moved the focus to the field. */
  async typeInto(field: string, text: string): Promise<void> {
    await this.page.locator(`${field}:focus`).waitFor();
    await this.page.keyboard.type(text);
  }

  async signIn(username: string, password: string): Promise<void> {
    await this.page.fill("#username", username);
    await this.page.fill("#password", password);
    await this.submit("button.solid");
  }
}

/** Waits a minute and a half at the most, for a busy machine is no failure. */
export async function soon(isSo: () => Promise<boolean>): Promise<boolean> {
  for (const end = performance.now() + 90_000; !(await isSo()) && performance.now() < end;)
    await Bun.sleep(50);
  return isSo();
}
