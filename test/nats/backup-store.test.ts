import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import { Database } from "bun:sqlite";
import { addChecksum } from "../../src/domain/machine/backup/checksum.ts";
import { writeLabel } from "../../src/domain/machine/backup/label.ts";
import { fetchBackup, newestWhole, putBackup, storedBackups } from "../../src/nats/backup-store.ts";
import { connectOnce } from "../../src/nats/connection.ts";
import { makeNkey } from "../../src/nats/nkeys.ts";
import { readerUser, serverConfig } from "../../src/nats/server-config.ts";
import { BACKUPS, bucketStream, nodeInbox, RESTORE_INBOX } from "../../src/nats/subjects.ts";
import { NatsServer } from "../support/nats-server.ts";
import { NOW } from "../support/store.ts";

const HOUR = 3600;
const bucket = `${BACKUPS}-of-these-books`;
const STREAM = bucketStream(bucket);
const key = randomBytes(32);
const [books, reader, tower] = [makeNkey(), makeNkey(), makeNkey()];
const configuration = serverConfig({
  primary: books.publicKey,
  boxes: [{ name: "tower-1", nkey: tower.publicKey, scope: null, isOld: false }],
}).replace("users: [", `users: [\n    ${readerUser(reader.publicKey)}`);

let folder: string;
let server: NatsServer;
let nc: NatsConnection;
let connections: NatsConnection[];

