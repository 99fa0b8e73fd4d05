import { listChoices } from "../../../../domain/goods/subscribers/choices.ts";
import type { FieldErrors } from "../../../../domain/core/errors/errors.ts";
import { setting } from "../../../../domain/core/settings/settings.ts";
import { may, ownIsp, seesWholeIsp } from "../../../../domain/core/actor/actor.ts";
import { staffPage } from "../../../../domain/people/staff/list.ts";
import type { Option } from "../../../pages/parts/field.tsx";
import type { Filter } from "../../parts/filters.tsx";
import type { StaffVisit } from "../../guard.ts";
import type { ReportQuery } from "./query.ts";
import { besides } from "../../parts/periods.ts";
import { dayAt } from "./links.ts";
import type { Look } from "./looks.ts";
import { besideWords } from "./phrases.ts";

/** Steps, days, counting; a menu for whose rows count. */
export function buildFilters(visit: StaffVisit, query: ReportQuery, faults: FieldErrors): Filter[] {
  const { reports } = visit.view.words;
  const { look, values } = query;
  const choices = readChoices(visit, query);
  const one = (name: string) => buildFilter(visit, query, { name, choices, faults });
  const fields = Object.keys(look.fields);
  const narrowing = fields.filter(isNarrowing).flatMap(one);
  const places = buildPlaces(visit, query, choices);
  const steps = (["day", "month"] as const).map((value) => ({
    value,
    label: reports.values[value] ?? value,
  }));
  const { per } = values;
  return [
    ...(look.fields["per"]
      ? [
          {
            name: "per",
            kind: "views",
            label: reports.step,
            options: steps,
            usual: String(per ?? "day"),
            drops: ["from", "to", "beside", "sort"],
          } as const,
        ]
      : []),
    ...buildDays(visit, query, faults),
    ...fields.filter((name) => !isNarrowing(name)).flatMap(one),
    ...(narrowing.length + places.length > 0
      ? [{ name: "narrow", kind: "group", label: reports.more, of: [...narrowing, ...places] } as const]
      : []),
  ];
}

const isNarrowing = (name: string) => name.endsWith("_id");

function buildDays(visit: StaffVisit, filter: ReportQuery, faults: FieldErrors): Filter[] {
  const { view, query } = visit;
  const { labels, nothingBeside } = view.words.reports;
  const { look, range, beside } = filter;
  const day = (name: "from" | "to"): Filter[] => {
    if (!look.fields[name]) return [];
    const value = query.get(name) && filter.faults[name] ? "" : range ? dayAt(range[name]) : "";
    return [
      { name, kind: "day", label: labels[name] ?? name, value, chosen: false, fault: faults[name]?.[0] },
    ];
  };
  const others = besides.filter((kind) => kind !== "month" || filter.step === "day");
  const options = others.map((kind) => ({ value: kind, label: besideWords(visit, filter, kind) }));
  const all = [...options, { value: "none", label: nothingBeside }];
  const besideFilter = {
    name: "beside",
    kind: "choice",
    label: labels["beside"] ?? "",
    options: all,
  } as const;
  return [
    ...day("from"),
    ...day("to"),
    ...(look.hasBeside ? [{ ...besideFilter, any: null, value: beside?.kind ?? "none", chosen: false }] : []),
  ];
}

interface Named {
  readonly name: string;
  readonly choices: Chosen;
  readonly faults: FieldErrors;
}

/** A filter by its field's type. */
function buildFilter(visit: StaffVisit, query: ReportQuery, { name, choices, faults }: Named): Filter[] {
  const { labels } = visit.view.words.reports;
  const { look, values } = query;
  const options = ["from", "to", "per"].includes(name) ? [] : buildOptions(visit, query, name, choices);
  if (options.length === 0) return [];
  const value = values[name];
  const isPlain = typeof value === "string" || typeof value === "number";
  return [
    {
      ...{ name, kind: "choice", label: labels[name] ?? name, options, any: null, fault: faults[name]?.[0] },
      value: isPlain && value !== usualNumber(look, name) ? String(value) : "",
      chosen: value !== null && value !== undefined && value !== look.usual?.[name],
    },
  ];
}

const USUAL_DAYS = 14;
const numbers: Readonly<Record<string, readonly number[]>> = {
  days: [7, 14, 30, 60, 92],
  limit: [20, 100, 500, 1000],
};

/** The default number, which has no option of its own. */
const usualNumber = (look: Look, name: string) =>
  name === "limit" ? look.limit : name === "days" ? USUAL_DAYS : undefined;

function buildOptions(
  visit: StaffVisit,
  { look, values, by }: ReportQuery,
  name: string,
  choices: Chosen,
): readonly Option[] {
  const { reports, pay } = visit.view.words;
  const any = { value: "", label: reports.any };
  if (numbers[name]) {
    const own = typeof values[name] === "number" ? [values[name]] : [];
    const usual = usualNumber(look, name);
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

function readChoices({ db, by }: StaffVisit, { values, look }: ReportQuery): Chosen {
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

/** ISP for an operator, branch for who sees all. */
function buildPlaces({ view }: StaffVisit, { isps, values }: ReportQuery, choices: Chosen): Filter[] {
  const { labels, any } = view.words.reports;
  const named = (name: string, rows: Chosen[string] = []): Filter => ({
    ...{ name, kind: "choice", label: labels[name] ?? "", any: null },
    options: rows.map(({ id, name: label }) => ({ value: id, label })),
    value: String(values[name] ?? ""),
  });
  const branches = choices["branch_id"] ?? [];
  const branch = named("branch_id", branches);
  return [
    ...(branches.length > 1 ? [{ ...branch, any }] : []),
    ...(isps.length > 0 ? [named("isp_id", isps)] : []),
  ];
}
