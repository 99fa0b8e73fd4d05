import type { Tx } from "../../../../db/open.ts";
import { subscribers } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import { DomainError, type Faults } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import type { Seconds } from "../../core/time/time.ts";
import { giveByService, listIspPools, NOTHING } from "./give.ts";
import { freedBefore } from "./kept.ts";
import { numberIn, poolRange } from "./range.ts";
import { findPackagePoolFaults, findPoolFaults } from "./rules.ts";

interface Row {
  readonly id: number;
  readonly ispId: number;
  readonly poolIp: string | null;
  readonly poolPrefix: string | null;
  readonly ipFrom: number | null;
  readonly prefixFrom: number | null;
}

/**
 * After an import: confirms leases that the file names where possible, and leases what is missing, unless the service ended too
 * long ago; `moved` have a new package. Throws `refused` for unsuitable or full pools.
 */
export function settleAddresses(tx: Tx, { moved }: { moved: readonly number[] }, now: Seconds): void {
  if (!tx.$client.query("SELECT 1 FROM address_pools LIMIT 1").get()) {
    forgetForeign(tx);
    requirePackages(tx);
    return;
  }
  requirePools(tx);
  requirePackages(tx);
  yieldToSet(tx);
  takeOver(tx);
  forgetForeign(tx);
  for (const id of moved) giveByService(tx, id, now);
  const wanting = tx.$client
    .query<{ id: number }, [number]>(
      `SELECT s.id FROM services v JOIN packages p ON p.id = v.package_id JOIN subscribers s ON s.id = v.subscriber_id
       WHERE (p.address_pool IS NOT NULL AND s.pool_ip_from IS NULL AND s.static_ip IS NULL
           OR p.delegated_ipv6_from IS NOT NULL AND s.pool_prefix_from IS NULL AND s.delegated_ipv6_prefix IS NULL
           OR s.pool_ip_from IS NOT NULL AND s.static_ip IS NOT NULL
           OR s.pool_prefix_from IS NOT NULL AND s.delegated_ipv6_prefix IS NOT NULL)
         AND s.archived_at IS NULL AND (v.expires_at > ? OR v.frozen_at IS NOT NULL) ORDER BY s.id`,
    )
    .all(freedBefore(tx, now));
  for (const { id } of wanting) giveByService(tx, id, now);
}

function requirePools(tx: Tx): void {
  for (const pool of listIspPools(tx, null)) {
    const faults: Faults = {};
    const { id, ispId, name } = pool;
    findPoolFaults(tx, { id, ispId, name, range: poolRange(pool) }, faults);
    refuse(`the address pool ${name}`, faults);
  }
}

function requirePackages(tx: Tx): void {
  const sold = tx.$client
    .query<
      {
        name: string;
        isp: number;
        address_pool: string | null;
        delegated_ipv6_from: string | null;
        simultaneous_use: number;
      },
      []
    >(
      `SELECT name, isp_id AS isp, address_pool, delegated_ipv6_from, simultaneous_use FROM packages
       WHERE address_pool IS NOT NULL OR delegated_ipv6_from IS NOT NULL`,
    )
    .all();
  for (const one of sold) {
    const faults: Faults = {};
    findPackagePoolFaults(listIspPools(tx, one.isp), one, faults);
    refuse(`the package ${one.name}`, faults);
  }
}

function refuse(what: string, faults: Faults): void {
  const [field] = Object.entries(faults);
  if (field) throw new DomainError("refused", phrase`${what}: ${field[0]} ${field[1].join("; ")}`);
}

