import type { Child } from "hono/jsx";
import { file } from "../../list.ts";
import { Icon } from "../../pages/icons.tsx";
import type { StaffVisit } from "../guard.ts";

export const ROWS = 50;
const FILE_ROWS = 500;
/** More than any list has; an offset stays an integer to SQLite. */
const MOST_PAGES = 1e9;

interface LogPaging {
  readonly before: number;
  readonly limit: number;
}

interface Counted {
  readonly total: number;
  readonly limit: number;
}

/** The page number of an address: the first by default, the last at the most. */
export function pageIn(query: URLSearchParams, { total, limit }: Counted): number {
  const requested = Number(query.get("page"));
  const last = Math.max(1, Math.ceil(total / limit));
  return Number.isSafeInteger(requested) && requested > 0 ? Math.min(requested, last) : 1;
}

/** Reads a page of a counted list. */
export function pageCounted<Found extends { readonly total: number }>(
  query: URLSearchParams,
  limit: number,
  read: (paging: { readonly limit: number; readonly offset: number }) => Found,
): Found & { readonly page: number } {
  const at = (page: number) => ({ ...read({ limit, offset: (page - 1) * limit }), page });
  const found = at(pageIn(query, { total: MOST_PAGES * limit, limit }));
  const page = pageIn(query, { total: found.total, limit });
  return page === found.page ? found : at(page);
}

/** The id before which a page of a log begins. */
export function readBefore(query: URLSearchParams): number {
  const before = query.get("before") ?? "";
  return /^[1-9]\d{0,14}$/.test(before) ? Number(before) : Number.MAX_SAFE_INTEGER;
}

/** A page of a log, and its last row if more follow. */
export function readPage<R extends { readonly id: number }>(
  query: URLSearchParams,
  read: (paging: LogPaging) => readonly R[],
): { rows: readonly R[]; last: number | undefined } {
  const found = read({ before: readBefore(query), limit: ROWS + 1 });
  const rows = found.slice(0, ROWS);
  return { rows, last: found.length > ROWS ? rows.at(-1)?.id : undefined };
}

/** A whole log as CSV, streamed at the client's speed. */
export function logFile<R extends { readonly id: number }>(
  name: string,
  columns: readonly string[],
  read: (paging: LogPaging) => readonly R[],
): Response {
  const pages = function* () {
    for (let before = Number.MAX_SAFE_INTEGER; ;) {
      const rows = read({ before, limit: FILE_ROWS });
      yield rows;
      const last = rows.at(-1);
      if (!last || rows.length < FILE_ROWS) return;
      before = last.id;
    }
  };
  return file(name, columns, pages());
}

type Visit = Pick<StaffVisit, "view" | "path" | "query">;

/** The address of this page with other parameters; null clears one. */
export function hereWith(
  { path, query }: Omit<Visit, "view">,
  changes: Readonly<Record<string, string | null>>,
): string {
  const changed = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes))
    if (value === null) changed.delete(name);
    else changed.set(name, value);
  return changed.size === 0 ? path : `${path}?${changed}`;
}

interface NumberedProps extends Counted {
  visit: Visit;
  at?: string;
}

export function Pages(props: NumberedProps) {
  const { visit, total, limit } = props;
  if (total <= limit) return null;
  const { words, format } = visit.view;
  const from = (pageIn(visit.query, props) - 1) * limit;
  const formatted = (row: number) => format.number(Math.min(row, total));
  return (
    <div class="pages">
      <span>{words.list.range(formatted(from + 1), formatted(from + limit), total)}</span>
      <PageWays {...props} />
    </div>
  );
}

/** Links to the previous and next page. */
export function PageWays({ visit, total, limit, at = "" }: NumberedProps) {
  const { list } = visit.view.words;
  const page = pageIn(visit.query, { total, limit });
  const way = (to: number, label: string) => ({ href: hereWith(visit, { page: String(to) }) + at, label });
  return (
    <Ways
      visit={visit}
      back={page > 1 && way(page - 1, list.previous)}
      on={page * limit < total && way(page + 1, list.next)}
    />
  );
}

interface LogProps {
  visit: Visit;
  /** The last row, if older ones follow. */
  last: string | number | undefined;
  at?: string;
  children?: Child;
}

/** Links to older rows and back to the newest. */
export function Older({ visit, last, at = "", children }: LogProps) {
  const { list } = visit.view.words;
  const isFirst = !visit.query.has("before");
  if (isFirst && last === undefined) return null;
  const way = (before: string | null, label: string) => ({ href: hereWith(visit, { before }) + at, label });
  return (
    <div class="pages">
      {children}
      <Ways
        visit={visit}
        back={!isFirst && way(null, list.newest)}
        on={last !== undefined && way(String(last), list.older)}
      />
    </div>
  );
}

interface Way {
  readonly href: string;
  readonly label: string;
}

function Ways({ visit, back, on }: { visit: Visit; back: Way | false; on: Way | false }) {
  if (!back && !on) return null;
  return (
    <nav class="actions" aria-label={visit.view.words.list.pages}>
      {back && (
        <a class="button small" rel="prev" href={back.href}>
          <Icon name="back" />
          {back.label}
        </a>
      )}
      {on && (
        <a class="button small" rel="next" href={on.href}>
          {on.label}
          <Icon name="forward" />
        </a>
      )}
    </nav>
  );
}
