import { describe, expect, test } from "bun:test";
import { listen } from "../../src/http/server.ts";
import { type TestApp, undoneApps } from "../support/http.ts";
import { insertStaff } from "../support/people.ts";

const temporaryApp = undoneApps();

const basic = `Basic ${btoa("ada:secret-1")}`;
const refused = {
  error:
    "a browser says that a page of another site sent this; send it from a page of this host, or from a program without Origin and Sec-Fetch-Site",
};

async function withAdmin(trustedProxies: string[] = []) {
  const app = temporaryApp({ trustedProxies });
  await insertStaff(app.db, "ada");
  return app;
}

/** Creates a role as a browser would, whose page is somewhere; the URL's host is localhost. */
function create(app: TestApp, headers: Record<string, string>) {
  return app.call("POST", "/api/v1/role/create", {
    headers: { authorization: basic, ...headers },
    form: { isp_id: "1", name: "Support" },
  });
}

describe("a call with Basic credentials that changes something", () => {
  test.each<[string, Record<string, string>]>([
    ["of a program", {}],
    ["of a page of this host", { "sec-fetch-site": "same-origin", origin: "http://localhost" }],
    ["of a page of this host, without Sec-Fetch-Site", { origin: "http://localhost" }],
    ["that the user typed", { "sec-fetch-site": "none" }],
    ["of a page without a referrer of this host", { "sec-fetch-site": "same-origin", origin: "null" }],
    ["of a page of this host and port", { host: "isp:8080", origin: "http://isp:8080" }],
    [
      "of a page behind a proxy that drops the port",
      { "sec-fetch-site": "same-origin", host: "isp.example", origin: "https://isp.example:8443" },
    ],
    ["of a page in another writing", { host: "ISP.example:443", origin: "https://isp.example" }],
    ["of a page behind a proxy that ends TLS", { host: "isp.example", origin: "https://isp.example" }],
    ["of a page at an IPv6 address", { host: "[fd00::1]:8080", origin: "http://[fd00::1]:8080" }],
  ])("%s is taken", async (_, headers) => {
    using app = await withAdmin();
    expect((await create(app, headers)).status).toBe(200);
  });

  test.each<[string, Record<string, string>]>([
    ["of another site", { "sec-fetch-site": "cross-site" }],
    ["of another host of the same site", { "sec-fetch-site": "same-site", origin: "http://localhost" }],
    ["of another host", { origin: "http://evil.example" }],
    [
      "of another host, whatever the rest says",
      { "sec-fetch-site": "same-origin", origin: "http://evil.example" },
    ],
    ["of another port", { host: "isp:8080", origin: "http://isp" }],
    ["of the host's name with more behind it", { origin: "http://localhost.evil.example" }],
    ["of nowhere", { origin: "null" }],
    ["of something that is no origin", { origin: "localhost" }],
    [
      "of a host that calls itself ours",
      { origin: "http://evil.example", "x-forwarded-host": "evil.example" },
    ],
  ])("%s is 403", async (_, headers) => {
    using app = await withAdmin();
    const { status, body } = await create(app, headers);
    expect([status, body]).toEqual([403, refused]);
    expect((await app.call("GET", "/api/v1/role/list", { basic: "ada:secret-1" })).body).toEqual([]);
  });

  test("is refused before its password is looked at, so that a page cannot use up the attempts of its reader", async () => {
    using app = await withAdmin();
    for (let i = 0; i < 12; i++)
      expect(
        (await create(app, { authorization: `Basic ${btoa("ada:wrong")}`, origin: "null" })).status,
      ).toBe(403);
    expect((await create(app, {})).status).toBe(200);
  });

  test("deletes and activations too; reading is open, and so is what carries a token", async () => {
    using app = await withAdmin();
    const evil = { authorization: basic, origin: "http://evil.example", "sec-fetch-site": "cross-site" };
    const of = async (method: string, path: string, headers = evil) =>
      (await app.call(method, path, { headers })).status;
    expect(await of("DELETE", "/api/v1/role/delete/1")).toBe(403);
    expect(await of("POST", "/api/v1/activation/activate")).toBe(403);
    expect(await of("POST", "/api/v1/subscriber/create")).toBe(403);
    expect(await of("GET", "/api/v1/role/list")).toBe(200);
    expect(await of("HEAD", "/api/v1/role/list")).toBe(200);
    expect(await of("POST", "/api/v1/users/logout", { ...evil, authorization: "Bearer 1|x" })).toBe(401);
  });
});

test("a trusted proxy says which host the browser asked, nobody else does", async () => {
  const forwarded = {
    authorization: basic,
    "content-type": "application/x-www-form-urlencoded",
    origin: "https://isp.example",
    "x-forwarded-host": "isp.example",
  };
  for (const [trusted, status] of [
    [["127.0.0.0/8"], 200],
    [[], 403],
  ] as const) {
    using app = await withAdmin([...trusted]);
    const lan = listen(app.app, { hostname: "127.0.0.1", port: 0 });
    const response = await fetch(`http://${lan.address}/api/v1/role/create`, {
      method: "POST",
      headers: forwarded,
      body: "isp_id=1&name=Support",
    });
    expect(response.status).toBe(status);
    await lan.stop();
  }
});
