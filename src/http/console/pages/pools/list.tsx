import { listPools, type PoolUse } from "../../../../domain/goods/address-pools/pools.ts";
import { may, seesWholeIsp } from "../../../../domain/core/actor/actor.ts";
import { ShareBar } from "../../../pages/parts/bar.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Empty } from "../../../pages/parts/empty.tsx";
import { Table } from "../../../pages/parts/table.tsx";
import { page } from "../../answers.tsx";
import { Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { hrefOf, isNearlyFull, POOLS, roomOf } from "./shown.ts";

/** Pools that are shown; an ISP has a few. */
const MOST = 500;

/** Every pool with how much of it is in use. */
export function showPools(visit: StaffVisit): Response {
  const { db, by, view } = visit;
  const { pools } = view.words;
  const { records } = listPools(db, by, { sort: "name", descending: false, limit: MOST, offset: 0 });
  const changes = may(by, "nas_manage") && seesWholeIsp(by.scope);
  return page(
    visit,
    <Frame visit={visit} title={pools.title} place="routers">
      <div class="stack">
        <header class="page-head">
          <h1>{pools.title}</h1>
          <div class="actions">
            <Button href="/console/routers" icon="back">
              {pools.toRouters}
            </Button>
            {changes && (
              <Button href={`${POOLS}/new`} kind="solid" icon="plus">
                {pools.add}
              </Button>
            )}
          </div>
        </header>
        {records.length === 0 ? (
          <div class="card">
            <Empty icon="router" title={pools.none} text={pools.noneText} />
          </div>
        ) : (
          <>
            <p class="sentence">{sentenceOf(visit, records)}</p>
            <Rows visit={visit} rows={records} />
          </>
        )}
      </div>
    </Frame>,
  );
}

/** Which pool is nearly full, or which of all has the least room. */
function sentenceOf({ view }: StaffVisit, records: readonly PoolUse[]): string {
  const { pools } = view.words;
  const [first, ...others] = records.toSorted(
    (one, other) => roomOf(one) / one.size - roomOf(other) / other.size,
  );
  if (!first) return "";
  const room = view.format.number(roomOf(first));
  if (roomOf(first) === 0) return pools.full(first.pool.name);
  if (isNearlyFull(first)) return pools.nearlyFull(first.pool.name, room);
  return others.length === 0 ? pools.hasRoom(room) : pools.allHaveRoom(first.pool.name, room);
}

function Rows({ visit: { view }, rows }: { visit: StaffVisit; rows: readonly PoolUse[] }) {
  const { columns, title, each, by: givenBy } = view.words.pools;
  const heads = [
    { title: columns.name },
    { title: columns.range },
    { title: columns.use },
    { title: columns.free, end: true, low: true },
    { title: columns.packages, low: true },
  ];
  return (
    <Table caption={title} columns={heads} kind="two-lines">
      {rows.map((use) => {
        const { pool, size, used, reserved, packages } = use;
        const taken = used + reserved;
        return (
          <tr>
            <td class="lead">
              <a href={hrefOf(pool.id)}>
                <bdi>{pool.name}</bdi>
              </a>
            </td>
            <td>
              <span class="mono">{pool.range}</span>{" "}
              {pool.length !== null && <span class="hint">{each(pool.length)}</span>}
            </td>
            <td>
              {view.words.pools.inUse(view.format.number(taken), view.format.number(size))}
              <ShareBar
                share={size === 0 ? 1 : taken / size}
                {...(isNearlyFull(use) && { tone: "bad" })}
                label={view.words.pools.inUse(view.format.number(taken), view.format.number(size))}
              />
            </td>
            <td class="end low">{view.format.number(roomOf(use))}</td>
            <td class="low">{packages.length === 0 ? givenBy.nobody : packages.join(", ")}</td>
          </tr>
        );
      })}
    </Table>
  );
}
