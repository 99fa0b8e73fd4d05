import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { CoaClient, type CoaReply, type CoaTarget } from "../../../src/radius/client/coa.ts";
import { writeIdentity } from "../../../src/radius/client/coa-requests.ts";
import { errorCauseWords } from "../../../src/radius/client/coa-words.ts";
import { Code } from "../../../src/radius/packet/numbers.ts";
import { FakeNas, type FakeNasBehaviour } from "../../support/fake-nas.ts";

const SECRET = "testing123";
/** Milliseconds for an answer that does not come; one that does has so long that a busy machine is no silent router. */
const SILENCE = { wait: 300 };
let client: CoaClient;

beforeEach(() => {
  client = new CoaClient({ idle: 50 });
});
afterEach(() => client.close());

const targetOf = (
  { address, port }: { address: string; port: number },
  values: Partial<CoaTarget> = {},
): CoaTarget => ({
  address,
  port,
  secret: Buffer.from(SECRET),
  localAddress: null,
  wait: 10_000,
  messageAuthenticator: false,
  ...values,
});

const sam = { username: "sam", acctSessionId: "81000001", framedIp: "10.0.0.7", nasIp: "192.0.2.1" };

function disconnect(
  nas: { address: string; port: number },
  values: Partial<CoaTarget> = {},
  user: Parameters<typeof writeIdentity>[1] = sam,
): Promise<CoaReply> {
  return client.request(
    Code["Disconnect-Request"],
    (packet) => writeIdentity(packet, user),
    targetOf(nas, values),
  );
}

const hex = (text: string) => Buffer.from(text).toString("hex");

describe("the request", () => {
  test("names the session as the NAS reported it, and carries nothing else", async () => {
    using nas = await FakeNas.start();
    expect((await disconnect(nas)).kind).toBe("ack");
    expect(nas.requests[0]).toMatchObject({
      code: 40,
      attributes: [
        [1, hex("sam")],
        [44, hex("81000001")],
        [8, "0a000007"],
        [4, "c0000201"],
      ],
    });
  });

  test("leaves out what the NAS did not report; an IPv6 address of the NAS has its own attribute", async () => {
    using nas = await FakeNas.start();
    await disconnect(nas, {}, { ...sam, framedIp: null, nasIp: "2001:db8::1" });
    await client.request(
      Code["Disconnect-Request"],
      (packet) => writeIdentity(packet, { username: "sam", acctSessionId: "", framedIp: null, nasIp: null }),
      targetOf(nas),
    );
    expect(nas.requests.map(({ attributes }) => attributes.map(([type]) => type))).toEqual([
      [1, 44, 95],
      [1],
    ]);
    expect(nas.requests[0]?.attributes[2]?.[1]).toBe("20010db8000000000000000000000001");
  });

  test("comes from the local address at which the session's packets arrived", async () => {
    using nas = await FakeNas.start({}, { address: "127.0.0.9" });
    await disconnect(nas, { localAddress: "127.0.0.5" });
    await disconnect(nas, { localAddress: "0.0.0.0" });
    await disconnect(nas, { localAddress: "::" });
    await disconnect(nas, { localAddress: null });
    expect(nas.requests.map(({ from }) => from)).toEqual([
      "127.0.0.5",
      "127.0.0.1",
      "127.0.0.1",
      "127.0.0.1",
    ]);
  });

  test("comes from an address of the system's choice when that one is not ours any more", async () => {
    using nas = await FakeNas.start();
    const replies = await Promise.all([1, 2, 3].map(() => disconnect(nas, { localAddress: "192.0.2.77" })));
    expect(replies.map(({ kind }) => kind)).toEqual(["ack", "ack", "ack"]);
  });

  test("carries a Message-Authenticator when it is asked for", async () => {
    using nas = await FakeNas.start({ requiresMessageAuthenticator: true });
    expect((await disconnect(nas, { messageAuthenticator: true })).kind).toBe("ack");
    expect((await disconnect(nas, SILENCE)).kind).toBe("silence");
    expect(nas.forged).toBe(0);
  });

  test("reaches a NAS with an IPv6 address", async () => {
    using nas = await FakeNas.start({}, { address: "::1" });
    expect((await disconnect(nas, { localAddress: "::1" })).kind).toBe("ack");
    expect((await disconnect(nas)).kind).toBe("ack");
  });

  test("is repeated with the same bytes after 1 s and 2 s, and given up when the wait is over", async () => {
    using nas = await FakeNas.start({ answer: "silence" });
    const start = performance.now();
    expect(await disconnect(nas, { wait: 2500 })).toMatchObject({ kind: "silence", forged: false });
    expect(performance.now() - start).toBeGreaterThan(2450);
    while (nas.requests.length < 3) await Bun.sleep(1);
    expect(nas.requests).toHaveLength(3);
    expect(nas.distinct).toBe(1);
    expect(new Set(nas.requests.map(({ port }) => port)).size).toBe(1);
  });

  test("a repeated one is answered", async () => {
    using nas = await FakeNas.start({ lose: 1 });
    expect((await disconnect(nas)).kind).toBe("ack");
    expect(nas.requests.length).toBeGreaterThan(1);
    expect(nas.distinct).toBe(1);
  });
});

