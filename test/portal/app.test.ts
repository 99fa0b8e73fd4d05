import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { createChannel, setChannelEnabled } from "../../src/domain/around/messages/channels.ts";
import { changeSetting } from "../../src/domain/machine/settings/change.ts";
import { startChromium } from "../support/chromium.ts";
import { soon } from "../support/console-browser.ts";
import { by } from "../support/isp.ts";
import { people, type PortalIsp, portalIsp } from "../support/portal-isp.ts";
import { PortalBrowser } from "../support/portal-browser.ts";

let browser: Browser;
let isp: PortalIsp;
beforeAll(async () => {
  [browser, isp] = await Promise.all([startChromium(), portalIsp()]);
  createChannel(
    isp.db,
    by,
    { isp_id: 1, name: "App", kind: "push", address: "device" },
    { now: isp.clock.now },
  );
});
afterAll(async () => {
  await Promise.all([browser.close(), isp.close()]);
});

const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true } as const;
/** What its worker keeps, by path. */
const KEPT = `caches.keys().then(async (names) => (await Promise.all(names.map(async (name) =>
  (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)))).flat())`;

test("the portal is an app on a phone: it can be installed, opens without a connection, and leaves nothing after signing out", async () => {
  await using visitor = await PortalBrowser.open(browser, isp, { ...phone, serviceWorkers: "allow" });
  const { page } = visitor;
  await visitor.openFromApp(people.amara);
  const asked = await page.context().newCDPSession(page);
  const { data, errors } = await asked.send("Page.getAppManifest");
  expect(errors).toEqual([]);
  expect(JSON.parse(data ?? "{}")).toMatchObject({
    name: "Northlink",
    start_url: "/portal",
    display: "standalone",
  });
  expect(await asked.send("Page.getInstallabilityErrors")).toEqual({ installabilityErrors: [] });

  expect(await soon(() => page.evaluate(`(${KEPT}).then((kept) => kept.includes("/portal"))`))).toBe(true);
  await page.context().setOffline(true);
  await visitor.goto("/portal");
  expect(await visitor.heading()).toBe("You are online");
  expect(await page.innerText("#as-of")).toBe("No connection. This is how it was on 15 Jan 2030, 12:00.");
  expect(await page.evaluate("getComputedStyle(document.querySelector('.hero')).borderRadius")).not.toBe(
    "0px",
  );
  await visitor.goto("/portal/invoices");
  expect(await visitor.heading()).toBe("No connection");
  expect(await page.innerText("#last")).toContain("Last connected: 15 Jan 2030, 12:00");
  await page.click("#last a");
  expect(await visitor.heading()).toBe("You are online");
  await visitor.submit('form[action="/portal/sign-out"] button');
  expect(await visitor.heading()).toBe("No connection");
  expect(await page.isVisible("#last")).toBe(false);
  await visitor.goto("/portal");
  expect(await visitor.heading()).toBe("No connection");

  await page.context().setOffline(false);
  await visitor.goto("/portal");
  expect(await page.isVisible("#as-of")).toBe(false);
  await visitor.submit('form[action="/portal/sign-out"] button');
  expect(await soon(() => page.evaluate(`(${KEPT}).then((kept) => kept.length === 0)`))).toBe(true);
  expect(await page.evaluate("navigator.serviceWorker.getRegistrations().then(({ length }) => length)")).toBe(
    0,
  );
});

test("who is signed out elsewhere finds nothing of it on the phone any more", async () => {
  await using visitor = await PortalBrowser.open(browser, isp, { ...phone, serviceWorkers: "allow" });
  const { page } = visitor;
  await visitor.openFromApp(people.amara);
  expect(await soon(() => page.evaluate(`(${KEPT}).then((kept) => kept.includes("/portal"))`))).toBe(true);
  isp.db.$client.run("UPDATE subscriber_tokens SET revoked_at = 1 WHERE kind = 'portal'");
  await visitor.goto("/portal");
  expect(new URL(page.url()).pathname).toBe("/portal/sign-in");
  expect(await soon(() => page.evaluate(`(${KEPT}).then((kept) => !kept.includes("/portal"))`))).toBe(true);
});

