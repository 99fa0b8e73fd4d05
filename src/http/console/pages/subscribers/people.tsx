import type { Child } from "hono/jsx";
import { seesMoney } from "../../../../domain/core/actor/actor.ts";
import { type ColumnName, columnNames } from "../../../../domain/people/staff/table-columns.ts";
import type { Table as PeopleTable, TableRow } from "../../../../domain/desk/subscriber-table/table.ts";
import { TABLE_ROWS } from "../../../../domain/desk/subscriber-table/table.ts";
import { type Column, Table } from "../../../pages/parts/table.tsx";
import type { StaffVisit } from "../../guard.ts";
import { Choose, chooseColumn } from "../../choosing.tsx";
import { SUBSCRIBERS } from "../../parts/hrefs.ts";
import { sortedBy } from "../../parts/sorting.ts";
import { PageWays } from "../../parts/pager.tsx";
import type { ConsoleView } from "../../view.ts";
import { Balance, EndDay, Line, Status, TimeLeft } from "../../parts/line-cells.tsx";
import { listQuery } from "./query.ts";

interface PeopleProps {
  visit: StaffVisit;
  table: PeopleTable;
  columns: readonly ColumnName[];
  canChoose: boolean;
}

/** Sortable columns. */
const sorts: Partial<Record<ColumnName | "name", string>> = {
  name: "name",
  username: "username",
  expires: "expires",
  balance: "balance",
  created: "created_at",
};
const low: ReadonlySet<string> = new Set(["username", "router", "area", "salesperson", "box", "created"]);

/** Chosen columns that the viewer may see. */
export function columnsSeen({ by }: Pick<StaffVisit, "by">, chosen: readonly ColumnName[]): ColumnName[] {
  return columnNames.filter((name) => chosen.includes(name) && (name !== "balance" || seesMoney(by)));
}

export function People({ visit, table, columns, canChoose }: PeopleProps) {
  const { view } = visit;
  const words = view.words.subscribers;
  const choose = chooseColumn({ all: words.chooseAll, title: words.bulk.selected });
  const heads = [
    ...(canChoose ? [choose] : []),
    ...(["name", ...columns] as const).map((name) => columnHead(visit, name)),
  ];
  return (
    <Table
      caption={words.title}
      columns={heads}
      kind="two-lines people"
      id="people"
      below={<Foot visit={visit} table={table} />}
    >
      {table.rows.map((row) => (
        <Person visit={visit} row={row} columns={columns} canChoose={canChoose} />
      ))}
    </Table>
  );
}

function columnHead({ view, query }: StaffVisit, name: ColumnName | "name"): Column {
  const words = view.words.subscribers;
  const sort = sorts[name];
  const title =
    name === "balance" ? words.balanceIn(view.format.currencySign(view.brand.currency)) : words.column[name];
  const of = { path: SUBSCRIBERS, query: listQuery(query) };
  return {
    title,
    end: name === "balance",
    low: low.has(name),
    kind: `of-${name}`,
    ...(sort !== undefined && sortedBy(of, sort, { usual: "name" })),
  };
}

interface PersonProps {
  visit: StaffVisit;
  row: TableRow;
  columns: readonly ColumnName[];
  canChoose: boolean;
}

function Person({ visit: { view }, row, columns, canChoose }: PersonProps) {
  return (
    <tr data-person={row.id}>
      {canChoose && (
        <Choose name="id" value={String(row.id)} label={view.words.subscribers.choose(row.name)} />
      )}
      <td class="of-name">
        <a href={`/console/subscribers/${row.id}`}>
          <bdi>{row.name}</bdi>
        </a>
      </td>
      {columns.map((name) => (
        <td
          class={[name === "balance" && "end", low.has(name) && "low", `of-${name}`]
            .filter(Boolean)
            .join(" ")}
        >
          {cells[name](row, view)}
        </td>
      ))}
    </tr>
  );
}

const soft = (text: string | null) => <span class="soft-text">{text}</span>;

const cells: Readonly<Record<ColumnName, (row: TableRow, view: ConsoleView) => Child>> = {
  username: ({ username }) => <span class="mono soft-text">{username}</span>,
  mobile: ({ mobile }) => <bdi>{mobile}</bdi>,
  status: (row, view) => <Status row={row} view={view} />,
  package: (row) => row.package,
  expires: (row, view) => (
    <span class="ends">
      <TimeLeft row={row} view={view} /> <EndDay row={row} view={view} />
    </span>
  ),
  balance: ({ balance }, view) => <Balance minor={balance} view={view} />,
  line: ({ line }, view) => <Line line={line} view={view} />,
  router: ({ router }) => soft(router),
  area: ({ area }) => soft(area),
  salesperson: ({ salesperson }) => soft(salesperson),
  box: ({ box }) => soft(box),
  created: ({ createdAt }, { format }) => soft(format.date(createdAt)),
};

function Foot({ visit, table }: { visit: StaffVisit; table: PeopleTable }) {
  const { format, brand, words } = visit.view;
  const phrases = words.subscribers;
  const { page, total, sums, rows } = table;
  const first = (page - 1) * TABLE_ROWS + 1;
  return (
    <div class="band">
      <span>{words.list.range(format.number(first), format.number(first + rows.length - 1), total)}</span>
      {sums !== null && (
        <span>
          {phrases.sum} <strong>{format.sum(sums.balances, brand.currency)}</strong>{" "}
          {sums.owed > 0 && (
            <>
              {phrases.owed} <strong class="bad-text">{format.sum(sums.owed, brand.currency)}</strong>
            </>
          )}
        </span>
      )}
      <PageWays visit={visit} total={total} limit={TABLE_ROWS} />
    </div>
  );
}