describe("the answer", () => {
  test.each<[string, FakeNasBehaviour, { kind: string; [more: string]: unknown }]>([
    ["an ACK", {}, { kind: "ack" }],
    ["an ACK with attributes", { attributes: [[32, Buffer.from("core")]] }, { kind: "ack" }],
    ["an ACK twice", { times: 2 }, { kind: "ack" }],
    ["an ACK in time", { late: 150 }, { kind: "ack" }],
    ["an ACK with a Message-Authenticator", { messageAuthenticator: "right" }, { kind: "ack" }],
    ["a NAK 503", { answer: "nak", errorCause: 503 }, { kind: "nak", errorCause: 503 }],
    ["a NAK without a cause", { answer: "nak" }, { kind: "nak", errorCause: undefined }],
    ["silence", { answer: "silence" }, { kind: "silence", forged: false }],
    ["another secret", { wrongAuthenticator: true }, { kind: "silence", forged: true }],
    ["a wrong Message-Authenticator", { messageAuthenticator: "wrong" }, { kind: "silence", forged: true }],
    ["another identifier", { wrongIdentifier: true }, { kind: "silence", forged: false }],
    ["another port", { wrongPort: true }, { kind: "silence", forged: false }],
    ["another request's code", { wrongCode: true }, { kind: "silence", forged: false }],
    ["an ACK too late", { late: 350 }, { kind: "silence", forged: false }],
  ])("%s", async (_, behaviour, expected) => {
    using nas = await FakeNas.start(behaviour);
    expect(await disconnect(nas, expected.kind === "silence" ? SILENCE : {})).toMatchObject(expected);
    if (behaviour.late) await Bun.sleep(100);
    nas.behaviour = {};
    expect((await disconnect(nas)).kind).toBe("ack");
    expect(client.open.requests).toBe(0);
  });

  test("a request that cannot leave says why", async () => {
    const reply = await disconnect({ address: "255.255.255.255", port: 3799 });
    expect(reply).toMatchObject({
      kind: "silence",
      fault: expect.stringMatching(/EACCES|ENETUNREACH|EPERM|denied/),
    });
  });

  test("a port where nobody listens is silence, and does not disturb others", async () => {
    using nas = await FakeNas.start();
    using closed = await FakeNas.start();
    const { port } = closed;
    closed[Symbol.dispose]();
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        at % 2 ? disconnect(nas) : disconnect({ address: "127.0.0.1", port }, SILENCE),
      ),
    );
    expect(replies.map(({ kind }) => kind)).toEqual(
      Array.from({ length: 50 }, (_, at) => (at % 2 ? "ack" : "silence")),
    );
  });

  test.each([
    [undefined, "without an Error-Cause"],
    [501, "Error-Cause 501 Administratively-Prohibited: its configuration forbids it"],
    [999, "Error-Cause 999"],
  ])("Error-Cause %p in words", (cause, words) => expect(errorCauseWords(cause)).toBe(words));
});

