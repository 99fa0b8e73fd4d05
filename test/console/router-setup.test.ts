import { afterEach, beforeEach, expect, test } from "bun:test";
import { openRouter } from "../../src/cli/open-router.ts";
import { routerSetupWords } from "../../src/http/words/console/router-setup.ts";
import { loadMessages } from "../../src/http/words/messages.ts";
import { whole } from "../../src/http/words/compiled/messages.ts";
import { type SetupRun, SetupRuns } from "../../src/http/console/pages/routers/setup-runs.ts";
import { consoleSessionOf, consoleSite, type ConsoleSite } from "../support/console-browser.ts";
import { FakeConfig } from "../support/fake-routeros-config.ts";
import { FakeRouteros } from "../support/fake-routeros.ts";
import { noNasTools } from "../support/routers.ts";
import { callers, type Tenants, withTenants } from "../support/tenants.ts";

/* A router is set up from its page, by plain forms. */

let app: Tenants;
let site: ConsoleSite;
let config: FakeConfig;
let api: FakeRouteros;
beforeEach(async () => {
  app = await withTenants({ nasTools: { ...noNasTools, open: openRouter } });
  site = consoleSite(app);
  config = new FakeConfig();
  api = await FakeRouteros.start({ config });
});
afterEach(async () => {
  await api[Symbol.asyncDispose]();
  await site.close();
  app[Symbol.dispose]();
});

const HERE = "/console/routers/1/api-setup";
const PASSWORD = "secret";

async function visitor(account = callers.admin) {
  const headers = { cookie: await consoleSessionOf(site, account) };
  const get = async (path: string, language = "en") => {
    const response = await fetch(site.origin + path, {
      headers: { ...headers, "accept-language": language },
      redirect: "manual",
    });
    const html = await response.text();
    return { status: response.status, html, text: html.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ") };
  };
  const { html } = await get("/console/me");
  const form_token = /name="form_token" value="([^"]+)"/.exec(html)?.[1] ?? "";
  const post = async (path: string, fields: Record<string, string> = {}) => {
    const body = new URLSearchParams({ ...fields, form_token });
    const response = await fetch(site.origin + path, { method: "POST", redirect: "manual", headers, body });
    const html = await response.text();
    const text = html.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
    return { status: response.status, location: response.headers.get("location"), html, text };
  };
  const look = (more: Record<string, string> = {}) =>
    post(HERE, { username: "admin", password: PASSWORD, port: String(api.port), ...more });
  const ended = async () => {
    for (;;) {
      const text = await get(HERE);
      if (!text.text.includes("Look again")) return text;
    }
  };
  return { get, post, look, ended };
}

test("the difference is shown, made so on yes, and proven; the login is on no page and nowhere kept", async () => {
  const { get, post, look, ended } = await visitor();
  expect((await get("/console/routers/1")).text).toContain("Set up by its API");
  expect((await get(HERE)).text).toContain("Nothing changes before you say yes.");
  const fresh = config.export();
  expect(await look()).toMatchObject({ status: 303, location: HERE });
  const difference = await get(HERE);
  expect(difference.text).toContain("core runs RouterOS 7.16.1.");
  expect(difference.text).toContain("use-radius from no to yes");
  expect(difference.html).not.toContain(`"${PASSWORD}"`);
  expect(config.export()).toBe(fresh);

  expect((await post(`${HERE}/yes`)).location).toBe(HERE);
  const after = await ended();
  expect(after.text).toContain("core is set up, and not all of it is proven");
  expect(after.text).toContain("A login from its side");
  expect(config.rows("/radius")).toMatchObject([{ address: "10.0.0.254", comment: "gatehouse" }]);
  const auditLog = await get("/console/trail");
  expect(auditLog.text).toContain("Set up the router core by its API");

  // who comes back is asked anew
  expect((await post(`${HERE}/no`)).location).toBe("/console/routers/1");
  await post(`${HERE}/yes`);
  expect((await get(HERE)).text).toContain("The login is forgotten");
  await look();
  expect((await get(HERE)).text).toContain("Nothing to change");
  await look({ mode: "remove" });
  expect((await get(HERE)).text).toContain("Take our settings off core");
  await post(`${HERE}/yes`);
  expect((await ended()).text).toContain("Our settings are off core");
  expect(config.export()).toBe(fresh);
});

test("what was changed between the look and the yes is shown anew, and nothing is done", async () => {
  const { get, post, look, ended } = await visitor();
  await look();
  config.have("/ip/firewall/filter", { chain: "input", action: "drop" });
  const before = config.export();
  await post(`${HERE}/yes`);
  expect((await ended()).text).toContain("Somebody changed the router in between. Nothing was done");
  expect(config.export()).toBe(before);
  await post(`${HERE}/yes`);
  await ended();
  expect(config.rows("/ip/firewall/filter").map((row) => row["action"])).toEqual(["accept", "drop"]);
  expect((await get(HERE)).text).toContain("core is set up");
});

