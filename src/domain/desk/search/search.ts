import { isIP } from "node:net";
import { all, type Condition, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { heldAddress } from "../../service/sessions/address-holders.ts";
import { type Actor, type Scope, scopeCondition } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { fold } from "../../core/fields/text.ts";
import type { Seconds } from "../../core/time/time.ts";
import { unindexed } from "../../goods/subscribers/list-conditions.ts";
import { isOnline, type ProfileStatus, profileStatus } from "../../goods/subscribers/record.ts";
import {
  BEGINNING,
  type Needle,
  rankFound,
  type Searched,
  toNeedle,
  WORST,
  worstRank,
} from "../../goods/subscribers/search-words.ts";

const HITS = 20;
/** Shorter queries have no trigram. */
const TRIGRAM = 3;
/** Subscribers of a scope that is scanned instead of indexed. */
const SMALL_SCOPE = 1000;

export interface Hit {
  readonly id: number;
  readonly name: string;
  readonly username: string;
  readonly mobile: string | null;
  readonly package: string;
  readonly status: ProfileStatus;
  readonly online: boolean;
  readonly archived: boolean;
  readonly matched: readonly string[];
}

export interface Search {
  /** Matched anywhere. */
  readonly q: string;
  readonly at?: Seconds | undefined;
}

/** Hits, at most 20: exact, prefix, anywhere; archived last. Throws `invalid`. */
export function searchSubscribers(db: Db, by: Actor, { q, at }: Search, { now }: { now: Seconds }): Hit[] {
  permit(by, "searchSubscribers");
  return foundBy(db, by.scope, { q, at }).map(({ row, matched }) => ({
    id: row.id,
    name: row.name,
    username: row.username,
    mobile: row.mobile_number,
    package: row.package,
    status: profileStatus(row.status, row.expires_at, now, row.frozen_at),
    online: row.online === 1,
    archived: row.archived_at !== null,
    matched,
  }));
}

/** Subscribers with the values that matched. Throws `invalid`. */
export function foundBy(db: Db, scope: Scope, { q, at }: Search): Found[] {
  const needle = toNeedle(q);
  if (at !== undefined && isIP(needle.raw) === 0) {
    const fields = { q: [phrase`must be an IP address where \`at\` is given`] };
    throw new DomainError("invalid", phrase`who had what at a time is told of IP addresses alone`, {
      fields,
    });
  }
  const read = db.$client.transaction(() => {
    const isFew = at === undefined && hasFew(db, scope);
    const present = search(db, scope, { needle, at, isFew });
    if (present.length >= HITS) return present;
    return [...present, ...search(db, { ...scope, archived: true }, { needle, at, isFew }, left)];
  });
  return read().slice(0, HITS);
}

const left: Condition = { text: "s.archived_at IS NOT NULL", values: [] };

interface Row extends Searched {
  readonly package: string;
  readonly status: number;
  readonly expires_at: Seconds | null;
  readonly frozen_at: Seconds | null;
  readonly online: number;
  readonly archived_at: Seconds | null;
}

export interface Found {
  readonly row: Row;
  readonly rank: number;
  readonly matched: readonly string[];
}

/** Searches by indexes first, then by substring. */
function search(
  db: Db,
  scope: Scope,
  { needle, at, isFew }: { needle: Needle; at: Seconds | undefined; isFew: boolean },
  also?: Condition,
): Found[] {
  const seen = all(scopeCondition(scope), also);
  const holders = new Set(isIP(needle.raw) === 0 ? [] : findHolders(db, needle.raw, at));
  const found = new Map<number, Found>();
  const worst = worstRank(needle);
  const add = (ids: readonly number[]) => {
    for (const one of listRows(
      db,
      seen,
      ids.filter((id) => !found.has(id)),
    )) {
      const { rank, matched } = at === undefined ? rankFound(one, needle) : { rank: WORST, matched: [] };
      if (holders.has(one.id)) found.set(one.id, { row: one, rank: 0, matched: ["ip", ...matched] });
      else if (rank <= worst) found.set(one.id, { row: one, rank, matched });
    }
  };
  const addFromIndexes = () => {
    const narrowed = all(unindexed(scopeCondition(scope)), also);
    add(beginningWith(db, narrowed, needle));
    const best = [...found.values()].filter(({ rank }) => rank <= BEGINNING).length;
    if (best < HITS) add(having(db, narrowed, wordsBeginning(needle)));
    if (found.size < HITS) add(having(db, narrowed, anywhere(needle)));
  };
  add([...holders]);
  if (at === undefined) {
    if (isFew) add(listIds(db, seen));
    else addFromIndexes();
  }
  return [...found.values()].sort(
    (a, b) => a.rank - b.rank || compare(a.row.name, b.row.name) || a.row.id - b.row.id,
  );
}

const compare = (a: string, b: string) => (fold(a) < fold(b) ? -1 : fold(a) > fold(b) ? 1 : 0);

/** Whether the scope is so small that it is scanned as a whole. */
function hasFew({ $client }: Db, scope: Scope): boolean {
  const { text, values } = scopeCondition({ ...scope, archived: true });
  if (values.length === 0) return false;
  const some = `SELECT count(*) AS count FROM (SELECT 1 FROM subscribers s WHERE ${text} LIMIT ${SMALL_SCOPE})`;
  const counted = $client.query<{ count: number }, Value[]>(some).get(...values);
  return counted?.count !== SMALL_SCOPE;
}

function listIds({ $client }: Db, { text, values }: Condition): number[] {
  const rows = $client.query<{ id: number }, Value[]>(`SELECT s.id FROM subscribers s WHERE ${text}`);
  return rows.all(...values).map(({ id }) => id);
}

/** Open, or at a time. */
function findHolders({ $client }: Db, address: string, at: Seconds | undefined): number[] {
  const held = heldAddress(address);
  const open =
    at === undefined
      ? { text: "o.stopped_at IS NULL", values: [] }
      : { text: "o.started_at <= ? AND (o.stopped_at IS NULL OR o.stopped_at >= ?)", values: [at, at] };
  const { text, values } = all(held, open, { text: "o.subscriber_id IS NOT NULL", values: [] });
  return $client
    .query<{ id: number }, Value[]>(
      `SELECT DISTINCT o.subscriber_id AS id FROM sessions o WHERE ${text} LIMIT ${HITS}`,
    )
    .all(...values)
    .map(({ id }) => id);
}

/** Indexed columns and their prefixes; null: no match. */
const beginnings: readonly (readonly [column: string, of: (needle: Needle) => string | null])[] = [
  ["s.username_key", ({ raw }) => fold(raw)],
  ["s.email_key", ({ raw }) => fold(raw)],
  ["s.name COLLATE NOCASE", ({ raw }) => raw],
  ["s.name COLLATE NOCASE", ({ raw }) => other(raw, capital(raw))],
  ["s.nic_number", ({ raw }) => raw],
  ["s.nic_number", ({ raw }) => other(raw, raw.toUpperCase())],
  ["s.nic_number", ({ raw }) => other(raw, raw.toLowerCase())],
  ["s.box_number", ({ raw }) => raw],
  ["s.box_number", ({ raw }) => other(raw, raw.toUpperCase())],
  ["s.box_number", ({ raw }) => other(raw, raw.toLowerCase())],
  ["s.mobile_number", ({ raw }) => raw],
  ["s.mobile_number", ({ raw, digits }) => other(raw, digits)],
  ["s.mobile_number", ({ raw, digits }) => digits && other(raw, `+${digits}`)],
  ["s.phone_number", ({ raw }) => raw],
  ["s.phone_number", ({ raw, digits }) => other(raw, digits)],
  ["s.static_ip", ({ raw }) => (/^[\d.]+$/.test(raw) ? raw : null)],
  ["s.pool_ip", ({ raw }) => (/^[\d.]+$/.test(raw) ? raw : null)],
  ["s.circuit_id", ({ raw }) => raw],
  ["s.remote_id", ({ raw }) => raw],
  ["s.mac_address", ({ hex }) => hex.toUpperCase().replace(/..(?=.)/g, "$&:")],
];

/** An alternative prefix. */
const other = (raw: string, form: string) => (form === raw ? null : form);
const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);

