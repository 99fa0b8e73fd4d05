import { afterAll, beforeAll, expect, test } from "bun:test";
import { createChannel } from "../../src/domain/around/messages/channels.ts";
import { listRules } from "../../src/domain/around/messages/rules.ts";
import { formToken } from "../../src/http/pages/cookies.ts";
import {
  ConsoleBrowser,
  consoleSessionOf,
  consoleSite,
  type ConsoleSite,
  soon,
} from "../support/console-browser.ts";
import { startChromium } from "../support/chromium.ts";
import { by } from "../support/isp.ts";
import { aBrowser } from "../support/push-receiver.ts";
import { callers, type Tenants, withTenants } from "../support/tenants.ts";

let app: Tenants;
let site: ConsoleSite;
beforeAll(async () => {
  app = await withTenants();
  site = consoleSite(app);
});
afterAll(async () => {
  await site.close();
  app[Symbol.dispose]();
});

/** Somebody at the console, who sees pages and presses. */
async function signedIn(account: string) {
  const cookie = await consoleSessionOf(app, account);
  const token = formToken(app.db.vault, cookie.slice(cookie.indexOf("=") + 1));
  return {
    see: async (path: string) =>
      (await app.app.handle(new Request(`http://localhost/console${path}`, { headers: { cookie } }))).text(),
    press: (path: string, fields: Record<string, string> = {}) =>
      app.app.handle(
        new Request(`http://localhost/console${path}`, {
          method: "POST",
          headers: { cookie, "content-type": "application/x-www-form-urlencoded" },
          body: new URLSearchParams({ form_token: token, ...fields }),
        }),
      ),
  };
}

const devices = () =>
  app.db.$client
    .query<{ staffId: number }, []>("SELECT staff_id AS staffId FROM push_devices ORDER BY id")
    .all();

test("staff sign up in their own settings, for what their permissions show, until they sign out", async () => {
  const admin = await signedIn(callers.admin);
  const clerk = await signedIn(callers.noFlag);
  expect(await admin.see("/me")).not.toContain("Get notified");
  createChannel(
    app.db,
    by,
    { isp_id: 1, name: "App", kind: "push", address: "device" },
    { now: app.clock.now },
  );
  expect(await admin.see("/messages/channels/1")).toContain("Begin with the usual rules");
  expect((await admin.press("/messages/channels/1/rules")).status).toBe(303);
  expect(listRules(app.db, by).map(({ template, audience, offset }) => [template, audience, offset])).toEqual(
    [
      ["expires_soon", "subscriber", -86_400],
      ["payment_receipt", "subscriber", 0],
      ["online_again", "subscriber", 0],
      ["router_silent", "staff", 0],
      ["router_back", "staff", 0],
      ["payment_unmatched", "staff", 0],
    ],
  );
  await admin.press("/messages/channels/1/rules"); // twice is once
  expect(listRules(app.db, by).length).toBe(6);

  expect(await admin.see("/me")).toContain("a router does not answer");
  const page = await clerk.see("/me");
  expect(page).toContain("Get notified");
  expect(page).toContain("No rule tells you of anything yet.");

  const { input } = aBrowser();
  const other = await signedIn(callers.admin);
  expect((await admin.press("/me/push", input)).status).toBe(303);
  expect((await other.press("/me/push", aBrowser("https://push.example/2").input)).status).toBe(303);
  expect((await admin.press("/me/push", { ...input, p256dh: "x" })).status).toBe(400);
  expect(devices()).toEqual([{ staffId: 1 }, { staffId: 1 }]);
  await clerk.press("/me/push/remove", { endpoint: input.endpoint });
  expect(devices().length).toBe(2);
  await admin.press("/me/push/remove", { endpoint: input.endpoint });
  expect(devices().length).toBe(1);
  await other.press("/sign-out");
  expect(devices()).toEqual([]);
});

test("the console is an app that keeps nothing of the office: without the box there is a page that says so", async () => {
  const browser = await startChromium();
  await using visitor = await ConsoleBrowser.signedIn(browser, site, callers.admin, {
    serviceWorkers: "allow",
  });
  const { page } = visitor;
  await visitor.goto("/console");
  const asked = await page.context().newCDPSession(page);
  expect(await asked.send("Page.getInstallabilityErrors")).toEqual({ installabilityErrors: [] });
  const { data } = await asked.send("Page.getAppManifest");
  expect(JSON.parse(data ?? "{}")).toMatchObject({
    start_url: "/console",
    scope: "/console",
    id: "/console",
  });
  expect(await soon(() => page.evaluate("navigator.serviceWorker.controller !== null"))).toBe(true);
  const kept: string = await page.evaluate(
    "caches.keys().then(async (names) => (await Promise.all(names.map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)))).flat().join(' '))",
  );
  expect(kept.split(" ").filter((path) => !/^\/(console\/assets|portal\/brand)\//.test(path))).toEqual([
    "/console/offline",
  ]);
  visitor.expected = /Failed to load resource|EventSource/;
  await page.context().setOffline(true);
  await visitor.goto("/console/subscribers");
  expect(await visitor.heading()).toBe("The box cannot be reached");
});
