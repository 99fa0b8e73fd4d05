import type { Child } from "hono/jsx";
import { Icon, type IconName } from "../../pages/icons.tsx";
import { Button } from "../../pages/parts/button.tsx";
import { Check, Field, type Option, Select } from "../../pages/parts/field.tsx";
import { Menu } from "../../pages/parts/menu.tsx";
import { PillField, PillSelect } from "../../pages/parts/pill.tsx";
import { Segments } from "../../pages/parts/tabs.tsx";
import type { StaffVisit } from "../guard.ts";
import { hereWith } from "./pager.tsx";

interface FilterOption extends Option {
  /** Of a view: its count and a mark before its name. */
  readonly count?: string | undefined;
  readonly mark?: Child;
}

/** A parameter of the address that narrows a list. */
export interface Filter {
  readonly name: string;
  /**
   * One of a few views of the list, of which each is a press away and the first is what an address without the name shows; one or several of
   * many choices; yes or no; a day, words; `group`, a menu of others; or `kept`, which comes with a link and stands for as long as
   * nobody clears it.
   */
  readonly kind: "views" | "choice" | "several" | "tick" | "day" | "text" | "group" | "kept";
  readonly label?: string;
  /** Of views and choices, without the empty choice. */
  readonly options?: readonly FilterOption[];
  /** The empty choice; null where there is none. */
  readonly any?: string | null;
  readonly usual?: string | undefined;
  /** Overrides the address's value. */
  readonly value?: string;
  readonly chosen?: boolean;
  readonly fault?: string | undefined;
  /** Of views: parameters that have no meaning in this one. */
  readonly drops?: readonly string[];
  readonly count?: string;
  readonly icon?: IconName;
  readonly hint?: string;
  /** Below a field of a group. */
  readonly help?: string;
  /** Of a group: what stands in it, and in words what is chosen there, where it is no list of that. */
  readonly of?: readonly Filter[];
  readonly chosenWords?: string;
  readonly attributes?: Readonly<Record<string, string | number>>;
}

interface BarProps {
  visit: StaffVisit;
  filters: readonly Filter[];
  /** Further children of the bar. */
  children?: Child;
}

/** Filters with groups flattened. */
const single = (filters: readonly Filter[]): Filter[] =>
  filters.flatMap((filter) => (filter.kind === "group" ? single(filter.of ?? []) : [filter]));

/** Values of a parameter, repeated or separated by commas. */
const readValues = ({ query }: Pick<StaffVisit, "query">, name: string) =>
  query.getAll(name).flatMap((value) => value.split(",").filter((one) => one !== ""));

/** Whether the address narrows more than its view. */
export function isNarrowed(visit: Pick<StaffVisit, "query">, filters: readonly Filter[]): boolean {
  return single(filters).some(({ name, kind }) => kind !== "views" && readValues(visit, name).length > 0);
}

/** The list from its first page with other parameters. */
const fromStart = (visit: StaffVisit, names: readonly string[], value: string | null = null) =>
  hereWith(visit, { before: null, page: null, ...Object.fromEntries(names.map((name) => [name, value])) });

