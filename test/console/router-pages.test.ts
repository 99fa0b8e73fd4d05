import { phrase } from "../../src/domain/core/errors/phrase.ts";
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { LoginAnswer } from "../../src/domain/service/access/try-login.ts";
import { Arrivals } from "../../src/domain/goods/nas/arrivals.ts";
import { latchMessageAuthenticator } from "../../src/domain/goods/nas/sources.ts";
import type { TestStep } from "../../src/domain/goods/nas/test.ts";
import { consoleSessionOf, consoleSite, type ConsoleSite } from "../support/console-browser.ts";
import { noNasTools } from "../support/routers.ts";
import { callers, openSession, type Tenants, withTenants } from "../support/tenants.ts";

/* The pages of routers by plain forms. */

let app: Tenants;
let site: ConsoleSite;
let arrivals: Arrivals;
let answers: readonly TestStep[];
const login: { answer: LoginAnswer | undefined } = { answer: undefined };
beforeEach(async () => {
  arrivals = new Arrivals();
  answers = [];
  app = await withTenants({
    arrivals,
    askLogin: async () => login.answer,
    nasTools: { ...noNasTools, ask: async () => [...answers] },
  });
  site = consoleSite(app);
});
afterEach(async () => {
  await site.close();
  app[Symbol.dispose]();
});

const cookies = new Map<ConsoleSite, Map<string, string>>();
async function cookieOf(account: string): Promise<string> {
  const known = cookies.get(site) ?? new Map<string, string>();
  cookies.set(site, known);
  const cookie = known.get(account) ?? (await consoleSessionOf(site, account));
  known.set(account, cookie);
  return cookie;
}

async function get(path: string, account = callers.admin) {
  const headers = { cookie: await cookieOf(account) };
  const response = await fetch(site.origin + path, { headers, redirect: "manual" });
  const html = await response.text();
  return { status: response.status, html, text: html.replaceAll(/<[^>]*>/g, "").replaceAll("&#39;", "'") };
}

async function post(path: string, fields: Record<string, string> = {}, account = callers.admin) {
  const { html } = await get("/console/me", account);
  const token = /name="form_token" value="([^"]+)"/.exec(html)?.[1] ?? "";
  const response = await fetch(site.origin + path, {
    method: "POST",
    redirect: "manual",
    headers: { cookie: await cookieOf(account) },
    body: new URLSearchParams({ key: crypto.randomUUID(), ...fields, form_token: token }),
  });
  const answer = await response.text();
  const location = response.headers.get("location");
  return { status: response.status, location, html: answer, text: answer.replaceAll(/<[^>]*>/g, "") };
}

/** What came from the router 1 just now. */
const hear = (kind: "signed" | "wrong_secret" | "accounting", at = app.clock.now) =>
  arrivals.add([{ kind, address: "127.0.0.1", nasId: 1, count: 3, first: at, last: at, ahead: null }]);

test("the list says in a sentence how routers are, and narrows to those that need a look", async () => {
  expect((await get("/console/routers")).text).toContain("The router is not heard.  ");
  hear("wrong_secret");
  const dropped = await get("/console/routers?show=look");
  expect(dropped.text).toContain("What they send is dropped: core.");
  expect(dropped.text).toContain("3, wrong secret");
  app.clock.now += 1;
  hear("signed");
  expect((await get("/console/routers")).text).toContain("heard now");
  expect((await get("/console/routers?show=look")).text).toContain("Nothing matches");
  const file = await get("/console/routers.csv");
  expect(file.text.split("\r\n")[1]).toStartWith("1,core,127.0.0.1,heard,");
});

test("what can be done with a router is a menu that sets it up, its form, and a menu of what is rare", async () => {
  const { html } = await get("/console/routers/1");
  const head = /<header class="page-head">.*?<\/header>/s.exec(html)?.[0] ?? "";
  const beside = head.replaceAll(/<details.*?<\/details>/gs, "menu ");
  expect(beside.match(/menu |<(?:a|button) /g)).toEqual(["menu ", "<a ", "menu "]);
  for (const to of ["setup", "api-setup", "radsec", "config", "hotspot", "edit", "secret", "remove"])
    expect(head).toContain(`href="/console/routers/1/${to}"`);
});

