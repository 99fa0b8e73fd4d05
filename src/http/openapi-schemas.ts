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
 * A schema for clients: numbers as numbers though forms send digits, choices as enums, null beside the type. Generators have no
 * use for unions of scalars.
 */
export function written(schema: TSchema | Written): Written {
  const { anyOf, properties, items, additionalProperties, ...rest } = schema as Written;
  if (anyOf) return { ...union(anyOf.map(written)), ...rest };
  return {
    ...number(rest),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, written(property)]),
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

/** Needs 64 bits or all digits of a double: a float loses cents. */
function number({ const: value, maximum, ...rest }: Written): Written {
  if (value !== undefined)
    return { type: typeof value, enum: [value], ...rest, ...(rest.type === "number" && { type: "integer" }) };
  const bound = maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum };
  if (rest.type === "integer") return { ...rest, ...bound, ...(isSmall(maximum) ? {} : { format: "int64" }) };
  return { ...rest, ...bound, ...(rest.type === "number" && { format: "double" }) };
}

const isSmall = (maximum: unknown) => typeof maximum === "number" && maximum < 2 ** 31;

function union(ways: readonly Written[]): Written {
  const values = ways.filter(({ type }) => type !== "null");
  const isNullable = values.length < ways.length;
  const one = oneOf(values);
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
function oneOf(ways: readonly Written[]): Written {
  const structured = ways.filter(({ type }) => type === "array" || type === "object");
  const own = ways.filter((way) => !isTextual(way));
  const isText = own.some(({ type, maxLength }) => type === "string" && maxLength !== undefined);
  const same = structured.length > 0 ? structured : own.filter(({ type }) => !isText || type === "string");
  const types = [...new Set(same.map(({ type }) => String(type)))];
  const [way] = same;
  if (way && same.length === 1) return way;
  if (structured.length > 0) return { oneOf: same };
  const [type = "string", ...others] = types;
  const values = same.flatMap((one) => one["enum"] ?? []);
  return { type: others.length === 0 ? type : types, ...(values.length > 0 && { enum: values }) };
}

/** How forms send numbers and flags. */
function isTextual({ type, pattern, enum: values }: Written): boolean {
  if (type !== "string") return false;
  if (Array.isArray(values)) return values.every((value) => /^(\d+|true|false)$/.test(value));
  return typeof pattern === "string" && /^\^(-\?)?\[0-9\]/.test(pattern);
}
