import type { Browser, BrowserContextOptions } from "playwright-core";
import type { PortalIsp } from "./portal-isp.ts";
import { Visitor } from "./visitor.ts";

export class PortalBrowser extends Visitor {
  declare readonly site: PortalIsp;

  static async open(
    browser: Browser,
    isp: PortalIsp,
    options: BrowserContextOptions = {},
  ): Promise<PortalBrowser> {
    return new PortalBrowser(isp, await Visitor.newPage(browser, options));
  }

  /** As the app opens it: /mobile-auto-login with a bearer. */
  async openFromApp(who: number): Promise<void> {
    const bearer = await this.site.token(who);
    await this.page.setExtraHTTPHeaders({ authorization: `Bearer ${bearer}` });
    await this.page.goto(`${this.site.origin}/mobile-auto-login`);
    await this.page.setExtraHTTPHeaders({});
  }

  async signIn(username: string, password: string): Promise<void> {
    await this.page.fill("#username", username);
    await this.page.fill("#password", password);
    await this.submit("button.solid");
  }
}
