import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { pages } from "../../src/handbook/pages.ts";
import { Appliance } from "../support/appliance.ts";
import { startChromium } from "../support/chromium.ts";
import { ConsoleBrowser } from "../support/console-browser.ts";
import { radclient } from "../support/radclient.ts";

/* The page for a new owner is walked in the order of its words, from an empty box to a line that is online: what it writes _so_ is filled in,
   what it writes **so** is pressed. */

setDefaultTimeout(600_000); // a busy machine is no failure

let browser: Browser;
beforeAll(async () => {
  browser = await startChromium();
});
afterAll(() => browser.close());

const { text = "" } = pages().find(({ slug }) => slug === "first-subscriber") ?? {};

/** What a step has done, one after the other. */
const steps = [...text.matchAll(/^\d+\. (.+)$/gm)].map(([, step = ""]) =>
  [...step.matchAll(/\*\*(.+?)\*\*|_(.+?)_/g)].map(([, pressed, field]) => ({ pressed, field })),
);

test("an empty box has a subscriber who has paid and is online, by the steps of the page", async () => {
  await using appliance = new Appliance();
  const { stdout: printed } = await appliance.run(["init"]);
  const password = /^password: (.+)$/m.exec(printed)?.[1] ?? "";
  const at = await appliance.serve();
  await using visitor = await ConsoleBrowser.open(browser, { origin: `http://${at.http}` });
  const { page } = visitor;
  page.setDefaultTimeout(20_000);
  await visitor.goto("/console");

  /** What an owner types, by the step and the name of the field. */
  const typed: Readonly<Record<string, () => string | Promise<string>>> = {
    "1 Username": () => "operator",
    "1 Password": () => password,
    "2 The printed password": () => password,
    "2 Your new password": () => "mine-for-ever",
    "3 Name": () => "Northlink",
    "3 Currency": () => "USD",
    "4 Name": () => "Home 10",
    "4 Price": () => "15",
    "4 Download, Mbit/s": () => "10",
    "4 Upload, Mbit/s": () => "5",
    "5 Name": () => "core",
    "5 Address": () => "127.0.0.1",
    "6 Name": () => "Amina Khan",
    "6 Phone": () => "+1 555 0100",
    "7 Folder": () => join(appliance.folder, "copies"),
    "8 Again, from what you wrote down": () => page.getByLabel("Passphrase", { exact: true }).inputValue(),
  };
  let secret = "";
  const line = { username: "", password: "" };
  for (const [index, step] of steps.entries()) {
    const number = index + 1;
    for (const { pressed, field } of step) {
      if (pressed === "Go on")
        secret = /secret=(\S+)/.exec(await page.locator(".terminal pre").innerText())?.[1] ?? "";
      if (pressed === "Add the subscriber") {
        line.username = await page.getByLabel("Username").inputValue();
        line.password = await page.getByLabel("Password", { exact: true }).inputValue();
      }
      if (pressed === "Online") {
        const request = `User-Name = "${line.username}", User-Password = "${line.password}"`;
        expect(await radclient(at.radius_auth, "auth", secret, request)).toContain("Access-Accept");
        const start = `User-Name = "${line.username}", Acct-Status-Type = Start, Acct-Session-Id = "1", NAS-Port = 1`;
        await radclient(at.radius_acct, "acct", secret, start, { isSigned: false });
      }
      if (pressed !== undefined)
        await page.locator(":is(button, a):visible", { hasText: pressed }).first().click();
      else if (field?.startsWith("was ")) await page.getByLabel(field).check();
      else {
        const value = await typed[`${number} ${field}`]?.();
        if (value === undefined) throw new Error(`nobody knows what to type into ${field} of step ${number}`);
        await page.getByLabel(field ?? "", { exact: true }).fill(value);
      }
      if (pressed !== undefined) await page.waitForLoadState();
    }
  }
  await page.locator("tbody").getByText("Amina Khan").waitFor();
  expect(await visitor.heading()).toBe("Online");
  expect((await appliance.run(["payment", "list"])).stdout).toContain("15.00");
  expect(visitor.complaints).toEqual([]);
});
