import type { DomainError, FieldErrors } from "../../../domain/core/errors/errors.ts";
import { type Input, RepeatedField } from "../../../domain/core/fields/fields.ts";
import { sentence } from "./phrases.ts";

export function findFault(refused: DomainError | undefined, name: string): string | undefined {
  const faults: FieldErrors = refused?.fields ?? {};
  const message = faults[name]?.[0];
  return message === undefined ? undefined : sentence(message);
}

/** Typed text, cut to the longest that any field allows. */
export function textIn(input: Input, name: string): string {
  const value = input[name];
  return typeof value === "string" ? value.slice(0, 1000) : "";
}

export function readValues(input: Input, name: string): string[] {
  const value = input[name];
  const values = value instanceof RepeatedField ? value.values : value === undefined ? [] : [value];
  return values.filter((one) => typeof one === "string");
}
