import type { Db } from "../../../../db/open.ts";
import { listIspPools } from "../../goods/address-pools/give.ts";
import { countUse } from "../../goods/address-pools/pools.ts";
import { type Finding, ok, error, warning } from "./finding.ts";

/** The share of a pool from which it counts as nearly full. */
export const NEARLY = 0.95;

/** Full pools, and addresses of two. */
export function checkAddresses(db: Db): Finding[] {
  const pools = listIspPools(db, null).map((pool) => {
    const { used, reserved, size } = countUse(db, pool);
    // manual addresses within a pool are reserved
    return { name: pool.name, range: pool.range, used: used + reserved, size };
  });
  if (pools.length === 0) return [];
  const doubles = findDoubles(db).map(({ address, usernames }) =>
    error(
      "addresses",
      `${address} is that of ${usernames}; give one of them another: gatehouse subscriber set USERNAME --static-ip ADDRESS`,
      "address_twice",
      { address, usernames },
    ),
  );
  const full = pools
    .filter(({ used, size }) => used >= size * NEARLY)
    .map(({ name, range, used, size }) =>
      warning(
        "addresses",
        `of the pool ${name} (${range}) ${used} of ${size} are in use; once it is full nobody new can be activated: gatehouse pool set "${name}" --range RANGE`,
        "pool_filling",
        { name, used, size },
      ),
    );
  if (doubles.length + full.length > 0) return [...doubles, ...full];
  const used = pools.reduce((sum, pool) => sum + pool.used, 0);
  const size = pools.reduce((sum, pool) => sum + pool.size, 0);
  const where = pools.length === 1 ? "the pool" : `${pools.length} pools`;
  return [
    ok(
      "addresses",
      `${used} of ${size} in ${where} are in use, ${size - used} are free, none is that of two`,
    ),
  ];
}

/** Addresses of more than one subscriber. */
function findDoubles({ $client }: Db): { address: string; usernames: string }[] {
  return $client
    .query<{ address: string; usernames: string }, []>(
      `SELECT address, group_concat(username, ', ') AS usernames FROM (
         SELECT isp_id, username, id, pool_ip AS address FROM subscribers WHERE pool_ip IS NOT NULL
         UNION SELECT isp_id, username, id, static_ip FROM subscribers WHERE static_ip IS NOT NULL AND archived_at IS NULL
         UNION SELECT isp_id, username, id, pool_prefix FROM subscribers WHERE pool_prefix IS NOT NULL
         UNION SELECT isp_id, username, id, delegated_ipv6_prefix FROM subscribers
           WHERE delegated_ipv6_prefix IS NOT NULL AND archived_at IS NULL
         UNION SELECT isp_id, username, id, framed_ipv6_prefix FROM subscribers
           WHERE framed_ipv6_prefix IS NOT NULL AND archived_at IS NULL
       ) GROUP BY isp_id, address HAVING count(*) > 1 LIMIT 20`,
    )
    .all();
}
