import { createHmac, timingSafeEqual } from "node:crypto";
import { insert } from "../../../../db/insert.ts";
import { type Db, type Tx, write, writePatiently } from "../../../../db/open.ts";
import { untilUnlocked } from "../../../../db/turns.ts";
import { idempotencyKeys } from "../../../../db/schema.ts";
import { DomainError } from "../errors/errors.ts";
import { type Phrase, phrase } from "../errors/phrase.ts";
import type { Input } from "../fields/fields.ts";
import type { Actor } from "../actor/actor.ts";
import type { Seconds } from "../time/time.ts";

/** Seconds that a key keeps its answer. */
const KEPT = 48 * 3600;
/** The answer of what was begun and has not ended. */
const UNDER_WAY = "";
/** How one begins that may have secrets in it, as all that are kept by now. */
const SEALED = "sealed ";

interface Keyed {
  readonly path: string;
  readonly key: string;
  /** Another input with the same key is a conflict. */
  readonly input: Input;
  /** What else it is about: the same key with anything else here is another call too. */
  readonly about?: object;
}

interface Options {
  readonly now: Seconds;
  /** Called where the first answer is given again. */
  readonly replayed?: () => void;
}

interface Stored {
  bodyHash: Uint8Array;
  answer: string;
}

/**
 * Does something once for a key of the actor: in one transaction with the answer, which is given again to the same key and body
 * for 48 hours. What is refused keeps nothing. `begin` checks what is to be checked each time, and returns what is done the first
 * time. Throws `invalid` for a malformed key, `conflict` for one that was sent with another body.
 */
export function once<T>(
  db: Db,
  by: Actor,
  keyed: Keyed,
  { now, replayed = () => {} }: Options,
  begin: (tx: Tx) => () => T,
): T {
  const { row, bodyHash } = readRow(db, by, keyed);
  const done = write(db, (tx) => {
    const first = begin(tx);
    const known = knownAnswer<T>(tx, row, bodyHash, now);
    if (known) return { ...known, isReplayed: true };
    const answer = first();
    if (answer instanceof Promise) throw new Error("what is done once has to be one transaction");
    insert(tx, idempotencyKeys, { ...row, bodyHash, answer: sealed(db, answer), createdAt: now });
    return { answer, isReplayed: false };
  });
  if (done.isReplayed) replayed();
  return done.answer;
}

/**
 * The same of what waits for a router or a thread, which is no transaction: the key is taken before, and while nobody knows what came of it
 * the same key throws `conflict`, after a crash too, for it may have been done.
 */
export async function onceAwaited<T>(
  db: Db,
  by: Actor,
  keyed: Keyed,
  { now, replayed = () => {}, check }: Options & { check: (tx: Tx) => void },
  first: () => T | Promise<T>,
): Promise<T> {
  const { row, bodyHash } = readRow(db, by, keyed);
  const known = await untilUnlocked(db, () =>
    write(db, (tx) => {
      check(tx);
      const stored = knownAnswer<T>(tx, row, bodyHash, now);
      if (!stored) insert(tx, idempotencyKeys, { ...row, bodyHash, answer: UNDER_WAY, createdAt: now });
      return stored;
    }),
  );
  if (known) {
    replayed();
    return known.answer;
  }
  const answer = await untilUnlocked(db, first).catch(async (error: unknown) => {
    await writePatiently(db, (tx) => forgetKey(tx, row));
    throw error;
  });
  await writePatiently(db, (tx) => keep(tx, row, sealed(db, answer)));
  return answer;
}

interface Row {
  readonly staffId: number;
  readonly path: string;
  readonly key: string;
}

function readRow(db: Db, { staffId, subscriberId }: Actor, { path, key, input, about }: Keyed) {
  const fault = keyFault(key);
  if (fault) throw new DomainError("invalid", fault, { code: "idempotency_key_malformed" });
  const caller = staffId ?? (subscriberId === null ? 0 : -subscriberId);
  return { row: { staffId: caller, path, key }, bodyHash: hashInput(db, input, about) };
}

/** What the key stands for already; undefined: nothing yet. */
function knownAnswer<T>(
  tx: Tx,
  { staffId, path, key }: Row,
  bodyHash: Uint8Array,
  now: Seconds,
): { answer: T } | undefined {
  forget(tx, now);
  const stored = tx.$client
    .query<Stored, [number, string, string]>(
      "SELECT body_hash AS bodyHash, answer FROM idempotency_keys WHERE staff_id = ? AND path = ? AND key = ?",
    )
    .get(staffId, path, key);
  if (!stored) return undefined;
  if (!timingSafeEqual(stored.bodyHash, bodyHash))
    throw new DomainError(
      "conflict",
      phrase`the Idempotency-Key was sent before with another body; take a new one`,
      { code: "idempotency_key_reused" },
    );
  if (stored.answer === UNDER_WAY)
    throw new DomainError(
      "conflict",
      phrase`the call with this Idempotency-Key is under way, or was broken off; look at what came of it before you take a new one`,
      { code: "under_way" },
    );
  return { answer: JSON.parse(opened(tx, stored.answer)) as T };
}

/** The answer as it is kept: it may have a secret that was told once. */
const sealed = ({ vault }: Db, answer: unknown) =>
  `${SEALED}${vault.seal(JSON.stringify(answer)).toString("base64")}`;

function opened({ vault }: Tx, answer: string): string {
  if (!answer.startsWith(SEALED)) return answer;
  return vault.openText(Buffer.from(answer.slice(SEALED.length), "base64"));
}

function keep({ $client }: Tx, { staffId, path, key }: Row, answer: string): void {
  $client
    .query("UPDATE idempotency_keys SET answer = ? WHERE staff_id = ? AND path = ? AND key = ?")
    .run(answer, staffId, path, key);
}

function forgetKey({ $client }: Tx, { staffId, path, key }: Row): void {
  $client
    .query("DELETE FROM idempotency_keys WHERE staff_id = ? AND path = ? AND key = ?")
    .run(staffId, path, key);
}

export function keyFault(key: string): Phrase | undefined {
  return /^[\x20-\x7e]{1,100}$/.test(key)
    ? undefined
    : phrase`the Idempotency-Key must be 1 to 100 printable ASCII characters`;
}

/** A clock set back deletes none. */
function forget({ $client }: Tx, now: Seconds): void {
  $client.query("DELETE FROM idempotency_keys WHERE created_at <= ?").run(now - KEPT);
}

/** The same for a form and for JSON that say the same, in whatever order. Keyed, because passwords and codes of cards may be among it. */
function hashInput({ vault }: Db, input: Input, about: object = {}): Buffer {
  const sorted = Object.entries(input).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const texts = sorted.map(([name, value]) => [
    name,
    typeof value === "object" ? (value ?? "") : String(value),
  ]);
  const whole = Object.keys(about).length === 0 ? texts : [...texts, ["", about]];
  return createHmac("sha256", vault.deriveKey("idempotency keys")).update(JSON.stringify(whole)).digest();
}
