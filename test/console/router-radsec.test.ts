import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { Appliance, type Addresses } from "../support/appliance.ts";
import { startChromium } from "../support/chromium.ts";
import { ConsoleBrowser } from "../support/console-browser.ts";
import { ada, aPackage, aSubscriber, NAS_SECRET } from "../support/isp.ts";
import { openedBundle, RadsecClient } from "../support/radsec-client.ts";

/* A router by RadSec, from the console to a connection of TLS to the real program. */

let browser: Browser;
let at: Addresses;
let radsecPort: number;
const data = mkdtempSync(join(tmpdir(), "gatehouse-radsec-"));
const appliance = new Appliance({ GATEHOUSE_DATA_DIR: data });

beforeAll(async () => {
  browser = await startChromium();
  await appliance.load({
    isps: [{ id: 1, name: "Northlink" }],
    staff: [ada],
    packages: [aPackage(1)],
    nas: [{ id: 1, isp_id: 1, name: "hill", address: "10.99.0.7", secret: NAS_SECRET }],
    subscribers: [aSubscriber(1, { current_expiration_date: "2035-01-01 00:00:00" })],
  });
  const probe = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  radsecPort = probe.port;
  probe.stop(true);
  at = await appliance.serve({ GATEHOUSE_RADSEC_LISTEN: `127.0.0.1:${radsecPort}` });
});
afterAll(async () => {
  await Promise.all([browser.close(), appliance[Symbol.asyncDispose]()]);
  rmSync(data, { recursive: true, force: true });
});

test("a certificate is made, its file and password are given once, it works, and is revoked", async () => {
  await using visitor = await ConsoleBrowser.open(browser, { origin: `http://${at.http}` });
  const { page } = visitor;
  await visitor.goto("/console/sign-in");
  await visitor.signIn("ada", "secret-1");
  await visitor.goto("/console/routers/1");
  await page.locator("summary", { hasText: "Set up" }).click();
  await page.click("text=RadSec");
  await page.getByText("hill asks over UDP.").waitFor();
  await page.fill("[name=server]", "127.0.0.1");
  await page.click("main form button.solid");
  await page.getByText("The certificate of hill").first().waitFor();
  const password = (await page.locator("strong.mono").textContent()) ?? "";
  const commands = (await page.locator("pre").textContent()) ?? "";
  expect(commands).toContain(`passphrase=${password}`);
  expect(commands).toContain(`protocol=radsec secret=radsec certificate=gatehouse-radsec-1.p12_0`);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.click("text=Download gatehouse"),
  ]);
  expect(download.suggestedFilename()).toBe("gatehouse-radsec-1.p12");
  const bundle = Buffer.from(await Bun.file(await download.path()).arrayBuffer());
  await page.click("text=Download gatehouse");
  await page.getByText("The file was not downloaded.").waitFor();

  const files = { id: 1, ...(await openedBundle(bundle, password)) };
  const router = await connected(files);
  const accept = await router.exchange(router.radius.prepareAccess({ name: "user1", password: "pw-1" }));
  expect(accept?.code).toBe("Access-Accept");

  await page.getByRole("link", { name: "Revoke certificate 1" }).click();
  await page.getByText("It is the only one that counts").waitFor();
  await page.getByRole("button", { name: "Revoke it" }).click();
  await page.getByText("Certificate 1 is revoked.").waitFor();
  await router.closed;
  await page.getByText("hill needs a certificate.").waitFor();
});

test("a router is added as one of RadSec, and one that is edited says how its sessions end", async () => {
  await using visitor = await ConsoleBrowser.open(browser, { origin: `http://${at.http}` });
  const { page } = visitor;
  await visitor.goto("/console/sign-in");
  await visitor.signIn("ada", "secret-1");
  await visitor.goto("/console/routers/new");
  await page.fill("[name=name]", "far");
  await page.fill("[name=address]", "10.99.0.0/24");
  await page.check("[name=radsec]");
  await page.click("main form button.solid");
  await page.getByText("RadSec needs one address for each router").waitFor();
  expect(await page.isChecked("[name=radsec]")).toBe(true);
  await page.fill("[name=address]", "10.99.0.8");
  await page.click("main form button.solid");
  await page.waitForURL("**/radsec");
  await page.getByText("far needs a certificate.").waitFor();
  await page.getByText("Each ends by its Session-Timeout.").waitFor();
});

/** The thread of TLS begins within a second of the first certificate. */
async function connected(files: Parameters<typeof RadsecClient.open>[1]): Promise<RadsecClient> {
  for (let tries = 0; ; tries++) {
    try {
      return await RadsecClient.open(radsecPort, files);
    } catch (error) {
      if (tries === 500) throw error;
      await Bun.sleep(20);
    }
  }
}
