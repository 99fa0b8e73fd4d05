import { describe, expect, test } from "bun:test";
import { listen } from "../../src/http/server.ts";
import { certificate } from "../support/certificate.ts";
import type { TestApp } from "../support/http.ts";
import { withTenants } from "../support/tenants.ts";

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
    expect(await cookieOf(`https://${secure.address}`)).toContain("; Secure");
    expect(await cookieOf(`http://${plain.address}`)).not.toContain("Secure");
    expect(await cookieOf(`http://${plain.address}`, "http")).not.toContain("Secure");
    expect(await cookieOf(`http://${plain.address}`, "https")).toContain("; Secure");
    await Promise.all([secure.stop(), plain.stop()]);
  });
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
    for (const shown of ["Home 1", "Active", "Jan 25, 2030"]) expect(body).toContain(shown);
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

describe("/docs", () => {
  test.each([
    ["/docs", "text/html"],
    ["/docs/viewer.css", "text/css"],
    ["/docs/viewer.js", "text/javascript"],
    ["/docs/start.js", "text/javascript"],
  ])("%s", async (path, type) => {
    using app = await withTenants();
    const { status, headers, body } = await app.call("GET", path);
    expect({ status, type: headers.get("content-type") }).toEqual({
      status: 200,
      type: `${type}; charset=utf-8`,
    });
    expect(String(body).length).toBeGreaterThan(100);
    expect((await app.call("HEAD", path)).status).toBe(200);
    expect((await app.call("POST", path)).status).toBe(405);
    expect((await app.callPublic("GET", path)).status).toBe(404);
  });

  test("the page loads from here alone, and its policy says so", async () => {
    using app = await withTenants();
    const { headers, body } = await app.call("GET", "/docs");
    const sources = [...String(body).matchAll(/(?:src|href)="([^"]*)"/g)].map(([, url]) => url);
    expect(sources).toEqual([
      "data:,",
      "/docs/viewer.css",
      "/docs/viewer.js",
      "/docs/start.js",
      "/openapi.json",
    ]);
    const policy = headers.get("content-security-policy");
    expect(policy).not.toContain("unsafe");
    expect(policy).toContain("script-src 'self'");
  });
});
