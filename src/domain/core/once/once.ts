import { createHmac, timingSafeEqual } from "node:crypto";
import { insert } from "../../../../db/insert.ts";
import { type Db, type Tx, write } from "../../../../db/open.ts";
import { idempotencyKeys } from "../../../../db/schema.ts";
import { DomainError } from "../errors/errors.ts";
import type { Input } from "../fields/fields.ts";
import type { Actor } from "../actor/actor.ts";
import type { Seconds } from "../time/time.ts";

/** Seconds for which a key stands for its first answer. */
const KEPT = 48 * 3600;

interface Keyed {
  readonly path: string;
  readonly key: string;
  /** All that was sent: the same key with anything else is another call. */
  readonly input: Input;
}

interface Stored {
  bodyHash: Uint8Array;
  answer: string;
}

/**
 * Does something once for a key of the actor: in one transaction with the answer, which is given again to the same key and body
 * for 48 hours, which `replayed` is called for. What is refused keeps nothing. `begin` checks what is to be checked each time, and
 * returns what is done the first time. Throws `invalid` for a malformed key, `conflict` for one that was sent with another body.
 */
export function once<T>(
  db: Db,
  { staffId }: Actor,
  { path, key, input }: Keyed,
  { now, replayed = () => {} }: { now: Seconds; replayed?: () => void },
  begin: (tx: Tx) => () => T,
): T {
  const fault = keyFault(key);
  if (fault) throw new DomainError("invalid", fault, { code: "idempotency_key_malformed" });
  const bodyHash = hashOf(db, input);
  const row = { staffId: staffId ?? 0, path, key };
  const done = write(db, (tx) => {
    const first = begin(tx);
    forget(tx, now);
    const stored = tx.$client
      .query<Stored, [number, string, string]>(
        "SELECT body_hash AS bodyHash, answer FROM idempotency_keys WHERE staff_id = ? AND path = ? AND key = ?",
      )
      .get(row.staffId, path, key);
    if (stored && !timingSafeEqual(stored.bodyHash, bodyHash))
      throw new DomainError(
        "conflict",
        "the Idempotency-Key was sent before with another body; take a new one",
        { code: "idempotency_key_reused" },
      );
    if (stored) return { answer: JSON.parse(stored.answer) as T, isReplayed: true };
    const answer = first();
    if (answer instanceof Promise) throw new Error("what is done once has to be one transaction");
    insert(tx, idempotencyKeys, { ...row, bodyHash, answer: JSON.stringify(answer), createdAt: now });
    return { answer, isReplayed: false };
  });
  if (done.isReplayed) replayed();
  return done.answer;
}

export function keyFault(key: string): string | undefined {
  return /^[\x20-\x7e]{1,100}$/.test(key)
    ? undefined
    : "the Idempotency-Key must be 1 to 100 printable ASCII characters";
}

/** Forgets keys that are too old to stand for anything; a clock that was set back forgets none. */
function forget({ $client }: Tx, now: Seconds): void {
  $client.query("DELETE FROM idempotency_keys WHERE created_at <= ?").run(now - KEPT);
}

/** The same for a form and for JSON that say the same, in whatever order. Keyed, because passwords and codes of cards may be among it. */
function hashOf({ vault }: Db, input: Input): Buffer {
  const sorted = Object.entries(input).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const texts = sorted.map(([name, value]) => [
    name,
    typeof value === "object" ? (value ?? "") : String(value),
  ]);
  return createHmac("sha256", vault.deriveKey("idempotency keys")).update(JSON.stringify(texts)).digest();
}