/** Views, then filters, and the link that clears them. */
export function FilterBar({ visit, filters, children }: BarProps) {
  const { list } = visit.view.words;
  const views = filters.filter(({ kind }) => kind === "views");
  const ticks = filters.filter(({ kind }) => kind === "tick");
  const fields = filters.filter(({ kind }) => !["views", "tick", "kept"].includes(kind));
  const kept = filters.filter((one) => !fields.includes(one)).map(({ name }) => name);
  const isChosen = (filter: Filter) => isNarrowed(visit, [filter]);
  const isMenu = ({ kind }: Filter) => kind === "several" || kind === "group";
  return (
    <div class="filters" role="group" aria-label={list.filters}>
      {views.map((filter) => (
        <Views visit={visit} filter={filter} />
      ))}
      {fields.length > 0 && (
        <FilterForm href={visit.path}>
          {["sort", ...kept].map((name) => {
            const value = readValues(visit, name).join(",");
            return value === "" ? null : <input type="hidden" name={name} value={value} />;
          })}
          {fields
            .toSorted((a, b) => Number(isMenu(b) && isChosen(b)) - Number(isMenu(a) && isChosen(a)))
            .map((filter) =>
              isMenu(filter) ? (
                <FilterMenu visit={visit} filter={filter} />
              ) : (
                <FilterPill visit={visit} filter={filter} />
              ),
            )}
          {!fields.every(isMenu) && (
            <noscript>
              <Button size="small">{list.show}</Button>
            </noscript>
          )}
        </FilterForm>
      )}
      {ticks.map((filter) => (
        <Tick visit={visit} filter={filter} />
      ))}
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

function Views({ visit, filter: { name, label = "", options = [], usual = "", drops = [] } }: FilterProps) {
  const now = visit.query.get(name) || usual;
  const current = options.find(({ value }) => String(value) === now) ?? options[0];
  const dropped = Object.fromEntries(drops.map((drop) => [drop, null]));
  const tabs = options.map((view, at) => ({
    href: hereWith(visit, {
      ...dropped,
      [name]: at === 0 ? null : String(view.value),
      ...{ before: null, page: null },
    }),
    label: view.mark === undefined ? view.label : <Marked {...view} />,
    count: view.count,
    current: view === current,
  }));
  return <Segments label={label} tabs={tabs} />;
}

const Marked = ({ mark, label }: FilterOption) => (
  <>
    {mark}
    <bdi>{label}</bdi>
  </>
);

function Tick({ visit, filter: { name, label, count, icon, hint } }: FilterProps) {
  const isSet = visit.query.get(name) === "1";
  return (
    <a
      class={isSet ? "filter chosen" : "filter"}
      href={fromStart(visit, [name], isSet ? null : "1")}
      {...(hint !== undefined && { title: hint })}
      {...(isSet && { "aria-current": "true" as const })}
    >
      {icon && <Icon name={icon} />}
      {label} {count !== undefined && <span class="tab-count">{count}</span>}
    </a>
  );
}

function FilterPill({ visit, filter }: FilterProps) {
  const { name, kind, label = "", fault, attributes, chosen = isNarrowed(visit, [filter]) } = filter;
  const shared = { name, label, fault, chosen, value: readValue(visit, filter) };
  if (kind === "choice") return <PillSelect {...shared} options={withAny(visit, filter)} />;
  return (
    <PillField {...shared} type={kind === "day" ? "date" : "search"} {...(attributes && { attributes })} />
  );
}

const readValue = ({ query }: StaffVisit, { name, value, usual = "" }: Filter) =>
  value ?? query.get(name) ?? usual;

function withAny(
  { view }: StaffVisit,
  { options = [], any = view.words.list.any }: Filter,
): readonly Option[] {
  return any === null ? options : [{ value: "", label: any }, ...options];
}

/** A menu of one or several filters; its choice is shown in its place and cleared by one press. */
function FilterMenu({ visit, filter }: FilterProps) {
  const { list } = visit.view.words;
  const { label = "", kind, of = [] } = filter;
  const within = kind === "group" ? of : [filter];
  const isChosen = isNarrowed(visit, within);
  const said =
    filter.chosenWords ?? within.flatMap((one) => chosenIn(visit, one)).join(visit.view.words.list.comma);
  const isWrong = within.some(({ fault }) => fault !== undefined);
  return (
    <span class={isChosen ? "filter-menu set" : "filter-menu"}>
      <Menu
        label={label}
        value={isChosen ? <bdi>{said}</bdi> : kind === "group" ? undefined : list.any}
        chosen={isChosen}
        open={isWrong}
      >
        {within.map((one) => (
          <Inner visit={visit} filter={one} isAlone={kind !== "group"} />
        ))}
        <Button size="small">{list.apply}</Button>
      </Menu>
      {isChosen && (
        <a
          href={fromStart(
            visit,
            within.map(({ name }) => name),
          )}
          aria-label={list.clearOne(label)}
        >
          <Icon name="close" />
        </a>
      )}
    </span>
  );
}

function chosenIn(
  visit: StaffVisit,
  { name, kind, label = "", options = [], chosenWords }: Filter,
): string[] {
  const values = readValues(visit, name);
  if (values.length === 0) return [];
  if (chosenWords !== undefined) return [chosenWords];
  if (kind === "tick") return [label];
  if (options.length === 0) return [`${label} ${values.join(visit.view.words.list.comma)}`];
  return options.flatMap((option) => (values.includes(String(option.value)) ? [option.label] : []));
}

function Inner({ visit, filter, isAlone }: FilterProps & { isAlone: boolean }) {
  const { name, kind, label = "", options = [], fault, help, attributes = {} } = filter;
  const values = readValues(visit, name);
  switch (kind) {
    case "tick":
      return <Check name={name} label={label} checked={values.includes("1")} />;
    case "choice":
      return (
        <Select
          {...{ name, label, fault }}
          value={readValue(visit, filter)}
          options={withAny(visit, filter)}
        />
      );
    case "several": {
      const boxes = options.map(({ value, label: one }) => (
        <Check
          name={name}
          value={String(value)}
          label={<bdi>{one}</bdi>}
          checked={values.includes(String(value))}
        />
      ));
      if (isAlone) return <>{boxes}</>;
      return (
        <fieldset class="stack near">
          <legend class="legend">{label}</legend>
          {boxes}
        </fieldset>
      );
    }
    default:
      return (
        <Field
          {...{ name, label, fault, help, attributes }}
          value={readValue(visit, filter)}
          type={kind === "day" ? "date" : kind}
        />
      );
  }
}

/** A form of filters, sent by its button, and with a script at each change outside a menu. `href` is the page itself. */
export function FilterForm({ href, kind, children }: { href: string; kind?: string; children: Child }) {
  return (
    <form
      {...(kind !== undefined && { class: kind })}
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
