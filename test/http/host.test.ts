import { describe, expect, test } from "bun:test";
import type { AnyElysia } from "elysia";
import { connect } from "node:net";
import type { Served } from "../../src/http/meter.ts";
import { listen } from "../../src/http/server.ts";
import { targetPath, targetQuery } from "../../src/http/target.ts";
import { undoneApps } from "../support/http.ts";

const temporaryApp = undoneApps();

/** Sends bytes as they are, and answers all that comes back before the connection ends. */
function raw(address: string, text: string): Promise<string> {
  const [host = "", port = ""] = address.split(":");
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let received = "";
  const socket = connect(Number(port), host, () => socket.write(Buffer.from(text, "latin1")));
  socket.on("data", (chunk) => (received += chunk.toString("latin1")));
  socket.on("error", reject);
  socket.on("close", () => resolve(received));
  return promise;
}

const get = (path: string, host: string) =>
  `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
const none = [
  "a/",
  "a:b",
  "[zz]",
  "256.1.1.1",
  "xn--a",
  "",
  "a b",
  "u@isp",
  "a?b",
  "a#b",
  "a\\b",
  "\xc3\xa9",
  "a:99999",
  ":80",
  "a, b",
  "x/portal",
];
const listeners = ["app", "publicApp", "walledApp"] as const;

describe.each(listeners)("a Host that is no authority, at %s", (which) => {
  test("is 400 on every path, before a route is looked for, and is counted", async () => {
    const served: Served[] = [];
    using app = temporaryApp({ served: (one) => served.push(one) });
    const listener = listen(app[which] as AnyElysia, { hostname: "127.0.0.1", port: 0 });
    const paths = ["/healthz", "/portal", "/portal:xx/healthz", "/api/v1/users/login", "/none?a=b"];
    for (const host of none)
      for (const path of paths) {
        const answer = await raw(listener.address, get(path, host));
        expect({ host, path, status: answer.slice(0, 12) }).toEqual({ host, path, status: "HTTP/1.1 400" });
        expect(answer).not.toContain('"ok"');
      }
    while (served.length < none.length * paths.length) await Bun.sleep(5); // counted a moment after the answer
    await listener.stop();
    expect(app.lines).toEqual([]);
    expect(new Set(served.map(({ status, route }) => `${status} ${route}`))).toEqual(new Set(["400 none"]));
  });
});

test("the refusal has the shape of the path's family, and is a page where people look", async () => {
  using app = temporaryApp();
  const listener = listen(app.app, { hostname: "127.0.0.1", port: 0 });
  const bodyAt = async (path: string) => (await raw(listener.address, get(path, "a:b"))).split("\r\n\r\n")[1];
  const message = "the Host header is not a host name or an address, with or without a port";
  const code = "malformed";
  expect(JSON.parse((await bodyAt("/api/v1/users/profile")) ?? "")).toEqual({
    status: "error",
    message,
    code,
  });
  expect(JSON.parse((await bodyAt("/api/v1/subscriber/login")) ?? "")).toEqual({
    success: false,
    message,
    code,
  });
  expect(JSON.parse((await bodyAt("/api/v1/role/list")) ?? "")).toEqual({ error: message, code });
  expect(await bodyAt("/portal/sign-in")).toStartWith("<!doctype html>");
  await listener.stop();
});

test.each(["isp", "gw:8080", "127.0.0.1", "[::1]:8080", "Isp.Example.", "a_b", "isp:"])(
  "%s is a Host",
  async (host) => {
    using app = temporaryApp();
    const listener = listen(app.app, { hostname: "127.0.0.1", port: 0 });
    expect(await raw(listener.address, get("/healthz", host))).toStartWith("HTTP/1.1 200 ");
    await listener.stop();
  },
);

test("HTTP/1.0 may come without a Host, and two Hosts are none", async () => {
  using app = temporaryApp();
  const listener = listen(app.app, { hostname: "127.0.0.1", port: 0 });
  const send = async (text: string) => (await raw(listener.address, text)).split("\r\n")[0];
  expect(await send("GET /healthz HTTP/1.0\r\n\r\n")).toEndWith(" 200 OK");
  expect(await send("GET /portal:xx/healthz HTTP/1.0\r\n\r\n")).toEndWith(" 404 Not Found");
  expect(await send("GET /portal/sign-in?done=everywhere HTTP/1.0\r\n\r\n")).toEndWith(" 200 OK");
  const two = "GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n";
  expect(await send(two)).toEndWith(" 400 Bad Request");
  await listener.stop();
});

test.each([
  ["http://isp/healthz", "/healthz", ""],
  ["http://isp/a/b?c=/d?e#f", "/a/b", "c=/d?e"],
  ["https://a:b/portal:xx/healthz?x", "/portal:xx/healthz", "x"],
  ["/portal:xx/healthz?y=//", "/portal:xx/healthz", "y=//"],
  ["/", "/", ""],
  ["", "/", ""],
  ["a:80", "/", ""],
  ["http://isp", "/", ""],
])("the path of %j is %j, its query %j", (url, path, query) => {
  expect(targetPath({ url })).toBe(path);
  expect(targetQuery({ url })).toBe(query);
});
