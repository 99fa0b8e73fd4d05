import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { makeReference } from "../../src/domain/desk/incoming/reference.ts";
import { startChromium } from "../support/chromium.ts";
import { DAY } from "../support/isp.ts";
import { people, type PortalIsp, portalIsp } from "../support/portal-isp.ts";
import { insertSessions } from "../support/sessions.ts";
import { watchShift } from "../support/layout-shift.ts";
import { NOW } from "../support/store.ts";
import { CALLBACK_TOKEN, insertCalled } from "../support/tenants.ts";
import { PortalBrowser } from "../support/portal-browser.ts";

let browser: Browser;
let isp: PortalIsp;
beforeAll(async () => {
  [browser, isp] = await Promise.all([startChromium(), portalIsp()]);
});
afterAll(async () => {
  await Promise.all([browser.close(), isp.close()]);
});

/** Puts a subscriber at the address that the browser has. */
function settle(who: number): void {
  isp.db.$client.run("DELETE FROM sessions WHERE framed_ip = '127.0.0.1'");
  insertSessions(isp.db, { acctSessionId: "walled", subscriberId: who, framedIp: "127.0.0.1" });
}

const expire = (expiresAt: number) =>
  isp.db.$client.query("UPDATE services SET expires_at = ? WHERE subscriber_id = 2").run(expiresAt);

test.each(["light", "dark"] as const)(
  "an expired subscriber reads who, why and what to do, %s",
  async (colorScheme) => {
    settle(people.bilal);
    for (const width of [320, 1280]) {
      await using visitor = await PortalBrowser.open(browser, isp, {
        viewport: { width, height: 640 },
        colorScheme,
      });
      const answer = await visitor.page.goto(`${isp.walledOrigin}/some/news?today=1`);
      expect([answer?.status(), answer?.headers()["cache-control"]]).toEqual([200, "no-store"]);
      const text = await visitor.text();
      for (const page of [
        "Northlink",
        "Your package has expired",
        "Family 30 ended on 12 Jan 2030, 12:00",
        "Bilal Haddad",
        "user2",
        "help@northlink.example",
        "We keep your line for 30 days; come back any time.",
        "US$19.50",
        "By bank transfer to Northlink, IBAN XX00 1234 5678.",
        "Pay US$19.50 online",
        "Call +1 555 0100",
      ])
        expect(text).toContain(page);
      const portal = visitor.page.getByRole("link", { name: "Open your account" });
      expect(await portal.getAttribute("href")).toBe("https://my.northlink.example/portal");
      await visitor.expectToFit();
      await visitor.expectAccessible();
    }
  },
);

test("who can renew from the balance is sent to the portal for it, as soon as the money is there", async () => {
  settle(people.back);
  const priced = (price: number) =>
    isp.db.$client.query("UPDATE packages SET price = ? WHERE id = 2").run(price);
  priced(30_000);
  await using visitor = await PortalBrowser.open(browser, isp);
  await visitor.page.clock.install();
  await visitor.page.goto(`${isp.walledOrigin}/news`);
  expect(await visitor.text()).toContain("US$60.00");
  priced(2200);
  await visitor.page.clock.runFor(31_000);
  await visitor.page.getByText("Your balance of US$240.00 covers it: open your account and renew.").waitFor();
  expect(await visitor.text()).not.toContain("To pay");
  await visitor.expectAccessible();
});

test("it recovers by itself: asks every 30 s, says that it is paid, and gives way to the page that was wanted", async () => {
  settle(people.bilal);
  await using visitor = await PortalBrowser.open(browser, isp);
  await visitor.page.clock.install();
  await visitor.page.goto(`${isp.walledOrigin}/news`);
  await visitor.page.clock.runFor(31_000);
  expect(await visitor.heading()).toBe("Your package has expired");
  expire(NOW + 30 * DAY);
  await visitor.page.clock.runFor(30_000);
  await visitor.page.getByRole("heading", { name: "You are paid up" }).waitFor();
  await visitor.page.route("**/news", (route) =>
    route.fulfill({ body: "<h1>News</h1>", contentType: "text/html" }),
  );
  await visitor.page.clock.runFor(30_000);
  await visitor.page.getByRole("heading", { name: "News" }).waitFor();
  expire(NOW - 3 * DAY);
});

test("it says by itself that what was paid online has arrived", async () => {
  const own = await portalIsp();
  insertSessions(own.db, { acctSessionId: "walled", subscriberId: people.bilal, framedIp: "127.0.0.1" });
  const key = insertCalled(own.db, NOW);
  await using visitor = await PortalBrowser.open(browser, own);
  await visitor.page.clock.install();
  await visitor.page.goto(`${own.walledOrigin}/news`);
  const button = visitor.page.getByRole("link", { name: "Pay US$19.50 online" });
  const reference = makeReference(people.bilal);
  expect(await button.getAttribute("href")).toBe(
    `https://pay.example/northlink?amount=19.50&ref=${reference}`,
  );
  expect(await visitor.text()).toContain("your package is renewed by itself");
  const notified = await fetch(`${own.origin}/pay/${key}`, {
    method: "POST",
    headers: { "x-callback-token": CALLBACK_TOKEN },
    body: JSON.stringify({
      id: "inv-1",
      status: "PAID",
      paid_amount: 19.5,
      currency: "USD",
      external_id: reference,
    }),
  });
  expect(notified.status).toBe(200);
  await visitor.page.clock.runFor(31_000);
  await visitor.page.getByRole("heading", { name: "You are paid up" }).waitFor();
  await own.close();
});

