import { expect, test } from "bun:test";
import pino from "pino";
import { revokeRadsec } from "../../../src/domain/goods/radsec/certificate.ts";
import { hasServerKeys } from "../../../src/domain/goods/radsec/keys.ts";
import { RadsecThread } from "../../../src/radius/server/radsec-thread.ts";
import { freePort } from "../../support/free-port.ts";
import { by, loadIsp } from "../../support/isp.ts";
import { eventually } from "../../support/radius-server.ts";
import { certifiedRouter, RadsecClient } from "../../support/radsec-client.ts";
import { NOW, temporaryStore } from "../../support/store.ts";

test("RadSec begins with the first certificate, and again after its thread died", async () => {
  using store = temporaryStore();
  await loadIsp(store.db);
  const lines: string[] = [];
  const workers: Worker[] = [];
  const port = freePort();
  const radsec = new RadsecThread({
    folder: store.folder,
    log: pino({ base: null }, { write: (line: string) => lines.push(line) }),
    listen: { host: "127.0.0.1", port },
    threads: { auth: 1, acct: 1 },
    isWanted: () => hasServerKeys(store.db),
    findName: () => "core",
    spawn: () => {
      const worker = new Worker(new URL("../../../src/radius/server/radsec-worker.ts", import.meta.url));
      workers.push(worker);
      return worker;
    },
  });
  try {
    expect(workers).toEqual([]);
    const files = await certifiedRouter(store.db, 1);
    expect(await eventually(() => radsec.endpoint?.port === port)).toBe(true);
    const first = await RadsecClient.open(port, files);
    workers[0]?.terminate();
    await first.closed;
    expect(await eventually(() => workers.length === 2 && radsec.endpoint?.port === port)).toBe(true);
    await (await RadsecClient.open(port, files)).close();
    expect(lines.join()).toContain("the RadSec thread died and is started again");
  } finally {
    await radsec.stop();
    radsec.close();
  }
});

test("a port that another program has is said, and taken when it is free", async () => {
  using store = temporaryStore();
  await loadIsp(store.db);
  await certifiedRouter(store.db, 1);
  const drained = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const lines: string[] = [];
  const radsec = new RadsecThread({
    folder: store.folder,
    log: pino({ base: null }, { write: (line: string) => lines.push(line) }),
    listen: { host: "127.0.0.1", port: drained.port },
    threads: { auth: 1, acct: 1 },
    isWanted: () => true,
    findName: () => undefined,
    spawn: () => new Worker(new URL("../../../src/radius/server/radsec-worker.ts", import.meta.url)),
  });
  try {
    expect(await eventually(() => lines.some((line) => line.includes("RadSec failed")))).toBe(true);
    expect(radsec.endpoint).toBeUndefined();
    drained.stop(true);
    expect(await eventually(() => radsec.endpoint !== undefined)).toBe(true);
  } finally {
    await radsec.stop();
    radsec.close();
  }
});

test("a certificate that is revoked is put out while our own key cannot be read", async () => {
  using store = temporaryStore();
  await loadIsp(store.db);
  const files = await certifiedRouter(store.db, 1);
  const lines: string[] = [];
  const radsec = new RadsecThread({
    folder: store.folder,
    log: pino({ base: null }, { write: (line: string) => lines.push(line) }),
    listen: { host: "127.0.0.1", port: freePort() },
    threads: { auth: 1, acct: 1 },
    isWanted: () => true,
    findName: () => undefined,
    spawn: () => new Worker(new URL("../../../src/radius/server/radsec-worker.ts", import.meta.url)),
  });
  try {
    await eventually(() => radsec.endpoint !== undefined);
    const router = await RadsecClient.open(radsec.endpoint?.port ?? 0, files);
    store.db.$client.run("UPDATE radsec_keys SET key_sealed = zeroblob(64) WHERE name = 'server'");
    expect(await eventually(() => lines.join().includes("RadSec failed"))).toBe(true);
    revokeRadsec(store.db, by, { nasId: 1, certificateId: files.id }, { now: NOW });
    await router.closed;
    await router.close();
  } finally {
    await radsec.stop();
    radsec.close();
  }
});
