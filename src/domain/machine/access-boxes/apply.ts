import { SESSION_CHANGED } from "../../../../db/record-changes.ts";
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
import { holderCondition, leaseHolder } from "../../service/sessions/session-class.ts";
import type { Seconds } from "../../core/time/time.ts";
import { type AccessRecord, type Row, readRow } from "./record.ts";
import { isHigher, type Pair, parseHead, type RecordSeal } from "./seal.ts";
import { byteColumns, filled } from "./tables.ts";

interface Known extends Pair {
  readonly subject: string;
  readonly rowId: number | null;
}

export type Outcome = "written" | "known";

/** A message of the bucket. */
export interface Sealed {
  readonly subject: string;
  readonly bytes: Uint8Array;
}

/** `record` undefined: deleted. */
export interface Opened {
  readonly subject: string;
  readonly head: Pair;
  readonly record: AccessRecord | undefined;
}

/** The primary's own number, for sessions of its own routers. */
const BOOKS = 0;

/**
 * Writes replicated records into the same tables of an access box, so that the same code decides and accounts. Without foreign
 * keys: a box has no packages and staff.
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

  /** Call it within a transaction. Throws SealError for what the primary did not seal for this subject. */
  apply(tx: Tx, sealed: Sealed, now: Seconds): Outcome {
    const opened = this.open(sealed);
    if (!opened) return "known";
    this.write(tx, opened, now);
    return "written";
  }

  /** Decrypts a message unless it is old; undefined then. Needs no transaction, so that others can write. Throws SealError as `apply`. */
  open({ subject, bytes }: Sealed): Opened | undefined {
    const head = parseHead(bytes);
    const known = this.#known(keyOf(subject));
    if (known && !isHigher(head, known)) return undefined;
    const body = this.#seal.open(subject, bytes);
    // its seal proves that the primary wrote it
    return { subject, head, record: head.isGone ? undefined : (JSON.parse(body) as AccessRecord) };
  }

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

  /** Deletes records whose subjects are not among `seen`; returns how many. */
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

  /** "taken": a higher pair has the username, so that the next full reading tries again. */
  #write(
    tx: Tx,
    { rows, seen = [] }: AccessRecord,
    { head, included, known, now }: { head: Pair; included: number; known: Known | null; now: Seconds },
  ): number | null | "taken" {
    const { subscriber, service, card, batch, nas: router, setting, session } = rows;
    if (subscriber) {
      if (!this.#hasName(tx, subscriber, head)) return "taken";
      const id = Number(subscriber["id"]);
      // a new row needs no comparison
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
      // a code belongs to one card; the former one's deletion follows
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
    // a window begun here before the primary begins it; reported bytes are of the one before
    const service = inWindow(incoming, now);
    // as on the primary: nothing before the window or the activation
    const since = Math.max(Number(service["windowStart"] ?? 0), Number(service["activatedAt"] ?? 0));
    const { octets } = this.#usedSince("subscriber_id", subscriberId, included, since);
    const quotaUsed = Number(service["quotaUsed"]) + octets;
    const isOver =
      octets > 0 && Number(service["quotaTotal"]) > 0 && quotaUsed >= Number(service["quotaTotal"]);
    // its report may be under way; a quota is crossed once
    const quotaCrossedAt = service["quotaCrossedAt"] ?? (isOver ? crossedAt(tx, subscriberId) : null);
    const row = { ...service, quotaUsed, quotaCrossedAt };
    const freeBytes = Number(service["freeBytes"] ?? 0);
    const changed = isNew ? undefined : this.#changed(tx, "service", row, "subscriberId");
    // including the counters that a trigger of logins compares
    if (changed)
      setChanged(tx, services, "quotaUsed" in changed ? { freeBytes, ...changed } : changed, {
        subscriberId,
      });
    else insert(tx, services, this.#stored("service", row), { replacing: ["subscriberId"] });
  }

  /** Of two records with a username the higher pair has it. */
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
    // addresses and names belong to one router; the former one's record follows
    tx.$client
      .query<unknown, [string, number, string, number]>(
        "DELETE FROM nas WHERE (address = ? OR isp_id = ? AND name = ?) AND id <> ?",
      )
      .run(String(router["address"]), Number(router["ispId"]), String(router["name"]), nasId);
    for (const address of seen)
      insert(tx, nasSources, { nasId, address, authenticatorSeenAt: 0 }, { replacing: ["nasId", "address"] });
    insert(tx, nas, this.#stored("nas", router), BY_ID);
  }

  /** Returns the row's id. A session whose router asks this box is known better here. */
  #writeSession(tx: Tx, session: Row, known: Known | null): number | null {
    const stored = this.#stored("session", session);
    const viaBox = stored.viaBox ?? BOOKS;
    const row = known?.rowId ?? standingRow(tx, stored);
    if (row === undefined) return insert(tx, sessions, { ...stored, viaBox });
    // its Start came before its subscriber was known here
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
        // its sessions end with a disabled row; without any the row goes
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

  /** Bytes in the journal after a number, from reports of `since` or later. */
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

  /** Columns that differ from the stored row; undefined: there is none, or it is unreadable. Naming every column would rewrite every index. */
  #changed<N extends "subscriber" | "service">(
    tx: Tx,
    name: N,
    row: Row,
    key: "id" | "subscriberId",
  ): Partial<(typeof replicatedTables)[N]["table"]["$inferInsert"]> | undefined {
    const column = key === "id" ? "id = ?" : "subscriber_id = ?";
    let known: Row | undefined;
    try {
      known = readRow(tx, name, column, Number(row[key]));
    } catch {
      return undefined; // damaged here: it is written anew as a whole
    }
    if (!known) return undefined;
    const changed = Object.entries(row).filter(([column, value]) => known[column] !== value);
    return this.#stored(name, Object.fromEntries(changed));
  }

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
      const bytes = byteColumns.has(key) && typeof value === "string" ? Buffer.from(value, "base64") : value;
      const isSealed = (sealed as readonly string[]).includes(key) && bytes !== null;
      stored[key] = isSealed ? vault.seal(typeof bytes === "number" ? String(bytes) : bytes) : bytes;
    }
    return stored as (typeof replicatedTables)[N]["table"]["$inferInsert"];
  }
}

