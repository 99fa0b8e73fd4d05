import { expect, test } from "bun:test";
import pino from "pino";
import { bindPort, bindPorts } from "../../../src/os/server-socket.ts";
import { accessMemory } from "../../../src/radius/server/access-memory.ts";
import { RadiusThread } from "../../../src/radius/server/thread.ts";
import { loadIsp, NAS_SECRET } from "../../support/isp.ts";
import { RadiusClient } from "../../support/radius-client.ts";
import { eventually } from "../../support/radius-server.ts";
import { temporaryStore } from "../../support/store.ts";

test("a thread that dies is started again on its port, until it listens, and its counts go on", async () => {
  const lines: string[] = [];
  const log = pino({ base: null }, { write: (line: string) => lines.push(JSON.parse(line).msg) });
  let starts = 0;
  const thread = new RadiusThread("auth", bindPort({ host: "127.0.0.1", port: 0 }), {
    folder: "/",
    log,
    onNotice: () => {},
    spawn: () => {
      starts++;
      const script = new URL("../../support/mortal-worker.ts", import.meta.url);
      return new Worker(script, { env: { STARTS: String(starts) } });
    },
  });
  await thread.start();
  expect(thread.isListening).toBe(true);
  const { endpoint } = thread;
  expect(endpoint.port).toBeGreaterThan(0);
  expect(await eventually(() => !thread.isListening)).toBe(true);
  expect(await eventually(() => thread.isListening)).toBe(true);
  expect(thread.endpoint).toEqual(endpoint);
  expect(starts).toBe(3);
  expect(thread.counters.all()).toEqual([
    { nas: "core", kind: "Access-Request", outcome: "accepted", count: 1 + 3 },
  ]);
  expect(lines).toEqual([
    "a RADIUS thread died and is started again",
    "a RADIUS thread could not be started again",
    "a RADIUS thread died and is started again",
  ]);
  await thread.stop();
  expect(thread.isListening).toBe(false);
  await Bun.sleep(300);
  expect(starts).toBe(3);
});

test("what arrives while a thread is dead waits at its port, and is answered by the next one", async () => {
  using store = temporaryStore();
  await loadIsp(store.db);
  const workers: Worker[] = [];
  const thread = new RadiusThread("auth", bindPort({ host: "127.0.0.1", port: 0 }), {
    folder: store.folder,
    log: pino({ enabled: false }),
    onNotice: () => {},
    spawn: () => {
      const script = new URL("../../../src/radius/server/access-worker.ts", import.meta.url);
      const worker = new Worker(script);
      workers.push(worker);
      return worker;
    },
  });
  await thread.start();
  const { port } = thread.endpoint;
  const client = new RadiusClient({
    host: "127.0.0.1",
    port,
    acctPort: 1,
    secret: NAS_SECRET,
    timeout: 30_000,
  });
  const asks = () => client.status("auth");
  expect(await asks()).toMatchObject({ code: "Access-Accept" });
  workers[0]?.terminate();
  expect(await eventually(() => !thread.isListening)).toBe(true);
  expect(await asks()).toMatchObject({ code: "Access-Accept" });
  expect(thread.endpoint.port).toBe(port);
  await client.close();
  await thread.stop();
  const other = await Bun.udpSocket({ hostname: "127.0.0.1", port });
  other.close();
});

test("of two access threads one dies and is replaced, while the other goes on", async () => {
  using store = temporaryStore();
  await loadIsp(store.db, {
    nas: [{ id: 1, isp_id: 1, name: "towers", address: "127.0.0.0/8", secret: NAS_SECRET }],
  });
  const memory = accessMemory(2);
  const workers: Worker[] = [];
  const ports = bindPorts({ host: "127.0.0.1", port: 0 }, 2);
  const threads = ports.map((port, index) => {
    const spawn = () => {
      const worker = new Worker(new URL("../../../src/radius/server/access-worker.ts", import.meta.url));
      workers.push(worker);
      return worker;
    };
    const place = { memory, who: index + 1 };
    const log = pino({ enabled: false });
    return new RadiusThread("auth", port, { folder: store.folder, log, onNotice: () => {}, spawn, place });
  });
  await Promise.all(threads.map((thread) => thread.start()));
  const clients = Array.from({ length: 8 }, (_, index) => {
    const localAddress = `127.0.0.${1 + index}`;
    const target = { host: "127.0.0.1", port: ports[0].endpoint.port, acctPort: 1, secret: NAS_SECRET };
    return new RadiusClient({ ...target, localAddress, timeout: 30_000 });
  });
  const ask = () => Promise.all(clients.map((client) => client.status("auth")));
  const answered = (thread: RadiusThread) => thread.counters.all()[0]?.count ?? 0;
  const all = () => threads.map(answered);
  expect((await ask()).map((reply) => reply?.code)).toEqual(clients.map(() => "Access-Accept"));
  expect(await eventually(() => all().reduce((sum, count) => sum + count) === 8)).toBe(true);
  const [first = 0, second = 0] = all();
  expect([first > 0, second > 0]).toEqual([true, true]);

  workers[0]?.terminate();
  expect(await eventually(() => threads[0]?.isListening === false)).toBe(true);
  expect(threads[1]?.isListening).toBe(true);
  expect((await ask()).map((reply) => reply?.code)).toEqual(clients.map(() => "Access-Accept"));
  expect(workers.length).toBe(3);
  // each router where it was
  expect(await eventually(() => Bun.deepEquals(all(), [2 * first, 2 * second]))).toBe(true);
  await Promise.all([...clients.map((client) => client.close()), ...threads.map((thread) => thread.stop())]);
});

test("a thread that is dead is silent, for the watchdog to see", async () => {
  const thread = new RadiusThread("auth", bindPort({ host: "127.0.0.1", port: 0 }), {
    folder: "/",
    log: pino({ enabled: false }),
    onNotice: () => {},
    spawn: () => new Worker("data:text/javascript,"),
  });
  const starting = thread.start().catch(() => {});
  await Bun.sleep(50);
  expect(thread.silence).toBeGreaterThan(0.04);
  await thread.stop();
  await starting;
  expect(thread.silence).toBe(0);
});
