import type { Input } from "../../domain/core/fields/fields.ts";

/** A field of a form as text; empty when it is missing, sent twice, or longer than allowed. */
export function textOf(input: Input, name: string, maximum: number): string {
  const value = input[name];
  return typeof value === "string" && value.length <= maximum ? value : "";
}