test("a silent router is said beside its place", async () => {
  const note = "1 silent";
  expect((await get("/console")).text).not.toContain(note);
  app.db.$client.run(
    `INSERT INTO outages (id, isp_id, kind, nas_id, began_at, found_at, lines, evidence) VALUES (5, 1, 'router', 1, ?, ?, 3, '{"sign":"silence","usual":60}')`,
    [app.clock.now - 900, app.clock.now - 800],
  );
  expect((await get("/console/packages")).text).toContain(note);
  expect((await get("/console/packages", callers.noFlag)).text).not.toContain(note);
});

test("the secret is shown until the router has used it, and once more when it is replaced", async () => {
  const added = await post("/console/routers/new", { name: "edge", address: "10.9.9.9" });
  const path = added.location ?? "";
  expect(path).toMatch(/^\/console\/routers\/\d+\/setup$/);
  const id = Number(path.split("/")[3]);
  const secretOn = async () => /secret=((?:\w{4}-){3}\w{4})/.exec((await get(path)).text)?.[1];
  const first = await secretOn();
  expect(first).toBeDefined();
  await get(path);
  const text = app.db.$client
    .query("SELECT count(*) FROM audit_entries WHERE action = 'nas.script'")
    .values();
  expect(text).toEqual([[1]]); // once for each secret, not at each look
  const use = () =>
    arrivals.add([
      {
        kind: "accounting",
        address: "10.9.9.9",
        nasId: id,
        count: 1,
        ahead: null,
        first: app.clock.now,
        last: app.clock.now,
      },
    ]);
  use();
  expect(await secretOn()).toBeUndefined();
  app.clock.now += 60;
  expect((await post(`/console/routers/${id}/secret`)).location).toBe(path);
  const second = await secretOn();
  expect(second).toBeDefined();
  expect(second).not.toBe(first);
  app.clock.now += 60;
  use();
  expect(await secretOn()).toBeUndefined();
  const auditLog = JSON.stringify(app.db.$client.query("SELECT * FROM audit_entries").values());
  for (const secret of [first, second]) expect(auditLog).not.toContain(secret ?? "");
});

test("set-up of a router that works turns at nothing that nobody waits for, and ticks no login that is not signed", async () => {
  const row = async (step: string) => {
    const { html } = await get("/console/routers/1/setup");
    return new RegExp(`<li class="(\\w+)" id="arrived-${step}">.*?</li>`, "s").exec(html);
  };
  const TURNS = "arrived-mark waiting turns";
  // nothing has come: what is listened for turns, what is asked by us and is not under way does not
  expect((await row("packet"))?.[0]).toContain(TURNS);
  hear("accounting");
  app.db.$client.run(
    `INSERT INTO auth_log (at, nas_id, nas_address, username, accepted, reason) VALUES (?, 1, '127.0.0.1', 'user1', 1, 'accepted')`,
    [app.clock.now],
  );
  expect((await row("packet"))?.[1]).toBe("done");
  expect((await row("secret"))?.[1]).toBe("poor");
  const coa = await row("coa");
  expect(coa?.[1]).toBe("waiting");
  expect(coa?.[0]).not.toContain(TURNS);
  hear("signed");
  expect((await row("secret"))?.[1]).toBe("done");
});

test("hotspots and the pay page are told where they are chosen", async () => {
  const { text: plain } = await get("/console/routers/1/setup");
  expect(plain).not.toContain("/ip hotspot profile set");
  app.db.$client.run("UPDATE packages SET expired_address_list = 'expired' WHERE id = 1");
  const { text } = await get("/console/routers/1/setup?also=hotspot,walled");
  expect(text).toContain("/ip hotspot profile set");
  expect(text).toContain("/ip firewall nat add chain=dstnat");
});