/** Moves leases off addresses set by hand; set-based, because thousands of rows would take minutes. */
function yieldToSet({ $client }: Tx): void {
  $client.run(
    `UPDATE subscribers SET pool_ip = NULL, pool_ip_from = NULL WHERE pool_ip IS NOT NULL AND (pool_ip, isp_id) IN
       (SELECT static_ip, isp_id FROM subscribers WHERE static_ip IS NOT NULL AND archived_at IS NULL)`,
  );
  $client.run(
    `UPDATE subscribers SET pool_prefix = NULL, pool_prefix_from = NULL WHERE pool_prefix IS NOT NULL AND (pool_prefix, isp_id) IN
       (SELECT delegated_ipv6_prefix, isp_id FROM subscribers WHERE delegated_ipv6_prefix IS NOT NULL AND archived_at IS NULL
        UNION ALL SELECT framed_ipv6_prefix, isp_id FROM subscribers WHERE framed_ipv6_prefix IS NOT NULL AND archived_at IS NULL)`,
  );
}

/** Assigns imported addresses to pools: the present holder wins, then the first; archived ones get none. */
function takeOver(tx: Tx): void {
  tx.$client.run(
    `UPDATE subscribers SET pool_ip = NULL, pool_ip_from = NULL, pool_prefix = NULL, pool_prefix_from = NULL
     WHERE archived_at IS NOT NULL AND (pool_ip IS NOT NULL OR pool_prefix IS NOT NULL)`,
  );
  const rows = tx.$client
    .query<Row, []>(
      `SELECT id, isp_id AS ispId, pool_ip AS poolIp, pool_prefix AS poolPrefix,
         pool_ip_from AS ipFrom, pool_prefix_from AS prefixFrom FROM subscribers
       WHERE pool_ip IS NOT NULL OR pool_prefix IS NOT NULL ORDER BY id`,
    )
    .all();
  const claims = mapClaims(tx, rows);
  for (const row of rows) {
    const { id, poolIp, poolPrefix, ipFrom, prefixFrom } = row;
    const of = (address: string | null) => {
      const claim = claims.get(keyOf(row, address));
      return claim?.id === id ? claim.pool : null;
    };
    const [ip, prefix] = [of(poolIp), of(poolPrefix)];
    const addresses = {
      poolIp: ip === null ? null : poolIp,
      poolIpFrom: ip,
      poolPrefix: prefix === null ? null : poolPrefix,
      poolPrefixFrom: prefix,
    };
    const isSame =
      ip === ipFrom &&
      prefix === prefixFrom &&
      (ip !== null || poolIp === null) &&
      (prefix !== null || poolPrefix === null);
    if (!isSame) update(tx, subscribers, addresses, { id });
  }
}

const keyOf = ({ ispId }: Row, address: string | null) => `${ispId} ${address}`;

/** Holder and pool of each address. */
function mapClaims(tx: Tx, rows: readonly Row[]): ReadonlyMap<string, { id: number; pool: number }> {
  const pools = Map.groupBy(
    listIspPools(tx, null).map((pool) => ({ id: pool.id, ispId: pool.ispId, range: poolRange(pool) })),
    ({ ispId }) => ispId,
  );
  const claims = new Map<string, { id: number; pool: number }>();
  const claim = (row: Row, address: string | null) => {
    if (address === null || claims.has(keyOf(row, address))) return;
    const pool = pools.get(row.ispId)?.find(({ range }) => numberIn(range, address) !== undefined);
    if (pool) claims.set(keyOf(row, address), { id: row.id, pool: pool.id });
  };
  for (const isHolder of [true, false])
    for (const row of rows) {
      if ((row.ipFrom !== null) === isHolder) claim(row, row.poolIp);
      if ((row.prefixFrom !== null) === isHolder) claim(row, row.poolPrefix);
    }
  return claims;
}

/** Frees addresses outside of pools. */
function forgetForeign(tx: Tx): void {
  const rows = tx.$client
    .query<{ id: number }, []>(
      "SELECT id FROM subscribers WHERE (pool_ip IS NOT NULL AND pool_ip_from IS NULL) OR (pool_prefix IS NOT NULL AND pool_prefix_from IS NULL)",
    )
    .all();
  for (const { id } of rows) update(tx, subscribers, NOTHING, { id });
}
