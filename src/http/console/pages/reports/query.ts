import type { Faults } from "../../../../domain/core/errors/errors.ts";
import { id as idField, oneOf, readFields } from "../../../../domain/core/fields/fields.ts";
import { listPlaces } from "../../../../domain/people/places/places.ts";
import type { Range } from "../../../../domain/around/reports/range.ts";
import { type Actor, may, narrow, seesWholeIsp } from "../../../../domain/core/actor/actor.ts";
import type { Seconds } from "../../../../domain/core/time/time.ts";
import type { StaffVisit } from "../../guard.ts";
import { hereWith } from "../../parts/pager.tsx";
import { type Beside, besides, rangeBeside, type Step } from "../../parts/periods.ts";
import { type Look, looks, slugOf, type Values } from "./looks.ts";

export const REPORTS = "/console/reports";

export interface ReportQuery {
  readonly look: Look;
  readonly path: string;
  readonly values: Values;
  readonly faults: Faults;
  readonly by: Actor;
  readonly step: Step;
  /** undefined: now. */
  readonly range: Range | undefined;
  readonly beside: { readonly kind: Beside; readonly range: Range } | undefined;
  readonly sort: string | undefined;
  /** One is chosen where there are several, for currencies are never summed. */
  readonly isps: readonly { readonly id: number; readonly name: string }[];
}

const besideField = oneOf(...besides, "none");

export function looksFor(by: Actor): Look[] {
  if (!may(by, "report_view")) return [];
  return looks.filter(({ ofRouters }) => !ofRouters || seesWholeIsp(by.scope));
}

export function reportQuery({ db, by, query, now }: StaffVisit, look: Look): ReportQuery {
  const faults: Faults = {};
  const value = readFields(look.fields, Object.fromEntries(query), faults);
  const values = asBars(look, { ...look.usual, ...defined(value) }, now);
  const step: Step = pictureStep(look, values);
  const isps = by.scope.ispId === null ? listPlaces(db, by, "isp", everyIsp).records : [];
  const ispId = isps.length > 1 ? (idField.read(query.get("isp_id") ?? "") ?? isps[0]?.id) : null;
  const branchId = look.ofRouters ? null : idField.read(query.get("branch_id") ?? "");
  const range = readRange(look, values, now);
  const usual = step === "day" ? "month" : "year";
  const named = besideField.read(query.get("beside") ?? "") ?? usual;
  const chosen = named === "month" ? usual : named; // months beside themselves, one further, say nothing
  const isBefore = look.hasBeside && range !== undefined && chosen !== "none" && range.from <= range.to;
  return {
    look,
    path: `${REPORTS}/${slugOf(look)}`,
    values: { ...values, isp_id: ispId, branch_id: branchId },
    faults,
    by: { ...by, scope: narrow(by.scope, ispId, branchId) },
    step,
    range,
    beside: isBefore ? { kind: chosen, range: rangeBeside(range, chosen, step) } : undefined,
    sort: query.get("sort")?.match(/^-?[a-z_0-9]{1,40}$/)?.[0],
    isps: isps.length > 1 ? isps : [],
  };
}

const everyIsp = { sort: "name", descending: false, limit: 1000, offset: 0 } as const;

/** A bar for each day only up to as many as a screen has room for. */
const MOST_DAYS = 93;

/** Values by months where the range is too long for days. */
function asBars(look: Look, values: Values, now: Seconds): Values {
  const range = look.fields["per"] && !look.time ? readRange(look, values, now) : undefined;
  const isLong = range !== undefined && range.to - range.from > MOST_DAYS * 86_400 + 3600;
  return isLong ? { ...values, per: "month" } : values;
}

function readRange(look: Look, values: Values, now: Seconds): Range | undefined {
  return look.time ? look.time(values, now) : look.report.range(look.picked(values), now);
}

function pictureStep(look: Look, values: Values): Step {
  const picture = look.picture(values);
  return picture.kind === "time" ? picture.step : "day";
}

/** null clears a default. */
function defined(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** The address with other parameters; null or undefined clears one. */
export function hrefWith(
  { path }: ReportQuery,
  query: URLSearchParams,
  changes: Readonly<Record<string, string | null>> = {},
  end = "",
): string {
  return hereWith({ path: path + end, query }, changes);
}
