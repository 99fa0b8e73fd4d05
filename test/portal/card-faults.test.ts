import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { write } from "../../db/open.ts";
import { readBalance } from "../../src/domain/core/amounts/balance.ts";
import { append } from "../../src/domain/money/billing/ledger.ts";
import { operator } from "../../src/domain/core/actor/operator.ts";
import { startChromium } from "../support/chromium.ts";
import { PortalBrowser } from "../support/portal-browser.ts";
import { people, type PortalIsp, portalIsp } from "../support/portal-isp.ts";
import { cardOf, knownCard } from "../support/redeem-cards.ts";
import { insertSessions } from "../support/sessions.ts";

let browser: Browser;
let isp: PortalIsp;
beforeAll(async () => {
  browser = await startChromium();
});
afterAll(() => browser.close());
beforeEach(async () => {
  isp = await portalIsp();
});
afterEach(() => isp.close());

const family = { kind: "package", package_id: 2, price: "20.00" };
const plain = (html: unknown) =>
  String(html)
    .replace(/<head>.*?<\/head>/, " ")
    .replace(/<[^>]+>/g, " ")
    .replace(/[\s\u00a0]+/g, " ");
const tokenIn = (html: unknown) => /name="form_token" value="([^"]+)"/.exec(String(html))?.[1] ?? "";

/** Puts a subscriber at the address that the browser has. */
function settle(who: number): void {
  isp.db.$client.run("DELETE FROM sessions WHERE framed_ip = '127.0.0.1'");
  insertSessions(isp.db, { acctSessionId: "walled", subscriberId: who, framedIp: "127.0.0.1" });
}

async function signedIn(who: number) {
  const { headers } = await isp.call("GET", "/mobile-auto-login", { bearer: await isp.token(who) });
  const cookie = headers.get("set-cookie")?.split(";")[0] ?? "";
  const sent = { headers: { cookie, "accept-language": "en-GB" } };
  const form_token = tokenIn((await isp.call("GET", "/portal/card", sent)).body);
  return (path: string, code: string) => isp.call("POST", path, { ...sent, form: { form_token, code } });
}

describe("a refill that is redeemed while the line is off", () => {
  test("says that it still is, and renews by the next press where the balance covers it", async () => {
    const code = cardOf(isp.db, { price: "50.00" });
    await using visitor = await PortalBrowser.open(browser, isp, { viewport: { width: 320, height: 640 } });
    await visitor.openFromApp(people.bilal);
    await visitor.page.goto(`${isp.origin}/portal/card`);
    await visitor.page.fill("#code", code);
    await visitor.submit("button.solid");
    await visitor.submit("button.solid");
    expect(await visitor.page.textContent("h1")).toBe("The card is redeemed.");
    expect(await visitor.text()).toContain("Your connection stays off until the package is renewed.");
    expect(await visitor.page.locator(".solid").count()).toBe(1);
    await visitor.expectAccessible();
    await visitor.expectToFit();
    await visitor.submit("button.solid");
    expect(await visitor.text()).toContain("Family 30 is renewed.");
    expect(readBalance(isp.db, { subscriberId: people.bilal })).toBe(3050);
  });

  test("says what is still missing where the balance does not cover it", async () => {
    const post = await signedIn(people.bilal);
    const { headers } = await post("/portal/card/redeem", cardOf(isp.db));
    await using visitor = await PortalBrowser.open(browser, isp);
    await visitor.openFromApp(people.bilal);
    await visitor.page.goto(`${isp.origin}${headers.get("location") ?? ""}`);
    const text = await visitor.text();
    expect(text).toContain("Your connection stays off until the package is renewed.");
    expect(text).toContain("US$9.50"); // 22.00 - 2.50 - 10.00
    expect(text).not.toContain("Renew for");
  });

  test("in the walled garden leads to the renewal", async () => {
    const code = cardOf(isp.db, { price: "50.00" });
    settle(people.bilal);
    await using visitor = await PortalBrowser.open(browser, isp, { viewport: { width: 320, height: 640 } });
    await visitor.page.goto(`${isp.walledOrigin}/portal/card`);
    await visitor.page.fill("#code", code);
    await visitor.submit("button.solid");
    await visitor.submit("button.solid");
    const text = await visitor.text();
    expect(text).toContain("Your connection stays off until the package is renewed.");
    expect(text).toContain("Your balance of US$52.50 covers it: open your account and renew.");
    expect(await visitor.page.getAttribute("a.solid", "href")).toBe("https://my.northlink.example/portal");
    await visitor.expectAccessible();
    await visitor.expectToFit();
  });
});

