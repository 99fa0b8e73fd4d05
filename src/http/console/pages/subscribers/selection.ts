import { subscriberIds } from "../../../../domain/around/bulk/input.ts";
import { DomainError } from "../../../../domain/core/errors/errors.ts";
import { id, type Input, oneOf, RepeatedField } from "../../../../domain/core/fields/fields.ts";
import { outageById } from "../../../../domain/service/outages/find.ts";
import { tableIds } from "../../../../domain/desk/subscriber-table/table.ts";
import type { StaffVisit } from "../../guard.ts";
import { letterNames, letterOf } from "../messages/letter.tsx";
import { type Offered, offered } from "./bulk-bar.tsx";
import { outageLines } from "../outages/lines.ts";
import { filtersIn, listQuery } from "./query.ts";

/** What is to be done, to whom, and with what. */
export interface Wanted {
  readonly operation: Offered;
  readonly ids: readonly number[];
  /** The fields of the form as they were typed. */
  readonly typed: Readonly<Record<string, string>>;
  /** Of which outage they are, where that is how they were chosen. */
  readonly outage: number | null;
}

const operationName = oneOf(...offered);

/** The fields of the forms of all operations, as people fill them in. */
const typedNames = [
  ...["count", "unit", "reason", "trust", "package_id", "nas_id", "area_id", "salesperson_id", "sms_status"],
  "auto_renew",
  ...letterNames,
];

/** What was chosen in the list: its rows, or all that match; null: nothing. Throws `invalid` for an operation that there is not. */
export function wantedIn(visit: StaffVisit): Wanted | null {
  const { query, db, by, now } = visit;
  if (!query.has("operation")) return null;
  const isAll = query.get("all") === "1";
  const outage = id.read(query.get("outage")) ?? null;
  const ids =
    outage !== null
      ? outageLines(outageById(db, by, outage))
      : isAll
        ? tableIds(db, by, filtersIn(listQuery(query)), { now })
        : (subscriberIds.read(query.getAll("id").join(",")) ?? []);
  // what a link that mends something begins with
  const typed = Object.fromEntries(
    typedNames.flatMap((name) => {
      const value = query.getAll(name).at(-1);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  return { operation: nameOf(query.get("operation")), ids, typed, outage };
}

/** The same of its form. */
export function wantedOf(input: Input): Wanted {
  const typed: Record<string, string> = {};
  for (const name of typedNames) {
    const value = input[name];
    if (typeof value === "string") typed[name] = value;
  }
  return {
    operation: nameOf(input["operation"]),
    ids: subscriberIds.read(input["ids"]) ?? [],
    typed,
    outage: id.read(input["outage"]) ?? null,
  };
}

function nameOf(value: unknown): Offered {
  const name = operationName.read(value);
  if (name) return name;
  const fields = { operation: [operationName.message] };
  throw new DomainError("invalid", "check operation", { fields });
}

/** What the operation is given; of an extension the days as hours. */
export function givenOf({ operation, typed }: Wanted): Record<string, string> {
  if (operation === "extend") {
    const { count = "", unit, reason = "", trust = "" } = typed;
    const hours = unit === "hours" || !/^\d{1,5}$/.test(count) ? count : String(Number(count) * 24);
    return { hours, reason, trust };
  }
  if (operation === "message") return letterOf(typed);
  const name = placeFields[operation];
  return name === null ? {} : { [name]: typed[name] ?? "" };
}

/** What each of them is moved to, or is set. */
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

/** The values of a name that a form sends once for each box that is ticked. */
export function valuesOf(input: Input, name: string): string[] {
  const value = input[name];
  const values = value instanceof RepeatedField ? value.values : value === undefined ? [] : [value];
  return values.filter((one) => typeof one === "string");
}
