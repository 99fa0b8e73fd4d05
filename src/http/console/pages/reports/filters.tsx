import { listChoices } from "../../../../domain/goods/subscribers/choices.ts";
import type { FieldErrors } from "../../../../domain/core/errors/errors.ts";
import { setting } from "../../../../domain/core/settings/settings.ts";
import { may, ownIsp, seesWholeIsp } from "../../../../domain/core/actor/actor.ts";
import { staffPage } from "../../../../domain/people/staff/list.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Fold } from "../../../pages/parts/fold.tsx";
import type { Option } from "../../../pages/parts/field.tsx";
import { PillField, PillSelect } from "../../../pages/parts/pill.tsx";
import { Segments } from "../../../pages/parts/tabs.tsx";
import { FilterForm } from "../../parts/filters.tsx";
import type { StaffVisit } from "../../guard.ts";
import { type ReportQuery, hrefWith } from "./query.ts";
import { besides } from "../../parts/periods.ts";
import { dayAt } from "./links.ts";
import type { Look } from "./looks.ts";
import { besideWords } from "./phrases.ts";

interface FilterProps {
  visit: StaffVisit;
  query: ReportQuery;
}

/** What narrows a report: a form, which a script sends at each change. */
export function Filters({ visit, query: filter, faults }: FilterProps & { faults: FieldErrors }) {
  const { view, query } = visit;
  const { reports } = view.words;
  const { path, look, values } = filter;
  const choices = choicesOf(visit, filter);
  const kept = [
    ...(look.fields["per"] ? [["per", String(values["per"] ?? "day")] as const] : []),
    ...(filter.sort === undefined ? [] : [["sort", filter.sort] as const]),
  ];
  const fields = Object.keys(look.fields);
  const narrowing = fields.filter(isNarrowing);
  const one = (name: string) => <One visit={visit} query={filter} name={name} choices={choices} />;
  return (
    <div class="filters report-filters" role="group" aria-label={reports.filters}>
      {look.fields["per"] && <Steps visit={visit} query={filter} />}
      <FilterForm href={path} kind="filters">
        {kept.map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        <Days visit={visit} query={filter} faults={faults} />
        {fields.filter((name) => !isNarrowing(name)).map(one)}
        <Fold
          kind="report-narrow"
          open={[...narrowing, "branch_id"].some((name) => values[name])}
          summary={<span class="filter">{reports.more}</span>}
        >
          <div class="filters">
            {narrowing.map(one)}
            <Place visit={visit} query={filter} choices={choices} />
          </div>
        </Fold>
        <noscript>
          <Button size="small">{reports.show}</Button>
        </noscript>
      </FilterForm>
      {[...query.keys()].some((name) => name !== "sort" && name !== "per") && (
        <a class="filter" href={path}>
          {reports.clear}
        </a>
      )}
    </div>
  );
}

/** Whose rows are counted; the others say how. They stand behind one word, so that the rest has room in one row. */
const isNarrowing = (name: string) => name.endsWith("_id");

function Steps({ visit, query }: FilterProps) {
  const { reports } = visit.view.words;
  const current = query.values["per"] ?? "day";
  return (
    <Segments
      label={reports.step}
      tabs={(["day", "month"] as const).map((per) => ({
        href: hrefWith(query, visit.query, { per, from: null, to: null, beside: null, sort: null }),
        label: reports.values[per] ?? per,
        current: per === current,
      }))}
    />
  );
}

function Days({ visit, query: filter, faults }: FilterProps & { faults: FieldErrors }) {
  const { view, query } = visit;
  const { reports } = view.words;
  const { look, range, beside } = filter;
  const day = (name: "from" | "to") =>
    look.fields[name] && (
      <PillField
        name={name}
        label={reports.labels[name] ?? name}
        value={query.get(name) && filter.faults[name] ? "" : range ? dayAt(range[name]) : ""}
        fault={faults[name]?.[0]}
      />
    );
  return (
    <>
      {day("from")}
      {day("to")}
      {look.hasBeside && (
        <PillSelect
          name="beside"
          label={reports.labels["beside"] ?? ""}
          value={beside?.kind ?? "none"}
          options={[
            ...besides
              .filter((kind) => kind !== "month" || filter.step === "day")
              .map((kind) => ({ value: kind, label: besideWords(visit, filter, kind) })),
            { value: "none", label: reports.nothingBeside },
          ]}
        />
      )}
    </>
  );
}

/** A filter of the report, by what it takes. */
function One({ visit, query, name, choices }: FilterProps & { name: string; choices: Chosen }) {
  const { reports } = visit.view.words;
  const { look, values, faults } = query;
  if (["from", "to", "per"].includes(name)) return null;
  const options = optionsOf(visit, query, name, choices);
  if (options.length === 0) return null;
  const value = values[name];
  const isUsual = (value ?? undefined) === look.usual?.[name];
  return (
    <PillSelect
      name={name}
      label={reports.labels[name] ?? name}
      value={
        (typeof value === "string" || typeof value === "number") && value !== usualOf(look, name) ? value : ""
      }
      options={options}
      chosen={value !== null && value !== undefined && !isUsual}
      fault={faults[name]?.[0]}
    />
  );
}

const USUAL_DAYS = 14;
/** Whole numbers that are offered, as far as the field takes them. */
const numbers: Readonly<Record<string, readonly number[]>> = {
  days: [7, 14, 30, 60, 92],
  limit: [20, 100, 500, 1000],
};

/** The number that holds where nothing is said, and has no value of its own therefore. */
const usualOf = (look: Look, name: string) =>
  name === "limit" ? look.limit : name === "days" ? USUAL_DAYS : undefined;

function optionsOf(
  visit: StaffVisit,
  { look, values, by }: ReportQuery,
  name: string,
  choices: Chosen,
): readonly Option[] {
  const { reports, pay } = visit.view.words;
  const any = { value: "", label: reports.any };
  if (numbers[name]) {
    const own = typeof values[name] === "number" ? [values[name]] : [];
    const usual = usualOf(look, name);
    const all = [...new Set([...numbers[name], ...own])].toSorted((a, b) => a - b);
    return all.map((value) => ({
      value: value === usual ? "" : value,
      label: visit.view.format.number(value),
    }));
  }
  if (name === "method") {
    const methods = setting(visit.db, "payment_methods", ownIsp(visit.db, by.scope) ?? 0).split(", ");
    return [any, ...methods.map((value) => ({ value, label: pay.methodName(value) }))];
  }
  if (name.endsWith("_id")) {
    const rows = choices[name] ?? [];
    return rows.length === 0 ? [] : [any, ...rows.map(({ id, name: label }) => ({ value: id, label }))];
  }
  const value = wordsIn(look.fields[name]?.schema);
  const isOptional =
    look.report.name === "sales" || look.report.name === "collections" || !look.usual?.[name];
  const none = isOptional ? [{ value: "", label: reports.together }] : [];
  return [...none, ...value.map((value) => ({ value, label: reports.values[value] ?? value }))];
}

function wordsIn(schema: object | undefined): string[] {
  const choices: unknown = schema && Reflect.get(schema, "anyOf");
  if (!Array.isArray(choices)) return [];
  return choices.flatMap((one: unknown) => {
    const value: unknown = typeof one === "object" && one !== null ? Reflect.get(one, "const") : undefined;
    return typeof value === "string" ? [value] : [];
  });
}

type Chosen = Readonly<Record<string, readonly { readonly id: number; readonly name: string }[]>>;

/** What there is to choose from by the names of filters, as far as the account may see it, of the ISP that is asked about. */
function choicesOf({ db, by }: StaffVisit, { values, look }: ReportQuery): Chosen {
  const isTheirs = ({ ispId }: { ispId: number | null }) => !values["isp_id"] || ispId === values["isp_id"];
  const all = { sort: "name", descending: false, limit: 200, offset: 0 } as const;
  const staff = look.fields["staff_id"] && may(by, "staff_view") ? staffPage(db, by, {}, all).rows : [];
  const staff_id = staff.filter(isTheirs);
  if (!may(by, "subscriber_view")) return { staff_id };
  const { packages, areas, salespersons, nas, branches } = listChoices(db, by);
  return {
    staff_id,
    package_id: packages.filter(isTheirs),
    area_id: areas.filter(isTheirs),
    salesperson_id: by.scope.salespersonId === null ? salespersons.filter(isTheirs) : [],
    nas_id: nas.filter(isTheirs),
    branch_id: look.ofRouters !== true && seesWholeIsp(by.scope) ? branches.filter(isTheirs) : [],
  };
}

/** The ISP, for the operator of several, and the branch, for who sees them all. */
function Place({ visit, query, choices }: FilterProps & { choices: Chosen }) {
  const { labels, any } = visit.view.words.reports;
  const { isps, values } = query;
  const ispId = Number(values["isp_id"] ?? 0);
  const own = choices["branch_id"] ?? [];
  return (
    <>
      {own.length > 1 && (
        <PillSelect
          name="branch_id"
          label={labels["branch_id"] ?? ""}
          value={Number(values["branch_id"] ?? 0) || ""}
          options={[{ value: "", label: any }, ...own.map(({ id, name }) => ({ value: id, label: name }))]}
          chosen={Boolean(values["branch_id"])}
        />
      )}
      {isps.length > 0 && (
        <PillSelect
          name="isp_id"
          label={labels["isp_id"] ?? ""}
          value={ispId}
          options={isps.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
    </>
  );
}
