import { afterEach, beforeEach, expect, test } from "bun:test";
import { DomainError } from "../../src/domain/core/errors/errors.ts";
import { verbatim } from "../../src/domain/core/errors/phrase.ts";
import type { ReadRouterConfig } from "../../src/domain/goods/router-config/read.ts";
import { consoleSessionOf, consoleSite, type ConsoleSite } from "../support/console-browser.ts";
import { insertConfigs } from "../support/router-config.ts";
import { noNasTools } from "../support/routers.ts";
import { callers, type Tenants, withTenants } from "../support/tenants.ts";

/* The configurations of a router that were kept, by plain forms. */

let app: Tenants;
let site: ConsoleSite;
let read: ReadRouterConfig = noNasTools.readConfig;
beforeEach(async () => {
  app = await withTenants({ nasTools: { ...noNasTools, readConfig: (router) => read(router) } });
  site = consoleSite(app);
});
afterEach(async () => {
  await site.close();
  app[Symbol.dispose]();
});

const HERE = "/console/routers/1/config";

async function ask(path: string, init: RequestInit = {}, account = callers.admin) {
  const headers = { cookie: await consoleSessionOf(site, account) };
  const response = await fetch(site.origin + path, { ...init, headers, redirect: "manual" });
  const html = await response.text();
  return { response, html, text: html.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ") };
}

async function press(path: string) {
  const cookie = await consoleSessionOf(site, callers.admin);
  const page = await (await fetch(`${site.origin}/console/me`, { headers: { cookie } })).text();
  const token = /name="form_token" value="([^"]+)"/.exec(page)?.[1] ?? "";
  const sent = { method: "POST", body: new URLSearchParams({ form_token: token }) };
  const answer = await fetch(site.origin + path, { ...sent, headers: { cookie }, redirect: "manual" });
  const body = await answer.text();
  const next = answer.headers.get("location");
  if (next === null) return { answer, body, text: "" };
  const text = await (await fetch(site.origin + next, { headers: { cookie } })).text();
  return { answer, body, text: text.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ") };
}

test("a router without a copy says when the first comes, and the button reads it", async () => {
  expect((await ask(HERE)).text).toContain("None yet. The first is kept in the coming night");
  expect((await press(HERE)).text).toContain("It was kept: something is not as it was");
  expect((await press(HERE)).text).toContain("Nothing was changed since the last copy");
  expect((await ask(HERE)).text).toContain("its export, 7.16.1");
});

test("a router that does not answer is said, on the page that follows too", async () => {
  read = async () => {
    throw new DomainError("router_failed", verbatim("core (10.0.0.1:8728): it does not answer"));
  };
  expect((await press(HERE)).text).toContain("The configuration of core was not read");
  expect((await ask(HERE)).text).toContain("core (10.0.0.1:8728): it does not answer.");
  read = async () => ({
    text: "# 1\n",
    source: "menus",
    version: "7.16.1",
    note: "not enough permissions (9)",
  });
  await press(HERE);
  expect((await ask(HERE)).text).toContain("its menus were read one by one: not enough permissions (9).");
  read = noNasTools.readConfig;
});

test("what was changed stands there in words, and a copy is downloaded under its router's name", async () => {
  insertConfigs(app.db, 1, app.clock.now);
  const { text } = await ask(`${HERE}/2`);
  expect(text).toContain(
    "Firewall rule (/ip/firewall/filter) Added action drop, chain input, comment telnet, dst-port 23, protocol tcp",
  );
  expect(text).toContain(
    "Service of the router (/ip/service) Changed telnet : disabled yes is gone, address 10.0.0.0/8 is new",
  );
  expect((await ask(`${HERE}/1`)).text).toContain(
    "It cannot be compared: there is nothing before copy 1 of core",
  );
  expect((await ask(`${HERE}/9`)).response.status).toBe(404);
  const { answer, body } = await press(`${HERE}/2/file`);
  expect(answer.headers.get("content-disposition")).toBe('attachment; filename="core-2.rsc"');
  expect(body).toStartWith("# 2026-11-22 03:00:00 by RouterOS 7.16.1\n");
  const entry = app.db.$client.query("SELECT action, actor FROM audit_entries ORDER BY id DESC LIMIT 1");
  expect(entry.get()).toEqual({ action: "nas.config_read", actor: "ada" });
});

test("who does not manage routers sees none of it", async () => {
  insertConfigs(app.db, 1, app.clock.now);
  for (const path of [HERE, `${HERE}/2`])
    expect((await ask(path, {}, callers.noFlag)).response.status).toBe(403);
});
