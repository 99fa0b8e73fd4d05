import { expect, test } from "bun:test";
import { errorCode } from "../../src/listen-error.ts";
import { bindPort, bindPorts, closePort, type ServerPeer, ServerSocket } from "../../src/os/server-socket.ts";
import { type Handlers, workOnBatch } from "../../src/radius/server/worker.ts";
import { kernelStamps } from "../support/kernel-stamps.ts";

// 127.0.0.0/8 is this machine's as a whole.

/** Closed at the end of the test. */
function listen(host: string, port = 0) {
  const failures: unknown[] = [];
  const bound = bindPort({ host, port });
  const socket = new ServerSocket(bound, { longest: 4096, failed: (error) => failures.push(error) });
  return { port: bound.endpoint.port, socket, failures, [Symbol.dispose]: () => closePort(bound) };
}

/** A client that keeps what it is told, and by whom. */
async function client(host: string) {
  const received: string[] = [];
  const socket = await Bun.udpSocket({
    hostname: host,
    socket: {
      data: (_socket, reply, port, from) => {
        received.push(`${from} ${port}: ${reply}`);
      },
    },
  });
  return {
    heard: received,
    /** Waits until it was told so often, for half a minute at the most, and then for one that should not come. */
    heardOf: async (count: number) => {
      for (let tries = 0; tries < 3000 && received.length < count; tries++) await Bun.sleep(10);
      await Bun.sleep(10);
    },
    port: socket.port,
    ask: (text: string, port: number, address: string) => socket.send(text, port, address),
    [Symbol.dispose]: () => socket.close(),
  };
}

/** Answers what is there with what it asked and where; how many. */
function answer(socket: ServerSocket): number {
  const count = socket.receive(1000);
  for (let i = 0; i < count; i++) {
    const peer = socket.peer(i);
    socket.send(Buffer.from(`${socket.datagram(i)} at ${peer.localAddress}`), peer);
  }
  socket.flush();
  return count;
}

test.each([
  ["0.0.0.0", "127.0.0.1", ["127.0.0.1", "127.0.0.2", "127.0.0.77"]],
  ["::", "127.0.0.1", ["127.0.0.1", "127.0.0.2"]],
  ["::", "::1", ["::1"]],
  ["127.0.0.3", "127.0.0.1", ["127.0.0.3"]],
  ["::1", "::1", ["::1"]],
])("who asks %s from %s hears the address that it asked", async (host, from, addresses) => {
  using server = listen(host);
  using asking = await client(from);
  const { port } = server;
  for (const address of addresses) asking.ask("hello", port, address);
  for (let answered = 0; answered < addresses.length;) answered += answer(server.socket);
  await asking.heardOf(addresses.length);
  expect(asking.heard).toEqual(addresses.map((address) => `${address} ${port}: hello at ${address}`));
  expect(server.failures).toEqual([]);
});

test("a peer is its address and port, as text in one form", async () => {
  using server = listen("::");
  using asking = await client("127.0.0.9");
  asking.ask("1", server.port, "127.0.0.4");
  expect(server.socket.receive(1000)).toBe(1);
  expect(server.socket.peer(0)).toMatchObject({
    address: "127.0.0.9",
    port: asking.port,
    localAddress: "127.0.0.4",
  });
});

test("without a datagram it waits as long as it may", () => {
  using server = listen("127.0.0.1");
  const begun = performance.now();
  expect(server.socket.receive(40)).toBe(0);
  expect(performance.now() - begun).toBeGreaterThan(30);
});

test("a port that is taken, an address that is not there", () => {
  using server = listen("127.0.0.1");
  const { port } = server;
  const codes = [
    { host: "127.0.0.1", port },
    { host: "0.0.0.0", port },
    { host: "203.0.113.77", port: 0 },
  ].map((endpoint) => {
    try {
      closePort(bindPort(endpoint));
      return undefined;
    } catch (error) {
      return errorCode(error);
    }
  });
  expect(codes).toEqual(["EADDRINUSE", "EADDRINUSE", "EADDRNOTAVAIL"]);
});

test("a port that cannot be read says so, instead of being silent", () => {
  const socket = new ServerSocket(
    { fd: -1, endpoint: { host: "127.0.0.1", port: 0 }, isStamped: true },
    { longest: 4096, failed: () => {} },
  );
  expect(() => socket.receive(10)).toThrow("EBADF: receiving failed");
});

test("a closed port is free again", () => {
  const first = bindPort({ host: "127.0.0.1", port: 0 });
  closePort(first);
  using second = listen("127.0.0.1", first.endpoint.port);
  expect(second.port).toBe(first.endpoint.port);
});

test("datagrams of any length: empty, the longest of RADIUS, longer", async () => {
  using server = listen("127.0.0.1");
  using asking = await client("127.0.0.1");
  for (const length of [0, 4096, 9000]) asking.ask("x".repeat(length), server.port, "127.0.0.1");
  const lengths: number[] = [];
  while (lengths.length < 3) {
    const count = server.socket.receive(1000);
    for (let i = 0; i < count; i++) lengths.push(server.socket.datagram(i).length);
  }
  expect(lengths).toEqual([0, 4096, 4096]);
});

