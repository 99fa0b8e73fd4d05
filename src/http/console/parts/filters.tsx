import type { Child } from "hono/jsx";
import { Button } from "../../pages/parts/button.tsx";
import type { Option } from "../../pages/parts/field.tsx";
import { PillField, PillSelect } from "../../pages/parts/pill.tsx";
import { Segments } from "../../pages/parts/tabs.tsx";
import type { StaffVisit } from "../guard.ts";
import { hereWith } from "./pager.tsx";

/** A name of the address that narrows a list. */
export interface Filter {
  readonly name: string;
  /**
   * One of a few views of the list, of which each is a press away and the first is what an address without the name shows; one of many
   * choices; a day; some words; or `kept`, which comes with a link and stands for as long as nobody clears it.
   */
  readonly kind: "views" | "choice" | "day" | "text" | "kept";
  readonly label?: string;
  /** Of views and choices; without the one of a choice that is any. */
  readonly options?: readonly (Option & { readonly count?: string })[];
  /** What narrows the list where the address does not say. */
  readonly usual?: string;
}

interface BarProps {
  visit: StaffVisit;
  filters: readonly Filter[];
  /** What else stands there. */
  children?: Child;
}

/** Whether an address asks for less than all of a view. */
export function isNarrowed({ query }: StaffVisit, filters: readonly Filter[]): boolean {
  return filters.some(({ name, kind }) => kind !== "views" && (query.get(name) ?? "") !== "");
}

/** What narrows a list: views first, then what is chosen and typed, and the way back to all of it. */
export function FilterBar({ visit, filters, children }: BarProps) {
  const { list } = visit.view.words;
  const views = filters.filter(({ kind }) => kind === "views");
  const fields = filters.filter(({ kind }) => kind !== "views" && kind !== "kept");
  const kept = filters.filter((one) => !fields.includes(one));
  return (
    <div class="filters" role="group" aria-label={list.filters}>
      {views.map((filter) => (
        <Views visit={visit} filter={filter} />
      ))}
      {fields.length > 0 && (
        <FilterForm href={visit.path} kind="filters">
          {kept.map(({ name }) => {
            const value = visit.query.get(name) ?? "";
            return value === "" ? null : <input type="hidden" name={name} value={value} />;
          })}
          {fields.map((filter) => (
            <Narrowing visit={visit} filter={filter} />
          ))}
          <noscript>
            <Button size="small">{list.show}</Button>
          </noscript>
        </FilterForm>
      )}
      {children}
      {isNarrowed(visit, filters) && (
        <a class="filter" href={visit.path}>
          {list.clear}
        </a>
      )}
    </div>
  );
}

interface FilterProps {
  visit: StaffVisit;
  filter: Filter;
}

function Views({ visit, filter: { name, label = "", options = [] } }: FilterProps) {
  const now = visit.query.get(name) ?? "";
  const current = options.find(({ value }) => String(value) === now) ?? options[0];
  const tabs = options.map((view, at) => ({
    href: hereWith(visit, { [name]: at === 0 ? null : String(view.value), before: null, page: null }),
    label: view.label,
    count: view.count,
    current: view === current,
  }));
  return <Segments label={label} tabs={tabs} />;
}

function Narrowing({ visit, filter: { name, kind, label = "", options = [], usual = "" } }: FilterProps) {
  const { query, view } = visit;
  const value = query.get(name) ?? "";
  const shared = {
    name,
    label,
    value: query.has(name) ? value : usual,
    chosen: value !== "",
  };
  if (kind !== "choice") return <PillField {...shared} type={kind === "day" ? "date" : "search"} />;
  return <PillSelect {...shared} options={[{ value: "", label: view.words.list.any }, ...options]} />;
}

/** Filters of a page: sent by its button, and where there is a script as soon as one changes, in place. `href` is the page itself. */
export function FilterForm({ href, kind, children }: { href: string; kind: string; children: Child }) {
  return (
    <form
      class={kind}
      action={href}
      method="get"
      hx-get={href}
      hx-trigger="change"
      hx-target="#content"
      hx-select="#content"
      hx-swap="outerMorph"
      hx-push-url="true"
    >
      {children}
    </form>
  );
}
