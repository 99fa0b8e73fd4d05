import { file } from "../list.ts";
import type { ConsoleView } from "./view.ts";
import { Icon } from "../pages/icons.tsx";

/** Rows of a page of a list, and those that a file reads at a time. */
export const ROWS = 50;
const FILE_ROWS = 500;

interface LogPaging {
  readonly before: number;
  readonly limit: number;
}

/** Where a page of a log begins. */
export function beforeOf(query: URLSearchParams): number {
  const before = query.get("before") ?? "";
  return /^[1-9]\d{0,14}$/.test(before) ? Number(before) : Number.MAX_SAFE_INTEGER;
}

/** A page of a log, and whether there is more. */
export function pageOf<R>(
  query: URLSearchParams,
  read: (paging: LogPaging) => readonly R[],
): { rows: readonly R[]; more: boolean } {
  const found = read({ before: beforeOf(query), limit: ROWS + 1 });
  return { rows: found.slice(0, ROWS), more: found.length > ROWS };
}

/** All of a log as a file, read as fast as the client takes it. */
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

interface OlderProps {
  view: ConsoleView;
  href: string;
  query: URLSearchParams;
  /** Of the last row; undefined: there is no more. */
  last: string | number | undefined;
}

/** To what is older than the last row, and back to the newest. */
export function Older({ view: { words }, href, query, last }: OlderProps) {
  const next = new URLSearchParams(query);
  const first = new URLSearchParams(query);
  first.delete("before");
  if (last !== undefined) next.set("before", String(last));
  const isFirst = !query.has("before");
  if (isFirst && last === undefined) return null;
  return (
    <nav class="pages" aria-label={words.log.pages}>
      {!isFirst && (
        <a href={`${href}?${first}`}>
          <Icon name="back" /> {words.log.newest}
        </a>
      )}
      {last !== undefined && (
        <a href={`${href}?${next}`} rel="next">
          {words.log.older} <Icon name="forward" />
        </a>
      )}
    </nav>
  );
}
