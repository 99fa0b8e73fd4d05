import { type TNull, type TObject, type TSchema, type TUnion, Type } from "@sinclair/typebox";
import { literalOf } from "../../db/columns.ts";
import { shownAmount } from "../domain/core/amounts/money.ts";
import type { Kind, Reading, Readings } from "../domain/core/fields/record.ts";
import { formatTime } from "../domain/core/time/time.ts";
import { nullable } from "./kinds.ts";

const schemas = {
  whole: Type.Integer(),
  real: Type.Number(),
  words: Type.String(),
  money: Type.Number(),
  moment: Type.String(),
  flag: Type.Integer(),
} satisfies Record<Kind, TSchema>;

type SchemaOf<R extends Reading> = R extends { readonly isNullable: true }
  ? TUnion<[(typeof schemas)[R["kind"]], TNull]>
  : (typeof schemas)[R["kind"]];

/** What the fields hold, as the API answers them; `own` says more of a kind. */
export function recordSchemas(
  fields: Readings,
  own: Readonly<Partial<Record<Kind, TSchema>>> = {},
): Record<string, TSchema> {
  const all = { ...schemas, ...own };
  return Object.fromEntries(
    Object.entries(fields).map(([name, { kind, isNullable }]) => [
      name,
      isNullable ? nullable(all[kind]) : all[kind],
    ]),
  );
}

/** A record of these fields and no others. */
export function recordSchema<R extends Readings>(fields: R) {
  return Type.Object(recordSchemas(fields)) as TObject<{ [N in keyof R]: SchemaOf<R[N]> }>;
}

type Value<R extends Reading> =
  | (R["kind"] extends "words" | "moment" ? string : number)
  | (R extends { readonly isNullable: true } ? null : never);
export type Shown<R extends Readings> = { [N in keyof R]: Value<R[N]> };

export function recordExample<R extends Readings>(fields: R) {
  return Object.fromEntries(Object.entries(fields).map(([name, { example }]) => [name, example])) as Shown<R>;
}

/** How the values are written that are not written as they are. */
const written: { readonly [K in Kind]?: (value: number) => unknown } = {
  money: shownAmount,
  moment: formatTime,
};

/** Shapes rows as records; `keyOf` says under which key a row has a field. */
export function recordShaper<Row, R extends Readings>(
  fields: R,
  keyOf: (name: string) => keyof Row & string,
) {
  return literalOf<Row, Shown<R>>(
    Object.entries(fields).map(([name, { kind }]) => ({ name, key: keyOf(name), write: written[kind] })),
  );
}
