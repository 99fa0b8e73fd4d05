import { insert } from "../../../../db/insert.ts";
import type { Db, Tx } from "../../../../db/open.ts";
import { type ReplicatedTable, type ReplicatedName, replicatedTables } from "../../../../db/replicated.ts";
import { update } from "../../../../db/update.ts";
import {
  cardBatches,
  cards,
  nas,
  nasSources,
  services,
  sessions,
  settings,
  subscribers,
} from "../../../../db/schema.ts";
import { carriedOver } from "../../service/fair-use/terms.ts";
import { fairWindows, windowAt } from "../../goods/windows/window.ts";
import { CodeKeys, normalCode } from "../../goods/codes/codes.ts";
import { isOfHolder, leaseHolder } from "../../service/sessions/session-class.ts";
import type { Seconds } from "../../core/time/time.ts";
import { type AccessRecord, type Row, rowOf } from "./record.ts";
import { headOf, isHigher, type Pair, type RecordSeal } from "./seal.ts";
import { bytesOf, filled } from "./tables.ts";

interface Known extends Pair {
  readonly subject: string;
  readonly rowId: number | null;
}

/** What became of bytes that the bucket had: written, or known already by a pair that is as high. */
export type Outcome = "written" | "known";

/** What the bucket has under a subject. */
export interface Sealed {
  readonly subject: string;
  readonly bytes: Uint8Array;
}

/** What it says; `record` undefined: what was known under the key is no more. */
export interface Opened {
  readonly subject: string;
  readonly head: Pair;
  readonly record: AccessRecord | undefined;
}

/** The box that the books themselves are, for sessions whose routers ask there. */
const BOOKS = 0;

/**
 * Writes what the books tell into the store of an access box, as rows of the same tables, so that logins are decided and accounting is
 * kept by the same code. Its connection checks no foreign keys: a box knows no packages and no staff.
 */
export class RecordBook {
  readonly #db: Db;
  readonly #boxId: number;
  readonly #seal: RecordSeal;
  readonly #codes: CodeKeys;

  constructor(db: Db, { boxId, seal }: { boxId: number; seal: RecordSeal }) {
    this.#db = db;
    this.#boxId = boxId;
    this.#seal = seal;
    this.#codes = new CodeKeys(db.vault);
  }

  /** Call it within a transaction. Throws SealError for what the books did not seal for this subject. */
  apply(tx: Tx, sealed: Sealed, now: Seconds): Outcome {
    const opened = this.open(sealed);
    if (!opened) return "known";
    this.write(tx, opened, now);
    return "written";
  }

  /**
   * What the bucket has under a subject, if it is news. It takes as long as writing it, and needs no transaction, so that others write meanwhile.
   * Throws SealError for what the books did not seal for this subject.
   */
  open({ subject, bytes }: Sealed): Opened | undefined {
    const head = headOf(bytes);
    const known = this.#known(keyOf(subject));
    if (known && !isHigher(head, known)) return undefined;
    const body = this.#seal.open(subject, bytes);
    // the seal says that the books wrote it
    return { subject, head, record: head.isGone ? undefined : (JSON.parse(body) as AccessRecord) };
  }

  /** Writes what has been opened, unless something newer came meanwhile. Call it within a transaction. */
  write(tx: Tx, { subject, head, record }: Opened, now: Seconds): void {
    const key = keyOf(subject);
    const known = this.#known(key);
    if (known && !isHigher(head, known)) return;
    if (!record) {
      this.#forget(tx, key, known, now);
      this.#note(key, { ...head, subject, isGone: 1, included: 0, rowId: null });
      return;
    }
    const included = record.included?.[this.#boxId] ?? 0;
    const rowId = this.#write(tx, record, { head, included, known, now });
    if (rowId !== "taken") this.#note(key, { ...head, subject, isGone: 0, included, rowId });
  }

  /** Forgets what stood under subjects that are not among `seen`; how many. */
  forgetUnseen(tx: Tx, seen: ReadonlySet<string>, now: Seconds): number {
    const stood = tx.$client
      .query<Known & { key: string }, []>(
        "SELECT key, subject, epoch, number, row_id AS rowId FROM access_keys WHERE is_gone = 0",
      )
      .all()
      .filter(({ subject }) => !seen.has(subject));
    const gone = tx.$client.query<unknown, [string]>("UPDATE access_keys SET is_gone = 1 WHERE key = ?");
    for (const known of stood) {
      this.#forget(tx, known.key, known, now);
      gone.run(known.key);
    }
    return stood.length;
  }

  #known(key: string): Known | null {
    return this.#db.$client
      .query<Known, [string]>("SELECT subject, epoch, number, row_id AS rowId FROM access_keys WHERE key = ?")
      .get(key);
  }

