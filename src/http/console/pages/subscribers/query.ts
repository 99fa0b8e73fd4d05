import { SUBSCRIBERS } from "../../parts/hrefs.ts";
import { fieldNames } from "../../../../domain/core/fields/fields.ts";
import {
  type Narrowing,
  narrowing,
  readTableFilters,
  type TableFilters,
} from "../../../../domain/desk/subscriber-table/table-filters.ts";
import {
  type TableView,
  tableViews,
  viewFilters,
} from "../../../../domain/desk/subscriber-table/table-views.ts";
import { formatTime, type Seconds } from "../../../../domain/core/time/time.ts";
import { durationSent } from "../../parts/duration.ts";
import { hereWith } from "../../parts/pager.tsx";
import type { ConsoleView } from "../../view.ts";

/** Filtering parameters. */
const names: readonly string[] = fieldNames(narrowing);

/** The filters of a query, in which a name may stand several times, and durations as they are typed. Throws `invalid`. */
export function filtersIn(view: ConsoleView, query: URLSearchParams): TableFilters {
  const value: Record<string, string> = {};
  for (const name of new Set(query.keys())) {
    const values = query.getAll(name).filter((value) => value !== "");
    if (values.length > 0) value[name] = values.join(",");
  }
  const { no_login_for: silent } = value;
  if (silent !== undefined) value["no_login_for"] = durationSent(view, silent, "day");
  return readTableFilters(value);
}

/** The query without its page. */
export function listQuery(query: URLSearchParams): URLSearchParams {
  const kept = new URLSearchParams();
  for (const name of [...names, "sort"]) {
    const values = query.getAll(name).filter((value) => value !== "");
    if (values.length > 0) kept.set(name, values.join(","));
  }
  return kept;
}

/** The address with other parameters; null clears one. */
function hrefWith(query: URLSearchParams, changes: Readonly<Record<string, string | null>>): string {
  return hereWith({ path: SUBSCRIBERS, query: listQuery(query) }, changes).replaceAll("%2C", ",");
}

export function isChosen(query: URLSearchParams, name: string): boolean {
  return query.getAll(name).some((value) => value !== "");
}

function viewQuery(view: TableView, now: Seconds): URLSearchParams {
  const filters: Narrowing = viewFilters(view, now);
  const query = new URLSearchParams();
  for (const name of names) {
    const value = filters[name as keyof Narrowing];
    if (value === undefined || value === null) continue;
    const isDay = name === "expires_to" && typeof value === "number";
    query.set(name, isDay ? formatTime(value).slice(0, 10) : String(value));
  }
  return query;
}

export function viewHref(view: TableView, now: Seconds): string {
  return hrefWith(viewQuery(view, now), {});
}

/** The view that a query shows; undefined: none of ours. */
export function viewIn(query: URLSearchParams, now: Seconds): TableView | undefined {
  const params = listQuery(query);
  params.delete("sort");
  params.sort();
  return tableViews.find((view) => {
    const known = viewQuery(view, now);
    known.sort();
    return String(known) === String(params);
  });
}

/** Hidden fields of a query. */
export function keptFields(query: URLSearchParams, without: readonly string[] = []): [string, string][] {
  return [...listQuery(query)].filter(([name]) => !without.includes(name));
}
