import { describe, expect, test } from "bun:test";
import { listen } from "../../src/http/server.ts";
import { certificate } from "../support/certificate.ts";
import type { TestApp } from "../support/http.ts";
import { undoneTenants } from "../support/tenants.ts";

const withTenants = undoneTenants();

const MOBILE = "/mobile-auto-login";
const HOUR = 3600;

async function signedIn(app: TestApp): Promise<{ bearer: string; location: string; cookie: string }> {
  const login = { json: { username: "user1", password: "pw-1" } };
  const { body } = await app.call("POST", "/api/v1/subscriber/login", login);
  const bearer = /"token":"([^"]+)"/.exec(JSON.stringify(body))?.[1] ?? "";
  const answer = await app.callPublic("GET", MOBILE, { bearer });
  expect(answer).toMatchObject({ status: 302, body: undefined });
  return {
    bearer,
    location: answer.headers.get("location") ?? "",
    cookie: answer.headers.get("set-cookie") ?? "",
  };
}

const portal = (app: TestApp, cookie: string) =>
  app.callPublic("GET", "/portal", { headers: { cookie: cookie.split(";")[0] ?? "" } });

describe("/mobile-auto-login", () => {
  test("leads to the portal with a session of twelve hours, of which the store has a hash", async () => {
    using app = await withTenants();
    const { location, cookie } = await signedIn(app);
    expect(location).toBe("/portal");
    expect(cookie).toMatch(/^gatehouse_portal=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Lax$/);
    const rows = JSON.stringify(app.db.$client.query("SELECT * FROM subscriber_tokens").all());
    expect(rows).not.toContain(cookie.slice("gatehouse_portal=".length, cookie.indexOf(";")));
    expect((await portal(app, cookie)).status).toBe(200);
    app.clock.now += 12 * HOUR - 1;
    expect((await portal(app, cookie)).status).toBe(200);
    app.clock.now += 1;
    expect((await portal(app, cookie)).status).toBe(303);
  });

  test("the cookie is Secure under TLS and behind a trusted proxy that says so", async () => {
    using app = await withTenants({ trustedProxies: ["127.0.0.1"] });
    const { bearer } = await signedIn(app);
    const secure = listen(app.publicApp, { hostname: "127.0.0.1", port: 0, tls: await certificate() });
    const plain = listen(app.app, { hostname: "127.0.0.1", port: 0 });
    const cookieOf = async (origin: string, proto?: string) => {
      const response = await fetch(`${origin}${MOBILE}`, {
        redirect: "manual",
        tls: { rejectUnauthorized: false },
        headers: {
          authorization: `Bearer ${bearer}`,
          ...(proto !== undefined && { "x-forwarded-proto": proto }),
        },
      });
      return response.headers.get("set-cookie");
    };
    const prefixed =
      /^__Host-gatehouse_portal=[\w-]{43}; Path=\/; Max-Age=43200; Secure; HttpOnly; SameSite=Lax$/;
    expect(await cookieOf(`https://${secure.address}`)).toMatch(prefixed);
    expect(await cookieOf(`http://${plain.address}`)).not.toContain("Secure");
    expect(await cookieOf(`http://${plain.address}`, "http")).not.toContain("Secure");
    expect(await cookieOf(`http://${plain.address}`, "https")).toMatch(prefixed);
    await Promise.all([secure.stop(), plain.stop()]);
  });
});

test("under TLS the portal takes no cookie without the prefix, whoever planted it, and its forms neither", async () => {
  using app = await withTenants();
  const { cookie } = await signedIn(app);
  const [, id = ""] = /^gatehouse_portal=([^;]+)/.exec(cookie) ?? [];
  const secure = listen(app.publicApp, { hostname: "127.0.0.1", port: 0, tls: await certificate() });
  const ask = async (path: string, sent: string, form?: Record<string, string>) => {
    const response = await fetch(`https://${secure.address}${path}`, {
      ...(form && { method: "POST", body: new URLSearchParams(form) }),
      redirect: "manual",
      tls: { rejectUnauthorized: false },
      headers: { cookie: sent },
    });
    return {
      status: response.status,
      set: response.headers.get("set-cookie") ?? "",
      text: await response.text(),
    };
  };
  expect((await ask("/portal", `gatehouse_portal=${id}`)).status).toBe(303);
  expect((await ask("/portal", `__Host-gatehouse_portal=${id}`)).status).toBe(200);

  const page = await ask("/portal/sign-in", "");
  expect(page.set).toMatch(/^__Host-gatehouse_visit=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax$/);
  const visit = page.set.split(";")[0] ?? "";
  const [, token = ""] = /name="form_token" value="([^"]+)"/.exec(page.text) ?? [];
  const form = { username: "user1", password: "pw-1", form_token: token };
  expect((await ask("/portal/sign-in", visit.replace("__Host-", ""), form)).status).toBe(403);
  const entered = await ask("/portal/sign-in", visit, form);
  expect(entered.status).toBe(303);
  expect(entered.set).toMatch(/^__Host-gatehouse_portal=[\w-]{43};/);
  const session = entered.set.split(";")[0] ?? "";
  const home = await ask("/portal", session);
  const [, out = ""] = /name="form_token" value="([^"]+)"/.exec(home.text) ?? [];
  const left = await ask("/portal/sign-out", session, { form_token: out });
  expect(left.set).toMatch(/^__Host-gatehouse_portal=; .*Max-Age=0/);
  expect((await ask("/portal", session)).status).toBe(303);
  await secure.stop();
});

describe("/portal", () => {
  test("shows the subscriber, with nothing in the page that the data brought along", async () => {
    using app = await withTenants();
    app.db.$client.run(`UPDATE subscribers SET name = '<script>alert("1")</script> & ''Co''' WHERE id = 1`);
    const { cookie } = await signedIn(app);
    const { headers, body } = await portal(app, cookie);
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(headers.get("content-security-policy")).toStartWith("default-src 'none'");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(body).toContain("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;Co&#39;");
    expect(body).not.toContain("<script>");
    for (const answer of ["Home 1", "Active", "Jan 25, 2030"]) expect(body).toContain(answer);
    expect(body).not.toContain("pw-1");
  });

  test.each([
    ["no cookie", ""],
    ["an empty one", "gatehouse_portal="],
    ["an invented one", `gatehouse_portal=${"A".repeat(43)}`],
    ["a malformed one", "gatehouse_portal=%zz%00; =; ;;"],
  ])("%s: to the sign-in page", async (_name, cookie) => {
    using app = await withTenants();
    const { status, headers } = await portal(app, cookie);
    expect(status).toBe(303);
    expect(headers.get("location")).toBe("/portal/sign-in");
  });

  test("the id of an app token, or the hash in the store, opens no portal", async () => {
    using app = await withTenants();
    await signedIn(app);
    for (const { id } of app.db.$client.query<{ id: string }, []>("SELECT id FROM subscriber_tokens").all())
      expect((await portal(app, `gatehouse_portal=${id}`)).status).toBe(303);
  });

  test("a disabled subscriber is out at once", async () => {
    using app = await withTenants();
    const { cookie } = await signedIn(app);
    app.db.$client.run("UPDATE subscribers SET status = 0 WHERE id = 1");
    expect((await portal(app, cookie)).status).toBe(303);
  });
});
