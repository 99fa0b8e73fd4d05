import { afterEach, beforeEach, expect, test } from "bun:test";
import { consoleSessionOf, consoleSite, type ConsoleSite } from "../support/console-browser.ts";
import { callers, insertKey, type Tenants, withTenants } from "../support/tenants.ts";

/* Keys are made of a role or a part of it, shown once, changed, given another secret and revoked by plain forms. */

const PAGE = "/console/settings/keys";
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

const pairIn = (html: string) => /key_[0-9a-f]{16}:[\w-]{43}/.exec(html)?.[0] ?? "";
const status = async (pair: string) =>
  (await app.call("GET", "/api/v1/payment/list", { basic: pair })).status;

test("one is made of a part of a role, shown once, changed, given another secret and revoked", async () => {
  const { get, post } = await visitor();
  expect((await get(PAGE)).text).toContain("No program has a key yet");
  expect((await get(`${PAGE}/new`)).text).toMatch(/Everything \d+ permissions Idle No permission/);
  const fresh = (await get(`${PAGE}/new?role=1`)).text;
  expect(fresh).toContain("Ticks are a part of what Everything may do");
  const sent: [string, string][] = [
    ["key", "k1"],
    ["name", "website"],
    ["branch_id", ""],
    ["flags", "payment_view"],
    ["flags", "invoice_view"],
    ["addresses", ""],
    ["ends_at", "2030-12-31"],
  ];
  const wrong = await post(`${PAGE}/new?role=1`, [
    ...sent.filter(([name]) => name !== "addresses"),
    ["addresses", "x"],
  ]);
  expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining("Must be up to 50 IP addresses")]);
  const made = await post(`${PAGE}/new?role=1`, sent);
  expect([made.status, made.text]).toEqual([200, expect.stringContaining("it is shown this once")]);
  const pair = pairIn(made.html);
  expect(await status(pair)).toBe(200);
  const again = await post(`${PAGE}/new?role=1`, sent);
  expect([again.status, pairIn(again.html)]).toEqual([303, ""]);
  const page = await get(`${PAGE}/10`);
  expect(page.text).toContain("see payments, see invoices");
  expect(page.html).not.toContain(pair.split(":")[1] ?? "");

  const kept = await post(`${PAGE}/10/edit`, [
    ["name", "website"],
    ["addresses", "10.0.0.0/8"],
    ["ends_at", "2030-12-31"],
  ]);
  expect(kept.status).toBe(303);
  expect((await get(`${PAGE}/10`)).text).toMatch(/all that Everything may .* 10\.0\.0\.0\/8/);
  expect(await status(pair)).toBe(403);
  await post(`${PAGE}/10/edit`, [
    ["name", "website"],
    ["addresses", ""],
    ["ends_at", ""],
  ]);

  app.db.$client.run("UPDATE api_keys SET is_proven = 1");
  const rotated = await post(`${PAGE}/10/rotate`, { keep_hours: "1" });
  expect(rotated.text).toContain("The one before is valid until");
  expect([await status(pair), await status(pairIn(rotated.html))]).toEqual([200, 200]);
  expect((await post(`${PAGE}/10/revoke`)).status).toBe(303);
  expect([await status(pair), await status(pairIn(rotated.html))]).toEqual([401, 401]);
  expect((await get(PAGE)).text).toMatch(/website .*revoked/);
});

test("a part that its role no longer has is not all of it after another change", async () => {
  insertKey(app, { branch_id: 0, flags: "payment_view" });
  const { $client } = app.db;
  $client.run("UPDATE role_permissions SET value = 0 WHERE role_code = 1 AND flag = 'payment_view'");
  const { post } = await visitor();
  const kept = await post(`${PAGE}/50/edit`, { name: "website", addresses: "", ends_at: "" });
  expect(kept.status).toBe(303);
  const select = "SELECT name, flags FROM api_keys JOIN staff ON staff_id = id";
  expect($client.query(select).all()).toEqual([{ name: "website", flags: "payment_view" }]);
});

test("its page has its calls, and those alone that were refused", async () => {
  insertKey(app, { branch_id: 0 });
  for (const [path, answer] of [
    ["/api/v1/payment/list", 200],
    ["/api/v1/nas/list", 403],
  ] as const)
    app.db.$client.run(
      "INSERT INTO api_key_calls (key_id, at, method, path, status, milliseconds, address) VALUES (50, ?, 'GET', ?, ?, 12, '192.0.2.7')",
      [app.clock.now, path, answer],
    );
  const { get } = await visitor();
  const all = await get(`${PAGE}/50`);
  expect(all.text).toMatch(
    /GET \/api\/v1\/nas\/list 403 12 ms 192\.0\.2\.7 .*GET \/api\/v1\/payment\/list 200/,
  );
  expect((await get(`${PAGE}/50?failed=1`)).text).not.toContain("payment/list");
});

test("without the permission there is neither page nor way to it, and of a branch are keys of that alone", async () => {
  const { get } = await visitor(callers.noFlag);
  expect((await get(PAGE)).status).toBe(403);
  insertKey(app);
  insertKey(app, { branch_id: 12, name: "harbour" });
  const mia = await visitor(callers.branch);
  const { text } = await mia.get(PAGE);
  expect([text.includes("books"), text.includes("harbour")]).toEqual([true, false]);
  expect((await mia.get(`${PAGE}/51`)).status).toBe(404);
});
