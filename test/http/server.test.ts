import { describe, expect, test } from "bun:test";
import { Elysia } from "elysia";
import { connect } from "node:net";
import { connect as connectTls } from "node:tls";
import { timeZone } from "../../src/domain/core/time/time.ts";
import { listen } from "../../src/http/server.ts";
import type { HttpNeeds } from "../../src/http/app.ts";
import { certificate } from "../support/certificate.ts";
import { temporaryApp } from "../support/http.ts";
import { insertRole, insertStaff } from "../support/people.ts";

const basic = { authorization: `Basic ${Buffer.from("ada:secret-1").toString("base64")}` };
const local = { hostname: "127.0.0.1", port: 0 };

async function listening(options: Partial<HttpNeeds> = {}) {
  const store = temporaryApp(options);
  insertRole(store.db, 1, 1, "Support", ["role_view"]);
  await insertStaff(store.db, "ada");
  const lan = listen(store.app, local);
  const { address } = lan;
  return {
    ...store,
    address,
    lan,
    fetch: (path: string, init?: RequestInit) => fetch(`http://${address}${path}`, init),
    async [Symbol.asyncDispose]() {
      await lan.stop();
      store[Symbol.dispose]();
    },
  };
}

/** Sends bytes over a socket of its own and answers the status line and the body. */
function raw(address: string, text: string): Promise<string> {
  const [host = "", port = ""] = address.split(":");
  return new Promise((resolve, reject) => {
    let received = "";
    const socket = connect(Number(port), host, () => socket.write(text));
    socket.on("data", (chunk) => (received += chunk.toString()));
    socket.on("error", reject);
    socket.on("close", () => resolve(received));
  });
}

describe("a listener", () => {
  test.each(["localhost", "isp", "gw", "a", "127.0.0.1:8080"])(
    "finds every path for the host name %s",
    async (host) => {
      await using app = await listening();
      const send = async (method: string, path: string) =>
        (
          await raw(
            app.address,
            `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${basic.authorization}\r\nConnection: close\r\n\r\n`,
          )
        ).split("\r\n")[0];
      expect(await send("GET", "/healthz")).toBe("HTTP/1.1 200 OK");
      expect(await send("GET", "/api/v1/role/get/1")).toBe("HTTP/1.1 200 OK");
      expect(await send("GET", "/api/v1/role/get/1?isp_id=1")).toBe("HTTP/1.1 200 OK");
      expect(await send("GET", "/api/v1/role/none")).toBe("HTTP/1.1 404 Not Found");
      expect(await send("DELETE", "/api/v1/role/list")).toBe("HTTP/1.1 405 Method Not Allowed");
      expect(await send("GET", "//api/v1/role/list")).toBe("HTTP/1.1 404 Not Found");
      expect(await send("HEAD", "/api/v1/role/list")).toBe("HTTP/1.1 200 OK");
    },
  );

  test("knows the client: login attempts count per address, and X-Forwarded-For only from a trusted proxy", async () => {
    await using distrusting = await listening();
    await using trusting = await listening({ trustedProxies: ["127.0.0.0/8", "10.0.0.0/8"] });
    const attempt = async ({ fetch }: typeof trusting, forwardedFor: string) => {
      const { status } = await fetch("/api/v1/users/login", {
        method: "POST",
        headers: { "content-type": "application/json", "x-forwarded-for": forwardedFor },
        body: JSON.stringify({ email: "ada", password: "wrong" }),
      });
      return status;
    };
    for (let i = 0; i < 5; i++) {
      expect(await attempt(distrusting, `203.0.113.${i}`)).toBe(401);
      expect(await attempt(trusting, `1.1.1.${i}, 203.0.113.7, 10.1.2.3`)).toBe(401);
    }
    expect(await attempt(distrusting, "203.0.113.9")).toBe(429);
    expect(await attempt(trusting, "203.0.113.7")).toBe(429);
    expect(await attempt(trusting, "203.0.113.7, 203.0.113.8")).toBe(401);
  });

  test("refuses a body that is too large by its length and by its chunks, in the family's shape", async () => {
    await using app = await listening();
    const send = async (body: string | ReadableStream, length: boolean) => {
      const response = await app.fetch("/api/v1/role/create", {
        method: "POST",
        headers: { ...basic, "content-type": "application/x-www-form-urlencoded" },
        body,
      });
      return { status: response.status, body: await response.json(), length };
    };
    const refused = { status: 413, body: { error: "the body is larger than 1 MiB" } };
    for (const megabytes of [2, 12])
      expect(await send("x".repeat(megabytes * 1024 * 1024), true)).toMatchObject(refused);
    let chunks = 0;
    const endless = new ReadableStream({
      pull(controller) {
        chunks += 1;
        if (chunks > 40) controller.close();
        else controller.enqueue(new Uint8Array(65_536).fill(120));
      },
    });
    expect(await send(endless, false)).toMatchObject(refused);
    expect(await (await app.fetch("/healthz")).json()).toEqual({ status: "ok", time_zone: timeZone() });
  });

  test("refuses at the announcement of a huge body, without waiting for it", async () => {
    await using app = await listening();
    const head = `POST /api/v1/users/login HTTP/1.1\r\nHost: isp\r\nContent-Type: application/json\r\nContent-Length: 9000000000\r\nConnection: close\r\n\r\n{`;
    const answer = await raw(app.address, head);
    expect(answer).toStartWith("HTTP/1.1 413 ");
    expect(answer).toEndWith(
      '{"status":"error","message":"the body is larger than 1 MiB","code":"too_large"}',
    );
  });

  test("takes a body of exactly 1 MiB", async () => {
    await using app = await listening();
    const response = await app.fetch("/api/v1/role/create", {
      method: "POST",
      headers: { ...basic, "content-type": "application/x-www-form-urlencoded" },
      body: "name=".padEnd(1024 * 1024, "x"),
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: "check name" });
  });

  test("a client that goes away in the middle of its body is no internal error", async () => {
    await using app = await listening();
    const [host = "", port = ""] = app.address.split(":");
    const socket = connect(Number(port), host);
    socket.write(
      `POST /api/v1/users/login HTTP/1.1\r\nHost: isp\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"email":`,
    );
    await Bun.sleep(100);
    socket.destroy();
    await Bun.sleep(100);
    expect((await app.fetch("/healthz")).status).toBe(200);
    expect(app.lines).toEqual([]);
  });

  test("does not share its port", async () => {
    await using app = await listening();
    const port = Number(app.address.split(":")[1]);
    expect(() => listen(app.publicApp, { ...local, port })).toThrow();
  });

  test("the public one knows the client and none of the LAN's paths", async () => {
    await using app = await listening();
    const listener = listen(app.publicApp, local);
    const response = await fetch(`http://${listener.address}/api/v1/role/list`, { headers: basic });
    expect([response.status, await response.json()]).toEqual([
      404,
      {
        error: "there is no /api/v1/role/list",
        code: "unknown_path",
        next: "Look it up in /openapi.json.",
      },
    ]);
    await listener.stop();
    expect((await app.fetch("/healthz")).status).toBe(200);
  });
});