async function signIn(seed: string, inbox?: string): Promise<NatsConnection> {
  const options = { url: server.url, seed, caFile: server.certificate, name: "test" };
  const connection = await connectOnce(options, inbox);
  connections.push(connection);
  return connection;
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-backups-"));
  server = await NatsServer.start(configuration);
  connections = [];
  nc = await signIn(books.seed);
});
afterEach(async () => {
  await Promise.all(connections.map((one) => one.close()));
  await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** A backup as far as its label goes, of at least that many bytes which nothing makes smaller. */
function aBackup(createdAt: number, { bytes = 1000, keySealed = null as Uint8Array | null } = {}): string {
  const file = join(folder, `${createdAt}-${bytes}.db`);
  rmSync(file, { force: true });
  using client = new Database(file, { create: true, strict: true });
  client.run("CREATE TABLE filling (bytes BLOB)");
  client.query("INSERT INTO filling VALUES (?)").run(randomBytes(bytes));
  client.close();
  writeLabel(file, { createdAt, program: "1.0.0 (abc)", keyName: "0123456789abcdef", keySealed });
  addChecksum(file);
  return file;
}

const put = (file: string, most?: number) =>
  putBackup(nc, { bucket, file, key, ...(most !== undefined && { most }) });
const names = async () => (await storedBackups(nc)).map(({ name }) => name);

describe("backups in the object store", () => {
  test("come back byte for byte, with what they say of themselves", async () => {
    expect(await storedBackups(nc)).toEqual([]);
    const file = aBackup(NOW, { bytes: 2_000_000, keySealed: Buffer.from("sealed") });
    const bytes = await put(file);
    expect(await storedBackups(nc)).toEqual([
      {
        bucket,
        name: "hour-12",
        bytes,
        createdAt: NOW,
        program: "1.0.0 (abc)",
        keyName: "0123456789abcdef",
        keySealed: Buffer.from("sealed"),
      },
    ]);
    const to = join(folder, "fetched.db");
    await fetchBackup(await signIn(reader.seed, RESTORE_INBOX), { bucket, name: "hour-12", key, to });
    expect(readFileSync(to).equals(readFileSync(file))).toBeTrue();
  });

  test("of one hour take the place of each other, so that there are 24 at the most", async () => {
    for (const hour of [0, 1, 24]) await put(aBackup(NOW + hour * HOUR));
    expect((await storedBackups(nc)).map(({ name, createdAt }) => [name, (createdAt - NOW) / HOUR])).toEqual([
      ["hour-12", 24],
      ["hour-13", 1],
    ]);
    const { streams } = await jetstreamManager(nc);
    const { state } = await streams.info(STREAM);
    expect(state.messages).toBe(4); // one piece and one head of each, and nothing of the first
  });

  test("make room for the next one, the oldest first, and never take more than their part", async () => {
    const most = 1_000_000;
    for (const hour of [0, 1, 2, 3, 4]) await put(aBackup(NOW + hour * HOUR, { bytes: 250_000 }), most);
    expect(await names()).toEqual(["hour-16", "hour-15", "hour-14"]);
    await expect(put(aBackup(NOW + 5 * HOUR, { bytes: 1_100_000 }), most)).rejects.toThrow("maximum bytes");
    expect(await names()).toEqual(["hour-16", "hour-15"]);
    await put(aBackup(NOW + 5 * HOUR, { bytes: 250_000 }), most); // what was broken off has left nothing
    expect(await names()).toEqual(["hour-17", "hour-16", "hour-15"]);
  });

  test("that were broken off by a death are swept away by the next one", async () => {
    await put(aBackup(NOW));
    for (let piece = 0; piece < 3; piece++)
      await jetstream(nc).publish(`$O.${bucket}.C.broken`, randomBytes(1000));
    const before = await names();
    await put(aBackup(NOW + HOUR));
    expect(await names()).toEqual(["hour-13", ...before]);
    const { streams } = await jetstreamManager(nc);
    const { state } = await streams.info(STREAM, { subjects_filter: `$O.${bucket}.C.>` });
    expect(Object.keys(state.subjects ?? {})).toHaveLength(2);
  });

  test("are not there where nats-server dies meanwhile, and the one before stays", async () => {
    await put(aBackup(NOW));
    const putting = put(aBackup(NOW + HOUR, { bytes: 30_000_000 }));
    await server.kill();
    await expect(putting).rejects.toThrow();
    await server.up();
    nc = await signIn(books.seed);
    expect(await names()).toEqual(["hour-12"]);
    await put(aBackup(NOW + HOUR, { bytes: 30_000_000 }));
    expect(await names()).toEqual(["hour-13", "hour-12"]);
  });

  test("that nats-server has changed, or that are gone, are refused in words and leave no file", async () => {
    await put(aBackup(NOW));
    const to = join(folder, "fetched.db");
    const other = { bucket, name: "hour-12", key: randomBytes(32), to };
    await expect(fetchBackup(nc, other)).rejects.toMatchObject({ kind: "refused" });
    await expect(fetchBackup(nc, { bucket, name: "hour-09", key, to })).rejects.toMatchObject({
      kind: "not_found",
      message: "NATS has no backup hour-09 any more; take another one",
    });
    await put(aBackup(NOW, { bytes: 400_000 }));
    const { streams } = await jetstreamManager(nc);
    const { state } = await streams.info(STREAM);
    await streams.deleteMessage(STREAM, state.last_seq - 2); // a piece in the middle
    await expect(fetchBackup(nc, { bucket, name: "hour-12", key, to })).rejects.toMatchObject({
      kind: "refused",
      message: "nats-server has lost or changed a part of this backup; take another one",
    });
    expect(await Bun.file(to).exists()).toBeFalse();
  });

  test("are looked for piece by piece: what is named and not whole is none", async () => {
    expect(await newestWhole(nc, bucket)).toBeUndefined();
    const bytes = await put(aBackup(NOW));
    expect(await newestWhole(nc, bucket)).toMatchObject({ createdAt: NOW, bytes });
    await put(aBackup(NOW + HOUR, { bytes: 400_000 }));
    expect((await newestWhole(nc, bucket))?.createdAt).toBe(NOW + HOUR);
    const { streams } = await jetstreamManager(nc);
    const { state } = await streams.info(STREAM);
    await streams.deleteMessage(STREAM, state.last_seq - 2); // a piece in the middle
    expect(await newestWhole(nc, bucket)).toMatchObject({ createdAt: NOW });
  });

  test("of 0.2.0 are there until the first new one is whole", async () => {
    await putBackup(nc, { bucket: BACKUPS, file: aBackup(NOW - HOUR), key });
    const reading = await signIn(reader.seed, RESTORE_INBOX);
    expect(await storedBackups(reading)).toMatchObject([{ name: "hour-11", bucket: BACKUPS }]);
    const to = join(folder, "fetched.db");
    await fetchBackup(reading, { bucket: BACKUPS, name: "hour-11", key, to });
    await put(aBackup(NOW));
    expect(await storedBackups(reading)).toMatchObject([{ name: "hour-12", bucket }]);
    const { streams } = await jetstreamManager(nc);
    expect(await Array.fromAsync(streams.names())).toEqual([STREAM]);
  });

  test("are read by who is let in for that, who can do nothing else, and by no box", async () => {
    await put(aBackup(NOW));
    const [reading, node] = [
      await signIn(reader.seed, RESTORE_INBOX),
      await signIn(tower.seed, nodeInbox("tower-1")),
    ];
    expect(await storedBackups(reading)).toHaveLength(1);
    const isRefused = (what: Promise<unknown>) => expect(what).rejects.toThrow(/ermission|timeout/i);
    await isRefused(jetstream(reading, { timeout: 500 }).publish(`$O.${bucket}.C.mine`, "x"));
    await isRefused(jetstream(reading, { timeout: 500 }).publish("$KV.access.0.0.beat", "x"));
    const calls = await jetstreamManager(reading, { timeout: 500, checkAPI: false });
    await isRefused(calls.streams.purge(STREAM));
    await isRefused(calls.streams.delete(STREAM));
    await isRefused(calls.streams.info("KV_access"));
    const ofBox = await jetstreamManager(node, { timeout: 500, checkAPI: false });
    await isRefused(ofBox.streams.info(STREAM));
    await isRefused(ofBox.streams.getMessage(STREAM, { seq: 1 }));
    expect(await names()).toEqual(["hour-12"]);
  });
});
