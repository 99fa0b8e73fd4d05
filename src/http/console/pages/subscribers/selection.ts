import { subscriberIds } from "../../../../domain/around/bulk/input.ts";
import { DomainError } from "../../../../domain/core/errors/errors.ts";
import { phrase } from "../../../../domain/core/errors/phrase.ts";
import { id, type Input, oneOf } from "../../../../domain/core/fields/fields.ts";
import { outageById } from "../../../../domain/service/outages/find.ts";
import { tableIds } from "../../../../domain/desk/subscriber-table/table.ts";
import type { StaffVisit } from "../../guard.ts";
import { secondsIn } from "../../parts/duration.ts";
import type { ConsoleView } from "../../view.ts";
import { letterNames, toLetter } from "../../parts/letter.tsx";
import { type Offered, offered } from "./bulk-bar.tsx";
import { outageLines } from "../../parts/outage-lines.ts";
import { filtersIn, listQuery } from "./query.ts";

export interface BulkSelection {
  readonly operation: Offered;
  readonly ids: readonly number[];
  readonly values: Readonly<Record<string, string>>;
  /** The outage they were chosen by. */
  readonly outage: number | null;
}

const HOUR = 3600;
const operationName = oneOf(...offered);

/** Form fields of all operations. */
const fieldNames = [
  ...["duration", "reason", "trust", "package_id", "nas_id", "area_id", "salesperson_id", "sms_status"],
  "auto_renew",
  ...letterNames,
];

export function selectionIn(visit: StaffVisit): BulkSelection | null {
  const { query, db, by, now } = visit;
  if (!query.has("operation")) return null;
  const isAll = query.get("all") === "1";
  const outage = id.read(query.get("outage")) ?? null;
  const ids =
    outage !== null
      ? outageLines(outageById(db, by, outage))
      : isAll
        ? tableIds(db, by, filtersIn(visit.view, listQuery(query)), { now })
        : (subscriberIds.read(query.getAll("id").join(",")) ?? []);
  // preset by links from findings
  const fields = Object.fromEntries(
    fieldNames.flatMap((name) => {
      const value = query.getAll(name).at(-1);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  return { operation: readName(query.get("operation")), ids, values: fields, outage };
}

export function readSelection(input: Input): BulkSelection {
  const fields: Record<string, string> = {};
  for (const name of fieldNames) {
    const value = input[name];
    if (typeof value === "string") fields[name] = value;
  }
  return {
    operation: readName(input["operation"]),
    ids: subscriberIds.read(input["ids"]) ?? [],
    values: fields,
    outage: id.read(input["outage"]) ?? null,
  };
}

function readName(value: unknown): Offered {
  const name = operationName.read(value);
  if (name) return name;
  const fields = { operation: [operationName.message] };
  throw new DomainError("invalid", phrase`check operation`, { fields });
}

/** What the operation is given; of an extension the hours. */
export function toInput(
  view: ConsoleView,
  { operation, values: fields }: BulkSelection,
): Record<string, string> {
  if (operation === "extend") {
    const { duration = "", reason = "", trust = "" } = fields;
    const all = secondsIn(view, duration, "day");
    return { hours: all === undefined ? duration : String(all / HOUR), reason, trust };
  }
  if (operation === "message") return toLetter(fields);
  const name = placeFields[operation];
  return name === null ? {} : { [name]: fields[name] ?? "" };
}

/** The target field. */
export const placeFields = {
  package: "package_id",
  router: "nas_id",
  area: "area_id",
  salesperson: "salesperson_id",
  sms: "sms_status",
  auto_renew: "auto_renew",
  disable: null,
  enable: null,
} as const satisfies Record<Exclude<Offered, "extend" | "message">, string | null>;
