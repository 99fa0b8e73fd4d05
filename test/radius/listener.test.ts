import { expect, test } from "bun:test";
import { listenUdp } from "../../src/radius/listener.ts";
import type { Peer, UdpSocket } from "../../src/radius/socket.ts";

// 127.0.0.0/8 is this machine's as a whole, so its addresses can come and go as we say.

function echo() {
  const failures: unknown[] = [];
  return {
    failures,
    receive: (datagram: Buffer, peer: Peer, socket: UdpSocket) =>
      socket.send(Buffer.from(`${peer.localAddress} ${datagram}`), peer),
    failed: (error: unknown) => {
      failures.push(error);
    },
  };
}

/** What an address answers, and from where; null for silence. */
async function ask(address: string, port: number): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>();
  const socket = await Bun.udpSocket({
    hostname: "127.0.0.1",
    socket: {
      data: (_socket, reply, _port, from) => resolve(`${from}: ${reply}`),
      error: () => resolve(null),
    },
  });
  socket.send("hello", port, address);
  const timer = setTimeout(resolve, 100, null);
  const answer = await promise;
  clearTimeout(timer);
  socket.close();
  return answer;
}

test("addresses are followed while they come and go", async () => {
  const handlers = echo();
  let addresses = ["127.0.0.1", "127.0.0.2"];
  const listener = await listenUdp({ host: "0.0.0.0", port: 0 }, handlers, () => addresses);
  const { port } = listener.endpoint;
  expect(listener.endpoint.host).toBe("0.0.0.0");
  expect(await ask("127.0.0.1", port)).toBe("127.0.0.1: 127.0.0.1 hello");
  expect(await ask("127.0.0.2", port)).toBe("127.0.0.2: 127.0.0.2 hello");
  expect(await ask("127.0.0.3", port)).toBeNull();

  addresses = ["127.0.0.1", "127.0.0.3"];
  await listener.rescan();
  expect(await ask("127.0.0.1", port)).toBe("127.0.0.1: 127.0.0.1 hello");
  expect(await ask("127.0.0.2", port)).toBeNull();
  expect(await ask("127.0.0.3", port)).toBe("127.0.0.3: 127.0.0.3 hello");
  listener.close();
  expect(await ask("127.0.0.1", port)).toBeNull();
  expect(handlers.failures).toEqual([]);
});

test("new addresses are looked for without being asked", async () => {
  let addresses = ["127.0.0.1"];
  const listener = await listenUdp({ host: "0.0.0.0", port: 0 }, echo(), () => addresses);
  addresses = ["127.0.0.1", "127.0.0.4"];
  let answer: string | null = null;
  for (let tries = 0; tries < 50 && answer === null; tries++) {
    answer = await ask("127.0.0.4", listener.endpoint.port);
    await Bun.sleep(100);
  }
  expect(answer).toBe("127.0.0.4: 127.0.0.4 hello");
  listener.close();
});

test("an address that somebody else has on our port is reported once, and taken when it is free", async () => {
  const handlers = echo();
  let addresses = ["127.0.0.1"];
  const listener = await listenUdp({ host: "0.0.0.0", port: 0 }, handlers, () => addresses);
  const { port } = listener.endpoint;
  const other = await Bun.udpSocket({ hostname: "127.0.0.5", port });
  addresses = ["127.0.0.1", "127.0.0.5"];
  await listener.rescan();
  await listener.rescan();
  expect(handlers.failures.length).toBe(1);
  other.close();
  await listener.rescan();
  expect(await ask("127.0.0.5", port)).toBe("127.0.0.5: 127.0.0.5 hello");
  listener.close();
});

test("an address that is in use at the start refuses it; one that is not there is left out", async () => {
  const other = await Bun.udpSocket({ hostname: "127.0.0.6" });
  const endpoint = { host: "0.0.0.0", port: other.port };
  expect(listenUdp(endpoint, echo(), () => ["127.0.0.1", "127.0.0.6"])).rejects.toThrow("EADDRINUSE");
  const partly = await listenUdp(endpoint, echo(), () => ["127.0.0.1", "203.0.113.77"]);
  expect(await ask("127.0.0.1", other.port)).toBe("127.0.0.1: 127.0.0.1 hello");
  partly.close();
  other.close();
  expect(listenUdp({ host: "0.0.0.0", port: 0 }, echo(), () => [])).rejects.toThrow(
    "no address to listen on",
  );
});

test("a handler that throws is told of, and the next datagram is served", async () => {
  const handlers = echo();
  let isBroken = true;
  const listener = await listenUdp(
    { host: "127.0.0.1", port: 0 },
    {
      ...handlers,
      receive: (datagram, peer, socket) => {
        if (isBroken) throw new Error("bug");
        handlers.receive(datagram, peer, socket);
      },
    },
  );
  expect(await ask("127.0.0.1", listener.endpoint.port)).toBeNull();
  isBroken = false;
  expect(await ask("127.0.0.1", listener.endpoint.port)).toBe("127.0.0.1: 127.0.0.1 hello");
  expect(handlers.failures).toMatchObject([{ message: "bug" }]);
  listener.close();
});

test.skipIf(process.platform !== "linux" || process.getuid?.() !== 0)(
  "a burst of 5,000 datagrams is kept while we work",
  async () => {
    const received: Buffer[] = [];
    const listener = await listenUdp(
      { host: "127.0.0.1", port: 0 },
      { receive: (datagram) => received.push(datagram), failed: () => {} },
    );
    const sender = await Bun.udpSocket({ hostname: "127.0.0.1" });
    const datagram = Buffer.alloc(200, 1);
    // all in one turn of the loop, so nothing is read meanwhile
    for (let i = 0; i < 5000; i++) sender.send(datagram, listener.endpoint.port, "127.0.0.1");
    for (let tries = 0; tries < 200 && received.length < 5000; tries++) await Bun.sleep(10);
    expect(received.length).toBe(5000);
    sender.close();
    listener.close();
  },
);
