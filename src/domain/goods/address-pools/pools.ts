import { all, equal, type Value } from "../../../../db/condition.ts";
import { selectColumns } from "../../../../db/columns.ts";
import { insert } from "../../../../db/insert.ts";
import { type Db, type Tx, write } from "../../../../db/open.ts";
import { addressPools } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import { audit, auditEntry } from "../../core/audit/audit.ts";
import { DomainError, type Faults, rejectFaults } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { type Input, readFields, scopeId } from "../../core/fields/fields.ts";
import { theOneCalled } from "../../core/references/called.ts";
import { ispForNewRow } from "../../core/references/references.ts";
import { type Actor, requireWholeIsp, type Scope, scopeCondition, seesIsp } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { poolFields, rangeIn } from "./fields.ts";
import { isInPool, type Pool, countUsed } from "./give.ts";
import { findPoolFaults } from "./rules.ts";
import { poolRange, rangeText } from "./range.ts";

interface At {
  readonly now: Seconds;
}

/** `used`: leased; `reserved`: set by hand within its range. */
export interface PoolUse {
  readonly pool: Pool;
  readonly size: number;
  readonly used: number;
  readonly reserved: number;
  readonly packages: readonly string[];
}

export const poolSorts = ["name", "id"] as const;

export interface PoolChoice {
  readonly name?: string | null | undefined;
  readonly sort: (typeof poolSorts)[number];
  readonly descending: boolean;
  readonly limit: number;
  readonly offset: number;
}

const select = `SELECT ${selectColumns(addressPools, "a")} FROM address_pools a`;

export function listPools(
  db: Db,
  by: Actor,
  { name, sort, descending, limit, offset }: PoolChoice,
): { records: PoolUse[]; total: number } {
  permit(by, "listPools");
  const { text, values } = all(equal("a.isp_id", by.scope.ispId), equal("a.name", name));
  const direction = descending ? "DESC" : "ASC";
  const first = sort === "name" ? `a.name COLLATE NOCASE ${direction}, ` : "";
  const rows = db.$client
    .query<Pool, Value[]>(`${select} WHERE ${text} ORDER BY ${first}a.id ${direction} LIMIT ? + 0 OFFSET ?`)
    .all(...values, limit, offset);
  const counted = db.$client
    .query<{ total: number }, Value[]>(`SELECT count(*) AS total FROM address_pools a WHERE ${text}`)
    .get(...values);
  return { records: rows.map((pool) => countUse(db, pool)), total: counted?.total ?? 0 };
}

export function poolById(db: Db, by: Actor, id: number): PoolUse {
  permit(by, "poolById");
  return countUse(db, find(db, by.scope, id));
}

/** The pool by name or id. Throws not_found, refused where several ISPs have the name. */
export function poolNamed(db: Db, by: Actor, nameOrId: string): Pool {
  permit(by, "poolNamed");
  const own = all(equal("a.isp_id", by.scope.ispId));
  const rows = db.$client
    .query<Pool, Value[]>(`${select} WHERE ${own.text} ORDER BY a.id`)
    .all(...own.values);
  return theOneCalled(rows, nameOrId, { one: "address pool", many: "pools", by: "id" }, ({ name }) => name);
}

export interface PoolAddress {
  readonly address: string;
  readonly subscriberId: number;
  readonly name: string;
  readonly username: string;
  readonly expiresAt: Seconds | null;
}

