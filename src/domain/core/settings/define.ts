import type { Field } from "../fields/fields.ts";

/** A setting: its default, what it does, what it accepts. */
export const define = <T>(initially: T, meaning: string, values: Field<T>) => ({
  initially,
  meaning,
  values,
});

/** The same, and empty too. */
export function optional(values: Field<string>): Field<string> {
  return { ...values, read: (value) => (value === "" ? "" : values.read(value)), empty: "" };
}
