import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContextOptions } from "playwright-core";
import type { Db } from "../../db/open.ts";
import { hotspotFiles } from "../../src/http/hotspot/files.ts";
import { HotspotServlet } from "./hotspot-servlet.ts";
import type { RadclientRouter } from "./radclient-router.ts";
import { Visitor } from "./visitor.ts";

type LoginBy = HotspotServlet["options"]["loginBy"];

/** A router with the pages of ISP 1 that asks RADIUS, and phones behind it. */
export async function hotspotSite(
  db: Db,
  {
    radius,
    loginBy,
    tag = "en",
    trial = false,
  }: { radius: RadclientRouter; loginBy: LoginBy; tag?: string; trial?: boolean },
) {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-hotspot-"));
  for (const { name, content } of hotspotFiles(db, { ispId: 1, tag }) ?? [])
    writeFileSync(join(folder, name), content);
  const servlet = await HotspotServlet.start({ folder, loginBy, radius, trial });
  return {
    servlet,
    origin: servlet.origin,
    [Symbol.asyncDispose]: async () => {
      await servlet[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true });
    },
  };
}

export class Phone extends Visitor {
  static async before(
    browser: Browser,
    site: { readonly origin: string },
    options: BrowserContextOptions = {},
  ): Promise<Phone> {
    const phone = { viewport: { width: 390, height: 844 }, ignoreHTTPSErrors: true, ...options };
    return new Phone(site, await Visitor.newPage(browser, phone));
  }

  async enter(code: string): Promise<void> {
    await this.page.fill("#username", code);
    await this.submit("button.button");
  }

  /** Waits for a page that follows a login, which redirects after two seconds. */
  async isLetIn(): Promise<void> {
    await this.page.waitForSelector("dl.big", { state: "attached" });
  }
}
