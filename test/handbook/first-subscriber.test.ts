import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { writtenLanguages } from "../../src/handbook/files.ts";
import { loadMessages } from "../../src/http/words/messages.ts";
import { Appliance } from "../support/appliance.ts";
import { startChromium } from "../support/chromium.ts";
import { ConsoleBrowser } from "../support/console-browser.ts";
import { radclient } from "../support/radclient.ts";
import { isThorough } from "../support/runs.ts";
import { walk } from "../support/walked-page.ts";

/*
 * The page for a new owner is walked in the order of its words, from an empty box to a line that is online: in English, before a release in each
 * language that it is written in.
 */

setDefaultTimeout(600_000); // a busy machine is no failure

let browser: Browser;
beforeAll(async () => {
  browser = await startChromium();
});
afterAll(() => browser.close());

test.each(isThorough ? writtenLanguages() : ["en"])(
  "in %s an empty box has a subscriber who has paid and is online, by the steps of the page",
  async (language) => {
    await using appliance = new Appliance();
    const { stdout: printed } = await appliance.run(["init"]);
    const password = /^password: (.+)$/m.exec(printed)?.[1] ?? "";
    const at = await appliance.serve();
    await using visitor = await ConsoleBrowser.open(
      browser,
      { origin: `http://${at.http}` },
      { locale: language },
    );
    const { page } = visitor;
    await visitor.goto("/console");

    let secret = "";
    const line = { username: "", password: "" };
    const dialIn = async () => {
      const request = `User-Name = "${line.username}", User-Password = "${line.password}"`;
      expect(await radclient(at.radius_auth, "auth", secret, request)).toContain("Access-Accept");
      const start = `User-Name = "${line.username}", Acct-Status-Type = Start, Acct-Session-Id = "1", NAS-Port = 1`;
      await radclient(at.radius_acct, "acct", secret, start, { isSigned: false });
    };
    await walk(page, "first-subscriber", {
      language,
      typed: {
        "1.1": () => "operator",
        "1.2": () => password,
        "2.1": () => password,
        "2.2": () => "mine-for-ever",
        "3.1": () => "Northlink",
        "3.2": () => "USD",
        "4.1": () => "Home 10",
        "4.2": () => "15",
        "4.3": () => "10",
        "4.4": () => "5",
        "5.1": () => "core",
        "5.2": () => "127.0.0.1",
        "6.1": () => "Amina Khan",
        "6.2": () => "+1 555 0100",
        "7.1": () => join(appliance.folder, "copies"),
        "8.1": () => page.locator("[name=passphrase]").inputValue(),
      },
      before: {
        "5.4": async () => {
          secret = /secret=(\S+)/.exec(await page.locator(".terminal pre").innerText())?.[1] ?? "";
        },
        "6.4": async () => {
          line.username = await page.locator("[name=username]").inputValue();
          line.password = await page.locator("[name=password]").inputValue();
        },
        "9.2": dialIn,
      },
    });
    await page.locator("tbody").getByText("Amina Khan").waitFor();
    expect(await visitor.heading()).toBe(loadMessages(language).places.online);
    expect((await appliance.run(["payment", "list"])).stdout).toContain("15.00");
    expect(visitor.complaints).toEqual([]);
  },
);