/** Leased addresses whose subscribers are in the actor's scope. Throws not_found. */
export function poolAddresses(
  db: Db,
  by: Actor,
  which: number | Pool,
  { limit, offset }: { limit: number; offset: number },
): { records: PoolAddress[]; total: number } {
  permit(by, "poolAddresses");
  const { id, length } = poolIn(db, by.scope, which);
  const [column, from] = length === null ? ["pool_ip", "pool_ip_from"] : ["pool_prefix", "pool_prefix_from"];
  const { text, values } = all(equal(`s.${from}`, id), scopeCondition(by.scope));
  const records = db.$client
    .query<PoolAddress, Value[]>(
      `SELECT s.${column} AS address, s.id AS subscriberId, s.name, s.username, v.expires_at AS expiresAt
       FROM subscribers s LEFT JOIN services v ON v.subscriber_id = s.id WHERE ${text} ORDER BY s.id LIMIT ? + 0 OFFSET ?`,
    )
    .all(...values, limit, offset);
  const counted = db.$client
    .query<{ total: number }, Value[]>(`SELECT count(*) AS total FROM subscribers s WHERE ${text}`)
    .get(...values);
  return { records, total: counted?.total ?? 0 };
}

/** Throws `invalid` with every fault, `forbidden` for another ISP and to accounts of a branch. */
export function createPool(db: Db, by: Actor, input: Input, { now }: At): PoolUse {
  permit(by, "createPool");
  requireWholeIsp(by, "address pools");
  const faults: Faults = {};
  const { isp_id: named } = readFields({ isp_id: scopeId }, input, faults);
  const {
    name,
    range: written,
    length = null,
  } = readFields(poolFields, input, faults, {
    required: ["name", "range"],
  });
  return write(db, (tx) => {
    const ispId = ispForNewRow(tx, by, named);
    const range = written ? rangeIn({ range: written, length }, faults) : undefined;
    findPoolFaults(tx, { id: 0, ispId, name, range }, faults);
    rejectFaults(faults);
    if (!name || !range) throw new Error("a required field was not checked");
    const row = { ispId, name, range: rangeText(range), length: range.length, createdAt: now };
    const pool = find(tx, by.scope, insert(tx, addressPools, row));
    audit(tx, by, now, { ...entry(pool, "create"), after: auditRecord(pool) });
    return countUse(tx, pool);
  });
}

/**
 * Changes name or range; packages follow a new name. Throws `not_found`, `invalid` with every fault, `refused` while a lease
 * lies outside the new range.
 */
export function updatePool(
  db: Db,
  by: Actor,
  { id, input }: { id: number; input: Input },
  { now }: At,
): PoolUse {
  permit(by, "updatePool");
  requireWholeIsp(by, "address pools");
  const faults: Faults = {};
  const values = readFields(poolFields, input, faults, { required: ["name", "range"], partial: true });
  return write(db, (tx) => {
    const before = find(tx, by.scope, id);
    const written = {
      range: values.range ?? before.range,
      length: values.length === undefined ? before.length : values.length,
    };
    const range = rangeIn(written, faults);
    findPoolFaults(tx, { id, ispId: before.ispId, name: values.name, range }, faults);
    rejectFaults(faults);
    if (!range) throw new Error("a range that is wrong is a fault");
    const after = {
      ...before,
      name: values.name ?? before.name,
      range: rangeText(range),
      length: range.length,
    };
    requireRoom(tx, before, after);
    requireFamily(tx, before, after);
    if (after.name !== before.name) rename(tx, before, after.name);
    const { name, range: text, length } = after;
    update(tx, addressPools, { name, range: text, length, next: before.next % range.size }, { id });
    const pool = find(tx, by.scope, id);
    audit(tx, by, now, { ...entry(pool, "update"), before: auditRecord(before), after: auditRecord(pool) });
    return countUse(tx, pool);
  });
}

/** Throws not_found, `refused` with what uses it. */
export function deletePool(db: Db, by: Actor, { id }: { id: number }, { now }: At): Pool {
  permit(by, "deletePool");
  requireWholeIsp(by, "address pools");
  return write(db, (tx) => {
    const pool = find(tx, by.scope, id);
    const { used, packages } = countUse(tx, pool);
    if (packages.length > 0)
      throw new DomainError(
        "refused",
        phrase`the package ${packages[0]} gives addresses of the pool ${pool.name}; take it out there first`,
        { code: "in_use" },
      );
    if (used > 0)
      throw new DomainError(
        "refused",
        phrase`${used} subscribers have an address of the pool ${pool.name}; it can go when theirs are freed`,
        { code: "in_use" },
      );
    tx.$client.query("DELETE FROM address_pools WHERE id = ?").run(id);
    audit(tx, by, now, { ...entry(pool, "delete"), before: auditRecord(pool) });
    return pool;
  });
}