/** A browser that its push service knows, until it is unsubscribed. */
const SUBSCRIBED = `Object.defineProperty(Notification, "permission", { value: "granted" });
  const endpoint = "https://push.example/on";
  PushManager.prototype.getSubscription = async () => localStorage.getItem("unsubscribed") ? null
    : { endpoint, toJSON: () => ({ endpoint, keys: {} }), unsubscribe: async () => localStorage.setItem("unsubscribed", "yes") }`;
const device = (subscriberId: number, tokenId: string) =>
  isp.db.$client.run(
    `INSERT INTO push_devices (subscriber_id, endpoint, keys_sealed, site, token_id, created_at)
     VALUES (?, 'https://push.example/on', x'00', 'https://x.example', ?, 1)`,
    [subscriberId, tokenId],
  );
const devices = () =>
  isp.db.$client.query("SELECT subscriber_id AS subscriber, token_id AS token FROM push_devices").all();

/** How the card of notifications looks in a browser that says this of itself. */
const states: [state: string, script: string, shows: string][] = [
  ["insecure", "Object.defineProperty(window, 'isSecureContext', { value: false })", "https://"],
  ["unsupported", "delete window.PushManager", "cannot show notifications"],
  ["denied", "", "are blocked"],
  ["off", "Object.defineProperty(Notification, 'permission', { value: 'default' })", "Get notified"],
  ["on", SUBSCRIBED, "This device gets notifications."],
];

test.each(states)("the card of notifications, %s", async (state, script, shows) => {
  await using visitor = await PortalBrowser.open(browser, isp, { ...phone, serviceWorkers: "allow" });
  const { page } = visitor;
  if (state === "on") device(people.amara, "earlier");
  await page.addInitScript({ content: script });
  await visitor.openFromApp(people.amara);
  await visitor.goto("/portal/settings");
  await page.waitForSelector(`[data-push-state~="${state}"]:visible`);
  expect(await page.innerText("#notifications")).toContain(shows);
  expect(await page.locator("[data-push-state]:visible").count()).toBe(1);
  isp.db.$client.run("DELETE FROM push_devices");
});

test("notifications go on with the next session of the same account, and end for whoever comes next on a browser, who is asked anew", async () => {
  await using visitor = await PortalBrowser.open(browser, isp, { ...phone, serviceWorkers: "allow" });
  const { page } = visitor;
  await page.addInitScript({ content: SUBSCRIBED });
  device(people.amara, "earlier");
  await visitor.openFromApp(people.amara);
  await visitor.goto("/portal");
  expect(await soon(async () => !JSON.stringify(devices()).includes("earlier"))).toBe(true);
  expect(devices()).toMatchObject([{ subscriber: people.amara }]);
  expect(await page.evaluate("localStorage.getItem('unsubscribed')")).toBe(null);
  await visitor.openFromApp(people.bilal);
  await visitor.goto("/portal");
  expect(await soon(async () => devices().length === 0)).toBe(true);
  await visitor.goto("/portal/settings");
  await page.waitForSelector('[data-push-state~="off"]:visible');
  expect(devices()).toEqual([]);
});

