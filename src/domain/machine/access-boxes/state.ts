import { type Db, type Tx, write } from "../../../../db/open.ts";
import type { Seconds } from "../../core/time/time.ts";
import { parseScope, type Scope } from "../../service/box-standing/box-scope.ts";
import type { Elapsed } from "./journal.ts";
import { KeyRing } from "./key-ring.ts";
import { RecordSeal } from "./seal.ts";
import { headEpoch, isFarAbove } from "./signed-head.ts";

export interface AccessState {
  readonly role: "books" | "access";
  readonly marking: 0 | 1;
  readonly epoch: number;
  readonly number: number;
  readonly keyNumber: number;
  readonly keySealed: Uint8Array | null;
  readonly overSince: number | null;
  readonly pending: "recover" | null;
  readonly beatAt: number | null;
  readonly bucket: string | null;
  readonly highest: number;
  readonly boxId: number | null;
  readonly home: number;
  readonly booked: number;
  readonly lineage: string;
  readonly restoredAt: number | null;
}

export function accessState({ $client }: Db): AccessState {
  const row = $client
    .query<AccessState, []>(
      `SELECT role, marking, epoch, number, key_number AS keyNumber, key_sealed AS keySealed, over_since AS overSince, pending,
         beat_at AS beatAt, bucket, highest, box_id AS boxId, home, booked, lineage,
         restored_at AS restoredAt FROM access_state`,
    )
    .get();
  if (!row) throw new Error("the store does not say what it is among the boxes; restore a backup");
  return row;
}

/** Turns foreign keys off on an access box, which has no packages, ISPs and staff. */
export function leaveReferences(db: Db): void {
  if (accessState(db).role === "access") db.$client.run("PRAGMA foreign_keys = OFF");
}

/** Name and scope. Throws where it has not joined. */
export function ownBox(db: Db): { readonly name: string; readonly scope: Scope | null } {
  const node = db.$client
    .query<{ name: string; scope: string | null }, []>(
      "SELECT name, scope FROM access_boxes b JOIN access_state s ON s.box_id = b.id",
    )
    .get();
  if (!node) throw new Error("this store belongs to no box yet; run: gatehouse box join");
  return { name: node.name, scope: parseScope(node) };
}

interface OpenedKeys {
  readonly keyNumber: number;
  readonly keySealed: Uint8Array;
  readonly ring: KeyRing;
  readonly seal: RecordSeal;
}

/** Keys, cached because links ask dozens of times a second; by vault, because read-only connections cannot decrypt. */
const opened = new WeakMap<Db["vault"], OpenedKeys>();

function openedKeys(db: Db): OpenedKeys | undefined {
  const { keySealed, keyNumber } = accessState(db);
  if (keySealed === null) return undefined;
  const before = opened.get(db.vault);
  // sealing again changes bytes, not content
  if (before?.keyNumber === keyNumber && Buffer.compare(before.keySealed, keySealed) === 0) return before;
  const ring = KeyRing.of(db.vault.open(keySealed));
  const seal = new RecordSeal((subject) => ring.findKey(subject), keyNumber);
  const keys = { keyNumber, keySealed, ring, seal };
  opened.set(db.vault, keys);
  return keys;
}

export const recordSeal = (db: Db): RecordSeal | undefined => openedKeys(db)?.seal;

/** The keys of access boxes; undefined: there are none yet. */
export const openKeyRing = (db: Db): KeyRing | undefined => openedKeys(db)?.ring;

/** Makes the primary's new keys for the remaining boxes, shared if they were shared. */
export function renewBoxesKeys(
  tx: Tx,
  { keyNumber, mayShare }: { keyNumber: number; mayShare: boolean },
): void {
  const ring = mayShare && openKeyRing(tx)?.isShared ? KeyRing.makeShared() : KeyRing.make();
  keepBoxesKey(tx, ring.bytes, keyNumber);
}

export function keepBoxesKey(tx: Tx, key: Uint8Array, keyNumber: number): void {
  tx.$client
    .query<unknown, [Uint8Array, number]>("UPDATE access_state SET key_sealed = ?, key_number = ?")
    .run(tx.vault.seal(key), keyNumber);
}

/** Numbers reserved at once, because a record is not worth a commit. */
const RESERVED = 100_000;

/** Pairs for records: each higher than all before, also after a crash. */
export class PairCounter {
  readonly #db: Db;
  #epoch = 0;
  #next = 0;
  #end = 0;

  constructor(db: Db) {
    this.#db = db;
  }