test("faults of the form stand beside their fields, and what was typed stays but for secrets", async () => {
  const taken = await post("/console/routers/new", {
    name: "core",
    address: "300.1.1.1",
    secret: "hush-hush",
  });
  expect(taken.status).toBe(422);
  expect(taken.text).toContain("Must be an IP address");
  const edited = await post("/console/routers/1/edit", {
    name: "core",
    address: "127.0.0.1",
    coa_port: "99999",
    routeros_host: "10.0.0.1",
    routeros_username: "api",
    routeros_password: "hush-hush",
    require_message_authenticator: "auto",
    mppe: "keys",
    disconnect_method: "auto",
  });
  expect(edited.status).toBe(422);
  expect(edited.text).not.toContain("hush-hush");
});

test("every setting of a router can be changed, and its API taken away again", async () => {
  const fields = {
    name: "Core",
    address: "10.0.0.0/24",
    require_message_authenticator: "yes",
    mppe: "allowed",
    disconnect_method: "routeros",
    coa_port: "1700",
    coa_event_timestamp: "1",
    swap_octets: "1",
  };
  const api = {
    routeros_host: "10.0.0.1",
    routeros_username: "api",
    routeros_password: "pw",
    routeros_tls: "1",
    routeros_tls_fingerprint: "AB".repeat(32),
  };
  expect(await post("/console/routers/1/edit", { ...fields, ...api })).toMatchObject({
    status: 303,
    location: "/console/routers/1",
  });
  const { text } = await get("/console/routers/1");
  for (const page of [
    "10.0.0.0/24",
    "always needed",
    "by the RouterOS API, port 1700, with Event-Timestamp",
    "10.0.0.1:8729 as api, TLS",
    "input is the download",
  ])
    expect(text).toContain(page);
  expect(await post("/console/routers/1/edit", { ...fields, routeros_host: "" })).toMatchObject({
    status: 303,
  });
  expect((await get("/console/routers/1")).text).toContain("RouterOS APInone");
});

test("a test says what the router answered, and what mends it", async () => {
  answers = [
    {
      check: "coa",
      status: "failed",
      detail: phrase`port ${3799} does not answer`,
      remedy: "/radius incoming set accept=yes",
    },
  ];
  expect(await post("/console/routers/1/test")).toMatchObject({ status: 303 });
  const { text } = await get("/console/routers/1");
  expect(text).toContain("core: Disconnect-Requests failed.");
  expect(text).toContain("/radius incoming set accept=yes");
  expect((await get("/console/routers")).text).toContain("no answer");
  answers = [{ check: "coa", status: "ok", detail: phrase`port ${3799} answers: ${"ACK"}`, remedy: null }];
  await post("/console/routers/1/ask");
  expect((await get("/console/routers/1/setup")).text).toContain("It answers us");
});

test("that an address signs is forgotten on its router's page", async () => {
  latchMessageAuthenticator(app.db, { nasId: 1, address: "127.0.0.1" }, app.clock.now);
  expect((await get("/console/routers/1")).text).toContain("127.0.0.1 signs since");
  await post("/console/routers/1/forget", { address: "127.0.0.1" });
  expect((await get("/console/routers/1")).text).toContain("Forgotten that 127.0.0.1 signs.");
  await post("/console/routers/1/forget", { address: "127.0.0.1" });
  expect((await get("/console/routers/1")).text).toContain("Nothing was forgotten.");
});

test("a router is removed once nobody is set to it, or they are left without", async () => {
  openSession(app, 1);
  const answer = await get("/console/routers/1/remove");
  expect(answer.text).toContain("2 subscribers are set to it");
  const kept = await post("/console/routers/1/remove");
  expect(kept.status).toBe(422);
  expect(kept.text).toContain("Subscribers point at the NAS core: user1, user2; give them another one.");
  expect(await post("/console/routers/1/remove", { detach: "1" })).toMatchObject({
    location: "/console/routers",
  });
  expect((await get("/console/routers")).text).toContain("core is removed.");
  expect((await get("/console/routers/1")).status).toBe(404);
});