  #note(
    key: string,
    row: { subject: string; isGone: 0 | 1; included: number; rowId: number | null } & Pair,
  ): void {
    this.#db.$client
      .query<unknown, [string, string, number, number, number, number, number | null]>(
        `INSERT INTO access_keys (key, subject, epoch, number, is_gone, included, row_id) VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (key) DO UPDATE SET subject = excluded.subject, epoch = excluded.epoch, number = excluded.number,
           is_gone = excluded.is_gone, included = excluded.included, row_id = excluded.row_id`,
      )
      .run(key, row.subject, row.epoch, row.number, row.isGone, row.included, row.rowId);
  }

  /** "taken": another record has its username, by a higher pair; so this one is read again with the next whole reading. */
  #write(
    tx: Tx,
    { rows, seen = [] }: AccessRecord,
    { head, included, known, now }: { head: Pair; included: number; known: Known | null; now: Seconds },
  ): number | null | "taken" {
    const { subscriber, service, card, batch, nas: router, setting, session } = rows;
    if (subscriber) {
      if (!this.#hasName(tx, subscriber, head)) return "taken";
      const id = Number(subscriber["id"]);
      // who is new is not looked for
      const changed = known && this.#changed(tx, "subscriber", subscriber, "id");
      if (changed) setChanged(tx, subscribers, changed, { id });
      else
        insert(tx, subscribers, { ...filled.subscriber, ...this.#stored("subscriber", subscriber) }, BY_ID);
      this.#writeService(tx, id, service, { included, isNew: !known, now });
    }
    if (card) {
      const used = this.#usedSince("card_id", Number(card["id"]), included);
      const values = {
        ...this.#stored("card", card),
        ...earlierUse(tx, card),
        usedSeconds: Number(card["usedSeconds"]) + used.seconds,
        usedOctets: Number(card["usedOctets"]) + used.octets,
        codeKey: this.#codes.of(normalCode(String(card["codeSealed"]))),
      };
      // a code is one card's; who had it before is gone, which is heard later
      tx.$client
        .query<unknown, [Uint8Array, number, number, number]>(
          "DELETE FROM cards WHERE (code_key = ? OR batch_id = ? AND serial = ?) AND id <> ?",
        )
        .run(values.codeKey, Number(card["batchId"]), Number(card["serial"]), Number(card["id"]));
      insert(tx, cards, values, BY_ID);
    }
    if (batch) insert(tx, cardBatches, { ...filled.batch, ...this.#stored("batch", batch) }, BY_ID);
    if (router) this.#writeRouter(tx, router, seen);
    if (setting)
      insert(
        tx,
        settings,
        { ispId: 0, ...this.#stored("setting", setting) },
        { replacing: ["ispId", "key"] },
      );
    return session ? this.#writeSession(tx, session, known) : null;
  }

  #writeService(
    tx: Tx,
    subscriberId: number,
    incoming: Row | undefined,
    { included, isNew, now }: { included: number; isNew: boolean; now: Seconds },
  ): void {
    if (!incoming) {
      tx.$client.query<unknown, [number]>("DELETE FROM services WHERE subscriber_id = ?").run(subscriberId);
      return;
    }
    // a window that the books have not begun yet is begun here, and what was told of it is of the one before
    const service = inWindow(incoming, now);
    // as the books count: nothing of before the window, nor of before the activation
    const since = Math.max(Number(service["windowStart"] ?? 0), Number(service["activatedAt"] ?? 0));
    const { octets } = this.#usedSince("subscriber_id", subscriberId, included, since);
    const quotaUsed = Number(service["quotaUsed"]) + octets;
    const isOver =
      octets > 0 && Number(service["quotaTotal"]) > 0 && quotaUsed >= Number(service["quotaTotal"]);
    // what crossed the quota here may be on its way to the books; it crosses it once
    const quotaCrossedAt = service["quotaCrossedAt"] ?? (isOver ? crossedAt(tx, subscriberId) : null);
    const row = { ...service, quotaUsed, quotaCrossedAt };
    const freeBytes = Number(service["freeBytes"] ?? 0);
    const changed = isNew ? undefined : this.#changed(tx, "service", row, "subscriberId");
    // with the bytes that count those that do not: see the trigger of logins
    if (changed)
      setChanged(tx, services, "quotaUsed" in changed ? { freeBytes, ...changed } : changed, {
        subscriberId,
      });
    else insert(tx, services, this.#stored("service", row), { replacing: ["subscriberId"] });
  }

  /** Whether the username is this record's: of two that have it the higher pair has it, and the other is nobody's name. */
  #hasName(tx: Tx, { id, usernameKey }: Row, head: Pair): boolean {
    const other = tx.$client
      .query<{ id: number }, [string, number]>(
        "SELECT id FROM subscribers WHERE username_key = ? AND id <> ?",
      )
      .get(String(usernameKey), Number(id));
    if (!other) return true;
    const known = this.#known(`s.${other.id}`);
    if (known && isHigher(known, head)) return false;
    unname(tx, other.id);
    return true;
  }

  #writeRouter(tx: Tx, router: Row, seen: readonly string[]): void {
    const nasId = Number(router["id"]);
    // an address and a name are one router's; who had them before is told anew, or gone
    tx.$client
      .query<unknown, [string, number, string, number]>(
        "DELETE FROM nas WHERE (address = ? OR isp_id = ? AND name = ?) AND id <> ?",
      )
      .run(String(router["address"]), Number(router["ispId"]), String(router["name"]), nasId);
    for (const address of seen)
      insert(tx, nasSources, { nasId, address, authenticatorSeenAt: 0 }, { replacing: ["nasId", "address"] });
    insert(tx, nas, this.#stored("nas", router), BY_ID);
  }

  /** The number of its row here. A session whose router asks this box is known better here. */
  #writeSession(tx: Tx, session: Row, known: Known | null): number | null {
    const stored = this.#stored("session", session);
    const viaBox = stored.viaBox ?? BOOKS;
    const row = known?.rowId ?? standingRow(tx, stored);
    if (row === undefined) return insert(tx, sessions, { ...stored, viaBox });
    // its router told of it before it was known here whose it is
    tx.$client
      .query<unknown, [number | null, number | null, number]>(
        "UPDATE sessions SET subscriber_id = ?, card_id = ? WHERE id = ? AND subscriber_id IS NULL AND card_id IS NULL",
      )
      .run(stored.subscriberId ?? null, stored.cardId ?? null, row);
    if (viaBox !== this.#boxId)
      tx.$client
        .query<unknown, [number, number]>(
          `UPDATE sessions SET via_box = ?, stopped_at = NULL, closed_by = NULL, terminate_cause = NULL
           WHERE id = ? AND (stopped_at IS NULL OR closed_by = 'lost' AND via_box IS NOT NULL)`,
        )
        .run(viaBox, row);
    return row;
  }

  #forget(tx: Tx, key: string, known: Known | null, now: Seconds): void {
    const { $client } = tx;
    const id = Number(key.slice(2));
    const run = (text: string, value: number | string) =>
      $client.query<unknown, [number | string]>(text).run(value);
    switch (key[0]) {
      case "s":
        // its sessions here end by a row that is disabled; without any the row is of no use
        unname(tx, id);
        run("DELETE FROM services WHERE subscriber_id = ?", id);
        run(
          "DELETE FROM subscribers WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM sessions WHERE subscriber_id = ?1 AND stopped_at IS NULL)",
          id,
        );
        break;
      case "c":
        run("DELETE FROM cards WHERE id = ?", id);
        break;
      case "b":
        run("DELETE FROM card_batches WHERE id = ?", id);
        break;
      case "n":
        run("DELETE FROM nas WHERE id = ?", id);
        run("DELETE FROM nas_sources WHERE nas_id = ?", id);
        break;
      case "g":
        run("DELETE FROM settings WHERE isp_id = 0 AND key = ?", key.slice(2));
        break;
      default:
        if (known && known.rowId !== null) endAnnounced(tx, known.rowId, now);
    }
  }

  /** What accounting of this box has added since that number of its journal, by reports of `since` or later. */
  #usedSince(column: "subscriber_id" | "card_id", id: number, included: number, since: Seconds = 0) {
    const row = this.#db.$client
      .query<{ octets: number; seconds: number }, [number, number, Seconds]>(
        `SELECT ifnull(sum(octets), 0) AS octets, ifnull(sum(seconds), 0) AS seconds FROM journal
         WHERE ${column} = ? AND number > ? AND (octets > 0 OR seconds > 0)
           AND json_extract(body, '$.report.at') >= ?`,
      )
      .get(id, included, since);
    return row ?? { octets: 0, seconds: 0 };
  }

  /**
   * What a told row has otherwise than the one that is here, as the store has it; undefined: there is none here that can be read. To name every column would
   * rewrite every index.
   */
  #changed<N extends "subscriber" | "service">(
    tx: Tx,
    name: N,
    row: Row,
    key: "id" | "subscriberId",
  ): Partial<(typeof replicatedTables)[N]["table"]["$inferInsert"]> | undefined {
    const column = key === "id" ? "id = ?" : "subscriber_id = ?";
    let known: Row | undefined;
    try {
      known = rowOf(tx, name, column, Number(row[key]));
    } catch {
      return undefined; // damaged here: it is written anew as a whole
    }
    if (!known) return undefined;
    const changed = Object.entries(row).filter(([column, value]) => known[column] !== value);
    return this.#stored(name, Object.fromEntries(changed));
  }

  /** A row as the store has it: sealed with the key of this box, bytes as bytes. Columns that this version does not know are left out. */
  #stored<N extends ReplicatedName>(
    name: N,
    row: Row,
  ): (typeof replicatedTables)[N]["table"]["$inferInsert"] {
    const { keys, sealed }: ReplicatedTable = replicatedTables[name];
    const { vault } = this.#db;
    const stored: Record<string, unknown> = {};
    for (const key of keys as readonly string[]) {
      const value = row[key];
      if (value === undefined) continue;
      const bytes = bytesOf.has(key) && typeof value === "string" ? Buffer.from(value, "base64") : value;
      const isSealed = (sealed as readonly string[]).includes(key) && bytes !== null;
      stored[key] = isSealed ? vault.seal(typeof bytes === "number" ? String(bytes) : bytes) : bytes;
    }
    return stored as (typeof replicatedTables)[N]["table"]["$inferInsert"];
  }
}

