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
import { BACKUPS, streamOf } from "./subjects.ts";

/** What all of them may take: half of what `gatehouse box server` gives nats-server, so that boxes are told things whatever happens. */
const MOST_BYTES = 4 * 2 ** 30;
/** Milliseconds for what is answered at once, and without another piece of a backup. */
const PATIENCE = 10_000;
const STALLED = 30_000;

setSha256Backend("native");

/** A backup in the object store; what it says of itself can be read by whoever may read there, the rest by nobody without the key. */
export interface StoredBackup extends Label {
  readonly bucket: string;
  /** The hour of the day (UTC) at which it was put: that of the next day takes its place. */
  readonly name: string;
  /** As it lies there: compressed. */
  readonly bytes: number;
}

const metadataSchema = Type.Object({
  created_at: Type.String({ pattern: "^\\d{1,12}$" }),
  program: Type.String(),
  key_name: Type.String(),
  /** Base64; empty: the key is kept apart. */
  key_sealed: Type.String(),
});

/**
 * Puts a backup, sealed under `key`, in the place of that of the same hour yesterday; `most` is what all of them may take, in bytes. Those of
 * 0.2.0 go then, which any box could spoil. Rejects where it is not there as a whole, or not as it was written; returns its bytes there.
 */
export async function putBackup(
  nc: NatsConnection,
  { bucket, file, key, most = MOST_BYTES }: { bucket: string; file: string; key: Uint8Array; most?: number },
): Promise<number> {
  const store = await new Objm(nc).create(bucket, { max_bytes: most, description: "gatehouse" });
  await sweepPieces(nc, bucket, store);
  await makeRoom(store, most);
  const { createdAt, program, keyName, keySealed } = labelOf(file);
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
    if (bucket !== BACKUPS && (await bucketsOf(nc)).includes(BACKUPS))
      await (await jetstreamManager(nc)).streams.delete(streamOf(BACKUPS));
    return size;
  } finally {
    copy.destroy();
  }
}

function labelOf(file: string): Label {
  using client = new Database(file, { readonly: true, strict: true });
  return readLabel(client);
}

/** The newest first; none where nobody has put any. */
export async function storedBackups(nc: NatsConnection): Promise<StoredBackup[]> {
  const buckets = await bucketsOf(nc);
  const all = await Promise.all(buckets.map(async (bucket) => listOf(await new Objm(nc).open(bucket))));
  return all.flat().sort(byAge);
}

/** Where backups lie, by whose name nobody who may not read them finds them. */
async function bucketsOf(nc: NatsConnection): Promise<string[]> {
  const manager = await jetstreamManager(nc, { checkAPI: false });
  const buckets: string[] = [];
  for await (const name of manager.streams.names())
    if (name === streamOf(BACKUPS) || name.startsWith(streamOf(`${BACKUPS}-`)))
      buckets.push(name.slice(streamOf("").length));
  return buckets;
}

/** The newest of those of which every piece is there, by when it was made; undefined: none is. What nats-server lost is told by that alone. */
export async function newestWhole(nc: NatsConnection, bucket: string): Promise<StoredBackup | undefined> {
  const store = await openStore(nc, bucket);
  if (!store) return undefined;
  const listed = await inTime(store.list(), PATIENCE);
  const pieces = await piecesOf(nc, bucket);
  return listed
    .filter(({ nuid, chunks }) => (pieces[`$O.${bucket}.C.${nuid}`] ?? 0) >= chunks)
    .flatMap(backupOf)
    .reduce<StoredBackup | undefined>(
      (newest, one) => (newest && newest.createdAt > one.createdAt ? newest : one),
      undefined,
    );
}

/** How many pieces there are, by the subject of a backup. */
async function piecesOf(nc: NatsConnection, bucket: string): Promise<Record<string, number>> {
  const manager = await jetstreamManager(nc);
  const { state } = await manager.streams.info(streamOf(bucket), { subjects_filter: `$O.${bucket}.C.>` });
  return state.subjects ?? {};
}

/** Fetches one into a new file. Throws `refused` for one that is damaged, changed or of another key, and rejects where NATS goes away. */
export async function fetchBackup(
  nc: NatsConnection,
  { bucket, name, key, to }: { bucket: string; name: string; key: Uint8Array; to: string },
): Promise<void> {
  const store = await openStore(nc, bucket);
  const found = await store?.get(name);
  if (!found) throw new DomainError("not_found", `NATS has no backup ${name} any more; take another one`);
  found.error.catch(() => {}); // its stream says the same
  try {
    await openCopy(unstalled(found.data), { key, to });
  } catch (error) {
    if (!(error instanceof Error && error.message.includes("digests do not match"))) throw error;
    const words = "nats-server has lost or changed a part of this backup; take another one";
    throw Object.assign(new DomainError("refused", words), { cause: error });
  }
}

async function openStore(nc: NatsConnection, bucket: string): Promise<ObjectStore | undefined> {
  return new Objm(nc).open(bucket).catch((error: unknown) => {
    if (error instanceof Error && error.message === "object store not found") return undefined;
    throw error;
  });
}

async function listOf(store: ObjectStore): Promise<StoredBackup[]> {
  const listed = await inTime(store.list(), PATIENCE);
  return listed.flatMap(backupOf).sort(byAge);
}

const byAge = (a: StoredBackup, b: StoredBackup) => b.createdAt - a.createdAt;

/** Nothing for what somebody else has put there. */
function backupOf({ bucket, name, size, metadata }: ObjectInfo): StoredBackup[] {
  if (!Value.Check(metadataSchema, metadata)) return [];
  const { created_at: createdAt, program, key_name: keyName, key_sealed: sealed } = metadata;
  const keySealed = sealed === "" ? null : Buffer.from(sealed, "base64");
  return [{ bucket, name, bytes: size, createdAt: Number(createdAt), program, keyName, keySealed }];
}

/** Takes the oldest out until one more as large as the newest has room. */
async function makeRoom(store: ObjectStore, most: number): Promise<void> {
  const backups = await listOf(store);
  const [newest] = backups;
  if (!newest) return;
  let taken = newest.bytes + backups.reduce((sum, { bytes }) => sum + bytes, 0);
  for (const oldest of backups.slice(1).toReversed()) {
    if (taken <= most * 0.9) return;
    await store.delete(oldest.name);
    taken -= oldest.bytes;
  }
}

/** Takes out the pieces of those that were broken off, which nothing names. */
async function sweepPieces(nc: NatsConnection, bucket: string, store: ObjectStore): Promise<void> {
  const manager = await jetstreamManager(nc);
  const pieces = await piecesOf(nc, bucket);
  const named = new Set((await inTime(store.list(), PATIENCE)).map(({ nuid }) => `$O.${bucket}.C.${nuid}`));
  for (const filter of Object.keys(pieces))
    if (!named.has(filter)) await manager.streams.purge(streamOf(bucket), { filter });
}

/** What comes, and an error in the place of what does not come any more. */
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