test("who may only look sees no form, and is refused; another ISP's router is not there", async () => {
  app.db.$client.run("UPDATE role_permissions SET value = 0 WHERE flag = 'nas_manage' AND role_code = 1");
  const looking = callers.branch;
  expect((await get("/console/routers", looking)).text).toContain("core");
  const { status, html } = await get("/console/routers/1", looking);
  expect(status).toBe(200);
  app.db.$client.run("UPDATE staff SET branch_id = NULL WHERE username = 'mia'");
  const whole = await get("/console/routers/1", looking);
  expect(whole.text).toContain("Dropped");
  for (const text of [html, whole.html])
    for (const path of ["edit", "setup", "radsec"]) expect(text).not.toContain(`/console/routers/1/${path}`);
  for (const path of ["/console/routers/1/setup", "/console/routers/1/edit", "/console/routers/new"])
    expect((await get(path, looking)).status).toBe(403);
  expect((await post("/console/routers/1/secret", {}, looking)).status).toBe(403);
  expect((await get("/console/routers/1", callers.otherTenant)).status).toBe(404);
  expect((await get("/console/routers/1/setup", callers.otherTenant)).status).toBe(404);
});

test("a login that is tried is left to a page that who tries it may see", async () => {
  const back = async () =>
    /<a[^>]*href="([^"]*)"[^>]*aria-label="Close"/.exec(
      (await get("/console/routers/test-login", callers.branch)).html,
    )?.[1];
  expect(await back()).toBe("/console/routers");
  app.db.$client.run("UPDATE role_permissions SET value = 0 WHERE flag IN ('nas_view', 'nas_manage')");
  expect(await back()).toBe("/console/logins");
});

test("a router by RadSec that has no certificate is not said to have had one", async () => {
  app.db.$client.run("UPDATE nas SET radsec = 1 WHERE id = 1");
  const { text } = await get("/console/routers/1");
  expect(text).toContain("core needs a certificate.");
  expect(text).not.toContain("None of those it has counts any more");
});

test("a login is tried from a box, and said with what mends the line", async () => {
  app.db.$client.run("UPDATE subscribers SET box_number = 'B-1', uplink_port = '5' WHERE id = 1");
  const expected = async () => {
    await post("/console/boxes/B-1/test", { user_id: "1" });
    return (await get("/console/boxes/B-1")).text;
  };
  login.answer = { accepted: false, isProven: true, reason: "wrong_password", attributes: [] };
  expect(await expected()).toContain("A login now would be refused: wrong password.");
  login.answer = { accepted: true, isProven: true, reason: "accepted", attributes: [] };
  expect(await expected()).toContain("A login now would be let in.");
  login.answer = undefined; // the server does not answer: what is known is said
  expect(await expected()).not.toContain("A login now");
  expect((await get("/console/subscribers/1")).html).toContain("/console/routers/test-login?username=user1");
});

test("a new router that is refused keeps its ISP, and asks for its secret again where that can be seen", async () => {
  const fields = { name: "hill", address: "nonsense", isp_id: "2", secret: "hill-secret-1" };
  const send = async (fields: Record<string, string>) => {
    const { status, html } = await post("/console/routers/new", fields, callers.operator);
    expect(status).toBe(422);
    return html;
  };
  const refused = await send(fields);
  expect(refused).toMatch(/<option value="2" selected/);
  expect(refused).toMatch(/<details class="fold folded" open/);
  expect(refused).toContain("was not kept");
  expect(refused).not.toContain("hill-secret-1");
  const wrong = await send({ ...fields, address: "10.0.0.9", secret: "no\u0000good" });
  expect(wrong).toMatch(/<details class="fold folded" open/);
  expect(wrong).toContain('id="secret-fault"');
  const long = await send({ ...fields, address: "10.0.0.9", secret: "x".repeat(300) });
  expect(long).toContain('id="secret-fault"');
  expect(await send({ name: "hill", address: "nonsense", isp_id: "2" })).not.toMatch(/folded" open/);
});

test("an address of ours that no certificate can have is said at its field, and stays", async () => {
  for (const server of ["not a name!", "", `${"x".repeat(300)}.example`]) {
    const { status, html } = await post("/console/routers/1/radsec", { server });
    expect(status).toBe(422);
    expect(html).toContain('id="server-fault"');
    expect(html).toContain(`value="${server}"`);
  }
});
