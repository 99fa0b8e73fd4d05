import type { Column } from "../../pages/parts/table.tsx";
import type { StaffVisit } from "../guard.ts";
import { hereWith } from "./pager.tsx";

interface SortingOf {
  /** The order without a parameter: `name`, or `-name` for descending. */
  readonly usual?: string;
  /** Figures sort descending first. */
  readonly first?: "" | "-";
}

export function sortedBy(
  visit: Pick<StaffVisit, "path" | "query">,
  name: string,
  { usual = "", first = "" }: SortingOf = {},
): Pick<Column, "href" | "sorted"> {
  const now = visit.query.get("sort") || usual;
  const sorted = now === name ? "ascending" : now === `-${name}` ? "descending" : undefined;
  const next = sorted === undefined ? first + name : sorted === "ascending" ? `-${name}` : name;
  return { href: hereWith(visit, { sort: next === usual ? null : next, page: null }), sorted };
}
