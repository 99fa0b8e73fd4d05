import { listPools, type PoolUse } from "../../../../domain/goods/address-pools/pools.ts";
import { may, seesWholeIsp } from "../../../../domain/core/actor/actor.ts";
import { ShareBar } from "../../../pages/parts/bar.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { page } from "../../answers.tsx";
import { Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { list } from "../../parts/list.tsx";
import { freeRoom, isNearlyFull, poolHref } from "./words.ts";
import { POOLS } from "../../parts/hrefs.ts";

const MOST = 500;

export function showPools(visit: StaffVisit): Response {
  const { db, by, view } = visit;
  const { pools } = view.words;
  const { records } = listPools(db, by, { sort: "name", descending: false, limit: MOST, offset: 0 });
  const changes = may(by, "nas_manage") && seesWholeIsp(by.scope);
  return page(
    visit,
    <Frame
      visit={visit}
      title={pools.title}
      place="routers"
      back={{ href: "/console/routers", label: pools.toRouters }}
    >
      <div class="stack">
        <header class="page-head">
          <h1>{pools.title}</h1>
          <div class="actions">
            {changes && (
              <Button href={`${POOLS}/new`} kind="solid" icon="plus">
                {pools.add}
              </Button>
            )}
          </div>
        </header>
        <Pools visit={visit} rows={records}>
          {records.length > 0 && <p class="sentence">{describePools(visit, records)}</p>}
        </Pools>
      </div>
    </Frame>,
  );
}

function describePools({ view }: StaffVisit, records: readonly PoolUse[]): string {
  const { pools } = view.words;
  const [first, ...others] = records.toSorted(
    (one, other) => freeRoom(one) / one.size - freeRoom(other) / other.size,
  );
  if (!first) return "";
  const room = view.format.number(freeRoom(first));
  if (freeRoom(first) === 0) return pools.full(first.pool.name);
  if (isNearlyFull(first)) return pools.nearlyFull(first.pool.name, room);
  return others.length === 0 ? pools.hasRoom(room) : pools.allHaveRoom(first.pool.name, room);
}

export const Pools = list<PoolUse>(({ view }) => {
  const { words, format } = view;
  const { columns, title, each, by: givenBy, inUse, none, noneText } = words.pools;
  const use = (one: PoolUse) => {
    const taken = one.used + one.reserved;
    const usage = inUse(taken, one.size);
    return (
      <>
        {usage}
        <ShareBar
          share={one.size === 0 ? 1 : taken / one.size}
          {...(isNearlyFull(one) && { tone: "bad" })}
          label={usage}
        />
      </>
    );
  };
  return {
    name: title,
    call: "listPools",
    columns: [
      {
        title: columns.name,
        cell: ({ pool }) => (
          <a href={poolHref(pool.id)}>
            <bdi>{pool.name}</bdi>
          </a>
        ),
        narrow: "lead",
        sort: ["name", ({ pool }) => pool.name],
      },
      {
        title: columns.range,
        cell: ({ pool: { range, length } }) => (
          <>
            <span class="mono">{range}</span> {length !== null && <span class="hint">{each(length)}</span>}
          </>
        ),
      },
      { title: columns.use, cell: use, narrow: "sum" },
      {
        title: columns.free,
        cell: (one) => format.number(freeRoom(one)),
        end: true,
        narrow: "low",
        sort: ["free", freeRoom],
      },
      {
        title: columns.packages,
        cell: ({ packages }) =>
          packages.length === 0 ? givenBy.nobody : packages.join(view.words.list.comma),
        narrow: "low",
      },
    ],
    empty: { icon: "router", title: none, text: noneText },
  };
});
