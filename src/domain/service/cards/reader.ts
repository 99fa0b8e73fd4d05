import { selectColumns } from "../../../../db/columns.ts";
import type { Db } from "../../../../db/open.ts";
import { cardBatches } from "../../../../db/schema.ts";
import type { OpenSession } from "../access/reader.ts";
import type { Granted } from "../sessions/session-class.ts";
import { fold } from "../../core/fields/text.ts";
import type { Seconds } from "../../core/time/time.ts";
import type { Vault } from "../../../../db/vault.ts";
import { cardNumber, CodeKeys, normalCode } from "../../goods/codes/codes.ts";
import { CodeForms, guessForm } from "./forms.ts";
import type { Card, CardBatch } from "./standing.ts";

export type LoginCard = Pick<
  Card,
  "id" | "batchId" | "state" | "firstUsedAt" | "endsAt" | "usedSeconds" | "usedOctets" | "lockedMac"
> & {
  /** 1: it has open sessions to read; mostly 0. */
  readonly isOpen: number;
};

/** A batch, and the last grant of its cards; undefined before the first. */
export interface KeptBatch {
  readonly batch: CardBatch;
  granted?: Granted | undefined;
}

interface BatchForm {
  readonly id: number;
  readonly quantity: number;
  readonly prefix: string;
  readonly length: number | null;
  readonly alphabet: string | null;
}

type Row = { readonly generation: number } & (LoginCard | { readonly id: null });

/** Most batches cached; then all are dropped at once. */
const MAX_KEPT = 10_000;
const NONE: readonly OpenSession[] = [];
/** Characters stored of a possible code. */
const LISTED = 3;
const HIDDEN = "…";

/** Imported codes sampled per batch. */
const LOOKED_AT = 32;
/** Common first letters or digits with a username that are no coincidence. */
const LETTERS_ALIKE = 4;
const DIGITS_ALIKE = 6;

/** The stored beginning of a possible code; of a short one at most half. */
export function hiddenCode(code: string): string {
  return `${code.slice(0, Math.min(LISTED, Math.floor(code.length / 2)))}${HIDDEN}`;
}

/** Whether it is such a stored beginning. */
export function isHiddenCode(name: string): boolean {
  return name.length <= LISTED + HIDDEN.length && name.endsWith(HIDDEN);
}

export function isHiddenSql(column: string): string {
  return `(length(${column}) <= ${LISTED + HIDDEN.length} AND ${column} LIKE '%${HIDDEN}')`;
}

/** The name as stored in logs: a card's number, a possible code's beginning. */
export function nameInBooks(db: Pick<Db, "$client" | "vault">, name: string): string {
  const isSubscriber = db.$client.query<{ found: number }, [string]>(
    "SELECT 1 AS found FROM subscribers WHERE username_key = ?",
  );
  const behindRealm = name.slice(name.indexOf("\\") + 1);
  if (isSubscriber.get(fold(name)) || isSubscriber.get(fold(behindRealm))) return name;
  const code = parseCode(name);
  const reader = new CardReader(db);
  const card = reader.card(code);
  if (card) return cardNumber(card.id);
  return reader.shown(name, code);
}

/** The code in a User-Name, without a realm before a backslash or after an @. */
export function parseCode(name: string): string {
  const bare = name.slice(name.lastIndexOf("\\") + 1);
  const realm = bare.indexOf("@");
  return normalCode(realm > 0 ? bare.slice(0, realm) : bare);
}

/** Card lookups for RADIUS, prepared once: one HMAC and one read per name. Batches are cached until the store says that one changed. */
export class CardReader {
  readonly #keys: CodeKeys;
  readonly #card;
  readonly #batch;
  readonly #newBatches;
  readonly #countBatches;
  readonly #sealed;
  readonly #named;
  readonly #open;
  readonly #started;
  readonly #kept = new Map<number, KeptBatch>();
  #generation: number | undefined;
  readonly #vault: Vault;
  readonly #forms = new CodeForms();
  /** The newest batch with a known form, and the number of batches. */
  #newest = 0;
  #batches = 0;

