import { insert } from "../../../../db/insert.ts";
import { type Db, type Tx, write } from "../../../../db/open.ts";
import { accessBoxes } from "../../../../db/schema.ts";
import { parseScope, type Scope } from "../../service/box-standing/box-scope.ts";
import { audit } from "../../core/audit/audit.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { type Actor, requireApplianceAdmin } from "../../core/actor/actor.ts";
import { BOX_NAME } from "../../core/networks/zone.ts";
import { beginJournal } from "./journal.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { makeKeyPair, openSealedFor, sealFor } from "./key-pair.ts";
import { KeyRing } from "./key-ring.ts";
import { type NodeKnowledge, countKnown } from "./knows.ts";
import { standings } from "../../service/box-standing/standing.ts";
import { beginMarking, endMarking, markAll } from "./publishing.ts";
import { readSigningKey, signHead } from "./signed-head.ts";
import { accessState, keepBooksKey, keepBoxesKey, openKeyRing, renewBoxesKeys } from "./state.ts";

export type Box = Omit<
  typeof accessBoxes.$inferSelect,
  "sealKey" | "cutOffAt" | "refused" | "refusedAt" | "refusedWhat"
>;

/** An nkey of NATS: a public half (U...) and a seed (SU...). */
export interface Nkey {
  readonly publicKey: string;
  readonly seed: string;
}

/** The secrets of a joining box: whoever has them is that box. */
export interface Joining {
  readonly id: number;
  readonly name: string;
  readonly scope: Scope | null;
  readonly seed: string;
  readonly privateKey: string;
  /** Base64. Shared by all boxes while one of 0.2.0 is left; else its own (see KeyRing). */
  readonly key?: string;
  readonly keys?: string;
  readonly keyNumber: number;
  /** The primary's public signing key, and its signed head in base64. */
  readonly booksKey?: string;
  readonly head?: string;
}

/** `removed` includes former ones. */
export function listAccessBoxes(db: Db, by: Actor, { removed = false }: { removed?: boolean } = {}): Box[] {
  permit(by, "listAccessBoxes");
  requireApplianceAdmin(db, by);
  return db.$client
    .query<Box, []>(`${SELECT} ORDER BY id`)
    .all()
    .filter(({ removedAt }) => removed || removedAt === null);
}

/**
 * Adds a box; the first one starts replication. Returns its join secrets, which are not kept. Throws `invalid` for its name,
 * `conflict` for a taken one.
 */
export function addAccessBox(
  db: Db,
  by: Actor,
  { name, scope }: { name: string; scope: Scope | null },
  { now, makeNkey }: { now: Seconds; makeNkey: () => Nkey },
): Joining {
  permit(by, "addAccessBox");
  requireApplianceAdmin(db, by);
  if (!BOX_NAME.test(name))
    throw new DomainError(
      "invalid",
      phrase`a box has a name of small letters, digits and dashes, such as tower-1`,
      {
        fields: { name: [phrase`must be small letters, digits and dashes, such as tower-1`] },
      },
    );
  return write(db, (tx) => {
    if (accessState(tx).role === "access")
      throw new DomainError("refused", phrase`this is an access box itself; boxes are added on the books`);
    if (boxNamed(tx, name))
      throw new DomainError("conflict", phrase`there is a box ${name} already`, {
        code: "already_exists",
        fields: { name: [phrase`there is a box ${name} already`] },
      });
    beginWithBoxes(tx, makeNkey);
    const ring = openKeyRing(tx);
    if (!ring) throw new Error("the boxes have no key");
    const [nkey, pair] = [makeNkey(), makeKeyPair()];
    const id = insert(tx, accessBoxes, {
      name,
      nkey: nkey.publicKey,
      sealKey: pair.publicKey,
      createdAt: now,
      createdBy: by.staffId,
      scope: scope && JSON.stringify(scope),
      ownKeysAt: ring.isShared ? null : now,
    });
    audit(tx, by, now, {
      action: "box.add",
      entity: "box",
      entityId: id,
      ispId: null,
      after: { name, scope },
    });
    const { keyNumber } = accessState(tx);
    return {
      id,
      name,
      scope,
      seed: nkey.seed,
      privateKey: pair.privateKey,
      keyNumber,
      ...signBooks(tx),
      ...keysFor(ring, { name, scope }),
    };
  });
}

