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
  return added(schema, answer) as A;
}

function added(schema: TSchema, value: unknown): unknown {
  if (typeof value !== "object" || value === null || value instanceof Response) return value;
  const ways: readonly TSchema[] = schema["anyOf"] ?? [];
  if (ways.length > 0) return ways.reduce((sofar, way) => added(way, sofar), value as unknown);
  if (Array.isArray(value)) return schema["items"] ? value.map((one) => added(schema["items"], one)) : value;
  const properties: Readonly<Record<string, TSchema>> = schema["properties"] ?? {};
  const pairs = Object.entries(value).flatMap(([name, one]): [string, unknown][] => {
    const part = properties[name];
    if (!part) return [[name, one]];
    if (!isAmount(part)) return [[name, added(part, one)]];
    const minor = `${name}_minor`;
    return minor in value
      ? [[name, one]]
      : [
          [name, one],
          [minor, typeof one === "number" ? Math.round(one * 10 ** MINOR_DIGITS) : null],
        ];
  });
  return Object.fromEntries(pairs);
}

/** Also one that may be null. */
function isAmount(schema: TSchema): boolean {
  const ways: readonly TSchema[] = schema["anyOf"] ?? [];
  return Reflect.get(schema, isMoney) === true || ways.some(isAmount);
}
