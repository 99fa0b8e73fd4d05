import type { Db } from "../../../../db/open.ts";
import { takenBy } from "../../core/errors/codes.ts";
import type { Faults } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { addFault } from "../../core/fields/fields.ts";
import { listIspPools, type Pool } from "./give.ts";
import { addressBounds, meet, numberIn, poolRange, type Range, rangeBounds } from "./range.ts";

/** Adds faults for names and ranges of other pools, and manual prefixes across its edge. */
export function findPoolFaults(
  db: Db,
  {
    id,
    ispId,
    name,
    range,
  }: { id: number; ispId: number; name: string | null | undefined; range: Range | undefined },
  faults: Faults,
): void {
  const others = listIspPools(db, ispId).filter((pool) => pool.id !== id);
  if (name && others.some((pool) => pool.name === name))
    addFault(faults, "name", takenBy(phrase`another pool`));
  if (!range) return;
  const crossed = others.find((pool) => {
    const other = poolRange(pool);
    return other.family === range.family && meet(rangeBounds(other), rangeBounds(range));
  });
  if (crossed) addFault(faults, "range", phrase`meets that of the pool ${crossed.name}, ${crossed.range}`);
  const across = range.family === 4 ? undefined : prefixAcross(db, ispId, range);
  if (across)
    addFault(
      faults,
      "range",
      phrase`has in it ${across.prefix} of ${across.username}, which is no /${range.length}; give that one another first`,
    );
}

function prefixAcross({ $client }: Db, ispId: number, range: Range) {
  return $client
    .query<{ prefix: string; username: string }, [number]>(
      `SELECT delegated_ipv6_prefix AS prefix, username FROM subscribers
       WHERE isp_id = ?1 AND delegated_ipv6_prefix IS NOT NULL AND archived_at IS NULL UNION ALL
       SELECT framed_ipv6_prefix, username FROM subscribers
       WHERE isp_id = ?1 AND framed_ipv6_prefix IS NOT NULL AND archived_at IS NULL`,
    )
    .all(ispId)
    .find(({ prefix }) => liesAcross(range, prefix));
}

function liesAcross(range: Range, prefix: string): boolean {
  return meet(rangeBounds(range), addressBounds(prefix)) && numberIn(range, prefix) === undefined;
}

/** Manual addresses of a subscriber. */
interface OwnAddresses {
  readonly static_ip?: string | null | undefined;
  readonly framed_ipv6_prefix?: string | null | undefined;
  readonly delegated_ipv6_prefix?: string | null | undefined;
}

/** Adds faults for manual addresses that are leased to others, and prefixes across several of a pool. */
export function findAssignedAddresses(
  db: Db,
  { id, ispId, values }: { id: number; ispId: number; values: OwnAddresses },
  faults: Faults,
): void {
  const { static_ip, framed_ipv6_prefix, delegated_ipv6_prefix } = values;
  if (static_ip && hasSomebodyElse(db, "pool_ip", { id, ispId, address: static_ip }))
    addFault(faults, "static_ip", phrase`was given to another subscriber by its pool`);
  for (const [field, prefix] of [
    ["framed_ipv6_prefix", framed_ipv6_prefix],
    ["delegated_ipv6_prefix", delegated_ipv6_prefix],
  ] as const) {
    if (!prefix) continue;
    // a link's prefix is not part of a delegation, not even its own
    const isLink = field === "framed_ipv6_prefix";
    if (hasSomebodyElse(db, "pool_prefix", { id: isLink ? 0 : id, ispId, address: prefix }))
      addFault(
        faults,
        field,
        isLink
          ? phrase`was given by a pool to be delegated`
          : phrase`was given to another subscriber by its pool`,
      );
    const pool = poolAcross(db, ispId, prefix);
    if (pool)
      addFault(
        faults,
        field,
        phrase`lies in the pool ${pool.name}, which has a /${pool.length} for each; take one of those, or one outside of ${pool.range}`,
      );
  }
}

function poolAcross(db: Db, ispId: number, prefix: string): Pool | undefined {
  return listIspPools(db, ispId).find((pool) => pool.length !== null && liesAcross(poolRange(pool), prefix));
}

function hasSomebodyElse(
  { $client }: Db,
  column: "pool_ip" | "pool_prefix",
  { id, ispId, address }: { id: number; ispId: number; address: string },
): boolean {
  return (
    $client
      .query<unknown, [string, number, number]>(
        `SELECT 1 FROM subscribers WHERE ${column} = ? AND isp_id = ? AND ${column}_from IS NOT NULL AND id <> ?`,
      )
      .get(address, ispId, id) !== null
  );
}

export function findPackagePoolFaults(
  pools: readonly Pick<Pool, "name" | "length">[],
  sold: {
    readonly address_pool: string | null;
    readonly delegated_ipv6_from: string | null;
    readonly simultaneous_use: number;
  },
  faults: Faults,
): void {
  const names = [
    ["address_pool", sold.address_pool, false],
    ["delegated_ipv6_from", sold.delegated_ipv6_from, true],
  ] as const;
  for (const [field, name, isIpv6] of names) {
    if (name === null) continue;
    const pool = pools.find((one) => one.name === name);
    if (!pool) {
      const fitting = pools.filter(({ length }) => (length !== null) === isIpv6).map((one) => one.name);
      addFault(
        faults,
        field,
        phrase`is no address pool of this ISP; there are: ${fitting.join(", ") || phrase`none`}`,
      );
    } else if ((pool.length !== null) !== isIpv6)
      addFault(
        faults,
        field,
        isIpv6 ? phrase`is a pool of IPv4 addresses` : phrase`is a pool of IPv6 prefixes`,
      );
    if (sold.simultaneous_use !== 1)
      addFault(faults, field, phrase`needs a simultaneous_use of 1: one address is one line's`);
  }
}