function requireRoom(tx: Tx, before: Pool, after: Pool): void {
  if (before.range === after.range && before.length === after.length) return;
  const [column, from] =
    before.length === null ? ["pool_ip", "pool_ip_from"] : ["pool_prefix", "pool_prefix_from"];
  const leases = tx.$client
    .query<{ address: string; username: string }, [number]>(
      `SELECT ${column} AS address, username FROM subscribers WHERE ${from} = ?`,
    )
    .all(before.id);
  const outside = leases.filter(({ address }) => !isInPool(after, address));
  const [one] = outside;
  if (!one) return;
  throw new DomainError(
    "refused",
    phrase`${outside.length} subscribers have addresses that ${after.range} has not, such as ${one.username} (${one.address}); a pool that is in use can grow, and shrink where nobody is`,
    { code: "outside_pool" },
  );
}

/** A package that uses the pool expects its family. */
function requireFamily(tx: Tx, before: Pool, after: Pool): void {
  if ((before.length === null) === (after.length === null)) return;
  const [sold] = listPackageNames(tx, before);
  if (sold === undefined) return;
  throw new DomainError(
    "refused",
    phrase`the package ${sold} gives ${before.length === null ? phrase`addresses` : phrase`prefixes`} of the pool ${before.name}; take it out there first, or add another pool`,
    { code: "in_use" },
  );
}

function rename({ $client }: Tx, { name, ispId }: Pool, to: string): void {
  for (const column of ["address_pool", "delegated_ipv6_from"])
    $client
      .query<unknown, [string, string, number]>(
        `UPDATE packages SET ${column} = ? WHERE ${column} = ? AND isp_id = ?`,
      )
      .run(to, name, ispId);
}

export function countUse(db: Db, pool: Pool): PoolUse {
  const range = poolRange(pool);
  const columns = range.family === 4 ? ["static_ip"] : ["delegated_ipv6_prefix", "framed_ipv6_prefix"];
  const set = columns.flatMap((column) =>
    db.$client
      .query<{ address: string }, [number]>(
        `SELECT ${column} AS address FROM subscribers WHERE isp_id = ? AND ${column} IS NOT NULL AND archived_at IS NULL`,
      )
      .all(pool.ispId),
  );
  const reserved = new Set(set.map(({ address }) => address).filter((address) => isInPool(pool, address)));
  return {
    pool,
    size: range.size,
    used: countUsed(db, pool),
    reserved: reserved.size,
    packages: listPackageNames(db, pool),
  };
}

function listPackageNames({ $client }: Db, { ispId, name }: Pool): string[] {
  const rows = $client
    .query<{ name: string }, [number, string, string]>(
      "SELECT name FROM packages WHERE isp_id = ? AND (address_pool = ? OR delegated_ipv6_from = ?) ORDER BY name",
    )
    .all(ispId, name, name);
  return rows.map((sold) => sold.name);
}

/** `which`: an id, or a pool that was read already. Throws not_found outside the scope. */
function poolIn(db: Db, scope: Scope, which: number | Pool): Pool {
  if (typeof which === "number") return find(db, scope, which);
  if (seesIsp(scope, which)) return which;
  throw missing(which.id);
}

function find({ $client }: Db, { ispId }: Scope, id: number): Pool {
  const { text, values } = all(equal("a.id", id), equal("a.isp_id", ispId));
  const found = $client.query<Pool, Value[]>(`${select} WHERE ${text}`).get(...values);
  if (!found) throw missing(id);
  return found;
}

const missing = (id: number) => new DomainError("not_found", phrase`there is no address pool ${id}`);

const auditRecord = ({ name, range, length }: Pool) => ({ name, range, ...(length !== null && { length }) });

const entry = auditEntry("address_pool");