/** When a service crossed its quota by what this box counted; null: it has not. */
function crossedAt({ $client }: Tx, subscriberId: number): Seconds | null {
  const row = $client
    .query<{ at: Seconds | null }, [number]>(
      "SELECT quota_crossed_at AS at FROM services WHERE subscriber_id = ?",
    )
    .get(subscriberId);
  return row?.at ?? null;
}

/** A service as it is told, with its counters at the beginning of the window that runs where that has begun since. */
function inWindow(service: Row, now: Seconds): Row {
  const kind = fairWindows.find((one) => one === service["fairWindow"]);
  const window = kind && windowAt(kind, now);
  const { windowStart } = service;
  if (!window) return service;
  // one that came by import, and was never counted
  if (typeof windowStart !== "number") return { ...service, windowStart: window.start };
  if (window.start <= windowStart) return service;
  const [quotaTotal, extraBytes] = [Number(service["quotaTotal"]), Number(service["extraBytes"])];
  const tiers = typeof service["tiers"] === "string" ? service["tiers"] : null;
  const left = carriedOver({
    tiers,
    quotaTotal,
    extraBytes,
    quotaUsed: Number(service["quotaUsed"]),
    rollingBytes: Number(service["rollingBytes"]),
  });
  return {
    ...service,
    windowStart: window.start,
    quotaUsed: 0,
    freeBytes: 0,
    quotaCrossedAt: null,
    extraBytes: left,
    rollingBytes: left,
    quotaTotal: quotaTotal === 0 ? 0 : quotaTotal - extraBytes + left,
  };
}

