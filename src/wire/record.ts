import { type Static, type TNull, type TObject, type TSchema, type TUnion, Type } from "@sinclair/typebox";
import { compileLiteral } from "../../db/columns.ts";
import { formatMinor } from "../domain/core/amounts/money.ts";
import type { Kind } from "../domain/core/fields/record.ts";
import { nullable } from "./kinds.ts";
import { writeTime } from "./time.ts";
import { money } from "./money.ts";

const schemas = {
  whole: Type.Integer(),
  real: Type.Number(),
  words: Type.String(),
  money,
  moment: Type.String(),
  flag: Type.Integer(),
} satisfies Record<Kind, TSchema>;

/** Formats of kinds that are not shown as stored. */
const written: { readonly [K in Kind]?: (value: number) => unknown } = {
  money: formatMinor,
  moment: writeTime,
};

/** `isp_id` as `ispId`. */
type KeyOf<N> = N extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<KeyOf<Tail>>}` : N;
const camelCase = (name: string) => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());

type Stored<K> = K extends "words" ? string : number;
type Written<K> = K extends "words" | "moment" ? string : number;

/** The source of a field's value: a key of the row or a function; optional when the key is the field's name. */
type Of<Row, N, V> =
  KeyOf<N> extends KeysOf<Row, V> ? { readonly of?: Source<Row, V> } : { readonly of: Source<Row, V> };
type Source<Row, V> = KeysOf<Row, V> | ((row: Row) => V);
type KeysOf<Row, V> = { [K in keyof Row & string]: Row[K] extends V ? K : never }[keyof Row & string];

/** A field of a record: a kind, or a shape of its own shown as it is. */
type PartOf<Row, N, P> = { readonly meaning?: string } & ShapeOf<Row, N, P>;
type ShapeOf<Row, N, P> =
  | {
      [K in Kind]:
        | ({ kind: K; isNullable?: never; shape?: never; example: Written<K> } & Of<Row, N, Stored<K>>)
        | ({ kind: K; isNullable: true; shape?: never; example: Written<K> | null } & Of<
            Row,
            N,
            Stored<K> | null
          >);
    }[Kind]
  | (P extends { shape: infer S extends TSchema }
      ? { kind?: never; shape: S; example: Fixed<Static<S>> } & Of<Row, N, Static<S>>
      : { kind?: never; shape: TSchema; example: unknown } & Of<Row, N, unknown>);

type Fixed<T> = { readonly [N in keyof T]: Fixed<T[N]> };

type SchemaOf<P> = P extends { kind: infer K extends Kind }
  ? P extends { isNullable: true }
    ? TUnion<[(typeof schemas)[K], TNull]>
    : (typeof schemas)[K]
  : P extends { shape: infer S extends TSchema }
    ? S
    : never;
export type JsonOf<Parts> = { -readonly [N in keyof Parts]: Static<SchemaOf<Parts[N]>> };

interface Part<Row> {
  readonly kind?: Kind;
  readonly isNullable?: boolean;
  readonly shape?: TSchema;
  /** For documentation; left out, its chapter of http/meanings.ts says it. */
  readonly meaning?: string;
  readonly of?: string | ((row: Row) => unknown);
  readonly example: unknown;
}

/** Declares a record of a row once: its schema, an example, and the conversion. */
export function declareRecord<Row>() {
  return <const Parts extends { [N in keyof Parts]: PartOf<Row, N, Parts[N]> }>(parts: Parts) => {
    const all = Object.entries<Part<Row>>(parts);
    const schema = Type.Object(Object.fromEntries(all.map(([name, part]) => [name, toSchema(part)])));
    return {
      schema: schema as TObject<{ -readonly [N in keyof Parts]: SchemaOf<Parts[N]> }>,
      example: toExample(parts),
      toJson: compileLiteral<Row, JsonOf<Parts>>(
        all.map(([name, { kind, of = camelCase(name) }]) => {
          const write = kind && written[kind];
          return typeof of === "function" && write ? { name, of: writing(of, write) } : { name, of, write };
        }),
      ),
    };
  };
}

/** A constant text that says what was done. */
export const constant = (words: string) => ({ kind: "words", of: () => words, example: words }) as const;

/** The schema of a value in API answers. */
export function toSchema({ kind, isNullable, shape, meaning }: Omit<Part<never>, "of" | "example">): TSchema {
  const schema = kind ? schemas[kind] : (shape ?? Type.Unknown());
  const all = isNullable ? nullable(schema) : schema;
  return meaning === undefined ? all : { ...all, description: meaning };
}

export function toExample<Parts extends Readonly<Record<keyof Parts, { readonly example: unknown }>>>(
  parts: Parts,
) {
  const all = Object.entries<{ readonly example: unknown }>(parts);
  return Object.fromEntries(all.map(([name, { example }]) => [name, example])) as JsonOf<Parts>;
}

function writing<Row>(of: (row: Row) => unknown, write: (value: number) => unknown): (row: Row) => unknown {
  return (row) => {
    const value = of(row);
    return typeof value === "number" ? write(value) : value;
  };
}
