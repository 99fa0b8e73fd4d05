import { may } from "../../../../domain/core/actor/actor.ts";
import { permissions } from "../../../../domain/core/actor/permissions.ts";
import { type ColumnName, columnNames } from "../../../../domain/people/staff/table-columns.ts";
import { isNarrowed, type TableFilters } from "../../../../domain/desk/subscriber-table/table-filters.ts";
import type { Table } from "../../../../domain/desk/subscriber-table/table.ts";
import {
  type TableView,
  tableViews,
  type ViewCounts,
} from "../../../../domain/desk/subscriber-table/table-views.ts";
import { FormToken } from "../../../pages/document.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Empty } from "../../../pages/parts/empty.tsx";
import { Check } from "../../../pages/parts/field.tsx";
import { Menu } from "../../../pages/parts/menu.tsx";
import { Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { mayMoveIn } from "../../parts/may.ts";
import { IMPORT, SUBSCRIBERS } from "../../parts/hrefs.ts";
import { BulkBar } from "./bulk-bar.tsx";
import { FilterBar } from "../../parts/filters.tsx";
import { None } from "../../parts/list.tsx";
import { buildFilters } from "./filters.tsx";
import { JOBS } from "./job.tsx";
import { columnsSeen, People } from "./people.tsx";
import { hereWith } from "../../parts/pager.tsx";
import { listQuery, viewHref, viewIn } from "./query.ts";

interface ListProps {
  visit: StaffVisit;
  filters: TableFilters;
  table: Table;
  columns: readonly ColumnName[];
}

export function SubscriberList({ visit, filters, table, columns }: ListProps) {
  const words = visit.view.words.subscribers;
  const canChoose = may(visit.by, permissions.startBulk) && table.rows.length > 0;
  return (
    <Frame visit={visit} title={words.title} place="subscribers">
      <div class="page-head">
        <h1>{words.title}</h1>
        <span class="count phone-only">{visit.view.format.number(table.total)}</span>
        <Views visit={visit} counts={table.views} />
        {may(visit.by, permissions.signUp) && (
          <span class="phone-only actions">
            <Button href="/console/sign-up" icon="plus" label={words.addOne} />
          </span>
        )}
      </div>
      {table.everybody === 0 ? (
        <Nobody visit={visit} />
      ) : (
        <>
          <Tools visit={visit} filters={filters} table={table} columns={columns} />
          {table.rows.length === 0 ? (
            <None visit={visit} empty={{ icon: "search", ...words.empty }} isNarrowed />
          ) : (
            <People visit={visit} table={table} columns={columnsSeen(visit, columns)} canChoose={canChoose} />
          )}
          {canChoose && <BulkBar visit={visit} total={table.total} />}
        </>
      )}
    </Frame>
  );
}

function Nobody({ visit: { view, by } }: { visit: StaffVisit }) {
  const { empty, addOne, bringAlong } = view.words.subscribers;
  return (
    <div class="card">
      <Empty icon="people" title={empty.title} text={empty.text}>
        {may(by, permissions.signUp) && (
          <Button href="/console/sign-up" kind="solid" icon="plus">
            {addOne}
          </Button>
        )}
        {mayMoveIn(by) && <Button href={IMPORT}>{bringAlong}</Button>}
      </Empty>
    </div>
  );
}

/** Views with counts; the slowest count loads later. */
export function Views({ visit, counts }: { visit: StaffVisit; counts: ViewCounts }) {
  const { view, query, by } = visit;
  const words = view.words.subscribers;
  const current = viewIn(query, view.now);
  const context = tableViews.filter((name) => name !== "owe" || may(by, permissions.walletEntries));
  return (
    <nav class="segments" aria-label={words.views}>
      {context.map((name) => (
        <a href={viewHref(name, view.now)} {...(name === current && { "aria-current": "page" as const })}>
          {words.view[name]}
          <ViewCount visit={visit} name={name} counts={counts} />
        </a>
      ))}
    </nav>
  );
}

function ViewCount({
  visit: { view },
  name,
  counts,
}: {
  visit: StaffVisit;
  name: TableView;
  counts: ViewCounts;
}) {
  if (name !== "silent") return <span class="tab-count">{view.format.number(counts[name])}</span>;
  return (
    <span
      class="tab-count"
      hx-get={`${SUBSCRIBERS}/silent`}
      hx-trigger="load"
      hx-target="this"
      hx-swap="innerHTML"
    />
  );
}

interface ToolsProps {
  visit: StaffVisit;
  filters: TableFilters;
  table: Table;
  columns: readonly ColumnName[];
}

function Tools({ visit, filters, table, columns }: ToolsProps) {
  const { view, query, by } = visit;
  const words = view.words.subscribers;
  const { format } = view;
  const [matching, all] = words.of(format.number(table.total), format.number(table.everybody));
  return (
    <div class="people-tools">
      <FilterBar visit={visit} filters={buildFilters(visit)} />
      <div class="actions push wide-only">
        <span>
          <strong>{matching}</strong>
          {isNarrowed(filters) && <span class="soft-text">{all}</span>}
        </span>
        <Columns visit={visit} columns={columns} />
        <a
          class="button small"
          href={hereWith({ path: `${SUBSCRIBERS}/file.csv`, query: listQuery(query) }, {})}
          title={words.csvLabel}
          download
        >
          {view.words.list.csv}
        </a>
        {may(by, "subscriber_bulk") && (
          <a class="button small" href={JOBS}>
            {words.job.list}
          </a>
        )}
        {mayMoveIn(by) && (
          <a class="button small" href={IMPORT} title={words.bringAlong}>
            {words.bring}
          </a>
        )}
      </div>
    </div>
  );
}

function Columns({ visit: { view, by, formToken, query }, columns }: Omit<ToolsProps, "filters" | "table">) {
  const words = view.words.subscribers;
  const offered = columnsSeen({ by }, columnNames);
  return (
    <Menu label="" icon="columns" title={words.columns} atEnd>
      <form method="post" action={`${SUBSCRIBERS}/columns`} class="stack near">
        <FormToken value={formToken} />
        <input type="hidden" name="back" value={String(listQuery(query))} />
        {offered.map((name) => (
          <Check name="columns" value={name} label={words.column[name]} checked={columns.includes(name)} />
        ))}
        <Button size="small">{words.save}</Button>
      </form>
    </Menu>
  );
}