const BY_ID = { replacing: ["id" as const] };

function setChanged<T extends typeof subscribers | typeof services>(
  tx: Tx,
  table: T,
  changed: Partial<T["$inferInsert"]>,
  where: Partial<T["$inferSelect"]>,
): void {
  if (Object.keys(changed).length > 0) update(tx, table, changed, where);
}

/** The key of a subject: what follows the ISP and the branch. */
function keyOf(subject: string): string {
  return subject.split(".").slice(2).join(".");
}

/** The row of a session that is told of for the first time; a lease has another Class after each renewal. */
function standingRow(
  { $client }: Tx,
  { acctSessionId, nasAddress, username, class: sessionClass = null }: typeof sessions.$inferInsert,
): number | undefined {
  return $client
    .query<{ id: number }, Record<string, string | Uint8Array | null>>(
      `SELECT id FROM sessions WHERE acct_session_id = $acctSessionId AND nas_address = $nasAddress AND username = $username
         AND (class IS $class OR ${isOfHolder("$holder")}) ORDER BY id DESC LIMIT 1`,
    )
    .get({
      acctSessionId,
      nasAddress,
      username,
      class: sessionClass,
      holder: leaseHolder(sessionClass && Buffer.from(sessionClass)),
    })?.id;
}

/** Nobody logs in by it any more, and its open sessions here end as a disabled subscriber's. */
function unname(tx: Tx, id: number): void {
  tx.$client
    .query<unknown, [string, number]>("UPDATE subscribers SET status = 0, username_key = ? WHERE id = ?")
    .run(`\u0000gone ${id}`, id);
}

