import { Database } from "bun:sqlite";
import { Readable } from "node:stream";
import { jetstreamManager } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import { Objm, type ObjectInfo, type ObjectStore, setSha256Backend } from "@nats-io/obj";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { type Label, readLabel } from "../domain/machine/backup/label.ts";
import { verified } from "../domain/machine/backup/checksum.ts";
import { openCopy, sealedCopy } from "../domain/machine/backup/sealed-copy.ts";
import { DomainError } from "../domain/core/errors/errors.ts";
import { phrase } from "../domain/core/errors/phrase.ts";
import { BACKUPS, bucketStream } from "./subjects.ts";

/**
 * Most bytes of all backups together: half of the storage that `gatehouse box server` gives nats-server, so that the bucket for
 * access boxes always has room.
 */
const MOST_BYTES = 4 * 2 ** 30;
/** Timeout in milliseconds of a request, and of the next chunk of a backup. */
const PATIENCE = 10_000;
const STALLED = 30_000;

setSha256Backend("native");

/** A backup in the object store. Its label is readable by whoever may read the store; its content needs the key. */
export interface StoredBackup extends Label {
  readonly bucket: string;
  /** The hour of the day (UTC) it was stored: the next day's backup of that hour replaces it. */
  readonly name: string;
  /** Size in the store, compressed. */
  readonly bytes: number;
}

const metadataSchema = Type.Object({
  created_at: Type.String({ pattern: "^\\d{1,12}$" }),
  program: Type.String(),
  key_name: Type.String(),
  /** Base64; empty: the key is kept elsewhere. */
  key_sealed: Type.String(),
});

/**
 * Stores a backup sealed under `key`, replacing yesterday's of the same hour; `most` limits the bytes of all of them. Removes
 * those of version 0.2.0, which any access box could overwrite. Rejects unless it was stored completely and unchanged; returns
 * its size there.
 */
export async function putBackup(
  nc: NatsConnection,
  { bucket, file, key, most = MOST_BYTES }: { bucket: string; file: string; key: Uint8Array; most?: number },
): Promise<number> {
  const store = await new Objm(nc).create(bucket, { max_bytes: most, description: "gatehouse" });
  await sweepPieces(nc, bucket, store);
  await makeRoom(store, most);
  const { createdAt, program, keyName, keySealed } = readFileLabel(file);
  const metadata = {
    created_at: String(createdAt),
    program,
    key_name: keyName,
    key_sealed: keySealed === null ? "" : Buffer.from(keySealed).toString("base64"),
  };
  const name = `hour-${new Date(createdAt * 1000).toISOString().slice(11, 13)}`;
  const copy = sealedCopy(() => verified(file), key);
  try {
    const pieces = Readable.toWeb(copy) as ReadableStream<Uint8Array>;
    const { size } = await store.put({ name, metadata }, pieces, { timeout: PATIENCE });
    if (bucket !== BACKUPS && (await listBuckets(nc)).includes(BACKUPS))
      await (await jetstreamManager(nc)).streams.delete(bucketStream(BACKUPS));
    return size;
  } finally {
    copy.destroy();
  }
}

function readFileLabel(file: string): Label {
  using client = new Database(file, { readonly: true, strict: true });
  return readLabel(client);
}

/** Stored backups, the newest first; empty when there are none. */
export async function storedBackups(nc: NatsConnection): Promise<StoredBackup[]> {
  const buckets = await listBuckets(nc);
  const all = await Promise.all(buckets.map(async (bucket) => listObjects(await new Objm(nc).open(bucket))));
  return all.flat().sort(byAge);
}

/** Buckets that hold backups; their names cannot be guessed without read access. */
async function listBuckets(nc: NatsConnection): Promise<string[]> {
  const manager = await jetstreamManager(nc, { checkAPI: false });
  const buckets: string[] = [];
  for await (const name of manager.streams.names())
    if (name === bucketStream(BACKUPS) || name.startsWith(bucketStream(`${BACKUPS}-`)))
      buckets.push(name.slice(bucketStream("").length));
  return buckets;
}

