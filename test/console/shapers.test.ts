import { afterEach, beforeEach, expect, test } from "bun:test";
import { consoleSessionOf, consoleSite, type ConsoleSite } from "../support/console-browser.ts";
import { callers, type Tenants, withTenants } from "../support/tenants.ts";

/* Shapers are added, told how they are, switched off and taken away by plain forms. */

const PAGE = "/console/settings/shapers";
let app: Tenants;
let site: ConsoleSite;
beforeEach(async () => {
  app = await withTenants();
  site = consoleSite(app);
});
afterEach(async () => {
  await site.close();
  app[Symbol.dispose]();
});

async function visitor(account = callers.admin) {
  const headers = { cookie: await consoleSessionOf(site, account) };
  const ask = async (path: string, body?: URLSearchParams) => {
    const response = await fetch(site.origin + path, {
      ...(body && { method: "POST", body }),
      headers,
      redirect: "manual",
    });
    const html = await response.text();
    const text = html.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
    return { status: response.status, headers: response.headers, html, text };
  };
  const form_token = /name="form_token" value="([^"]+)"/.exec((await ask("/console/me")).html)?.[1] ?? "";
  const post = (path: string, fields: Record<string, string> | [string, string][] = {}) =>
    ask(path, new URLSearchParams([...new URLSearchParams(fields), ["form_token", form_token]]));
  return { get: (path: string) => ask(path), post };
}

const lq = { key: "k1", name: "lq", address: "10.0.0.20", port: "1813", secret: "hush-hush" };

test("one is added, says how it is told, is changed, switched off and on, and deleted", async () => {
  const { get, post } = await visitor();
  expect((await get(PAGE)).text).toContain("No shaper is told of sessions yet");
  const refused = await post(`${PAGE}/new`, { ...lq, address: "shaper.example" });
  expect(refused.status).toBe(422);
  expect(refused.text).toContain("Must be an IP address such as 10.0.0.20");
  expect(refused.html).not.toContain("hush-hush");
  const made = await post(`${PAGE}/new`, lq);
  expect([made.status, made.headers.get("location")]).toEqual([303, `${PAGE}/1`]);
  expect((await get(`${PAGE}/1`)).text).toContain("It is told of every open session within a minute.");

  const came = (standing: readonly (number | null)[]) =>
    app.db.$client.run("UPDATE feeds SET answered_at = ?, silent_since = ?, behind_since = ?, waiting = ?", [
      ...standing,
    ]);
  const { now } = app.clock;
  for (const [at, said, listed] of [
    [[now, null, null, 0], "Nothing waits.", "answered "],
    [
      [now, null, now - 90, 2500],
      "News of 2,500 sessions waits. It answers, but more slowly",
      "behind since ",
    ],
    [[null, now - 90, now - 90, 1], "takes this box as a client", "silent since "],
  ] as const) {
    came(at);
    expect((await get(`${PAGE}/1`)).text).toContain(said);
    expect((await get(PAGE)).text).toContain(listed);
  }
  app.db.$client.run(
    "UPDATE feeds SET silent_since = NULL, behind_since = NULL, created_at = created_at - 3600",
  );
  expect((await get(`${PAGE}/1`)).text).toContain("It was not told of anything yet");

  const { name, address, port } = lq;
  const edited = await post(`${PAGE}/1/edit`, [
    ...Object.entries({ name, address, port, secret: "" }),
    ["router_ids", "1"],
  ]);
  expect(edited.status).toBe(303);
  expect((await get(`${PAGE}/1`)).text).toContain("Routers core");
  expect((await post(`${PAGE}/1/edit`, { name, address, port, secret: "" })).status).toBe(303);
  expect((await get(`${PAGE}/1`)).text).toContain("Routers all routers");

  expect((await post(`${PAGE}/1/disable`)).status).toBe(303);
  expect((await get(`${PAGE}/1`)).text).toContain("It is off");
  expect((await post(`${PAGE}/1/enable`)).status).toBe(303);
  expect((await post(`${PAGE}/1/delete`)).status).toBe(303);
  expect((await get(PAGE)).text).toContain("No shaper is told of sessions yet");
  const trail = await get("/console/trail");
  for (const said of [
    "Told the shaper lq of sessions",
    "Switched the shaper lq off",
    "Removed the shaper lq",
  ])
    expect(trail.text).toContain(said);
});

test("its files are taken away under the names that LibreQoS reads, with names of people where they are asked for", async () => {
  const { get, post } = await visitor();
  await post(`${PAGE}/new`, lq);
  app.db.$client.run("UPDATE subscribers SET name = 'Ann Other' WHERE id = 1");
  const devices = await get(`${PAGE}/1/ShapedDevices.csv`);
  expect(devices.headers.get("content-disposition")).toBe('attachment; filename="ShapedDevices.csv"');
  expect(devices.html).toStartWith("Circuit ID,Circuit Name,Device ID");
  expect(devices.html).not.toContain("Ann Other");
  expect((await get(`${PAGE}/1/ShapedDevices.csv?names=1`)).html).toContain("Ann Other");
  expect((await get(`${PAGE}/1/network.json`)).html).toBe("{}\n");
});

test("another ISP's is none, and who may only see routers changes none", async () => {
  const admin = await visitor();
  await admin.post(`${PAGE}/new`, lq);
  const other = await visitor(callers.otherTenant);
  for (const path of [`${PAGE}/1`, `${PAGE}/1/edit`, `${PAGE}/1/ShapedDevices.csv`])
    expect((await other.get(path)).status).toBe(404);
  const branch = await visitor(callers.branch);
  expect((await branch.get(`${PAGE}/new`)).status).toBe(403);
  expect((await branch.post(`${PAGE}/1/delete`)).status).toBe(422);
  expect((await admin.get(`${PAGE}/1`)).status).toBe(200);
  expect((await branch.get(`${PAGE}/1/network.json`)).status).toBe(403);
});