test("without JavaScript the page is loaded again every 30 s", async () => {
  settle(people.bilal);
  await using visitor = await PortalBrowser.open(browser, isp, { javaScriptEnabled: false });
  await visitor.page.goto(isp.walledOrigin);
  expect(await visitor.page.locator("meta[http-equiv=refresh]").getAttribute("content")).toBe("30");
  expect(await visitor.heading()).toBe("Your package has expired");
});

test.each([
  ["used up", people.used, "Your data is used up", "You have used all 200 GB of Family 30."],
  ["slowed down", people.postpaid, "You are paid up", "comes back by itself"],
  ["disabled", people.disabled, "Your account is switched off", "+1 555 0100"],
  ["never activated", people.never, "Your connection is not activated yet", "Ask your provider."],
])("%s", async (_name, who, title, output) => {
  settle(who);
  const text = await (await fetch(isp.walledOrigin)).text();
  expect(text).toContain(title);
  expect(text).toContain(output);
});

test("any host, any path and any method get the page, and nothing of the appliance", async () => {
  settle(people.bilal);
  const ask = (method: string, path: string, host: string) =>
    fetch(isp.walledOrigin + path, { method, headers: { host } });
  for (const host of ["example.com", "gw", "captive.apple.com:80"])
    for (const path of [
      "/",
      "/generate_204",
      "/portal",
      "/portal/sign-in",
      "/api/v1/subscriber/list",
      "/metrics",
      "//x/%zz",
      "/portal/assets/none.css",
    ])
      for (const method of ["GET", "POST", "DELETE", "OPTIONS"]) {
        const answer = await ask(method, path, host);
        expect([method, path, answer.status, answer.headers.get("x-gatehouse-captive")]).toEqual([
          method,
          path,
          200,
          "expired",
        ]);
        expect(await answer.text()).toContain("Your package has expired");
      }
});

test("an address that nobody has, or that two have, names nobody", async () => {
  isp.db.$client.run("DELETE FROM sessions WHERE framed_ip = '127.0.0.1'");
  expect(await (await fetch(isp.walledOrigin)).text()).toContain("We could not tell which account this is.");
  insertSessions(
    isp.db,
    { acctSessionId: "one", subscriberId: people.bilal, framedIp: "127.0.0.1" },
    {
      acctSessionId: "two",
      subscriberId: people.stranger,
      framedIp: "127.0.0.1",
      nasId: 2,
      nasAddress: "127.0.0.2",
    },
  );
  const text = await (await fetch(isp.walledOrigin)).text();
  expect(text).toContain("We could not tell which account this is.");
  for (const name of ["Bilal", "user2", "Sue", "user9"]) expect(text).not.toContain(name);
});

test("the way to the portal is that of the setting, else this machine's own", async () => {
  const own = await portalIsp({ ownPortal: async (client) => `http://10.0.0.254:8080/portal#${client}` });
  insertSessions(own.db, { acctSessionId: "walled", subscriberId: people.bilal, framedIp: "127.0.0.1" });
  const page = async () => (await fetch(`${own.walledOrigin}/news`)).text();
  expect(await page()).toContain('href="https://my.northlink.example/portal"');
  own.db.$client.run("DELETE FROM settings WHERE key = 'portal_url'");
  expect(await page()).toContain('href="http://10.0.0.254:8080/portal#127.0.0.1"');
  await own.close();
});
test.each(["unknown", "bilal", "back", "used", "disabled", "never", "amara"] as const)(
  "nothing moves while the page of %s arrives in pieces on a phone",
  async (who) => {
    if (who === "unknown") isp.db.$client.run("DELETE FROM sessions WHERE framed_ip = '127.0.0.1'");
    else settle(people[who]);
    const { promise, resolve } = Promise.withResolvers<void>();
    // a slow line: the second half of the page comes when the first has been painted
    const slow = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      async fetch(request) {
        const { pathname } = new URL(request.url);
        const answer = await fetch(isp.walledOrigin + pathname, { headers: { accept: "text/html" } });
        const type = answer.headers.get("content-type") ?? "";
        if (!type.includes("html"))
          return new Response(await answer.arrayBuffer(), { headers: { "content-type": type } });
        const text = await answer.text();
        const half = text.indexOf("</h1>");
        const pieces = new ReadableStream<string>({
          async start(controller) {
            controller.enqueue(text.slice(0, half));
            await promise;
            controller.enqueue(text.slice(half));
            controller.close();
          },
        });
        return new Response(pieces.pipeThrough(new TextEncoderStream()), {
          headers: { "content-type": "text/html; charset=utf-8" },
        });
      },
    });
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
    const shifted = await watchShift(page);
    await page.goto(`http://127.0.0.1:${slow.port}/news`, { waitUntil: "commit" });
    await page.locator(".captive .badge").waitFor();
    await shifted();
    resolve();
    await page.locator(".captive > .button").waitFor();
    await page.waitForLoadState();
    expect(await shifted()).toBe(0);
    await page.close();
    await slow.stop(true);
  },
);
