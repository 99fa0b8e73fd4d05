import type { TSchema } from "@sinclair/typebox";
import type { Field } from "../domain/core/fields/fields.ts";
import { findMeaning } from "./meanings.ts";

/** Adds meanings to properties at every depth; existing descriptions stay. */
export function explained(schema: TSchema, chapter: string): TSchema {
  const inner = (part: TSchema) => explained(part, chapter);
  const { properties, items, anyOf } = schema as Inner;
  return {
    ...schema, // TypeBox's symbols too
    ...(properties && { properties: mapped(properties, (part, name) => named(inner(part), name, chapter)) }),
    ...(items && { items: inner(items) }),
    ...(anyOf && { anyOf: anyOf.map(inner) }),
  };
}

interface Inner {
  properties?: Record<string, TSchema>;
  items?: TSchema;
  anyOf?: TSchema[];
}

function named(schema: TSchema, name: string, chapter: string): TSchema {
  const description = schema.description ?? findMeaning(name, chapter);
  return description === undefined ? schema : { ...schema, description };
}

/** The field's meaning, then its rule. */
export function explainedField(
  { schema, message: fault }: Field<unknown>,
  name: string,
  { chapter, meanings = {} }: { chapter: string; meanings?: Readonly<Record<string, string>> | undefined },
): TSchema {
  const meaning = Object.hasOwn(meanings, name) ? meanings[name] : findMeaning(name, chapter);
  const message = fault.toString();
  const rule = `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
  const isStated = meaning !== undefined && PLAIN.test(message);
  return {
    ...explained(schema, chapter),
    description: isStated ? meaning : [meaning, rule].filter(Boolean).join(" "),
  };
}

/** What the schema of a value says better, and what is said once of all text (meanings.ts). */
const PLAIN =
  /^must be (?:text of 1 to \d+ characters(?: on one line)?, without control characters|a whole number(?: from .*|, 0 or more)?|the whole number of an id, 1 or more|one of .*|0 or 1|true or false|a (?:day|time) such as 2030.*)$/;

function mapped<A, B>(values: Record<string, A>, change: (value: A, name: string) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value, name)]));
}
