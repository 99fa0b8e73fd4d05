import { consoleSessionOf, type ConsoleSite } from "./console-browser.ts";
import { PlainPage } from "./plain-page.ts";
import type { PortalIsp } from "./portal-isp.ts";

/** Somebody whose browser runs no script. */
export class PlainVisitor {
  readonly page: PlainPage;
  readonly site: { readonly origin: string };

  constructor(site: { readonly origin: string }) {
    this.site = site;
    this.page = new PlainPage(site.origin);
  }

  /** A member of staff at the console, signed in as `name:password` without the sign-in page. */
  static async signedIn(site: ConsoleSite, account: string): Promise<PlainVisitor> {
    const visitor = new PlainVisitor(site);
    const [name = "", value = ""] = (await consoleSessionOf(site, account)).split("=");
    visitor.page.setCookie(name, value);
    return visitor;
  }

  /** A subscriber at the portal, signed in as the app does it. */
  static async fromApp(isp: PortalIsp, who: number): Promise<PlainVisitor> {
    const visitor = new PlainVisitor(isp);
    const headers = { authorization: `Bearer ${await isp.token(who)}` };
    await visitor.page.goto("/mobile-auto-login", { headers });
    return visitor;
  }

  /** There is nothing to close: it is a visitor as one in a browser is. */
  [Symbol.asyncDispose] = () => Promise.resolve();

  goto = (path: string) => this.page.goto(this.site.origin + path);
  submit = (button: string) => this.page.click(button);
  heading = () => this.page.innerText("h1");
  text = () => this.page.innerText("body");

  async signIn(username: string, password: string): Promise<void> {
    await this.page.fill("#username", username);
    await this.page.fill("#password", password);
    await this.submit("button.solid");
  }
}
