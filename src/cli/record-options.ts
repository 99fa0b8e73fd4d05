import { Option } from "commander";
import type { Reading } from "../domain/core/fields/record.ts";

/** What there is to say of a field that an option gives. */
type Optional = Pick<Reading, "meaning"> & Required<Pick<Reading, "placeholder">>;
type Named<T> = Readonly<Record<string, T>>;

const optionOf = (field: string) => `--${field.replaceAll("_", "-")}`;

/** The options that give these fields, with what they mean; of `all` fields an option is what a meaning names. */
export const optionsOf = (fields: Named<Optional>, all: Named<unknown>) =>
  Object.entries(fields).map(([field, { meaning, placeholder }]) => ({
    field,
    option: new Option(`${optionOf(field)} <${placeholder}>`, helpOf(meaning, all)),
  }));

/** A meaning as the help of a command says it: what is null in the API is cleared by an empty value here. */
function helpOf(meaning: string, all: Named<unknown>): string {
  return meaning
    .replace(/^[A-Z](?![A-Z])/, (first) => first.toLowerCase())
    .replace(/`([^`]+)`/g, (_, word: string) => (Object.hasOwn(all, word) ? optionOf(word) : word))
    .replace(/\b(n|N)ull: /, (_, n: string) => (n === "n" ? "empty: " : "Empty: "))
    .replace(/\.$/, "");
}
