import { type CsvLine, csvLine, plainCsvLine } from "../domain/machine/imports/data-set/csv.ts";
import { HttpRefusal } from "./errors.ts";

type AcceptedFormat = CsvLine | undefined;

/** Picks CSV wherever an Accept (RFC 9110 12.5.1) names it, else JSON. Throws HttpRefusal 406 where it has neither. */
export function acceptedFormat(accept: string | null, { csv: hasFile }: { csv: boolean }): AcceptedFormat {
  if (accept === null || accept.trim() === "") return undefined;
  const ranges = accept
    .split(",")
    .map(parseRange)
    .filter(({ isRefused }) => !isRefused);
  const file = ranges.find(({ type }) => type === "text/csv");
  if (hasFile && file) return file.isPlain ? plainCsvLine : csvLine;
  if (ranges.some(({ type }) => /^(\*\/\*|application\/(\*|json))$/.test(type))) return undefined;
  if (hasFile && ranges.some(({ type }) => type === "text/*")) return csvLine;
  throw new HttpRefusal(
    406,
    `this call answers application/json${hasFile ? " or text/csv" : ""}; send that as Accept, or none`,
  );
}

function parseRange(text: string) {
  const [type = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  return {
    type,
    isRefused: parameters.some((one) => /^q=0(\.0*)?$/.test(one)),
    isPlain: parameters.some((one) => /^header="?plain"?$/.test(one)),
  };
}