/** The time at which it crossed its quota here; null: it has not. */
function crossedAt({ $client }: Tx, subscriberId: number): Seconds | null {
  const row = $client
    .query<{ at: Seconds | null }, [number]>(
      "SELECT quota_crossed_at AS at FROM services WHERE subscriber_id = ?",
    )
    .get(subscriberId);
  return row?.at ?? null;
}

/** A service with counters of the current window, if that began since. */
function inWindow(service: Row, now: Seconds): Row {
  const kind = fairWindows.find((one) => one === service["fairWindow"]);
  const window = kind && windowAt(kind, now);
  const { windowStart } = service;
  if (!window) return service;
  // imported, and never counted
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

/** The part of a subject after ISP and branch. */
function keyOf(subject: string): string {
  return subject.split(".").slice(2).join(".");
}

/** A new session; a lease's Class differs after each renewal. */
function standingRow(
  { $client }: Tx,
  { acctSessionId, nasAddress, username, class: sessionClass = null }: typeof sessions.$inferInsert,
): number | undefined {
  return $client
    .query<{ id: number }, Record<string, string | Uint8Array | null>>(
      `SELECT id FROM sessions WHERE acct_session_id = $acctSessionId AND nas_address = $nasAddress AND username = $username
         AND (class IS $class OR ${holderCondition("$holder")}) ORDER BY id DESC LIMIT 1`,
    )
    .get({
      acctSessionId,
      nasAddress,
      username,
      class: sessionClass,
      holder: leaseHolder(sessionClass && Buffer.from(sessionClass)),
    })?.id;
}

/** Frees its name; its sessions here end like a disabled subscriber's. */
function unname(tx: Tx, id: number): void {
  tx.$client
    .query<unknown, [string, number]>("UPDATE subscribers SET status = 0, username_key = ? WHERE id = ?")
    .run(`\u0000gone ${id}`, id);
}

/** Ends a session that the primary has ended, unless the primary has yet to receive what a router said here: an Interim-Update reopens it. */
function endAnnounced(tx: Tx, rowId: number, now: Seconds): void {
  tx.$client
    .query<unknown, [Seconds, number]>(
      `UPDATE sessions SET stopped_at = max(?, started_at), closed_by = 'lost', terminate_cause = 'lost', ${SESSION_CHANGED}
       WHERE id = ? AND stopped_at IS NULL AND (via_box IS NOT NULL
         OR NOT EXISTS (SELECT 1 FROM journal j JOIN access_state a WHERE j.number > a.home AND j.kind = 'accounting'))`,
    )
    .run(now, rowId);
}

/** A first use stamped here that the primary has not received, or has later. */
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