test("after a package card the walled page waits for the line by itself, and gives way to the internet", async () => {
  const code = cardOf(isp.db, family);
  settle(people.bilal);
  await using visitor = await PortalBrowser.open(browser, isp);
  await visitor.page.clock.install();
  await visitor.page.goto(`${isp.walledOrigin}/portal/card`);
  await visitor.page.fill("#code", code);
  await visitor.submit("button.solid");
  await visitor.submit("button.solid");
  const text = visitor.page.url();
  const requests = visitor.page.waitForResponse(text);
  await visitor.page.clock.runFor(31_000);
  expect((await requests).headers()["x-gatehouse-captive"]).toBe("renewed");
  expect(await visitor.page.textContent("h1")).toBe("The card is redeemed.");
  await visitor.page.route(`${isp.walledOrigin}/**`, (route) => route.fulfill({ body: "the news" }));
  await visitor.page.clock.runFor(31_000);
  await visitor.page.waitForURL(`${isp.walledOrigin}/`);
  expect(await visitor.page.textContent("body")).toBe("the news");
});

test("while a code is typed the walled page is not loaded again", async () => {
  cardOf(isp.db);
  settle(people.bilal);
  const page = await fetch(`${isp.walledOrigin}/portal/card`);
  expect(page.headers.get("x-gatehouse-captive")).toBeNull();
  expect(await page.text()).not.toContain("data-watch");
});

describe("what is refused is not called a debt where it is another cause", () => {
  test.each([
    ["a frozen line", "UPDATE services SET frozen_at = 5 WHERE subscriber_id = 2"],
    ["a package that is not sold any more", "UPDATE packages SET status = 0 WHERE id = 2"],
  ])("%s", async (_name, change) => {
    const code = cardOf(isp.db, family);
    const post = await signedIn(people.bilal);
    write(isp.db, (tx) => {
      const debt = { account: { subscriberId: 2 }, ispId: 1, amount: -750, kind: "adjustment" } as const;
      append(tx, debt, isp.clock.now, operator("root", "cli"));
    });
    isp.db.$client.run(change);
    const { status, body } = await post("/portal/card", code);
    expect(status).toBe(422);
    expect(plain(body)).toContain("This card cannot be redeemed for your connection now.");
    expect(plain(body)).not.toContain("You owe");
  });
});

test("who was disabled redeems nothing by a form that is still open; a card redeemed before is still shown", async () => {
  const [code, other] = [cardOf(isp.db), cardOf(isp.db)];
  settle(people.bilal);
  const form_token = tokenIn(await (await fetch(`${isp.walledOrigin}/portal/card`)).text());
  const redeem = (what: string) =>
    fetch(`${isp.walledOrigin}/portal/card/redeem`, {
      method: "POST",
      body: new URLSearchParams({ form_token, code: what }),
      redirect: "manual",
      headers: { "accept-language": "en" },
    });
  expect((await redeem(code)).status).toBe(303);
  isp.db.$client.run("UPDATE subscribers SET status = 0 WHERE id = 2");
  const refused = await redeem(other);
  expect(refused.status).toBe(422);
  expect(plain(await refused.text())).toContain("The card is not used; ask your provider.");
  expect(readBalance(isp.db, { subscriberId: 2 })).toBe(1250);
  expect((await redeem(code)).headers.get("location")).toBe("/portal/card?card=1");
});

test("a code that is sent after the session ended is not lost in silence", async () => {
  const code = cardOf(isp.db);
  await using visitor = await PortalBrowser.open(browser, isp);
  await visitor.openFromApp(people.amara);
  await visitor.page.goto(`${isp.origin}/portal/card`);
  await visitor.page.fill("#code", code);
  isp.clock.now += 400 * 86_400;
  await visitor.submit("button.solid");
  const text = await visitor.text();
  expect(text).toContain("The card is not used. Sign in, and type its code again.");
  expect(await visitor.page.content()).not.toContain(code);
  await visitor.signIn("user1", "wrong");
  await visitor.signIn("user1", "pw-1");
  expect(visitor.page.url()).toBe(`${isp.origin}/portal/card`);
});

test("what was typed stays where one only has to wait", async () => {
  const code = cardOf(isp.db);
  const post = await signedIn(people.amara);
  for (let nth = 0; nth < 5; nth++) await post("/portal/card", `WRONG-${nth}`);
  const { status, body } = await post("/portal/card", code);
  expect(status).toBe(429);
  expect(String(body)).toContain(`value="${code}"`);
});

test("the longest code that can be brought in fits into the field", async () => {
  const code = "ABCDEFGH".repeat(8);
  knownCard(isp.db, code, { price: "5.00" });
  await using visitor = await PortalBrowser.open(browser, isp);
  await visitor.openFromApp(people.amara);
  await visitor.page.goto(`${isp.origin}/portal/card`);
  await visitor.page.fill("#code", code);
  expect(await visitor.page.inputValue("#code")).toBe(code);
  await visitor.page.locator("#code").fill("");
  await visitor.page.locator("#code").pressSequentially(code);
  await visitor.submit("button.solid");
  expect(await visitor.text()).toContain("Adds US$5.00 to your balance.");
});

test("the preview of a package card says what it gives, and that the card pays for it", async () => {
  const post = await signedIn(people.bilal);
  const text = plain((await post("/portal/card", cardOf(isp.db, family))).body);
  for (const pageUrl of ["30 Mbit/s down", "200 GB", "1 month", "The card pays for it"])
    expect(text).toContain(pageUrl);
  expect(text).toContain("your balance stays US$2.50");
});
