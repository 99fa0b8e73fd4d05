import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { text } from "../../src/domain/core/fields/fields.ts";
import { cleanText } from "../../src/domain/machine/imports/clean.ts";
import { LIVE_PATH } from "../../src/http/console/guard.ts";
import { consoleRoutes } from "../../src/http/console/routes.ts";
import { consoleSessionOf } from "../support/console-browser.ts";
import { listen } from "../../src/http/server.ts";
import { isThorough } from "../support/runs.ts";
import { callers, type Tenants, undoneTenants } from "../support/tenants.ts";

const withTenants = undoneTenants();

let app: Tenants;
let cookie: string;
beforeAll(async () => {
  app = await withTenants();
  cookie = await consoleSessionOf(app, callers.admin);
});
afterAll(() => app[Symbol.dispose]());

const statusOf = async (path: string, method = "GET") =>
  (await app.app.handle(new Request(`http://localhost${path}`, { method, headers: { cookie } }))).status;

test("an address with a control character is none, at every route that takes a part of its path", async () => {
  const paths = [...app.app.routes, ...consoleRoutes].filter(({ path }) => path.includes(":"));
  expect(paths.length).toBeGreaterThan(100);
  const signs = ["%00", "a%0d%0ab", "%7F"];
  // they are refused before a route is looked for, so that routes take turns
  for (const [nth, { method, path }] of paths.entries())
    for (const sign of isThorough ? signs : [signs[nth % signs.length] ?? ""])
      expect([path, await statusOf(path.replaceAll(/:\w+/g, sign), method)]).toEqual([path, 404]);
});

test("pages far behind the end of a list, at any number, are no failure", async () => {
  const lists = consoleRoutes.filter(
    ({ method, path }) => method === "GET" && !path.includes(":") && path !== LIVE_PATH,
  );
  const far = ["9007199254740991", "1e300", "-1", "0.5", "99999999999999999999"];
  for (const { path } of lists)
    for (const number of far)
      expect([
        path,
        (await statusOf(`${path}?page=${number}&from=${number}&before=${number}`)) < 500,
      ]).toEqual([path, true]);
});

test("the OpenAPI document is made once, compressed, and not sent to who has it", async () => {
  const ask = (headers: Record<string, string>) =>
    app.app.handle(new Request("http://localhost/openapi.json", { headers }));
  const whole = await ask({});
  const text = await whole.text();
  const small = await ask({ "accept-encoding": "gzip" });
  expect(small.headers.get("content-encoding")).toBe("gzip");
  const bytes = new Uint8Array(await small.arrayBuffer());
  expect(bytes.length).toBeLessThan(text.length / 4);
  expect(new TextDecoder().decode(Bun.gunzipSync(bytes))).toBe(text);
  const again = await ask({ "if-none-match": whole.headers.get("etag") ?? "" });
  expect([again.status, await again.text()]).toEqual([304, ""]);
});

test("an account has a hundred wrong passwords an hour at the portal, from however many addresses", async () => {
  using portal = await withTenants({ trustedProxies: ["127.0.0.1"] });
  const { address, stop } = listen(portal.app, { hostname: "127.0.0.1", port: 0 });
  const page = await fetch(`http://${address}/portal/sign-in`);
  const visit = page.headers.get("set-cookie")?.split(";")[0] ?? "";
  const token = /name="form_token" value="([^"]+)"/.exec(await page.text())?.[1] ?? "";
  const signIn = (from: string, username: string, password: string) =>
    fetch(`http://${address}/portal/sign-in`, {
      method: "POST",
      redirect: "manual",
      headers: { cookie: visit, "x-forwarded-for": from },
      body: new URLSearchParams({ form_token: token, username, password }),
    }).then(({ status }) => status);
  for (let i = 0; i < 100; i++)
    expect([i, await signIn(`198.51.${i}.7`, i % 2 ? "user1" : " USER1", "guess")]).toEqual([i, 401]);
  expect(await signIn("203.0.113.9", "user1", "pw-1")).toBe(429);
  expect(await signIn("203.0.113.9", "user2", "pw-2")).toBe(303);
  await stop();
});

describe("characters that nobody sees", () => {
  const name = text(40);

  test("are refused in a line of text, but for joiners between letters", () => {
    for (const hidden of [
      "a\u202eb",
      "\u2066x",
      "\ufeffx",
      "x\u200f",
      "x\u200d",
      "\u200cx",
      "x \u200dy",
      "\u00ad",
    ])
      expect([hidden, name.read(hidden)]).toEqual([hidden, undefined]);
    for (const word of ["می\u200cخواهم", "क्\u200dष", "Ana-María", "علی"]) expect(name.read(word)).toBe(word);
  });

  test("are left out of what comes from elsewhere", () => {
    expect(cleanText("\u200e+34 600\u202c \u202eAna")).toBe("+34 600 Ana");
    expect(cleanText("می\u200cخواهم")).toBe("می\u200cخواهم");
  });
});
