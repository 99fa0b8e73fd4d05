import type { Field } from "../fields/fields.ts";

/** Default, meaning and rule. */
export const define = <T>(initially: T, meaning: string, values: Field<T>) => ({
  initially,
  meaning,
  values,
});

/** The same values, or none. */
export function optional(values: Field<string>): Field<string> {
  return { ...values, read: (value) => (value === "" ? "" : values.read(value)), empty: "" };
}