/** A character after any continuation of a prefix. */
const END = "\u{10FFFF}";

function beginningWith({ $client }: Db, seen: Condition, needle: Needle): number[] {
  const parts = beginnings.map(
    ([column]) =>
      `SELECT * FROM (SELECT s.id FROM subscribers s WHERE ${column} >= ? AND ${column} < ? AND ${seen.text} LIMIT ${HITS})`,
  );
  parts.push(`SELECT s.id FROM subscribers s WHERE s.id = ? AND ${seen.text}`);
  const values: Value[] = [];
  for (const [, of] of beginnings) {
    const start = of(needle) || null;
    values.push(start, start && start + END, ...seen.values);
  }
  const id = /^[1-9]\d{0,14}$/.test(needle.raw) ? Number(needle.raw) : null;
  const rows = $client
    .query<{ id: number }, Value[]>(parts.join(" UNION ALL "))
    .all(...values, id, ...seen.values);
  return [...new Set(rows.map((row) => row.id))];
}

function wordsBeginning({ text }: Needle): string | null {
  return [...text].length + 1 < TRIGRAM ? null : `{name address box} : ${ftsPhrase(` ${text}`)}`;
}

function anywhere({ text, digits, hex }: Needle): string | null {
  const parts = [
    [...text].length < TRIGRAM ? "" : ftsPhrase(text),
    digits.length < TRIGRAM || digits === text ? "" : `phone : ${ftsPhrase(digits)}`,
    hex.length < TRIGRAM || hex === text ? "" : `mac : ${ftsPhrase(hex)}`,
  ].filter((part) => part !== "");
  return parts.length === 0 ? null : parts.join(" OR ");
}

const ftsPhrase = (text: string) => `"${text.replaceAll('"', '""')}"`;

function having({ $client }: Db, { text, values }: Condition, expression: string | null): number[] {
  if (expression === null) return [];
  return $client
    .query<{ id: number }, Value[]>(
      `SELECT s.id FROM subscriber_search CROSS JOIN subscribers s ON s.id = subscriber_search.rowid
       WHERE subscriber_search MATCH ? AND ${text} LIMIT ${3 * HITS}`,
    )
    .all(expression, ...values)
    .map(({ id }) => id);
}

const select = `
  SELECT s.id, s.name, s.username, s.mobile_number, s.phone_number, s.nic_number, s.address, s.box_number, s.box_address,
    s.mac_address, s.static_ip, s.pool_ip, s.circuit_id, s.remote_id, s.email, s.status, s.archived_at, p.name AS package, v.expires_at, v.frozen_at, ${isOnline} AS online
  FROM subscribers s NOT INDEXED JOIN packages p ON p.id = s.package_id LEFT JOIN services v ON v.subscriber_id = s.id
  WHERE s.id IN (SELECT value FROM json_each(?))`;

function listRows({ $client }: Db, seen: Condition, ids: readonly number[]): Row[] {
  if (ids.length === 0) return [];
  return $client.query<Row, Value[]>(`${select} AND ${seen.text}`).all(JSON.stringify(ids), ...seen.values);
}
