import { type Db, type Tx, write } from "../../../../db/open.ts";
import type { Seconds } from "../../core/time/time.ts";
import { type Scope, scopeOf } from "../../service/box-standing/box-scope.ts";
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

/** On an access box: what is written through this connection may be of packages, ISPs and staff that a box does not know. */
export function leaveReferences(db: Db): void {
  if (accessState(db).role === "access") db.$client.run("PRAGMA foreign_keys = OFF");
}

/** What an access box is called, and whose subscribers it has. Throws where it has not been joined to its books. */
export function ownBox(db: Db): { readonly name: string; readonly scope: Scope | null } {
  const node = db.$client
    .query<{ name: string; scope: string | null }, []>(
      "SELECT name, scope FROM access_boxes b JOIN access_state s ON s.box_id = b.id",
    )
    .get();
  if (!node) throw new Error("this store belongs to no box yet; run: gatehouse box join");
  return { name: node.name, scope: scopeOf(node) };
}

/** The boxes' keys as the store has them, and opened. */
interface OpenedKeys {
  readonly keyNumber: number;
  readonly keySealed: Uint8Array;
  readonly ring: KeyRing;
  readonly seal: RecordSeal;
}

/** Opened once, for the links ask dozens of times a second; by vault, for that of a connection that only looks opens nothing. */
const opened = new WeakMap<Db["vault"], OpenedKeys>();

function openedKeys(db: Db): OpenedKeys | undefined {
  const { keySealed, keyNumber } = accessState(db);
  if (keySealed === null) return undefined;
  const before = opened.get(db.vault);
  // what is sealed anew has other bytes, whatever it holds
  if (before?.keyNumber === keyNumber && Buffer.compare(before.keySealed, keySealed) === 0) return before;
  const ring = KeyRing.of(db.vault.open(keySealed));
  const seal = new RecordSeal((subject) => ring.keyOf(subject), keyNumber);
  const keys = { keyNumber, keySealed, ring, seal };
  opened.set(db.vault, keys);
  return keys;
}

/** What seals and opens records here; undefined: there are no boxes yet, or this one has not been given the key. */
export const recordSeal = (db: Db): RecordSeal | undefined => openedKeys(db)?.seal;

/** The keys of the books, or of this box; undefined: there are none yet. */
export const keyRingOf = (db: Db): KeyRing | undefined => openedKeys(db)?.ring;

/** On the books: new keys for those that are left, of the same kind where they may share one: boxes of 0.2.0 know no other. */
export function renewBoxesKeys(
  tx: Tx,
  { keyNumber, mayShare }: { keyNumber: number; mayShare: boolean },
): void {
  const ring = mayShare && keyRingOf(tx)?.isShared ? KeyRing.makeShared() : KeyRing.make();
  keepBoxesKey(tx, ring.bytes, keyNumber);
}

export function keepBoxesKey(tx: Tx, key: Uint8Array, keyNumber: number): void {
  tx.$client
    .query<unknown, [Uint8Array, number]>("UPDATE access_state SET key_sealed = ?, key_number = ?")
    .run(tx.vault.seal(key), keyNumber);
}

/** Numbers of records that are taken from the store at once: no record is worth a commit of its own. */
const RESERVED = 100_000;

/** Gives records the pairs of this store's counter: each higher than every one before, also after a crash. */
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

  /** Gives no number of an epoch that is over. Returns whether another one has begun. */
  follow(epoch: number): boolean {
    if (this.#end === 0 || epoch === this.#epoch) return false;
    this.#end = 0;
    this.#next = 0;
    return true;
  }

  /** Goes on above a number that these books have given already: their store was put back to how it stood before. */
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

/** Whether books with a higher epoch count: these commit nothing more that a box told. */
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

/** On an access box: by what it knows its books. null: it joined when they signed nothing, and has not been told. */
export interface NodeTrust {
  readonly booksKey: string | null;
  /** The signed head of the highest epoch. */
  readonly proof: Uint8Array | null;
}

export function nodeTrust({ $client }: Db): NodeTrust {
  const select = "SELECT books_key AS booksKey, proof FROM access_state";
  return $client.query<NodeTrust, []>(select).get() ?? { booksKey: null, proof: null };
}

/** On an access box that was told nothing of it yet: keeps the public half of the books' key, and their signed head. Returns false where it has one. */
export function keepBooksKey(tx: Tx, { booksKey, head }: { booksKey: string; head: Uint8Array }): boolean {
  if (nodeTrust(tx).booksKey !== null) return false;
  tx.$client.query<unknown, [string]>("UPDATE access_state SET books_key = ?").run(booksKey);
  noteSigned(tx, head);
  return true;
}

/**
 * On an access box: takes the signed head of its books. The first one counts whatever it was told before that nobody had signed. Returns false
 * for what its books have not signed; a box without their key cannot tell.
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
 * On an access box: that its books have said their epoch in a beat, which is sealed and not signed. Returns whether they count: it is the one
 * that they have signed, or for a box without their key at least as high as any before.
 */
export function noteEpoch(db: Db, epoch: number): boolean {
  const { highest } = accessState(db);
  if (nodeTrust(db).booksKey !== null) return epoch === highest;
  if (epoch < highest || isFarAbove(epoch, highest)) return false;
  db.$client.query<unknown, [number]>("UPDATE access_state SET highest = ?").run(epoch);
  return true;
}

/** On an access box: a beat by the clock of the books, and when it came by one that never jumps. */
export function noteBeat({ $client }: Db, at: Seconds, { boot, uptime }: Elapsed): void {
  $client
    .query<unknown, [Seconds, string, number]>(
      "UPDATE access_state SET beat_at = ?, beat_boot = ?, beat_uptime = ?",
    )
    .run(at, boot, Math.round(uptime()));
}

/** On an access box: how far its books have its journal. */
export function keepHome({ $client }: Tx, journal: number): void {
  $client.query<unknown, [number]>("UPDATE access_state SET home = ?").run(journal);
}

export function boxNames({ $client }: Db): string[] {
  return $client
    .query<{ name: string }, []>("SELECT name FROM access_boxes WHERE removed_at IS NULL")
    .all()
    .map(({ name }) => name);
}
