import type { TSchema } from "@sinclair/typebox";

/** JSON Schema as in the document. */
export interface Written {
  readonly [key: string]: unknown;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Written>>;
  readonly items?: Written;
  readonly anyOf?: readonly Written[];
}

/**
 * A schema for clients: numbers as numbers though forms send digits, choices as enums, flags as 0 to 1, null beside the type.
 * Generators have no use for unions of scalars, and make a type of each enum.
 */
export function written(schema: TSchema | Written): Written {
  const { anyOf, properties, items, additionalProperties, ...rest } = schema as Written;
  if (anyOf) return { ...union(anyOf.map(written)), ...rest };
  return {
    ...number(rest),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, writeSchema(name, property)]),
      ),
    }),
    ...(items && { items: written(items) }),
    ...(additionalProperties !== undefined && {
      additionalProperties:
        typeof additionalProperties === "object" && additionalProperties !== null
          ? written(additionalProperties as Written)
          : additionalProperties,
    }),
  };
}

/** Bytes and amounts need 64 bits; ids, which are counted from 1, and counts of rows do not. */
export function writeSchema(name: string, schema: TSchema | Written): Written {
  const { format, ...rest } = written(schema);
  return format === undefined || (format === "int64" && !/bytes|octets|minor/.test(name))
    ? rest
    : { ...rest, format };
}

/** All digits of a double, for a float loses cents, and 64 bits. */
function number({ const: value, maximum, ...rest }: Written): Written {
  if (value !== undefined)
    return { type: typeof value, const: value, ...rest, ...(rest.type === "number" && { type: "integer" }) };
  const bound = maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum };
  if (rest.type === "integer") return { ...rest, ...bound, ...(isSmall(maximum) ? {} : { format: "int64" }) };
  return { ...rest, ...bound, ...(rest.type === "number" && { format: "double" }) };
}

const isSmall = (maximum: unknown) => typeof maximum === "number" && maximum < 2 ** 31;

function union(ways: readonly Written[]): Written {
  const values = ways.filter(({ type }) => type !== "null");
  const isNullable = values.length < ways.length;
  const one = mergeWays(values);
  if (!isNullable) return one;
  if (typeof one.type === "string" && one.type !== "object" && one.type !== "array")
    return {
      ...one,
      type: [one.type, "null"],
      ...(Array.isArray(one["enum"]) && { enum: [...one["enum"], null] }),
    };
  return { oneOf: [...((one["oneOf"] as Written[] | undefined) ?? [one]), { type: "null" }] };
}

/** Merges notations of one value; real unions stay. */
function mergeWays(ways: readonly Written[]): Written {
  const structured = ways.filter(({ type }) => type === "array" || type === "object");
  const own = ways.filter((way) => !isTextual(way));
  const isText = own.some(({ type, maxLength }) => type === "string" && maxLength !== undefined);
  const same = structured.length > 0 ? structured : own.filter(({ type }) => !isText || type === "string");
  const [way] = same;
  if (way && same.length === 1) return way;
  if (structured.length > 0) return { oneOf: same };
  const [type = "string", ...others] = new Set(same.map(({ type }) => String(type)));
  if (others.length > 0) return {}; // any value: generators have no type for several
  const values = same.flatMap(listValues);
  if (type === "integer" && values.join() === "0,1") return { type, minimum: 0, maximum: 1 };
  return { type, ...(values.length > 0 && { enum: values }) };
}

const listValues = ({ enum: values, const: only }: Written): unknown[] =>
  Array.isArray(values) ? values : only === undefined ? [] : [only];

/** How forms send numbers and flags. */
function isTextual(way: Written): boolean {
  const { type, pattern } = way;
  if (type !== "string") return false;
  const values = listValues(way);
  if (values.length > 0) return values.every((value) => /^(\d+|true|false)$/.test(String(value)));
  return typeof pattern === "string" && /^\^(-\?)?\[0-9\]/.test(pattern);
}
