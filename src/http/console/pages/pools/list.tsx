import { listPools, type PoolUse } from "../../../../domain/address-pools/pools.ts";
import { may, seesWholeIsp } from "../../../../domain/staff/actor.ts";
import { ShareBar } from "../../../pages/parts/bar.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Empty } from "../../../pages/parts/empty.tsx";
import { Table } from "../../../pages/parts/table.tsx";
import { page } from "../../answers.tsx";
import { Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { hrefOf, POOLS } from "./shown.ts";

/** Pools that are shown; an ISP has a few. */
const MOST = 500;

/** Every pool with how much of it is in use. */
export function showPools(visit: StaffVisit): Response {
  const { db, by, view } = visit;
  const { pools } = view.words;
  const { records } = listPools(db, by, { sort: "name", descending: false, limit: MOST, offset: 0 });
  const changes = may(by, "nas_manage") && seesWholeIsp(by.scope);
  const sum = (of: (one: PoolUse) => number) => records.reduce((all, one) => all + of(one), 0);
  return page(
    visit,
    <Frame visit={visit} title={pools.title} place="routers">
      <header class="page-head">
        <h1>{pools.title}</h1>
        {changes && (
          <div class="actions">
            <Button href={`${POOLS}/new`} kind="solid" icon="plus">
              {pools.add}
            </Button>
          </div>
        )}
      </header>
      {records.length === 0 ? (
        <div class="card">
          <Empty icon="router" title={pools.none} text={pools.noneText} />
        </div>
      ) : (
        <>
          <p class="sentence">
            {pools.sentence(
              view.format.number(sum(({ used }) => used)),
              view.format.number(sum(({ size }) => size)),
              records.length,
            )}
          </p>
          <Rows visit={visit} rows={records} />
        </>
      )}
    </Frame>,
  );
}

function Rows({ visit: { view }, rows }: { visit: StaffVisit; rows: readonly PoolUse[] }) {
  const { columns, title, each, by: givenBy } = view.words.pools;
  const heads = [
    { title: columns.name },
    { title: columns.range },
    { title: columns.use },
    { title: columns.free, end: true },
    { title: columns.packages, low: true },
  ];
  return (
    <Table caption={title} columns={heads} kind="two-lines">
      {rows.map(({ pool, size, used, reserved, packages }) => {
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
                {...(taken >= size * 0.95 && { tone: "bad" })}
                label={view.words.pools.inUse(view.format.number(taken), view.format.number(size))}
              />
            </td>
            <td class="end">{view.format.number(Math.max(0, size - taken))}</td>
            <td class="low">{packages.length === 0 ? givenBy.nobody : packages.join(", ")}</td>
          </tr>
        );
      })}
    </Table>
  );
}
