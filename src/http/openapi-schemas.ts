import type { TSchema } from "@sinclair/typebox";

/** A JSON Schema as the document writes it. */
export interface Written {
  readonly [key: string]: unknown;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Written>>;
  readonly items?: Written;
  readonly anyOf?: readonly Written[];
}

/**
 * A schema as a program reads it, of one that says all that is taken: what is a number is a number, though a form sends its digits; a choice
 * of words is an enum; null stands beside the type. Generators make a type of each of them, and of a union of scalars none that is of use.
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

/** A whole number may be larger than 32 bits hold, an amount needs all digits of a double: a client that takes a float loses cents. */
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

/** What is one thing however it is written; records that are really several stay so, and so do scalars of several types. */
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

/** Whether it is how a form sends a number, or yes and no. */
function isTextual({ type, pattern, enum: values }: Written): boolean {
  if (type !== "string") return false;
  if (Array.isArray(values)) return values.every((value) => /^(\d+|true|false)$/.test(value));
  return typeof pattern === "string" && /^\^(-\?)?\[0-9\]/.test(pattern);
}