test.each(["99999", "0", "8728x", "-1", "８７２８"])(
  "the port %s is none, and is said at its field",
  async (port) => {
    const { look, get } = await visitor();
    const refused = await look({ port, username: "chief" });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain("must be a port from 1 to 65535");
    expect(refused.html).toContain(`value="${port}"`);
    expect(refused.html).toContain('value="chief"');
    expect((await get(HERE)).text).toContain("Who signs in");
  },
);

test("a removal that was refused stays one", async () => {
  const { look, get, post } = await visitor();
  for (const wrong of [{ password: "guess" }, { port: "99999" }]) {
    const refused = await look({ mode: "remove", ...wrong });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain("Take our settings off core");
    expect(refused.html).toContain('name="mode" value="remove"');
  }
  // and where a set-up waits for its answer
  await look();
  const refused = await look({ mode: "remove", password: "guess" });
  expect(refused.html).toContain('name="mode" value="remove"');
  await post(`${HERE}/no`);
  expect((await get(HERE)).html).toContain('name="mode" value="setup"');
});

test("a login that is refused, and a router that fails half way, say what happened", async () => {
  const { get, post, look, ended } = await visitor();
  const refused = await look({ password: "guess" });
  expect(refused.status).toBe(422);
  expect(refused.text).toContain("it refused the login of admin");
  expect(refused.text).not.toContain("guess");
  await look();
  api.faults["/user/add"] = { kind: "trap", message: "failure: no room" };
  const before = config.export();
  await post(`${HERE}/yes`);
  const { text } = await ended();
  expect(text).toContain("It did not work, and was undone");
  expect(text).toContain("Our account failed: core at /user/add: failure: no room");
  expect((await get(HERE, "es")).text).toContain("core en /user/add: failure: no room");
  expect(config.export()).toBe(before);
});

test("another session, and who may not manage routers, get no further", async () => {
  const { look } = await visitor();
  await look();
  const other = await visitor(callers.admin);
  expect((await other.get(HERE)).text).toContain("Who signs in");
  await other.post(`${HERE}/yes`);
  expect(config.rows("/radius")).toEqual([]);
  const nobody = await visitor(callers.noFlag);
  for (const { status } of [await nobody.get(HERE), await nobody.post(`${HERE}/yes`), await nobody.look()])
    expect(status).toBe(403);
});

test("two who say yes at once do not undo each other: one makes it so, the other is told", async () => {
  const [one, other] = [await visitor(), await visitor()];
  await one.look();
  await other.look();
  await Promise.all([one.post(`${HERE}/yes`), other.post(`${HERE}/yes`)]);
  const text = [(await one.ended()).text, (await other.ended()).text];
  expect(text.filter((text) => text.includes("core is set up"))).toHaveLength(1);
  expect(text.filter((text) => text.includes("somebody sets core up at this moment"))).toHaveLength(1);
  expect(config.rows("/radius")).toHaveLength(1);
  expect(config.rows("/user").map((row) => row["name"])).toEqual(["admin", "gatehouse"]);
});

test("a set-up that was left goes on, and is not taken for the one that was begun after it", () => {
  const runs = new SetupRuns();
  const difference = { version: "7.16.1", changes: [], left: [], digest: "" };
  const login = { username: "admin", password: PASSWORD };
  const setupRun = (nasId: number): SetupRun => ({
    nasId,
    mode: "setup",
    begun: `begun ${nasId}`,
    difference,
    phase: { kind: "asked", request: { nasId, login, mode: "setup" }, places: [], isOther: false },
  });
  const first = setupRun(1);
  runs.keep("session", first);
  runs.advance("session", first, { kind: "running", done: 0, all: 9 });
  const second = setupRun(2);
  runs.keep("session", second);
  runs.advance("session", first, { kind: "running", done: 1, all: 9 });
  runs.advance("session", first, { kind: "ended", outcome: { kind: "done" }, proof: [] });
  expect(runs.of("session", 2)).toBe(second);
  runs.forget("session");
});

test.each(whole)("what a change sets stands after its name, without a comma between, in %s", (tag) => {
  const change = {
    kind: "set",
    part: "radius",
    menu: "/ip dns",
    id: "*1",
    key: { name: "dns" },
    values: { servers: "10.0.0.1", "cache-size": "2048" },
    before: { servers: "10.0.0.2", "cache-size": "1024" },
    isForeign: false,
  } as const;
  const text = routerSetupWords(loadMessages(tag)).changeValues(change);
  const [first = "", ...others] = text.split(loadMessages(tag).list.comma);
  expect(first).toStartWith("dns: ");
  expect(others).toHaveLength(1);
});
