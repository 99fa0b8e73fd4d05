import { unknownFields } from "../../../core/fields/nearest.ts";
import type { Faults } from "../../../core/errors/errors.ts";
import { phrase } from "../../../core/errors/phrase.ts";
import {
  addFault,
  field,
  type Fields,
  type Input,
  readFields,
  text,
  time,
  wholeNumber,
} from "../../../core/fields/fields.ts";
import { items, object } from "./rows.ts";
import type { MonthOfUsage, PastEntry } from "./subscriber-fields.ts";
import { Type } from "@sinclair/typebox";

const octets = wholeNumber(0, Number.MAX_SAFE_INTEGER);

const month = field(
  Type.String({ pattern: "^\\d{4}-(0[1-9]|1[0-2])$" }),
  phrase`must be a month such as 2030-01`,
  (value) => Number(value.replace("-", "")),
);

const usageFields = { month, up: octets, down: octets };

const historyFields = { at: time, text: text(500) };

/** `[{"month": "2030-01", "up": 1000, "down": 20000}]`. */
export function readUsage(value: unknown, faults: Faults): MonthOfUsage[] {
  return readList(value, "usage", usageFields, faults, (row, found) => {
    const values = readFields(usageFields, row, found, { required: ["month", "up", "down"] });
    return { month: values.month ?? 0, up: values.up ?? 0, down: values.down ?? 0 };
  });
}

/** `[{"at": "2029-12-01 10:00:00", "text": "paid 15.00"}]`, the oldest first. */
export function readHistory(value: unknown, faults: Faults): PastEntry[] {
  const entries = readList(value, "history", historyFields, faults, (row, found) => {
    const values = readFields(historyFields, row, found, { required: ["at", "text"] });
    return { at: values.at ?? 0, text: values.text ?? "" };
  });
  return entries.sort((one, other) => one.at - other.at);
}

function readList<T>(
  value: unknown,
  name: string,
  fields: Fields,
  faults: Faults,
  read: (row: Input, found: Faults) => T,
): T[] {
  if (value === undefined || value === null) return [];
  const unknown = unknownFields(Object.keys(fields));
  return items(value, name, faults).flatMap((item, index) => {
    const place = `${name}/${index}`;
    const row = object(item, place, faults);
    if (!row) return [];
    const found: Faults = {};
    const value = read(row, found);
    for (const key of Object.keys(row)) if (!Object.hasOwn(fields, key)) addFault(found, key, unknown(key));
    for (const [key, messages] of Object.entries(found)) faults[`${place}/${key}`] = messages;
    return [value];
  });
}