/**
 * Removes a box: the others get new keys, under which everything is published again; after the last one replication ends.
 * Returns what it knew. Throws `not_found`.
 */
export function removeAccessBox(
  db: Db,
  by: Actor,
  which: { readonly name: string } | { readonly id: number },
  { now }: { now: Seconds },
): Box & { readonly knows: NodeKnowledge } {
  permit(by, "removeAccessBox");
  requireApplianceAdmin(db, by);
  return write(db, (tx) => {
    const node = "name" in which ? boxNamed(tx, which.name) : findBox(tx, which.id);
    if (!node) {
      const label = "name" in which ? `box ${which.name}` : `access box ${which.id}`;
      throw new DomainError("not_found", phrase`there is no ${label}; see: gatehouse box list`);
    }
    const { name } = node;
    const knows = countKnown(tx, { ...node, scope: parseScope(node) });
    tx.$client
      .query<unknown, [Seconds, number]>("UPDATE access_boxes SET removed_at = ? WHERE id = ?")
      .run(now, node.id);
    const isLast = tx.$client.query("SELECT 1 FROM access_boxes WHERE removed_at IS NULL").get() === null;
    renewBoxesKeys(tx, { keyNumber: accessState(tx).keyNumber + 1, mayShare: !isLast });
    if (isLast) endMarking(tx);
    else markAll(tx);
    audit(tx, by, now, {
      action: "box.remove",
      entity: "box",
      entityId: node.id,
      ispId: null,
      before: { name },
    });
    return { ...node, removedAt: now, knows };
  });
}

/** Turns an empty store into that of a box. Throws `refused` for one with data of an ISP. */
export function joinPrimary(db: Db, joining: Joining, { now }: { now: Seconds }): void {
  write(db, (tx) => {
    const isUsed =
      tx.$client.query("SELECT 1 FROM isps UNION ALL SELECT 1 FROM staff LIMIT 1").get() !== null;
    if (isUsed)
      throw new DomainError(
        "refused",
        phrase`this data folder holds the books of an ISP; a box beside them has a folder of its own: gatehouse-access box join. Else it is for another machine: ./install --access there`,
      );
    const { id, name, scope, seed, privateKey, keyNumber, booksKey, head } = joining;
    tx.$client.run("DELETE FROM access_boxes");
    insert(tx, accessBoxes, {
      id,
      name,
      nkey: "",
      sealKey: "",
      createdAt: now,
      scope: scope && JSON.stringify(scope),
    });
    keepBoxesKey(tx, ringIn(joining), keyNumber);
    tx.$client
      .query<unknown, [number, Uint8Array, Uint8Array]>(
        "UPDATE access_state SET role = 'access', box_id = ?, seed_sealed = ?, pair_sealed = ?",
      )
      .run(id, tx.vault.seal(seed), tx.vault.seal(privateKey));
    if (booksKey && head) keepBooksKey(tx, { booksKey, head: Buffer.from(head, "base64") });
    beginJournal(tx, now);
  });
}

/** The trust anchor of a box. */
function signBooks(db: Db): { readonly booksKey: string; readonly head: string } {
  return { booksKey: readSigningKey(db), head: signHead(db, accessState(db).epoch).toString("base64") };
}

/** The next key for each box that has to get it, encrypted for that box. */
export function sealedKeys(db: Db): { readonly name: string; readonly bytes: Buffer }[] {
  const { keyNumber } = accessState(db);
  const ring = openKeyRing(db);
  if (!ring) return [];
  const signature = signBooks(db);
  return db.$client
    .query<{ name: string; scope: string | null; sealKey: string }, []>(
      "SELECT name, scope, seal_key AS sealKey FROM access_boxes WHERE removed_at IS NULL ORDER BY id",
    )
    .all()
    .map(({ name, scope, sealKey }) => {
      const credentials = {
        name,
        ...keysFor(ring, { name, scope: parseScope({ scope }) }),
        keyNumber,
        ...signature,
      };
      return { name, bytes: sealFor(sealKey, Buffer.from(JSON.stringify(credentials))) };
    });
}