  next(): { epoch: number; number: number } {
    if (this.#next >= this.#end) this.#reserve();
    return { epoch: this.#epoch, number: this.#next++ };
  }

  follow(epoch: number): boolean {
    if (this.#end === 0 || epoch === this.#epoch) return false;
    this.#end = 0;
    this.#next = 0;
    return true;
  }

  /** Continues above a number that was used before this store was put back. */
  goOnAbove(tx: Tx, number: number): void {
    tx.$client.query<unknown, [number]>("UPDATE access_state SET number = max(number, ?)").run(number);
    this.#end = 0;
    this.#next = 0;
  }

  #reserve(): void {
    const row = write(this.#db, ({ $client }) =>
      $client
        .query<{ epoch: number; number: number }, [number]>(
          "UPDATE access_state SET number = number + ? RETURNING epoch, number",
        )
        .get(RESERVED),
    );
    if (!row) throw new Error("the store does not say what it is among the boxes; restore a backup");
    this.#epoch = row.epoch;
    this.#next = row.number - RESERVED + 1;
    this.#end = row.number + 1;
  }
}

/** Whether a higher epoch counts: then no journals are committed. */
export function isOver(db: Db): boolean {
  return accessState(db).overSince !== null;
}

export function noteOver({ $client }: Tx, now: Seconds): void {
  $client
    .query<unknown, [Seconds]>("UPDATE access_state SET over_since = ? WHERE over_since IS NULL")
    .run(now);
}

export function keepBucket({ $client }: Tx, created: string): void {
  $client.query<unknown, [string]>("UPDATE access_state SET bucket = ?").run(created);
}

/** An access box's trust in the primary. null: it joined before heads were signed. */
export interface NodeTrust {
  readonly booksKey: string | null;
  /** The signed head of the highest epoch. */
  readonly proof: Uint8Array | null;
}

export function nodeTrust({ $client }: Db): NodeTrust {
  const select = "SELECT books_key AS booksKey, proof FROM access_state";
  return $client.query<NodeTrust, []>(select).get() ?? { booksKey: null, proof: null };
}

/** Stores the primary's key and head on an access box without one. Returns false where it has one. */
export function keepBooksKey(tx: Tx, { booksKey, head }: { booksKey: string; head: Uint8Array }): boolean {
  if (nodeTrust(tx).booksKey !== null) return false;
  tx.$client.query<unknown, [string]>("UPDATE access_state SET books_key = ?").run(booksKey);
  noteSigned(tx, head);
  return true;
}

/**
 * On an access box: stores a signed head; the first one overrides unsigned knowledge. Returns false for a wrong signature,
 * which a box without the key cannot check.
 */
export function noteSigned(db: Db, head: Uint8Array): boolean {
  const { booksKey, proof } = nodeTrust(db);
  if (booksKey === null) return true;
  const epoch = headEpoch(head, booksKey);
  const { highest } = accessState(db);
  if (epoch === undefined || (proof !== null && isFarAbove(epoch, highest))) return false;
  if (proof === null || epoch > highest)
    db.$client
      .query<unknown, [number, Uint8Array]>("UPDATE access_state SET highest = ?, proof = ?")
      .run(epoch, head);
  return true;
}

/**
 * On an access box: an epoch from a beat, sealed but unsigned. Returns whether it counts: it is the signed one, or without a
 * key the highest so far.
 */
export function noteEpoch(db: Db, epoch: number): boolean {
  const { highest } = accessState(db);
  if (nodeTrust(db).booksKey !== null) return epoch === highest;
  if (epoch < highest || isFarAbove(epoch, highest)) return false;
  db.$client.query<unknown, [number]>("UPDATE access_state SET highest = ?").run(epoch);
  return true;
}

/** Notes a beat on an access box, and its monotonic time of arrival. */
export function noteBeat({ $client }: Db, at: Seconds, { boot, uptime }: Elapsed): void {
  $client
    .query<unknown, [Seconds, string, number]>(
      "UPDATE access_state SET beat_at = ?, beat_boot = ?, beat_uptime = ?",
    )
    .run(at, boot, Math.round(uptime()));
}

/** Keeps the journal position that the primary has, on an access box. */
export function keepHome({ $client }: Tx, journal: number): void {
  $client.query<unknown, [number]>("UPDATE access_state SET home = ?").run(journal);
}

export function boxNames({ $client }: Db): string[] {
  return $client
    .query<{ name: string }, []>("SELECT name FROM access_boxes WHERE removed_at IS NULL")
    .all()
    .map(({ name }) => name);
}