/** UDP sockets of this process; those of HTTP that an earlier test left idle close when they like. */
function socketsOpen(): number {
  const inodes = new Set<string>();
  for (const table of ["udp", "udp6"])
    for (const line of readFileSync(`/proc/self/net/${table}`, "utf8").split("\n").slice(1))
      inodes.add(`socket:[${line.trim().split(/\s+/)[9]}]`);
  let sockets = 0;
  for (const fd of readdirSync("/proc/self/fd")) {
    try {
      if (inodes.has(readlinkSync(`/proc/self/fd/${fd}`))) sockets++;
    } catch {
      // it was the one of readdir
    }
  }
  return sockets;
}

describe("many at once", () => {
  test("500 against a NAS that answers half of them: each has its own outcome, and nothing is left", async () => {
    using nas = await FakeNas.start(({ attributes }) => {
      const name = Buffer.from(attributes[0]?.[1] ?? "", "hex").toString();
      const number = Number(name.slice("user".length));
      if (number % 2 === 1) return { answer: "silence" };
      return number % 4 === 0 ? {} : { answer: "nak", errorCause: 400 + number };
    });
    const before = socketsOpen();
    const replies = await Promise.all(
      Array.from({ length: 500 }, (_, number) =>
        disconnect(nas, number % 2 === 1 ? { wait: 3000 } : {}, {
          ...sam,
          username: `user${number}`,
          acctSessionId: String(number),
        }),
      ),
    );
    const expected = (number: number) =>
      number % 2 === 1
        ? { kind: "silence", forged: false }
        : number % 4 === 0
          ? { kind: "ack" }
          : { kind: "nak", errorCause: 400 + number };
    for (const [number, reply] of replies.entries()) expect(reply).toMatchObject(expected(number));
    expect(nas.distinct).toBe(500);
    expect(new Set(nas.requests.map(({ port }) => port)).size).toBe(2);
    expect(client.open.requests).toBe(0);
    for (let tries = 0; tries < 6000 && client.open.sockets > 0; tries++) await Bun.sleep(5);
    expect(client.open).toEqual({ sockets: 0, requests: 0 });
    // one of an earlier test may have closed meanwhile
    expect(socketsOpen()).toBeLessThanOrEqual(before);
  });

  test("answers that came while the program was busy are in time", async () => {
    using nas = await FakeNas.start({ answer: "silence" });
    const waiting = disconnect(nas, { wait: 500 });
    while (nas.requests.length === 0) await Bun.sleep(1);
    const [request] = nas.requests;
    if (!request) throw new Error("no request");
    nas.behaviour = {};
    nas.receive(request.bytes, request.from, request.port);
    const end = performance.now() + 550;
    while (performance.now() < end);
    expect((await waiting).kind).toBe("ack");
  });

  test("closing gives up what waits, at once", async () => {
    using nas = await FakeNas.start({ answer: "silence" });
    const waiting = [1, 2, 3].map(() => disconnect(nas, { wait: 30_000 }));
    while (nas.requests.length < 3) await Bun.sleep(1);
    client.close();
    // the log and the audit trail are not to say that the router did not answer in time
    const stopping = { kind: "silence", forged: false, fault: "the program is stopping" } as const;
    expect(await Promise.all(waiting)).toEqual([stopping, stopping, stopping]);
    expect(await disconnect(nas)).toEqual(stopping);
    expect(client.open).toEqual({ sockets: 0, requests: 0 });
  });

  test("a program that has had its answers ends by itself: no timer is left", async () => {
    using nas = await FakeNas.start();
    const script = `
      import { CoaClient } from ${JSON.stringify(`${import.meta.dir}/../../../src/radius/client/coa.ts`)};
      const client = new CoaClient();
      const target = { address: "127.0.0.1", port: ${nas.port}, secret: Buffer.from(${JSON.stringify(SECRET)}), localAddress: null, wait: 30000, messageAuthenticator: false };
      const replies = await Promise.all(Array.from({ length: 300 }, () => client.request(40, (packet) => packet.text(1, "sam"), target)));
      client.close();
      console.log(replies.filter(({ kind }) => kind === "ack").length);`;
    const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stderr: "pipe" });
    const [output, errors, code] = await Promise.all([
      child.stdout.text(),
      child.stderr.text(),
      child.exited,
    ]);
    expect({ output: output.trim(), errors, code }).toEqual({ output: "300", errors: "", code: 0 });
  });
});
