import type { Value } from "../../../db/condition.ts";
import { formatAmount } from "../../domain/core/amounts/money.ts";
import type { Reading } from "../../domain/core/fields/record.ts";
import { formatTime } from "../../domain/core/time/time.ts";

/** What stands in the fields of a form of a row, whose values are known by the names of their columns. */
export function filled(
  fields: Readonly<Record<string, Pick<Reading, "kind">>>,
  row: Readonly<Record<string, Value>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, { kind }]) => [name, textOf(kind, row[name] ?? null)]),
  );
}

function textOf(kind: Reading["kind"], value: Value): string {
  if (value === null) return "";
  if (kind === "money") return formatAmount(Number(value));
  return kind === "moment" ? formatTime(Number(value)) : String(value);
}
