import type { TSchema } from "@sinclair/typebox";
import { DomainError } from "../../domain/core/errors/errors.ts";
import { inCalls } from "../calls.ts";
import { HttpRefusal, nextStep } from "../errors.ts";

interface Shape {
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly items?: TSchema;
  readonly anyOf?: readonly TSchema[];
  readonly additionalProperties?: unknown;
}

/** Begins and ends what people have typed; within it these signs are others. */
const [OPENS, CLOSES] = ["«", "»"];
const asData = (text: string) => `${OPENS}${text.replaceAll(OPENS, "‹").replaceAll(CLOSES, "›")}${CLOSES}`;

/** What no sentence fits in: choices, times, addresses. */
const isBound = (schema: Shape & { [key: string]: unknown }): boolean =>
  ["enum", "const", "pattern", "format"].some((rule) => schema[rule] !== undefined);

/**
 * An answer with each text in it that somebody could have typed marked as data, so that a name is nothing but a name to whoever reads it. Of
 * what the schema does not bind everything is.
 */
export function marked(value: unknown, schema: TSchema | undefined): unknown {
  const { properties = {}, items, anyOf, additionalProperties } = (schema ?? {}) as Shape;
  if (typeof value === "string") {
    if (!/\p{L}/u.test(value)) return value; // a time or a number, however it is written
    const ways = anyOf?.filter(({ type }) => type === "string") ?? (schema ? [schema] : []);
    return ways.length > 0 && ways.every(isBound) ? value : asData(value);
  }
  if (Array.isArray(value)) {
    const list = items ?? anyOf?.find(({ type }) => type === "array")?.["items"];
    return value.map((one) => marked(one, list as TSchema | undefined));
  }
  if (typeof value !== "object" || value === null) return value;
  const known = anyOf?.find(({ type }) => type === "object")?.["properties"] ?? properties;
  const others = typeof additionalProperties === "object" ? (additionalProperties as TSchema) : undefined;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      one === null
        ? undefined // what is not there costs nothing to read
        : marked(one, Object.hasOwn(known, name) ? (known as Record<string, TSchema>)[name] : others),
    ]),
  );
}

/** Characters of an answer at the most: beyond it rows are left out, and it says how many. */
const MOST = 60_000;

/** `rows` as many of them as fit. */
export function fitting(rows: readonly unknown[]): {
  readonly rows: readonly unknown[];
  readonly left_out?: number;
} {
  let length = 0;
  const end = rows.findIndex((row) => (length += JSON.stringify(row).length) > MOST);
  return end < 0 ? { rows } : { rows: rows.slice(0, end), left_out: rows.length - end };
}

/** A refusal as an assistant reads it; undefined: no refusal, but a failure. Names in its sentence are typed by people. */
export function toRefusal(error: unknown): object | undefined {
  if (!(error instanceof DomainError || error instanceof HttpRefusal)) return undefined;
  const { message, code } = error;
  const fields = error instanceof DomainError ? error.fields : undefined;
  return { refused: asData(inCalls(message)), code, fields: marked(fields, undefined), next: nextStep(code) };
}