  constructor(db: Pick<Db, "$client" | "vault">) {
    this.#vault = db.vault;
    this.#keys = new CodeKeys(db.vault);
    this.#card = db.$client.query<Row, [Uint8Array]>(
      `SELECT g.value AS generation, c.id, c.batch_id AS batchId, c.state, c.first_used_at AS firstUsedAt, c.ends_at AS endsAt,
         c.used_seconds AS usedSeconds, c.used_octets AS usedOctets, c.locked_mac AS lockedMac,
         EXISTS (SELECT 1 FROM sessions o WHERE o.card_id = c.id AND o.stopped_at IS NULL) AS isOpen
       FROM generations g LEFT JOIN cards c ON c.code_key = ? WHERE g.name = 'cards'`,
    );
    this.#batch = db.$client.query<CardBatch, [number]>(
      `SELECT ${selectColumns(cardBatches, "b")} FROM card_batches b WHERE b.id = ?`,
    );
    this.#newBatches = db.$client.query<BatchForm, [number]>(
      "SELECT id, quantity, prefix, length, alphabet FROM card_batches WHERE id > ? ORDER BY id",
    );
    this.#countBatches = db.$client.query<{ batches: number }, []>(
      "SELECT count(*) AS batches FROM card_batches",
    );
    this.#sealed = db.$client.query<{ sealed: Uint8Array }, [number, number]>(
      "SELECT code_sealed AS sealed FROM cards WHERE batch_id = ? AND serial = ?",
    );
    this.#named = db.$client.query<{ found: number }, [string, string]>(
      "SELECT 1 AS found FROM subscribers WHERE username_key >= ? AND username_key < ? LIMIT 1",
    );
    this.#open = db.$client.query<OpenSession, [number]>(
      "SELECT class, mac, nas_address AS nasAddress FROM sessions WHERE card_id = ? AND stopped_at IS NULL",
    );
    this.#started = db.$client.query<{ found: number }, [number, number, Uint8Array]>(
      "SELECT 1 AS found FROM sessions WHERE card_id = ? AND started_at >= ? AND class = ? LIMIT 1",
    );
  }

  /** By normalised code. Call it within a transaction when others may write. */
  card(code: string): LoginCard | undefined {
    const row = this.#card.get(this.#keys.once(code));
    if (!row) return undefined;
    if (row.generation !== this.#generation) this.#forget(row.generation);
    return row.id === null ? undefined : row;
  }

  /** Undefined only in a damaged store. */
  findBatch({ batchId }: LoginCard): KeptBatch | undefined {
    const kept = this.#kept.get(batchId);
    if (kept) return kept;
    const batch = this.#batch.get(batchId);
    if (!batch) return undefined;
    if (this.#kept.size >= MAX_KEPT) this.#kept.clear();
    const read = { batch };
    this.#kept.set(batchId, read);
    return read;
  }

  /** Whether a normalised code has a batch's form, as of the last lookup. */
  hasForm(code: string): boolean {
    return this.#forms.has(code);
  }

  /**
   * A name as logged that is neither a subscriber's nor a card's: the beginning when it resembles a code. A name that begins
   * like a username is taken as a typing mistake.
   */
  shown(name: string, code = parseCode(name)): string {
    if (this.#forms.has(code)) return hiddenCode(code);
    return this.#forms.isLike(name, code) && !this.#beginsAsAUsername(name) ? hiddenCode(code) : name;
  }

  /** The same for a name that is not text, as stored; it may still be a code. */
  hideInBytes(escaped: string): string {
    const name = escaped.replace(/\\x[0-9a-f]{2}/g, "");
    const code = parseCode(name);
    return this.card(code) || this.shown(name, code) !== name ? hiddenCode(code) : escaped;
  }

  #beginsAsAUsername(name: string): boolean {
    const key = fold(name.slice(name.lastIndexOf("\\") + 1));
    const alike = /^\d+$/.test(key) ? DIGITS_ALIKE : LETTERS_ALIKE;
    if (key.length < alike) return false; // as any name does
    const begins = key.slice(0, alike);
    return this.#named.get(begins, `${begins}\u{10ffff}`) !== null;
  }

  openSessions({ id, isOpen }: LoginCard): readonly OpenSession[] {
    return isOpen === 1 ? this.#open.all(id) : NONE;
  }

  /** Whether a session of this Class started after `since`, open or closed. */
  hasStarted(cardId: number, sessionClass: Uint8Array, since: Seconds): boolean {
    return this.#started.get(cardId, since, sessionClass) !== null;
  }

  /** Terms may have changed; forms never do. */
  #forget(generation: number): void {
    this.#kept.clear();
    this.#learnForms();
    if (this.#countBatches.get()?.batches !== this.#batches) {
      // an import brings batches with their old, perhaps lower, numbers
      [this.#newest, this.#batches] = [0, 0];
      this.#learnForms();
    }
    this.#generation = generation;
  }

  #learnForms(): void {
    for (const { id, quantity, prefix, length, alphabet } of this.#newBatches.all(this.#newest)) {
      this.#newest = id;
      this.#batches++;
      if (length !== null && alphabet !== null) this.#forms.add({ prefix, length, alphabet });
      else this.#addBrought(id, quantity);
    }
  }

  /** Imported codes have no known form, so it is guessed from samples. */
  #addBrought(batchId: number, quantity: number): void {
    const count = Math.min(quantity, LOOKED_AT);
    for (let nth = 0; nth < count; nth++) {
      const serial = 1 + Math.floor((nth * (quantity - 1)) / Math.max(1, count - 1));
      const row = this.#sealed.get(batchId, serial);
      const code = row ? this.#vault.openTextIfWhole(row.sealed) : undefined;
      if (code) this.#forms.add(guessForm(normalCode(code)));
    }
  }
}