/** The newest backup by time whose chunks are all there; undefined: none. Data lost by nats-server shows only by missing chunks. */
export async function newestWhole(nc: NatsConnection, bucket: string): Promise<StoredBackup | undefined> {
  const store = await openStore(nc, bucket);
  if (!store) return undefined;
  const listed = await inTime(store.list(), PATIENCE);
  const pieces = await countPieces(nc, bucket);
  return listed
    .filter(({ nuid, chunks }) => (pieces[`$O.${bucket}.C.${nuid}`] ?? 0) >= chunks)
    .flatMap(toBackup)
    .reduce<StoredBackup | undefined>(
      (newest, one) => (newest && newest.createdAt > one.createdAt ? newest : one),
      undefined,
    );
}

/** Number of chunks by backup. */
async function countPieces(nc: NatsConnection, bucket: string): Promise<Record<string, number>> {
  const manager = await jetstreamManager(nc);
  const { state } = await manager.streams.info(bucketStream(bucket), { subjects_filter: `$O.${bucket}.C.>` });
  return state.subjects ?? {};
}

/** Downloads a backup into a new file. Throws `refused` when it is damaged, changed or under another key, and rejects when NATS is lost. */
export async function fetchBackup(
  nc: NatsConnection,
  { bucket, name, key, to }: { bucket: string; name: string; key: Uint8Array; to: string },
): Promise<void> {
  const store = await openStore(nc, bucket);
  const found = await store?.get(name);
  if (!found)
    throw new DomainError("not_found", phrase`NATS has no backup ${name} any more; take another one`);
  found.error.catch(() => {}); // its stream says the same
  try {
    await openCopy(unstalled(found.data), { key, to });
  } catch (error) {
    if (!(error instanceof Error && error.message.includes("digests do not match"))) throw error;
    const words = phrase`nats-server has lost or changed a part of this backup; take another one`;
    throw Object.assign(new DomainError("refused", words), { cause: error });
  }
}

async function openStore(nc: NatsConnection, bucket: string): Promise<ObjectStore | undefined> {
  return new Objm(nc).open(bucket).catch((error: unknown) => {
    if (error instanceof Error && error.message === "object store not found") return undefined;
    throw error;
  });
}

async function listObjects(store: ObjectStore): Promise<StoredBackup[]> {
  const listed = await inTime(store.list(), PATIENCE);
  return listed.flatMap(toBackup).sort(byAge);
}

const byAge = (a: StoredBackup, b: StoredBackup) => b.createdAt - a.createdAt;

/** A stored backup; nothing for an object that is none of ours. */
function toBackup({ bucket, name, size, metadata }: ObjectInfo): StoredBackup[] {
  if (!Value.Check(metadataSchema, metadata)) return [];
  const { created_at: createdAt, program, key_name: keyName, key_sealed: sealed } = metadata;
  const keySealed = sealed === "" ? null : Buffer.from(sealed, "base64");
  return [{ bucket, name, bytes: size, createdAt: Number(createdAt), program, keyName, keySealed }];
}

/** Deletes the oldest until another one as large as the newest fits. */
async function makeRoom(store: ObjectStore, most: number): Promise<void> {
  const backups = await listObjects(store);
  const [newest] = backups;
  if (!newest) return;
  let taken = newest.bytes + backups.reduce((sum, { bytes }) => sum + bytes, 0);
  for (const oldest of backups.slice(1).toReversed()) {
    if (taken <= most * 0.9) return;
    await store.delete(oldest.name);
    taken -= oldest.bytes;
  }
}

/** Deletes chunks of aborted uploads, which no object refers to. */
async function sweepPieces(nc: NatsConnection, bucket: string, store: ObjectStore): Promise<void> {
  const manager = await jetstreamManager(nc);
  const pieces = await countPieces(nc, bucket);
  const named = new Set((await inTime(store.list(), PATIENCE)).map(({ nuid }) => `$O.${bucket}.C.${nuid}`));
  for (const filter of Object.keys(pieces))
    if (!named.has(filter)) await manager.streams.purge(bucketStream(bucket), { filter });
}

/** The chunks, or an error when none comes for too long. */
async function* unstalled(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await inTime(reader.read(), STALLED);
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel();
  }
}

async function inTime<T>(what: Promise<T>, patience: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const late = setTimeout(() => reject(new Error("NATS does not answer any more; try again")), patience);
  try {
    return await Promise.race([what, promise]);
  } finally {
    clearTimeout(late);
  }
}
