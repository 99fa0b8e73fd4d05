import { type TSchema, Type } from "@sinclair/typebox";
import { formNow } from "./form.ts";

const isMoney: unique symbol = Symbol("money");

/** Digits of a minor unit, whatever the currency. */
export const MINOR_DIGITS = 2;

/** An amount of an answer, which is told from other numbers by it. */
export const money = Type.Number({ [isMoney]: true });

/** The answer with each amount in minor units beside it, as `balance_minor`, where its call prefers that. */
export function withMinor<A>(schema: TSchema | undefined, answer: A): A {
  if (formNow().money === "plain" || schema === undefined) return answer;
  return (addingTo(schema)?.(answer) ?? answer) as A;
}

/** Columns of a file with what `withMinor` adds to its rows. */
export function withMinorColumns(schema: TSchema, names: readonly string[]): readonly string[] {
  if (formNow().money === "plain") return names;
  const all = new Set(names);
  const amounts = new Set(listAmounts(schema).map(([name]) => name));
  return names.flatMap((name) =>
    amounts.has(name) && !all.has(minorName(name)) ? [name, minorName(name)] : [name],
  );
}

type Adding = (value: unknown) => unknown;

const minorName = (name: string) => `${name}_minor`;

/** Additions by schema, which is looked through once: most of a record is no money. Null: nothing is. */
const known = new WeakMap<TSchema, Adding | null>();

function addingTo(schema: TSchema): Adding | null {
  const found = known.get(schema);
  if (found !== undefined) return found;
  const made = makeAdding(schema);
  known.set(schema, made);
  return made;
}

function makeAdding(schema: TSchema): Adding | null {
  const ways: readonly TSchema[] = schema["anyOf"] ?? [];
  if (ways.length > 0) {
    const all = ways.flatMap((way) => addingTo(way) ?? []);
    return all.length === 0 ? null : (value) => all.reduce((sofar, add) => add(sofar), value);
  }
  const items: TSchema | undefined = schema["items"];
  if (items) {
    const add = addingTo(items);
    return add && ((value) => (Array.isArray(value) ? value.map(add) : value));
  }
  const parts = Object.entries(listProperties(schema)).flatMap(([name, part]) => {
    const add = addingTo(part);
    return add ? [{ name, add }] : [];
  });
  const amounts = listAmounts(schema);
  if (parts.length === 0 && amounts.length === 0) return null;
  return (value) => {
    if (!isRecord(value)) return value;
    const whole: Record<string, unknown> = { ...value };
    for (const { name, add } of parts) if (name in value) whole[name] = add(value[name]);
    for (const [name, minor] of amounts) {
      if (!(name in value) || minor in value) continue;
      const amount = value[name];
      whole[minor] = typeof amount === "number" ? Math.round(amount * 10 ** MINOR_DIGITS) : null;
    }
    return whole;
  };
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Response);

const listProperties = (schema: TSchema): Readonly<Record<string, TSchema>> => schema["properties"] ?? {};

const listAmounts = (schema: TSchema): (readonly [name: string, minor: string])[] =>
  Object.entries(listProperties(schema)).flatMap(([name, part]) =>
    isAmount(part) ? [[name, minorName(name)] as const] : [],
  );

/** Whether a schema is of an amount, also of one that may be null. */
function isAmount(schema: TSchema): boolean {
  const ways: readonly TSchema[] = schema["anyOf"] ?? [];
  return Reflect.get(schema, isMoney) === true || ways.some(isAmount);
}