/**
 * The books say that a session is over. One whose router asks this box is so too, unless the books have yet to hear what its router said:
 * an Interim-Update brings it back.
 */
function endAnnounced(tx: Tx, rowId: number, now: Seconds): void {
  tx.$client
    .query<unknown, [Seconds, number]>(
      `UPDATE sessions SET stopped_at = max(?, started_at), closed_by = 'lost', terminate_cause = 'lost'
       WHERE id = ? AND stopped_at IS NULL AND (via_box IS NOT NULL
         OR NOT EXISTS (SELECT 1 FROM journal j JOIN access_state a WHERE j.number > a.home AND j.kind = 'accounting'))`,
    )
    .run(now, rowId);
}

/** The first use of a card that this box has stamped, where the books have none, or a later one: it is on its way to them. */
function earlierUse(tx: Tx, incoming: Row): Partial<typeof cards.$inferInsert> | undefined {
  const { id, state, firstUsedAt } = incoming;
  if (state === "void") return undefined;
  const own = tx.$client
    .query<{ firstUsedAt: Seconds | null; endsAt: Seconds | null; lockedMac: string | null }, [number]>(
      "SELECT first_used_at AS firstUsedAt, ends_at AS endsAt, locked_mac AS lockedMac FROM cards WHERE id = ? AND state = 'active'",
    )
    .get(Number(id));
  if (!own || own.firstUsedAt === null) return undefined;
  const { firstUsedAt: at, endsAt, lockedMac } = own;
  if (typeof firstUsedAt === "number") return at < firstUsedAt ? { firstUsedAt: at, endsAt } : undefined;
  return { state: "active", firstUsedAt: at, endsAt, lockedMac };
}
