import type { Db, Tx } from "../../../../db/open.ts";
import { addressPools, type packages, type services, subscribers } from "../../../../db/schema.ts";
import { selectColumns } from "../../../../db/columns.ts";
import { update } from "../../../../db/update.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import type { Seconds } from "../../core/time/time.ts";
import { freedBefore } from "./kept.ts";
import { addressAt, numberIn, poolRange, type Range } from "./range.ts";

export type Pool = typeof addressPools.$inferSelect;
type Subscriber = typeof subscribers.$inferSelect;
/** Columns that name pools. */
export type PoolsOf = Pick<
  typeof packages.$inferSelect,
  "name" | "addressPool" | "delegatedIpv6From" | "simultaneousUse"
>;

/** A subscriber's leases and own addresses. */
export type Assigned = Pick<
  Subscriber,
  "poolIp" | "poolIpFrom" | "poolPrefix" | "poolPrefixFrom" | "staticIp" | "delegatedIpv6Prefix"
> &
  Pick<Subscriber, "id" | "ispId">;

const ASSIGNED = ["poolIp", "poolIpFrom", "poolPrefix", "poolPrefixFrom"] as const;
const TARGET = [...ASSIGNED, "id", "ispId", "staticIp", "delegatedIpv6Prefix"] as const;
const selectAssigned = `SELECT ${TARGET.map((key) => `s.${subscribers[key].name} AS ${key}`).join(", ")} FROM subscribers s WHERE s.id = ? AND s.archived_at IS NULL`;
const selectPool = `SELECT ${selectColumns(addressPools, "a")} FROM address_pools a`;

export type Freed = Pick<Subscriber, (typeof ASSIGNED)[number]>;
export const NOTHING: Freed = { poolIp: null, poolIpFrom: null, poolPrefix: null, poolPrefixFrom: null };

/**
 * Leases what the package's pools provide, and frees the rest; archived subscribers get nothing, manual addresses win. `takes`
 * false: no new leases. Returns whether anything changed. Throws `refused` for a full pool.
 */
export function giveAddresses(
  tx: Tx,
  subscriberId: number,
  sold: PoolsOf,
  { takes }: { takes: boolean } = { takes: true },
): boolean {
  const before = tx.$client.query<Assigned, [number]>(selectAssigned).get(subscriberId);
  if (!before) return false;
  const desired = findLeases(tx, before, sold);
  const ip = chosen(tx, before, desired.ip, { ...desired.hasIp, takes });
  const prefix = chosen(tx, before, desired.prefix, { ...desired.hasPrefix, takes });
  const after: Freed = {
    poolIp: ip.address,
    poolIpFrom: ip.from,
    poolPrefix: prefix.address,
    poolPrefixFrom: prefix.from,
  };
  if (ASSIGNED.every((key) => after[key] === before[key])) return false;
  update(tx, subscribers, after, { id: subscriberId });
  return true;
}

/** Leases by the package of the service, or changes nothing without one. A service that ended too long ago gets no lease. */
export function giveByService(tx: Tx, subscriberId: number, now: Seconds): boolean {
  const sold = tx.$client
    .query<PoolsOf & Pick<typeof services.$inferSelect, "expiresAt" | "frozenAt">, [number]>(
      `SELECT p.name, p.address_pool AS addressPool, p.delegated_ipv6_from AS delegatedIpv6From, v.simultaneous_use AS simultaneousUse,
         v.expires_at AS expiresAt, v.frozen_at AS frozenAt
       FROM services v JOIN packages p ON p.id = v.package_id WHERE v.subscriber_id = ?`,
    )
    .get(subscriberId);
  if (!sold) return false;
  const takes = sold.frozenAt !== null || sold.expiresAt > freedBefore(tx, now);
  return giveAddresses(tx, subscriberId, sold, { takes });
}

/** Throws what a lease would throw now. */
export function requireRoom(db: Db, subscriberId: number, sold: PoolsOf): void {
  const before = db.$client.query<Assigned, [number]>(selectAssigned).get(subscriberId);
  if (!before) return;
  const { ip, hasIp, prefix, hasPrefix } = findLeases(db, before, sold);
  const who = { subscriberId, ispId: before.ispId };
  if (ip && !isKept(ip, hasIp)) freeIn(db, ip, who);
  if (prefix && !isKept(prefix, hasPrefix)) freeIn(db, prefix, who);
}

