import { freedBefore } from "../../../../domain/goods/address-pools/kept.ts";
import type { Pool } from "../../../../domain/goods/address-pools/give.ts";
import { type PoolAddress, poolAddresses } from "../../../../domain/goods/address-pools/pools.ts";
import type { StaffVisit } from "../../guard.ts";
import { list } from "../../parts/list.tsx";
import { pageCounted } from "../../parts/pager.tsx";

const LISTED = 100;

export function Addresses({ visit, pool }: { visit: StaffVisit; pool: Pool }) {
  const { db, by, query } = visit;
  const { records, total } = pageCounted(query, LISTED, (paging) => poolAddresses(db, by, pool, paging));
  return <Holders visit={visit} rows={records} total={total} limit={LISTED} />;
}

export const Holders = list<PoolAddress>((visit) => {
  const { pools } = visit.view.words;
  return {
    name: pools.addresses,
    columns: [
      {
        title: pools.address,
        cell: ({ address }) => address,
        kind: "mono",
      },
      {
        title: pools.who,
        cell: ({ subscriberId, name }) => (
          <a href={`/console/subscribers/${subscriberId}`}>
            <bdi>{name}</bdi>
          </a>
        ),
        narrow: "lead",
      },
      { title: pools.until, cell: ({ expiresAt }) => <Until visit={visit} expiresAt={expiresAt} /> },
    ],
    empty: { icon: "people", title: pools.nobodyHas, text: pools.nobodyHasText },
  };
});

/** The end, or for an expired subscriber when the address is free again. */
function Until({ visit: { db, view, now }, expiresAt }: { visit: StaffVisit; expiresAt: number | null }) {
  const { pools } = view.words;
  if (expiresAt === null) return <>{pools.noService}</>;
  if (expiresAt > now) return <>{view.format.timeNear(expiresAt, now)}</>;
  const freed = expiresAt + (now - freedBefore(db, now));
  return <span class="soft-text">{pools.ended(view.format.timeNear(freed, now))}</span>;
}