test("a reply that the system refuses is told of, and takes no other with it", async () => {
  using server = listen("127.0.0.1");
  using asking = await client("127.0.0.1");
  asking.ask("hello", server.port, "127.0.0.1");
  server.socket.receive(1000);
  const peer = server.socket.peer(0);
  // anybody can send from port 0, and nobody can answer there
  const route = Buffer.from(peer.route);
  route.writeUInt16BE(0, 42);
  const nowhere: ServerPeer = { ...peer, port: 0, route };
  for (let i = 0; i < 20; i++) server.socket.send(Buffer.from(String(i)), i % 5 === 1 ? nowhere : peer);
  server.socket.flush();
  await asking.heardOf(16);
  const replies = asking.heard.map((line) => Number(line.split(": ")[1]));
  expect(replies).toEqual(Array.from({ length: 20 }, (_, i) => i).filter((i) => i % 5 !== 1));
  expect(server.failures.map(errorCode)).toEqual(["EINVAL", "EINVAL", "EINVAL", "EINVAL"]);
});

test("more replies than one call sends, more datagrams than one call receives", async () => {
  using server = listen("127.0.0.1");
  using asking = await client("127.0.0.1");
  for (let i = 0; i < 200; i++) asking.ask(String(i), server.port, "127.0.0.1");
  for (let answered = 0; answered < 200;) answered += answer(server.socket);
  await asking.heardOf(200);
  const expected = Array.from({ length: 200 }, (_, i) => `${i} at 127.0.0.1`);
  expect(asking.heard.map((line) => line.split(": ")[1])).toEqual(expected);
});

test("a handler that throws is told of, and the next datagram is served", async () => {
  using server = listen("127.0.0.1");
  using asking = await client("127.0.0.1");
  for (const text of ["bad", "good"]) asking.ask(text, server.port, "127.0.0.1");
  const failures: unknown[] = [];
  const handlers: Handlers = {
    receive: (datagram, peer, _uptime, reply) => {
      if (datagram.toString() === "bad") throw new Error("bug");
      reply(datagram, peer);
    },
    endBatch: () => {},
    work: () => "none" as const,
    finish: async () => {},
  };
  for (let served = 0; served < 2;)
    served += workOnBatch({ socket: server.socket }, handlers, (error) => failures.push(error));
  await asking.heardOf(1);
  expect(asking.heard.map((line) => line.split(": ")[1])).toEqual(["good"]);
  expect(failures).toMatchObject([{ message: "bug" }]);
});

test.skipIf(process.getuid?.() !== 0)("a burst of 5,000 datagrams is kept while we work", async () => {
  using server = listen("127.0.0.1");
  using asking = await client("127.0.0.1");
  for (let i = 0; i < 5000; i++) asking.ask("x".repeat(200), server.port, "127.0.0.1");
  let received = 0;
  for (let count = -1; count !== 0; received += count) count = server.socket.receive(100);
  expect(received).toBe(5000);
});

test("how long datagrams have waited is known where there are more than one call takes", async () => {
  await kernelStamps();
  const now = { wall: Date.now() };
  const bound = bindPort({ host: "127.0.0.1", port: 0 });
  const clocks = { wall: () => now.wall, elapsed: () => now.wall };
  const socket = new ServerSocket(bound, { longest: 4096, failed: () => {}, clocks });
  using asking = await client("127.0.0.1");
  const begun = Date.now();
  for (let i = 0; i < 70; i++) asking.ask(String(i), bound.endpoint.port, "127.0.0.1");
  now.wall = Date.now() + 5001;
  expect(socket.receive(1000)).toBe(64);
  for (const i of [0, 63]) {
    expect(socket.waited(i)).toBeGreaterThanOrEqual(5000);
    expect(socket.waited(i)).toBeLessThanOrEqual(now.wall - begun);
  }
  expect(socket.receive(1000)).toBe(6);
  expect(socket.waited(0)).toBe(0);
  closePort(bound);
});

test.each(["0.0.0.0", "::", "127.0.0.1"])(
  "a port of three sockets at %s gives each of them its peers",
  async (host) => {
    const ports = bindPorts({ host, port: 0 }, 3);
    const [{ endpoint }] = ports;
    expect(ports.map((port) => port.endpoint)).toEqual([endpoint, endpoint, endpoint]);
    const sockets = ports.map((port) => new ServerSocket(port, { longest: 4096, failed: () => {} }));
    const addresses = Array.from({ length: 24 }, (_, index) => `127.0.7.${1 + 4 * index}`);
    const met = new Map<string, Set<number>>();
    try {
      // from another port each time
      for (let nth = 0; nth < 3; nth++)
        for (const address of addresses) {
          using asking = await client(address);
          asking.ask("hello", endpoint.port, "127.0.0.1");
          const isThere = () => sockets.findIndex((socket) => socket.receive(0) === 1);
          let index = isThere();
          while (index < 0) index = isThere();
          expect(sockets[index]?.peer(0).address).toBe(address);
          met.set(address, (met.get(address) ?? new Set()).add(index));
        }
      expect([...met.values()].map((indexes) => indexes.size)).toEqual(addresses.map(() => 1));
      const each = sockets.map((_, index) => [...met.values()].filter((one) => one.has(index)).length);
      expect(Math.min(...each)).toBeGreaterThan(3);
    } finally {
      for (const port of ports) closePort(port);
    }
  },
);

test("a port that several sockets share is taken for everybody else", () => {
  const ports = bindPorts({ host: "127.0.0.1", port: 0 }, 2);
  const [{ endpoint }] = ports;
  try {
    for (const count of [1, 2]) {
      const code = errorCode(failureOf(() => bindPorts(endpoint, count)));
      expect(code).toBe("EADDRINUSE");
    }
  } finally {
    for (const port of ports) closePort(port);
  }
  closePort(bindPort(endpoint));
});

function failureOf(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  return undefined;
}
