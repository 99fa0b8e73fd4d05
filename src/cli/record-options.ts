import { Option } from "commander";
import type { Reading } from "../domain/core/fields/record.ts";

/** What there is to say of a field that an option gives. */
type Optional = Pick<Reading, "meaning"> & Required<Pick<Reading, "placeholder">>;
type Named<T> = Readonly<Record<string, T>>;

const optionName = (field: string) => `--${field.replaceAll("_", "-")}`;

/** One option a field, described by its meaning; `all` names the fields that a meaning may refer to. */
export const buildOptions = (fields: Named<Optional>, all: Named<unknown>) =>
  Object.entries(fields).map(([field, { meaning, placeholder }]) => ({
    field,
    option: new Option(`${optionName(field)} <${placeholder}>`, toHelp(meaning, all)),
  }));

/** The meaning with API names replaced by options; an empty value clears what is null in the API. */
function toHelp(meaning: string, all: Named<unknown>): string {
  return meaning
    .replace(/^[A-Z](?![A-Z])/, (first) => first.toLowerCase())
    .replace(/`([^`]+)`/g, (_, word: string) => (Object.hasOwn(all, word) ? optionName(word) : word))
    .replace(/\b(n|N)ull: /, (_, n: string) => (n === "n" ? "empty: " : "Empty: "))
    .replace(/\.$/, "");
}
