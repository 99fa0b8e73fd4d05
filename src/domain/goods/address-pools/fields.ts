import { Type } from "@sinclair/typebox";
import type { Faults } from "../../core/errors/errors.ts";
import { phrase, Phrase } from "../../core/errors/phrase.ts";
import { addFault, field, id, text, wholeNumber } from "../../core/fields/fields.ts";
import { readRange, type Range } from "./range.ts";

export const poolFields = {
  name: text(64),
  range: field(
    Type.String({ maxLength: 90 }),
    phrase`must be addresses such as 10.0.0.2-10.0.3.254, a network such as 10.0.0.0/22, or an IPv6 prefix such as 2001:db8::/40`,
    (value) => (value.trim() === "" ? undefined : value.trim()),
  ),
  length: wholeNumber(16, 64),
};
export const poolRowFields = { isp_id: id, ...poolFields };

/** Adds faults. */
export function rangeIn(
  { range: written, length }: { range: string; length: number | null },
  faults: Faults,
): Range | undefined {
  const range = readRange(written, length);
  if (!(range instanceof Phrase)) return range;
  addFault(faults, /^(is of|has prefixes)/.test(range.toString()) ? "length" : "range", range);
  return undefined;
}
