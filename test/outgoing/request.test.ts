import { createServer, type Server, type Socket } from "node:net";
import { afterAll, describe, expect, test } from "bun:test";
import channels from "../../src/http/words/en/message-channels.json";
import webhooks from "../../src/http/words/en/webhooks.json";
import { NotSent, outside, type Outgoing, request } from "../../src/outgoing/request.ts";
import { certificate } from "../support/certificate.ts";

const servers: { stop: () => void }[] = [];
afterAll(() => servers.forEach((server) => server.stop()));

const call = (url: string, more: Partial<Outgoing> = {}): Outgoing => ({
  method: "POST",
  url,
  headers: { "Content-Type": "text/plain" },
  body: "hello",
  allowLocal: true,
  ...more,
});

async function refusal(requests: Promise<unknown>): Promise<NotSent> {
  const error: unknown = await requests.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  if (error instanceof NotSent) return error;
  throw new Error(`expected NotSent, got ${String(error)}`);
}

function http(answer: (request: Request) => Response | Promise<Response>) {
  const server = Bun.serve({ port: 0, fetch: answer });
  servers.push({ stop: () => void server.stop(true) });
  return server;
}

/** Something that speaks no HTTP, or not in time. */
async function raw(answer: (socket: Socket) => void): Promise<number> {
  const server: Server = createServer((socket) => {
    socket.on("error", () => {});
    answer(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  servers.push({ stop: () => server.close() });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

test("what is sent arrives, under the name that was asked for, at the address that was checked", async () => {
  const requests: string[] = [];
  const server = http(async (got) => {
    requests.push(`${got.method} ${got.url} ${await got.text()}`);
    return new Response("thanks", { status: 201 });
  });
  const world = { ...outside, resolve: async () => ["127.0.0.1"] };
  expect(await request(call(`http://hook.example:${server.port}/a?b=c`), world)).toEqual({
    status: 201,
    body: "thanks",
    retryAfter: undefined,
  });
  expect(requests).toEqual([`POST http://hook.example:${server.port}/a?b=c hello`]);
});

test("over TLS the certificate has to be of the name", async () => {
  const { cert, key } = await certificate();
  const server = Bun.serve({ port: 0, tls: { cert, key }, fetch: () => new Response("ok") });
  servers.push({ stop: () => void server.stop(true) });
  const world = { ...outside, resolve: async () => ["127.0.0.1"], ca: cert };
  expect((await request(call(`https://localhost:${server.port}/`), world)).status).toBe(200);
  const other = await refusal(request(call(`https://other.example:${server.port}/`), world));
  expect(other.message).toContain("other.example");
  const unknown = await refusal(
    request(call(`https://localhost:${server.port}/`), { ...world, ca: undefined }),
  );
  expect(unknown.message).toContain("self signed");
});

describe("an address that is not public is not called", () => {
  let calls = 0;
  const server = http(() => {
    calls++;
    return new Response();
  });
  const refused = async (url: string, addresses: string[] = []) => {
    const before = calls;
    const world = { ...outside, resolve: async () => addresses };
    const refused = await refusal(request(call(url, { allowLocal: false }), world));
    expect(calls).toBe(before);
    return refused;
  };

  test("names the box to tick as the forms of channels and webhooks have it", async () => {
    const { message } = await refused(`http://127.0.0.1:${server.port}/`);
    for (const { local } of [channels, webhooks]) expect(message).toContain(`“${local.defaultMessage}”`);
  });

  test.each(["127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "2130706433", "0x7f.1", "169.254.169.254"])(
    "http://%s",
    async (host) => {
      const { message, isCertain } = await refused(`http://${host}:${server.port}/`);
      expect(message).toContain("not an address of the public internet");
      expect(isCertain).toBe(true);
    },
  );

  test.each([[["127.0.0.1"]], [["93.184.215.14", "10.0.0.1"]], [["fe80::1"]]])(
    "a name that resolves to %p",
    async (addresses) => {
      const { message } = await refused(`http://hook.example:${server.port}/`, addresses);
      expect(message).toContain(`hook.example is ${addresses.at(-1)}`);
    },
  );

  test("a name that changes its answer is asked once", async () => {
    let requests = 0;
    const resolve = async () => (requests++ === 0 ? ["127.0.0.1"] : ["10.0.0.1"]);
    await request(call(`http://hook.example:${server.port}/`), { ...outside, resolve });
    expect(requests).toBe(1);
  });
});

test("a redirect is followed by nobody", async () => {
  let followed = 0;
  const inside = http(() => {
    followed++;
    return new Response();
  });
  const server = http(() => Response.redirect(`http://127.0.0.1:${inside.port}/`, 302));
  expect((await request(call(`http://127.0.0.1:${server.port}/`))).status).toBe(302);
  expect(followed).toBe(0);
});

test.each([
  ["7", 7],
  ["0", 0],
  ["soon", undefined],
])("Retry-After: %s", async (header, seconds) => {
  const server = http(() => new Response("", { status: 429, headers: { "Retry-After": header } }));
  expect((await request(call(`http://127.0.0.1:${server.port}/`))).retryAfter).toBe(seconds);
});

test("Retry-After as a date", async () => {
  const date = new Date(Date.now() + 3_600_000).toUTCString();
  const server = http(() => new Response("", { status: 503, headers: { "Retry-After": date } }));
  const { retryAfter } = await request(call(`http://127.0.0.1:${server.port}/`));
  expect(retryAfter).toBeGreaterThan(3000);
  expect(retryAfter).toBeLessThanOrEqual(3600);
});

test("of an endless answer a part is read", async () => {
  const server = http(
    () =>
      new Response(
        new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(100_000).fill(65)) }),
      ),
  );
  const answer = await request(call(`http://127.0.0.1:${server.port}/`));
  expect(answer.body).toBe("A".repeat(16_384));
});

const faults: [string, (socket: Socket) => void, RegExp][] = [
  ["never answers", () => {}, /did not answer in time/],
  ["speaks no HTTP", (socket) => socket.end("220 ready\r\n"), /127\.0\.0\.1: /],
  ["hangs up", (socket) => socket.destroy(), /127\.0\.0\.1: /],
  [
    "breaks off in its answer",
    (socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"),
    /127\.0\.0\.1: /,
  ],
];
test.each(faults)("a receiver that %s: it may have arrived", async (fault, answer, words) => {
  const port = await raw(answer);
  const world = { ...outside, milliseconds: fault === "never answers" ? 700 : 20_000 };
  const { message, isCertain } = await refusal(request(call(`http://127.0.0.1:${port}/`), world));
  expect(message).toMatch(words);
  expect(isCertain).toBe(false);
});

test("nobody listens there, and a name that there is not: nothing arrived", async () => {
  const port = await raw(() => {});
  servers.pop()?.stop();
  await Bun.sleep(20);
  const closed = await refusal(request(call(`http://127.0.0.1:${port}/`)));
  expect([closed.message, closed.isCertain]).toEqual(["127.0.0.1: nothing listens there", true]);
  const nameless = await refusal(request(call("http://no-such-name.invalid/", { allowLocal: false })));
  expect(nameless.message).toStartWith("the name no-such-name.invalid could not be resolved");
  expect(nameless.isCertain).toBe(true);
});

test("a name server that is silent is not waited for", async () => {
  const world = { resolve: () => new Promise<string[]>(() => {}), milliseconds: 100 };
  const { message } = await refusal(request(call("http://hook.example/"), world));
  expect(message).toContain("could not be resolved");
});
