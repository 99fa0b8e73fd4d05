import type { Reading } from "../domain/core/fields/record.ts";

/** What there is to say of a field that an option gives. */
export type Optional = Pick<Reading, "meaning"> & Required<Pick<Reading, "placeholder">>;

/** The option of a field. */
export const optionOf = (field: string) => `--${field.replaceAll("_", "-")}`;

/**
 * What a field means, as the help of an option says it: what is null in the API is cleared by an empty value here, and other fields are
 * options.
 */
export function helpOf({ meaning }: Optional, fields: Readonly<Record<string, unknown>>): string {
  return meaning
    .replace(/^[A-Z](?![A-Z])/, (first) => first.toLowerCase())
    .replace(/`([^`]+)`/g, (_, word: string) => (Object.hasOwn(fields, word) ? optionOf(word) : word))
    .replace(/\b(n|N)ull: /, (_, n: string) => (n === "n" ? "empty: " : "Empty: "))
    .replace(/\.$/, "");
}