describe("stopping", () => {
  /** A path that takes its time, and `arrived` once it was asked for. */
  const slow = (ms: number) => {
    const { promise: arrived, resolve } = Promise.withResolvers<void>();
    const app = new Elysia().get("/slow", async () => {
      resolve();
      await Bun.sleep(ms);
      return "done";
    });
    return { app, arrived };
  };

  test("finishes what is under way and takes nothing new", async () => {
    const { app, arrived } = slow(300);
    const listener = listen(app, local);
    const underWay = fetch(`http://${listener.address}/slow`, { keepalive: false });
    await arrived;
    const stopped = listener.stop();
    expect(await (await underWay).text()).toBe("done");
    await stopped;
    const refused = await fetch(`http://${listener.address}/slow`).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Error);
  });

  test("is not held up by a request that does not end, nor by an idle connection", async () => {
    const { app, arrived } = slow(60_000);
    const listener = listen(app, local);
    const [host = "", port = ""] = listener.address.split(":");
    const idle = connect(Number(port), host);
    const hanging = fetch(`http://${listener.address}/slow`).catch((error: unknown) => error);
    await arrived;
    const from = performance.now();
    await listener.stop(200);
    expect(performance.now() - from).toBeLessThan(20_000);
    expect(await hanging).toBeInstanceOf(Error);
    idle.destroy();
  });
});

describe("TLS", () => {
  test.each(["localhost", "gw", "a", "isp.example"])(
    "finds every path for the host name %s",
    async (host) => {
      using app = temporaryApp();
      await insertStaff(app.db, "ada");
      const lan = listen(app.app, { ...local, tls: await certificate() });
      const request = (path: string) =>
        `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${basic.authorization}\r\nConnection: close\r\n\r\n`;
      const port = Number(lan.address.split(":")[1]);
      const statusOf = async (path: string) => {
        const socket = connectTls({ host: "127.0.0.1", port, rejectUnauthorized: false });
        socket.write(request(path));
        let received = "";
        for await (const chunk of socket) received += String(chunk);
        return received.split("\r\n")[0];
      };
      expect(await statusOf("/healthz")).toBe("HTTP/1.1 200 OK");
      expect(await statusOf("/api/v1/role/list?isp_id=1")).toBe("HTTP/1.1 200 OK");
      expect(await statusOf("/api/v1/role/get/1")).toBe("HTTP/1.1 404 Not Found");
      expect(await statusOf("/none")).toBe("HTTP/1.1 404 Not Found");
      await lan.stop();
    },
  );

  test("has requestIP behind it", async () => {
    const seen = new Elysia().get(
      "/ip",
      ({ server, request }) => server?.requestIP(request)?.address ?? "none",
    );
    const listener = listen(seen, { ...local, tls: await certificate() });
    const response = await fetch(`https://${listener.address}/ip`, { tls: { rejectUnauthorized: false } });
    expect(await response.text()).toBe("127.0.0.1");
    await listener.stop();
  });
});
