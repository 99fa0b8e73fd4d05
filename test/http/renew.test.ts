import { expect, test } from "bun:test";
import { connect } from "node:tls";
import { selfSigned } from "../../src/cli/self-signed.ts";
import { listen } from "../../src/http/server.ts";
import { undoneApps } from "../support/http.ts";

const temporaryApp = undoneApps();

const now = Math.floor(Date.now() / 1000);
const validity = { from: now - 60, to: now + 3600 };
const pairFor = (host: string) => selfSigned(host, validity);

/** One request on a connection of its own; the name in the certificate that answered it. */
function ask(address: string): Promise<string> {
  const [host = "", port = ""] = address.split(":");
  return new Promise((resolve, reject) => {
    let received = "";
    const socket = connect({ host, port: Number(port), rejectUnauthorized: false }, () => {
      socket.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    });
    const name = () => String(socket.getPeerCertificate().subject?.CN);
    let seen = "";
    socket.on("secureConnect", () => (seen = name()));
    socket.on("data", (chunk: Buffer) => (received += chunk.toString()));
    socket.on("error", reject);
    socket.on("close", () =>
      received.startsWith("HTTP/1.1 200") ? resolve(seen) : reject(new Error(`answered ${received}`)),
    );
  });
}

test("a certificate is renewed while 100 requests a second run, and none fails", async () => {
  using app = temporaryApp();
  const listener = listen(app.app, { hostname: "127.0.0.1", port: 0, tls: pairFor("one.example") });
  const answers: Promise<string>[] = [];
  const keptAlive: Promise<number>[] = [];
  const load = setInterval(() => {
    answers.push(ask(listener.address));
    keptAlive.push(
      fetch(`https://${listener.address}/healthz`, { tls: { rejectUnauthorized: false } }).then(
        async (response) => {
          await response.text();
          return response.status;
        },
      ),
    );
  }, 10);
  // by what was asked and not by the clock: a busy machine asks less often
  const more = async () => {
    for (const enough = answers.length + 30; answers.length < enough;) await Bun.sleep(10);
  };
  try {
    for (const name of ["two.example", "three.example", "four.example"]) {
      await more();
      listener.renew(pairFor(name));
      expect(await ask(listener.address)).toBe(name);
    }
    await more();
  } finally {
    clearInterval(load);
  }
  const names = await Promise.all(answers);
  expect(names.length).toBeGreaterThan(100);
  expect(new Set(names)).toEqual(new Set(["one.example", "two.example", "three.example", "four.example"]));
  expect(new Set(await Promise.all(keptAlive))).toEqual(new Set([200]));
  await listener.stop();
});

test("a pair that does not belong together is refused, and the old certificate goes on", async () => {
  using app = temporaryApp();
  const listener = listen(app.app, { hostname: "127.0.0.1", port: 0, tls: pairFor("one.example") });
  const broken = { cert: pairFor("two.example").cert, key: pairFor("three.example").key };
  expect(() => listener.renew(broken)).toThrow();
  expect(() => listener.renew({ cert: "none", key: "none" })).toThrow();
  expect(await Promise.all([1, 2, 3, 4].map(() => ask(listener.address)))).toEqual(
    [1, 2, 3, 4].map(() => "one.example"),
  );
  listener.renew(pairFor("four.example"));
  expect(await ask(listener.address)).toBe("four.example");
  await listener.stop();
});

test("a second gatehouse cannot share the port of a TLS listener", async () => {
  using app = temporaryApp();
  const tls = pairFor("one.example");
  const listener = listen(app.app, { hostname: "127.0.0.1", port: 0, tls });
  const port = Number(listener.address.split(":")[1]);
  expect(() => listen(app.publicApp, { hostname: "127.0.0.1", port, tls })).toThrow();
  await listener.stop();
});
