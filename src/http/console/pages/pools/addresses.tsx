import { freedBefore } from "../../../../domain/goods/address-pools/kept.ts";
import { poolAddresses } from "../../../../domain/goods/address-pools/pools.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Empty } from "../../../pages/parts/empty.tsx";
import { Table } from "../../../pages/parts/table.tsx";
import type { StaffVisit } from "../../guard.ts";
import { hrefOf } from "./shown.ts";

/** Addresses that are shown of a pool; the rest by the next page. */
const SHOWN = 100;

/** Who has which address of a pool, and how long. */
export function Addresses({ visit, id }: { visit: StaffVisit; id: number }) {
  const { db, by, view, query } = visit;
  const { pools } = view.words;
  const from = Math.trunc(Number(query.get("from")));
  const offset = Number.isSafeInteger(from) ? Math.max(0, from) : 0;
  const { records, total } = poolAddresses(db, by, { id, limit: SHOWN, offset });
  if (total === 0)
    return (
      <div class="card">
        <Empty icon="people" title={pools.nobodyHas} text={pools.nobodyHasText} />
      </div>
    );
  const heads = [{ title: pools.address }, { title: pools.who }, { title: pools.until }];
  return (
    <>
      <Table caption={pools.addresses} columns={heads} kind="two-lines">
        {records.map(({ address, subscriberId, name, expiresAt }) => (
          <tr>
            <td class="mono">{address}</td>
            <td>
              <a href={`/console/subscribers/${subscriberId}`}>
                <bdi>{name}</bdi>
              </a>
            </td>
            <td>
              <Until visit={visit} expiresAt={expiresAt} />
            </td>
          </tr>
        ))}
      </Table>
      {offset + records.length < total && (
        <p class="actions">
          <Button href={hrefOf(id, `?from=${offset + SHOWN}`)} icon="forward">
            {pools.next}
          </Button>
        </p>
      )}
    </>
  );
}

/** How long it is theirs: of who has expired until it is free for others. */
function Until({ visit: { db, view, now }, expiresAt }: { visit: StaffVisit; expiresAt: number | null }) {
  const { pools } = view.words;
  if (expiresAt === null) return <>{pools.noService}</>;
  if (expiresAt > now) return <>{view.format.timeNear(expiresAt, now)}</>;
  const freed = expiresAt + (now - freedBefore(db, now));
  return <span class="soft-text">{pools.ended(view.format.timeNear(freed, now))}</span>;
}
