import type { StaffOperation } from "../../../domain/core/actor/permissions.ts";
import { AsCall, listedCall } from "./call.tsx";
import type { Child } from "hono/jsx";
import type { IconName } from "../../pages/icons.tsx";
import { Button } from "../../pages/parts/button.tsx";
import { Empty as EmptyState } from "../../pages/parts/empty.tsx";
import { type Column, Table } from "../../pages/parts/table.tsx";
import { Choose, chooseColumn } from "../choosing.tsx";
import type { StaffVisit } from "../guard.ts";
import { type Filter, FilterBar, isNarrowed } from "./filters.tsx";
import { hereWith, Older, Pages } from "./pager.tsx";
import { sortedBy } from "./sorting.ts";

/** Rows on a phone: name and sum in the first line, the rest in the second. */
export const USUAL = "short-rows";
/** A table on a phone too: its columns are few and narrow, or mean nothing without titles. */
export const PLAIN = "";
/** Each value below the title of its column, which is a word. */
export const LABELLED = "labelled";

export interface ListColumn<R> extends Pick<Column, "href" | "sorted"> {
  readonly title: Child;
  readonly cell: (row: R) => Child;
  /** Columns of the CSV that say the same; absent for a button. */
  readonly csv?: readonly string[];
  /** Aligned to the end, as figures are. */
  readonly end?: boolean;
  /** On a phone the first line begins with `lead` and ends with `sum` or `act`; `low` is hidden there and on narrow desks. */
  readonly narrow?: "lead" | "sum" | "act" | "low";
  /** A class for styles. */
  readonly name?: string;
  /** Further classes. */
  readonly kind?: string | ((row: R) => string);
  /** Sorts rows of a list that is whole on its page. */
  readonly sort?: readonly [name: string, of: (row: R) => string | number];
  /** Stands after the value on a phone, which has no titles. */
  readonly word?: Child;
  readonly attributes?: Readonly<Record<string, string | boolean>>;
}

interface Empty {
  readonly icon: IconName;
  readonly title: string;
  readonly text: Child;
  /** How to make the first row. */
  readonly first?: Child;
}

export interface ListDeclaration<R> {
  /** The table's name for screen readers. */
  readonly name: string;
  readonly filters?: readonly Filter[];
  /** The operation whose call lists the same. */
  readonly call?: StaffOperation;
  readonly beside?: Child;
  readonly columns: readonly ListColumn<R>[];
  /** Shown without rows; a sentence in a card. */
  readonly empty: Empty | string;
  readonly file?: readonly string[];
  /** Replaces the usual classes on a phone, or adds some. */
  readonly kind?: string;
  readonly id?: string;
  /** Attributes for scripts and styles. */
  readonly row?: (row: R) => RowAttributes;
  /** Checkboxes for the bar below. */
  readonly choose?: ChooseRows<R> | false;
  readonly below?: Child;
}

interface RowAttributes {
  readonly id?: string;
  readonly class?: string;
  readonly "data-person"?: number;
}

interface ChooseRows<R> {
  /** Labels of the box that ticks all, and of the column. */
  readonly all: string;
  readonly title: string;
  readonly of: (row: R) => Parameters<typeof Choose>[0];
}

interface ListProps<R> {
  visit: StaffVisit;
  rows: readonly R[];
  /** Of a log: the last row, if older ones follow. */
  last?: string | number | undefined;
  total?: number;
  limit?: number;
  /** Narrowed by filters elsewhere on the page. */
  isNarrowed?: boolean;
  children?: Child;
}

/** A list from its declaration: filters, rows, paging, and what is shown while it is empty. */
export function list<R>(declared: (visit: StaffVisit, rows: readonly R[]) => ListDeclaration<R>) {
  const List = ({
    visit,
    rows,
    last,
    total = 0,
    limit = total,
    isNarrowed: isLess,
    children,
  }: ListProps<R>) => {
    const of = declared(visit, rows);
    const { filters = [], beside } = of;
    return (
      <>
        {filters.length > 0 && (
          <FilterBar visit={visit} filters={filters}>
            {beside}
          </FilterBar>
        )}
        {children}
        {rows.length > 0 ? (
          <Rows visit={visit} of={of} rows={rows} />
        ) : (
          <None visit={visit} empty={of.empty} isNarrowed={isLess ?? isNarrowed(visit, filters)} />
        )}
        <Older visit={visit} last={last} />
        <Pages visit={visit} total={total} limit={limit} />
        <Called visit={visit} of={of} filters={filters} />
      </>
    );
  };
  return Object.assign(List, { declared });
}

