import type { Input } from "../../domain/core/fields/fields.ts";

/** A text field; empty when missing, repeated or too long. */
export function readTextField(input: Input, name: string, maximum: number): string {
  const value = input[name];
  return typeof value === "string" && value.length <= maximum ? value : "";
}
