import { afterEach, beforeEach, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { connect as bareConnection } from "node:net";
import { connect, type TLSSocket } from "node:tls";
import { listIdentities } from "../../../src/domain/goods/radsec/identities.ts";
import { serverKeys } from "../../../src/domain/goods/radsec/keys.ts";
import { type RadsecRefusal, RadsecServer } from "../../../src/radius/server/radsec-server.ts";
import { loadIsp } from "../../support/isp.ts";
import { eventually } from "../../support/radius-server.ts";
import { certifiedRouter, RadsecClient, type RouterFiles } from "../../support/radsec-client.ts";
import { temporaryStore } from "../../support/store.ts";

let store: ReturnType<typeof temporaryStore>;
beforeEach(async () => {
  store = temporaryStore();
  await loadIsp(store.db, {
    nas: [1, 2].map((id) => {
      return { id, isp_id: 1, name: `r${id}`, address: `10.99.0.${id}`, secret: randomUUID() };
    }),
  });
});
afterEach(() => store[Symbol.dispose]());

interface Passed {
  readonly connection: number;
  readonly nasId: number;
}

async function serving({
  most,
  strangers,
  room = () => true,
}: { most?: number; strangers?: number; room?: (passed: Passed) => boolean } = {}) {
  const passed: Passed[] = [];
  const refusals: RadsecRefusal[] = [];
  const server = new RadsecServer({
    clock: () => Math.floor(Date.now() / 1000),
    identities: () => listIdentities(store.db),
    forward: (_role, _packet, connection, nasId) => {
      if (!room({ connection, nasId })) return false;
      passed.push({ connection, nasId });
      return true;
    },
    refused: (refusal) => refusals.push(refusal),
    ...(most !== undefined && { most }),
    ...(strangers !== undefined && { strangers }),
  });
  const keys = serverKeys(store.db);
  if (!keys) throw new Error("there are no keys");
  const { port } = await server.listen(keys, { host: "127.0.0.1", port: 0 });
  return { server, port, passed, refusals, [Symbol.dispose]: () => server.close() };
}

const packet = (router: RadsecClient) => router.radius.prepareStatus("auth").datagram;

test("a session that goes on where another one stopped is known by its certificate", async () => {
  const files = await certifiedRouter(store.db, 1);
  using serves = await serving();
  const open = (session?: Buffer) =>
    new Promise<{ socket: TLSSocket; session: Promise<Buffer> }>((resolve, reject) => {
      const kept = Promise.withResolvers<Buffer>();
      const socket = connect(
        {
          host: "127.0.0.1",
          port: serves.port,
          ca: files.authority,
          cert: files.certificate,
          key: files.key,
          minVersion: "TLSv1.2",
          maxVersion: "TLSv1.2",
          ...(session && { session }),
        },
        () => resolve({ socket, session: kept.promise }),
      );
      socket.on("session", kept.resolve);
      socket.on("error", reject);
    });
  const first = await open();
  await eventually(() => serves.server.counts().get(1) === 1);
  const kept = await first.session;
  first.socket.destroy();
  await eventually(() => serves.server.counts().size === 0);
  const second = await open(kept);
  expect(second.socket.isSessionReused()).toBe(true);
  expect(await eventually(() => serves.server.counts().get(1) === 1)).toBe(true);
  second.socket.destroy();
  await eventually(() => serves.server.counts().size === 0);
  expect(serves.refusals).toEqual([]);
});

test("who begins anew gives other numbers to connections, so that no reply of before reaches one of now", async () => {
  const files = await certifiedRouter(store.db, 1);
  const numbers: number[] = [];
  for (let i = 0; i < 2; i++) {
    using serves = await serving();
    await using router = await RadsecClient.open(serves.port, files);
    router.write(packet(router));
    await eventually(() => serves.passed.length === 1);
    numbers.push(...serves.passed.map(({ connection }) => connection));
  }
  expect(new Set(numbers).size).toBe(2);
});

test("a router that has taken every connection makes room for others by its oldest", async () => {
  const files = await certifiedRouter(store.db, 1);
  const others = await certifiedRouter(store.db, 2);
  using serves = await serving({ most: 4 });
  const hog: RadsecClient[] = [];
  for (let i = 0; i < 4; i++) {
    hog.push(await RadsecClient.open(serves.port, files));
    await eventually(() => serves.server.counts().get(1) === i + 1);
  }
  await using other = await RadsecClient.open(serves.port, others);
  await Promise.race([hog[0]?.closed, other.closed]);
  expect(await eventually(() => serves.server.counts().get(2) === 1)).toBe(true);
  expect(serves.server.counts().get(1)).toBe(3);
  expect(hog.map(({ isClosed }) => isClosed)).toEqual([true, false, false, false]);
  expect(other.isClosed).toBe(false);
  for (const router of hog) await router.close();
});

test("where there is room for few, each has its turn", async () => {
  const files: RouterFiles[] = [await certifiedRouter(store.db, 1), await certifiedRouter(store.db, 2)];
  let room = 0;
  using serves = await serving({ room: () => room-- > 0 });
  const [hog, other] = await Promise.all(files.map((one) => RadsecClient.open(serves.port, one)));
  if (!hog || !other) throw new Error("they are not there");
  hog.write(Buffer.concat(Array.from({ length: 2000 }, () => packet(hog))));
  await eventually(() => room < 0);
  other.write(packet(other));
  const of = (router: number) => serves.passed.filter(({ nasId }) => nasId === router).length;
  while (of(2) === 0 && of(1) < 2000) {
    room = 16;
    await eventually(() => room < 0);
  }
  expect(of(2)).toBe(1);
  expect(of(1)).toBeLessThan(1500);
  await Promise.all([hog.close(), other.close()]);
});

test("bare connections keep no router out, whether they come from another machine or from behind its own address", async () => {
  const files = await certifiedRouter(store.db, 1);
  using serves = await serving({ strangers: 20 });
  for (const localAddress of ["127.0.0.2", "127.0.0.1"]) {
    const ended: number[] = [];
    const bare = Array.from({ length: 60 }, (_, index) => {
      const socket = bareConnection({ host: "127.0.0.1", port: serves.port, localAddress });
      return socket.on("error", () => {}).on("close", () => ended.push(index));
    });
    expect(await eventually(() => ended.length >= 40)).toBe(true); // more, while those of before count
    const router = await RadsecClient.open(serves.port, files);
    expect(await eventually(() => serves.server.counts().get(1) === 1)).toBe(true);
    await router.close();
    expect(await eventually(() => serves.server.counts().size === 0)).toBe(true);
    for (const socket of bare) socket.destroy();
    expect(await eventually(() => ended.length === 60)).toBe(true);
  }
  const words =
    "there are 20 connections that show no certificate, and no address has more of them; its oldest ends";
  // each time one for the router, whose handshake may be given up and begun again on a busy machine
  expect(serves.refusals.filter(({ reason }) => reason === words).length).toBeGreaterThanOrEqual(82);
});