function Called<R>({
  visit,
  of: { call: operation },
  filters,
}: {
  visit: StaffVisit;
  of: ListDeclaration<R>;
  filters: readonly Filter[];
}) {
  if (operation === undefined) return null;
  const { params } = visit;
  const call = listedCall(operation, { params, narrowing: readNarrowing(visit, filters) });
  return <AsCall visit={visit} call={call} />;
}

/** What the list is narrowed by; where a page begins and how it is sorted is no part of that. */
function readNarrowing({ query }: StaffVisit, filters: readonly Filter[]): Readonly<Record<string, string>> {
  const usual = filters.map(({ name, usual: value = "" }) => [name, value] as const);
  const asked = [...query].filter(([name]) => !["before", "page", "sort"].includes(name));
  return Object.fromEntries([...usual, ...asked]);
}

interface RowsProps<R> {
  visit: StaffVisit;
  of: ListDeclaration<R>;
  rows: readonly R[];
}

function Rows<R>({ visit, of, rows }: RowsProps<R>) {
  const { name, columns, kind = USUAL, id, row: attributesOf, choose, below } = of;
  const heads = columns.map(({ title, name: column, end = false, narrow, sort, href, sorted }): Column => ({
    ...{ title, end, sorted, low: narrow === "low" },
    ...(column !== undefined && { kind: column }),
    ...(href !== undefined && { href }),
    ...(sort && sortedBy(visit, sort[0], { first: end ? "-" : "" })),
  }));
  return (
    <Table
      caption={name}
      columns={choose ? [chooseColumn(choose), ...heads] : heads}
      kind={kind}
      below={below}
      {...(id !== undefined && { id })}
    >
      {inOrder(visit, columns, rows).map((row) => (
        <tr {...attributesOf?.(row)}>
          {choose && <Choose {...choose.of(row)} />}
          {columns.map((column) => (
            <Cell column={column} row={row} isLabelled={kind === LABELLED} />
          ))}
        </tr>
      ))}
    </Table>
  );
}

interface CellProps<R> {
  column: ListColumn<R>;
  row: R;
  isLabelled: boolean;
}

function Cell<R>({ column, row, isLabelled }: CellProps<R>) {
  const { title, cell, name, end = false, narrow, kind, word, attributes } = column;
  const names = [name, narrow, end && "end", typeof kind === "function" ? kind(row) : kind];
  const className = names.filter(Boolean).join(" ");
  return (
    <td
      {...(className !== "" && { class: className })}
      {...attributes}
      {...(isLabelled && { "data-label": String(title) })}
    >
      {isLabelled ? valued(cell(row)) : cell(row)}
      {word !== undefined && <span class="row-word"> {word}</span>}
    </td>
  );
}

/** What is empty is left out. */
const valued = (value: Child) =>
  value === null || value === undefined || value === "" || value === false ? null : <span>{value}</span>;

/** The rows as the address has them sorted; else as they were read. */
function inOrder<R>(
  { query }: StaffVisit,
  columns: readonly ListColumn<R>[],
  rows: readonly R[],
): readonly R[] {
  const [, minus = "", name = ""] = /^(-?)(.*)$/.exec(query.get("sort") ?? "") ?? [];
  const of = columns.find(({ sort }) => sort?.[0] === name)?.sort?.[1];
  if (of === undefined) return rows;
  const compared = (one: R, other: R) => {
    const [a, b] = [of(one), of(other)];
    return typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));
  };
  const sorted = rows.toSorted(compared);
  return minus === "" ? sorted : sorted.toReversed();
}

interface NoneProps {
  visit: StaffVisit;
  empty: Empty | string;
  /** Whether filters may hide rows. */
  isNarrowed: boolean;
  /** How far a partial search looked, and the link to go on. */
  text?: string | false;
  children?: Child;
}

export function None({ visit, empty, isNarrowed: isLess, text = false, children }: NoneProps) {
  const { list: words } = visit.view.words;
  if (typeof empty === "string") return <p class="hint">{empty}</p>;
  return (
    <section class="card">
      {isLess ? (
        <EmptyState icon={empty.icon} title={words.none} text={text || words.noneText}>
          {children}
          <Button href={visit.path}>{words.all}</Button>
        </EmptyState>
      ) : (
        <EmptyState icon={empty.icon} title={empty.title} text={empty.text}>
          {empty.first}
        </EmptyState>
      )}
    </section>
  );
}

/** The whole narrowed list as CSV. */
export function FileButton({ visit: { view, query }, href }: { visit: StaffVisit; href: string }) {
  return (
    <Button href={hereWith({ path: href, query }, { before: null, page: null })} icon="download">
      {view.words.list.csv}
    </Button>
  );
}
