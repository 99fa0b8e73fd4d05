import type { Fields, Value } from "./imported-rows.ts";

/** What is done with a field that has come before: nothing, it follows the source, or ours stays. */
export type Verdict = "same" | "follow" | "agreed" | "keep";

/**
 * What changed at the source is taken where ours is as it came; what changed here stays. `before` undefined: it came without that
 * field, so that only an empty one of ours is filled.
 */
function verdictOf(source: Value, before: Value | undefined, here: Value): Verdict {
  if (before === undefined ? source === null : source === before) return "same";
  if (source === here) return "agreed";
  return here === (before ?? null) ? "follow" : "keep";
}

export interface Compared {
  /** What follows the source. */
  readonly changes: Readonly<Record<string, Value>>;
  /** What is remembered of the source from now on. */
  readonly fields: Fields;
  /** What stays as it is here, with both values. */
  readonly kept: readonly { readonly field: string; readonly there: Value; readonly here: Value }[];
}

/** Compares the source, what came before, and what is here, field by field. */
export function compareFields(source: Fields, before: Fields, here: (field: string) => Value): Compared {
  const changes: Record<string, Value> = {};
  const fields: Record<string, Value> = { ...before };
  const kept: Compared["kept"][number][] = [];
  for (const [field, there] of Object.entries(source)) {
    const ours = here(field);
    const verdict = verdictOf(there, before[field], ours);
    if (verdict === "keep") kept.push({ field, there, here: ours });
    else fields[field] = there;
    if (verdict === "follow") changes[field] = there;
  }
  return { changes, fields, kept };
}

/** "rate_limit is 10M/10M there, 20M/20M here". */
export function keptText(
  kept: Compared["kept"],
  format: (field: string, value: Value) => string = (_, value) => quoted(value),
): string {
  return kept
    .map(({ field, there, here }) => `${field} is ${format(field, there)} there, ${format(field, here)} here`)
    .join("; ");
}

export function quoted(value: Value): string {
  return value === null || value === "" ? "empty" : String(value);
}