/**
 * On a box: stores the next key and, if missing, the primary's public key. Only the primary knows this box's public half, so
 * only it can have sealed them. Returns whether either is new. Throws for what was not sealed for this box.
 */
export function takeSealedKey(db: Db, bytes: Uint8Array): boolean {
  const sealed = db.$client
    .query<{ pair: Uint8Array | null }, []>("SELECT pair_sealed AS pair FROM access_state")
    .get()?.pair;
  if (!sealed) return false;
  const opened = openSealedFor(db.vault.openText(sealed), bytes);
  const credentials = JSON.parse(opened.toString()) as Pick<
    Joining,
    "key" | "keys" | "keyNumber" | "booksKey" | "head"
  >; // as sealedKeys wrote it
  const { keyNumber, booksKey, head } = credentials;
  return write(db, (tx) => {
    const isSigned =
      booksKey && head ? keepBooksKey(tx, { booksKey, head: Buffer.from(head, "base64") }) : false;
    if (keyNumber <= accessState(tx).keyNumber) return isSigned;
    keepBoxesKey(tx, ringIn(credentials), keyNumber);
    return true;
  });
}

/** Keys of its scope, or the shared one, which is all that 0.2.0 knows. */
function keysFor(ring: KeyRing, node: { name: string; scope: Scope | null }): Pick<Joining, "key" | "keys"> {
  const bytes = ring.for(node).bytes.toString("base64");
  return ring.isShared ? { key: bytes } : { keys: bytes };
}

/** Throws for none. */
function ringIn({ key, keys }: Pick<Joining, "key" | "keys">): Buffer {
  return KeyRing.of(Buffer.from(keys ?? key ?? "", "base64")).bytes;
}

export function giveOwnKeys(db: Db, now: Seconds): boolean {
  if (openKeyRing(db)?.isShared !== true || standings(db, now).some(({ isOld }) => isOld)) return false;
  write(db, (tx) => {
    keepBoxesKey(tx, KeyRing.make().bytes, accessState(tx).keyNumber + 1);
    tx.$client
      .query<unknown, [Seconds]>("UPDATE access_boxes SET own_keys_at = ? WHERE removed_at IS NULL")
      .run(now);
    markAll(tx);
  });
  return true;
}

/** The seed by which the primary signs in at nats-server; undefined: it has none. */
export function readSeed(db: Db): string | undefined {
  const sealed = db.$client
    .query<{ seed: Uint8Array | null }, []>("SELECT seed_sealed AS seed FROM access_state")
    .get()?.seed;
  return sealed ? db.vault.openText(sealed) : undefined;
}

/** Begins with the first box: keys, an nkey, an epoch, and marking. */
function beginWithBoxes(tx: Tx, makeNkey: () => Nkey): void {
  const { keySealed, marking } = accessState(tx);
  if (keySealed !== null) return marking === 1 ? undefined : beginMarking(tx);
  keepBoxesKey(tx, KeyRing.make().bytes, 1);
  tx.$client
    .query<unknown, [Uint8Array]>("UPDATE access_state SET seed_sealed = ?, epoch = max(epoch, 1)")
    .run(tx.vault.seal(makeNkey().seed));
  beginMarking(tx);
}

const SELECT = `SELECT id, name, nkey, scope, journal, heard_at AS heardAt, state, created_at AS createdAt, created_by AS createdBy,
  removed_at AS removedAt, own_keys_at AS ownKeysAt FROM access_boxes`;

function boxNamed({ $client }: Tx, name: string): Box | null {
  return $client.query<Box, [string]>(`${SELECT} WHERE name = ? AND removed_at IS NULL`).get(name);
}

function findBox({ $client }: Tx, id: number): Box | null {
  return $client.query<Box, [number]>(`${SELECT} WHERE id = ? AND removed_at IS NULL`).get(id);
}
