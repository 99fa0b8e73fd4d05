import type { Fields, Value } from "./imported-rows.ts";

/** What becomes of a re-imported field: same, follow the source, both agree, or keep ours. */
export type Verdict = "same" | "follow" | "agreed" | "keep";

/**
 * Source changes win where ours is unchanged since its import; ours stay otherwise. `before` undefined: never imported, so only
 * an empty field is filled.
 */
function judgeValue(source: Value, before: Value | undefined, here: Value): Verdict {
  if (before === undefined ? source === null : source === before) return "same";
  if (source === here) return "agreed";
  return here === (before ?? null) ? "follow" : "keep";
}

export interface Compared {
  readonly changes: Readonly<Record<string, Value>>;
  readonly fields: Fields;
  /** Conflicts, with both values. */
  readonly kept: readonly { readonly field: string; readonly there: Value; readonly here: Value }[];
}

export function compareFields(source: Fields, before: Fields, here: (field: string) => Value): Compared {
  const changes: Record<string, Value> = {};
  const fields: Record<string, Value> = { ...before };
  const kept: Compared["kept"][number][] = [];
  for (const [field, there] of Object.entries(source)) {
    const ours = here(field);
    const verdict = judgeValue(there, before[field], ours);
    if (verdict === "keep") kept.push({ field, there, here: ours });
    else fields[field] = there;
    if (verdict === "follow") changes[field] = there;
  }
  return { changes, fields, kept };
}

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
