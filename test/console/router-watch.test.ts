import { afterEach, beforeEach, expect, test } from "bun:test";
import { openRouter } from "../../src/cli/open-router.ts";
import { consoleSessionOf, consoleSite, type ConsoleSite } from "../support/console-browser.ts";
import { makeLeaseQueues } from "../support/fake-routeros-queues.ts";
import { noNasTools } from "../support/routers.ts";
import { callers, type Tenants, withTenants } from "../support/tenants.ts";
import { WatchedRouter } from "../support/watched-router.ts";

/* What looks at a router found is said on its page, mended by a press, or said to be meant so, by plain forms. */

let app: Tenants;
let site: ConsoleSite;
let router: WatchedRouter;
beforeEach(async () => {
  app = await withTenants({ nasTools: { ...noNasTools, open: openRouter } });
  site = consoleSite(app);
  router = await WatchedRouter.start(app.db, {
    version: "7.21 (stable)",
    have: { "/ip/firewall/filter": [{ chain: "input", action: "drop", "in-interface-list": "!LAN" }] },
  });
  router.now = app.clock.now;
  await router.setUp();
});
afterEach(async () => {
  await router[Symbol.asyncDispose]();
  await site.close();
  app[Symbol.dispose]();
});

const PAGE = "/console/routers/1";

async function visitor(account = callers.admin) {
  const headers = { cookie: await consoleSessionOf(site, account) };
  const textOf = (html: string) => html.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
  const get = async (path: string) => {
    const response = await fetch(site.origin + path, { headers, redirect: "manual" });
    const html = await response.text();
    return { status: response.status, html, text: textOf(html) };
  };
  const form_token = /name="form_token" value="([^"]+)"/.exec((await get("/console/me")).html)?.[1] ?? "";
  const post = async (path: string, fields: Record<string, string> = {}) => {
    const body = new URLSearchParams({ ...fields, form_token });
    const response = await fetch(site.origin + path, { method: "POST", redirect: "manual", headers, body });
    const html = await response.text();
    return { status: response.status, location: response.headers.get("location"), text: textOf(html) };
  };
  return { get, post };
}

const digestOf = (html: string) => /name="digest" value="([^"]*)"/.exec(html)?.[1] ?? "";

test("a finding is told with what it costs, its change is shown before it is made, and it is gone after", async () => {
  const { get, post } = await visitor();
  expect((await get(PAGE)).text).toContain("It was not looked at yet.");
  expect(await post(`${PAGE}/look`)).toMatchObject({ status: 303, location: `${PAGE}#findings` });
  expect((await get(PAGE)).text).toContain("All that was looked at is as it should be.");

  router.config.have("/ppp/secret", { name: "user1", password: "x" });
  await post(`${PAGE}/look`);
  expect((await get(PAGE)).text).toContain("Seen once; it counts when the next look sees it too.");
  await post(`${PAGE}/look`);
  const found = await get(PAGE);
  expect(found.text).toContain("The PPP secret user1 is the subscriber user1 (error)");
  expect(found.text).toContain("never billed");
  const mend = /href="([^"]+\/mend\?findings=\d+)"/.exec(found.html)?.[1] ?? "";
  const before = router.config.export();
  const text = await get(mend);
  expect(text.text).toContain("Changed: Local name of a line /ppp/secret user1: disabled from no to yes");
  expect(router.config.export()).toBe(before);
  const findings = mend.replace(/.*=/, "");
  const done = await post(`${PAGE}/mend`, { findings, digest: digestOf(text.html) });
  expect(done).toMatchObject({ status: 303, location: `${PAGE}#findings` });
  expect(router.config.rows("/ppp/secret")).toMatchObject([{ name: "user1", disabled: "true" }]);
  const after = await get(PAGE);
  expect(after.text).toContain("core is mended");
  expect(after.text).toContain("All that was looked at is as it should be.");
  expect((await get("/console/trail")).text).toContain("Mended what a look found at the router core");
});

