import type { Child } from "hono/jsx";
import { seesMoney } from "../../../../domain/core/actor/sees-money.ts";
import { type ColumnName, columnNames } from "../../../../domain/people/staff/table-columns.ts";
import type { Table, TableRow } from "../../../../domain/desk/subscriber-table/table.ts";
import { TABLE_ROWS } from "../../../../domain/desk/subscriber-table/table.ts";
import { Icon } from "../../../pages/icons.tsx";
import type { StaffVisit } from "../../guard.ts";
import { Choose, chooseColumn } from "../../choosing.tsx";
import { PageLinks } from "../../page-links.tsx";
import type { ConsoleView } from "../../view.ts";
import { Balance, EndDay, Line, Status, TimeLeft } from "./cells.tsx";
import { hrefWith } from "./query.ts";

interface PeopleProps {
  visit: StaffVisit;
  table: Table;
  columns: readonly ColumnName[];
  canChoose: boolean;
}

/** Columns by which the table can be sorted, and how. */
const sorts: Partial<Record<ColumnName | "name", string>> = {
  name: "name",
  username: "username",
  expires: "expires",
  balance: "balance",
  created: "created_at",
};
const low: ReadonlySet<string> = new Set(["username", "router", "area", "salesperson", "box", "created"]);

/** The columns that somebody has chosen, and may see. */
export function columnsSeen({ by }: Pick<StaffVisit, "by">, chosen: readonly ColumnName[]): ColumnName[] {
  return columnNames.filter((name) => chosen.includes(name) && (name !== "balance" || seesMoney(by)));
}

/** A line a person; on a phone two. */
export function People({ visit, table, columns, canChoose }: PeopleProps) {
  const { view } = visit;
  const words = view.words.subscribers;
  return (
    <div class="table-frame">
      <table class="table two-lines people" id="people">
        <caption class="unseen">{words.title}</caption>
        <thead>
          <tr>
            {canChoose && (
              <th scope="col" class="choose">
                {chooseColumn({ all: words.chooseAll, title: words.bulk.selected }).title}
              </th>
            )}
            <Head visit={visit} name="name" />
            {columns.map((name) => (
              <Head visit={visit} name={name} />
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row) => (
            <Person visit={visit} row={row} columns={columns} canChoose={canChoose} />
          ))}
        </tbody>
      </table>
      <Foot visit={visit} table={table} />
    </div>
  );
}

function Head({ visit: { view, query }, name }: { visit: StaffVisit; name: ColumnName | "name" }) {
  const words = view.words.subscribers;
  const sort = sorts[name];
  const now = query.get("sort") || "name";
  const title =
    name === "balance" ? words.balanceIn(view.format.currencySign(view.brand.currency)) : words.column[name];
  const classes = [name === "balance" && "end", low.has(name) && "low", `of-${name}`]
    .filter(Boolean)
    .join(" ");
  const isSorted = sort !== undefined && now.replace("-", "") === sort;
  const order = isSorted ? (now.startsWith("-") ? "descending" : "ascending") : undefined;
  return (
    <th scope="col" class={classes} {...(order && { "aria-sort": order })}>
      {sort === undefined ? (
        title
      ) : (
        <a href={hrefWith(query, { sort: order === "ascending" ? `-${sort}` : sort })}>
          {title}
          {order && <Icon name={order === "ascending" ? "up" : "down"} />}
        </a>
      )}
    </th>
  );
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

function Foot({ visit: { view, query }, table }: { visit: StaffVisit; table: Table }) {
  const { format, brand, words } = view;
  const say = words.subscribers;
  const { page, pages, total, sums, rows } = table;
  const first = (page - 1) * TABLE_ROWS + 1;
  return (
    <div class="people-foot">
      <span>
        {say.range(format.number(first), format.number(first + rows.length - 1), format.number(total))}
      </span>
      {sums !== null && (
        <span>
          {say.sum} <strong>{format.sum(sums.balances, brand.currency)}</strong>{" "}
          {sums.owed > 0 && (
            <>
              {say.owed} <strong class="bad-text">{format.sum(sums.owed, brand.currency)}</strong>
            </>
          )}
        </span>
      )}
      <PageLinks view={view} href={(to) => hrefWith(query, { page: String(to) })} page={page} pages={pages} />
    </div>
  );
}