/** Wanted and present leases. */
function findLeases(db: Db, before: Assigned, sold: PoolsOf) {
  const isAlone = sold.simultaneousUse === 1;
  const wants = (name: string | null, own: string | null) =>
    isAlone && own === null && name !== null ? poolNamed(db, before.ispId, name) : undefined;
  return {
    ip: wants(sold.addressPool, before.staticIp),
    hasIp: { address: before.poolIp, from: before.poolIpFrom },
    prefix: wants(sold.delegatedIpv6From, before.delegatedIpv6Prefix),
    hasPrefix: { address: before.poolPrefix, from: before.poolPrefixFrom },
  };
}

interface Has {
  readonly address: string | null;
  readonly from: number | null;
}

function chosen(
  tx: Tx,
  { id, ispId }: Assigned,
  pool: Pool | undefined,
  { address, from, takes }: Has & { readonly takes: boolean },
): Has {
  if (pool && isKept(pool, { address, from })) return { address, from };
  if (!pool || !takes) return { address: null, from: null };
  const free = freeIn(tx, pool, { subscriberId: id, ispId });
  update(tx, addressPools, { next: free.next }, { id: pool.id });
  return { address: free.address, from: pool.id };
}

const isKept = (pool: Pool, { address, from }: Has) => from === pool.id && address !== null;

/** Throws `refused` for a deleted pool. */
function poolNamed({ $client }: Db, ispId: number, name: string): Pool {
  const pool = $client
    .query<Pool, [number, string]>(`${selectPool} WHERE a.isp_id = ? AND a.name = ?`)
    .get(ispId, name);
  if (pool) return pool;
  throw new DomainError(
    "refused",
    phrase`there is no address pool ${name}; choose another one for the package`,
  );
}

/** Addresses tried before counting free ones, which takes longer. */
const TRIED = 64;

/** The next free address after the last lease, and where the next search starts. Throws `refused`: none is free. */
function freeIn(
  db: Db,
  pool: Pool,
  who: { subscriberId: number; ispId: number },
): { address: string; next: number } {
  const range = poolRange(pool);
  const isTaken = takenIn(db, range, who);
  for (let step = 0; step < range.size; step++) {
    if (step === TRIED && countUsed(db, pool) >= range.size) break;
    const number = (pool.next + step) % range.size;
    const address = addressAt(range, number);
    if (!isTaken(address)) return { address, next: (number + 1) % range.size };
  }
  throw new DomainError(
    "refused",
    phrase`the address pool ${pool.name} is full: all of ${pool.range} is in use; make it larger (gatehouse pool set "${pool.name}" --range RANGE), or free what archived and long expired subscribers have`,
    { code: "pool_full" },
  );
}

export function countUsed(
  { $client }: Pick<Tx, "$client">,
  { id, length }: Pick<Pool, "id" | "length">,
): number {
  const column = length === null ? "pool_ip_from" : "pool_prefix_from";
  return (
    $client
      .query<{ used: number }, [number]>(`SELECT count(*) AS used FROM subscribers WHERE ${column} = ?`)
      .get(id)?.used ?? 0
  );
}

/** Whether an address is leased, or set by hand, in the ISP. */
function takenIn(
  { $client }: Db,
  { family }: Range,
  { subscriberId, ispId }: { subscriberId: number; ispId: number },
): (address: string) => boolean {
  // by address: otherwise SQLite scans the ISP for each
  const statement = $client.query<unknown, [string, number, number]>(
    family === 4
      ? `SELECT 1 FROM subscribers WHERE pool_ip = ?1 AND isp_id = ?2 AND pool_ip_from IS NOT NULL AND id <> ?3 UNION ALL
         SELECT 1 FROM subscribers WHERE static_ip = ?1 AND +isp_id = ?2 AND archived_at IS NULL AND id <> ?3`
      : `SELECT 1 FROM subscribers WHERE pool_prefix = ?1 AND isp_id = ?2 AND pool_prefix_from IS NOT NULL AND id <> ?3 UNION ALL
         SELECT 1 FROM subscribers WHERE delegated_ipv6_prefix = ?1 AND +isp_id = ?2 AND archived_at IS NULL AND id <> ?3 UNION ALL
         SELECT 1 FROM subscribers WHERE framed_ipv6_prefix = ?1 AND +isp_id = ?2 AND archived_at IS NULL`,
  );
  return (address) => statement.get(address, ispId, subscriberId) !== null;
}

/** Whether a foreign address is in a pool. */
export function isInPool(pool: Pool, address: string): boolean {
  return numberIn(poolRange(pool), address) !== undefined;
}

export function listIspPools({ $client }: Pick<Tx, "$client">, ispId: number | null): Pool[] {
  return $client
    .query<Pool, [number | null]>(`${selectPool} WHERE a.isp_id = ifnull(?, a.isp_id) ORDER BY a.name, a.id`)
    .all(ispId);
}