test("what was changed between the look and the yes is shown anew; an account that may only read asks for another", async () => {
  const { get, post } = await visitor();
  router.config.have("/ppp/secret", { name: "user1", password: "x" });
  await post(`${PAGE}/look`);
  await post(`${PAGE}/look`);
  const mend = /href="([^"]+\/mend\?findings=\d+)"/.exec((await get(PAGE)).html)?.[1] ?? "";
  const findings = mend.replace(/.*=/, "");
  const other = await post(`${PAGE}/mend`, { findings, digest: "0" });
  expect(other).toMatchObject({ status: 409 });
  expect(other.text).toContain("Somebody changed the router in between. Nothing was done");

  const group = router.config.rows("/user/group").find((row) => row["name"] === "gatehouse");
  if (group) group["policy"] = "api,read";
  const text = await get(mend);
  const refused = await post(`${PAGE}/mend`, { findings, digest: digestOf(text.html) });
  expect(refused).toMatchObject({ status: 422 });
  expect(refused.text).toContain("Our account there may only read");
  const login = { username: "admin", password: "secret" };
  const done = await post(`${PAGE}/mend`, { findings, digest: digestOf(text.html), ...login });
  expect(done).toMatchObject({ status: 303, location: `${PAGE}#findings` });
  expect(router.config.rows("/ppp/secret")).toMatchObject([{ disabled: "true" }]);
});

test("what is meant so is hidden with its reason until what stands there changes, and can be shown again", async () => {
  const { get, post } = await visitor();
  router.config.have("/ppp/secret", { name: "user1", password: "x" });
  await post(`${PAGE}/look`);
  await post(`${PAGE}/look`);
  const path = /href="([^"]+\/findings\/\d+\/hide)"/.exec((await get(PAGE)).html)?.[1] ?? "";
  expect((await post(path, { reason: "" })).status).toBe(422);
  expect((await post(path, { reason: "a line of the office" })).status).toBe(303);
  const hidden = await get(PAGE);
  expect(hidden.text).toContain("All that was looked at is as it should be.");
  expect(hidden.text).toContain("a line of the office");
  await post(`${PAGE}/look`);
  expect((await get(PAGE)).text).toContain("All that was looked at is as it should be.");
  await post(path.replace(/hide$/, "show"));
  expect((await get(PAGE)).text).toContain("The PPP secret user1 is the subscriber user1 (error)");
});

test("lines with two queues are counted, and given half each by a choice and a press", async () => {
  const { get, post } = await visitor();
  router.config.have("/ip/dhcp-server", { name: "four", interface: "bridge2", "use-radius": "true" });
  router.config.have("/ipv6/dhcp-server", { name: "six", interface: "bridge2", "use-radius": "true" });
  const line = { mac: "AA:BB:CC:00:00:01", ip: "10.0.0.2", prefix: "2001:db8:1::/56", duid: "0x0002ab" };
  makeLeaseQueues(router.config, [line]);
  await post(`${PAGE}/look`);
  await post(`${PAGE}/look`);
  const found = await get(PAGE);
  expect(found.text).toContain("One line has its speed twice: once for IPv4, and once for IPv6 (warning)");
  expect(found.html).not.toContain("/mend?");
  expect(found.html).toContain(`href="${PAGE}/dual-stack"`);
  expect((await get(`${PAGE}/dual-stack`)).text).toContain("Half of the speed in each queue");
  const chosen = await post(`${PAGE}/dual-stack`, { dual_stack: "half" });
  expect(chosen).toMatchObject({ status: 303, location: `${PAGE}#findings` });
  const text = await get(PAGE);
  expect(text.text).toContain("2 DHCP servers there may give them one for both");
  const mend = /href="([^"]+\/mend\?findings=\d+)"/.exec(text.html)?.[1] ?? "";
  const digest = digestOf((await get(mend)).html);
  expect(await post(`${PAGE}/mend`, { findings: mend.replace(/.*=/, ""), digest })).toMatchObject({
    status: 303,
  });
  expect(router.config.rows("/ipv6/dhcp-server")).toMatchObject([{ "allow-dual-stack-queue": "false" }]);
  const after = await get(PAGE);
  expect(after.text).toContain("All that was looked at is as it should be.");
  expect(after.text).toContain("IPv4 and IPv6 by DHCP Half of the speed in each queue");
});

test("who may see routers and not change them reads what was found, and presses nothing", async () => {
  router.config.have("/ppp/secret", { name: "user1", password: "x" });
  const boss = await visitor();
  await boss.post(`${PAGE}/look`);
  await boss.post(`${PAGE}/look`);
  const { get, post } = await visitor(callers.branch);
  const { text, html } = await get(PAGE);
  expect(text).toContain("The PPP secret user1 is the subscriber user1");
  expect(html).not.toContain("/mend?");
  expect((await post(`${PAGE}/look`)).status).not.toBe(200);
  expect((await get(`${PAGE}/mend?findings=1`)).status).toBe(403);
});
