import { expect, test } from "bun:test";
import { join } from "node:path";
import { Appliance } from "../support/appliance.ts";
import { startChromium } from "../support/chromium.ts";
import { ConsoleBrowser } from "../support/console-browser.ts";
import { NAS_SECRET } from "../support/isp.ts";
import { radclient } from "../support/radclient.ts";

const dump = join(import.meta.dir, "../support/dumps/freeradius.mariadb.sql");

test("from an empty appliance to the old passwords, in the browser alone, and a second move taken back", async () => {
  await using appliance = new Appliance();
  const { stdout } = await appliance.run(["init"]);
  const printed = /password: (\S+)/.exec(stdout)?.[1] ?? "";
  const at = await appliance.serve();
  await using browser = await startChromium();
  await using visitor = await ConsoleBrowser.open(browser, { origin: `http://${at.http}` });
  const { page } = visitor;

  await visitor.goto("/console");
  await visitor.signIn("operator", printed);
  await page.fill("[name=current]", printed);
  await page.fill("[name=chosen]", "mine-for-ever");
  await visitor.submit(".button.solid");
  await page.fill("[name=name]", "Northlink");
  await page.fill("[name=currency]", "USD");
  await visitor.submit(".button.solid");
  await page.getByRole("link", { name: "Bring your subscribers along" }).first().click();
  await page.locator(".card-links a", { hasText: "FreeRADIUS" }).click();
  await page.setInputFiles("#files", dump);
  await page.click("button.solid");

  await page.getByRole("heading", { name: "What would come" }).waitFor();
  const came = page.getByRole("button", { name: /^Bring in \d+ subscribers$/ });
  expect(await count("subscriber")).toBe(0);
  await came.click();
  await page.getByText("What to do now").waitFor();
  expect(await count("subscriber")).toBeGreaterThan(20);

  await page.goto(`http://${at.http}/console/routers/new`);
  await page.fill("#name", "here");
  await page.fill("#address", "127.0.0.1");
  await page.locator("details:has(#secret) > summary").click();
  await page.fill("#secret", NAS_SECRET);
  await visitor.submit("#content .button.solid");
  const login = (password: string) =>
    radclient(
      at.radius_auth,
      "auth",
      NAS_SECRET,
      `User-Name = "never.ends", User-Password = "${password}", NAS-IP-Address = 127.0.0.1, Service-Type = Framed-User, Framed-Protocol = PPP`,
    );
  expect(await login("never")).toContain("Received Access-Accept");
  expect(await login("other")).toContain("Received Access-Reject");

  const few = "username,password,name,package\nlate1,pw-1,Ana,Casa\nlate2,pw-2,Eva,Casa\n";
  await page.goto(`http://${at.http}/console/settings/import/new/csv`);
  await page.setInputFiles("#files", { name: "few.csv", mimeType: "text/csv", buffer: Buffer.from(few) });
  await page.click("button.solid");
  await page.getByRole("button", { name: "Try it" }).click();
  await page.getByRole("button", { name: "Bring in 2 subscribers" }).click();
  await page.getByRole("link", { name: "Its report, and undo" }).click();
  const before = await count("subscriber");
  await page.getByRole("link", { name: "Undo this move" }).click();
  await page.fill("#confirm", "2");
  await page.getByRole("button", { name: "Undo this move" }).click();
  await page.getByText("2 subscribers were archived").waitFor();
  expect(await count("subscriber")).toBe(before - 2);
  expect(await login("never")).toContain("Received Access-Accept");

  async function count(noun: string): Promise<number> {
    const { stdout: listed } = await appliance.run([noun, "list", "--json"]);
    return JSON.parse(listed).length;
  }
});
