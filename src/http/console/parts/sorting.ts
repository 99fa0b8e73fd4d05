import type { Column } from "../../pages/parts/table.tsx";
import type { StaffVisit } from "../guard.ts";
import { hereWith } from "./pager.tsx";

interface SortingOf {
  /** How rows stand where the address does not say: `name`, or `-name`, which begins with the largest. */
  readonly usual?: string;
  /** Figures begin with the largest. */
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