test("without a channel of notifications nobody is asked, and without a script a device can be removed", async () => {
  const { db, clock } = isp;
  await using visitor = await PortalBrowser.open(browser, isp, { ...phone, javaScriptEnabled: false });
  const { page } = visitor;
  await visitor.openFromApp(people.amara);
  db.$client.run(
    `INSERT INTO push_devices (subscriber_id, endpoint, keys_sealed, site, user_agent, token_id, created_at)
     VALUES (1, 'https://push.example/1', x'00', 'https://x.example', 'Mozilla/5.0 (Linux; Android 16) Chrome/142.0', 't', ?)`,
    [clock.now],
  );
  await visitor.goto("/portal/settings");
  expect(await page.innerText("#notifications .devices")).toContain("Chrome, Android");
  await visitor.submit("#notifications .devices button");
  expect(await page.locator("#notifications .devices").count()).toBe(0);
  setChannelEnabled(db, by, { id: 1, enabled: false }, { now: clock.now });
  await visitor.goto("/portal/settings");
  expect(await page.locator("#notifications").count()).toBe(0);
  setChannelEnabled(db, by, { id: 1, enabled: true }, { now: clock.now });
});

/** An app of one page, as an ISP would serve it from anywhere: it asks by token, and shows what it had last where nobody answers. */
const ONE_PAGE = `<!doctype html><meta name="viewport" content="width=device-width"><title>App</title>
<p id="state"></p><p id="end"></p><p id="balance"></p><p id="old" hidden>as it was</p><button>Renew</button>
<script type="module">
const [box, , credentials] = decodeURIComponent(location.hash.slice(1)).split(" ").map((part, at) => at === 2 ? JSON.parse(part) : part);
let token;
const ask = async (path, body) => {
  const headers = { "content-type": "application/json", ...(token && { authorization: "Bearer " + token }) };
  const answer = await fetch(box + path, body ? { method: "POST", headers: { ...headers, "idempotency-key": crypto.randomUUID() }, body: JSON.stringify(body) } : { headers });
  if (!answer.ok) throw new Error((await answer.json()).message);
  return answer.json();
};
const show = (me, isOld) => {
  document.querySelector("#state").textContent = me.matter.title;
  document.querySelector("#end").textContent = me.expires_at;
  document.querySelector("#balance").textContent = me.balance;
  document.querySelector("#old").hidden = !isOld;
};
window.load = async () => {
  try {
    const me = await ask("/api/v1/me");
    localStorage.setItem("me", JSON.stringify(me));
    show(me, false);
  } catch {
    show(JSON.parse(localStorage.getItem("me")), true);
  }
};
document.querySelector("button").addEventListener("click", async () => {
  const { price } = await ask("/api/v1/me/renew");
  await ask("/api/v1/me/renew", { price });
  await window.load();
});
token = (await ask("/api/v1/subscriber/login", credentials)).data.token;
await window.load();
</script>`;

test("an app of one page at another origin logs in, shows, renews, and has what it showed last without a connection", async () => {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () => new Response(ONE_PAGE, { headers: { "content-type": "text/html" } }),
  });
  try {
    const origin = `http://127.0.0.1:${server.port}`;
    const { db, clock } = isp;
    await using visitor = await PortalBrowser.open(browser, { ...isp, walledOrigin: origin }, phone);
    const { page } = visitor;
    const credentials = JSON.stringify({ username: "user7", password: "pw-7" });
    const start = `${origin}/#${encodeURIComponent(`${isp.origin} as ${credentials}`)}`;
    visitor.expected = /CORS policy|Failed to load resource|Failed to fetch/;
    await page.goto(start);
    expect(await page.innerText("#state")).toBe("");
    changeSetting(db, by, { key: "app_origins", value: origin, ispId: 1 }, { now: clock.now });
    await page.reload();
    expect(await soon(() => page.evaluate("document.querySelector('#end').textContent !== ''"))).toBe(true);
    const [end, balance] = [await page.innerText("#end"), await page.innerText("#balance")];
    expect(balance).toBe("240");
    await page.click("button");
    expect(await soon(() => page.evaluate(`document.querySelector("#end").textContent !== "${end}"`))).toBe(
      true,
    );
    expect(await page.innerText("#balance")).toBe("218");
    await page.context().setOffline(true);
    await page.evaluate("window.load()");
    expect(await page.innerText("#balance")).toBe("218");
    expect(await page.isVisible("#old")).toBe(true);
  } finally {
    await server.stop(true);
  }
});
