import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { openapiDocument } from "../../src/http/openapi.ts";

interface Media {
  schema: Exemplified;
  example?: unknown;
}
interface Exemplified {
  type?: string | string[];
  required?: string[];
  examples?: unknown[];
  properties?: Record<string, Exemplified>;
  items?: Exemplified;
}

/** What a body looks like: its own example, that of its record, a list of that of its rows, or what its parts say. */
export const exampleOf = ({ example, schema }: Media): unknown => example ?? saidBy(schema);

function saidBy({ examples, items, properties }: Exemplified): unknown {
  if (examples) return examples[0];
  const row = items && saidBy(items);
  if (items) return row === undefined ? undefined : [row];
  if (!properties) return undefined;
  const parts = Object.entries(properties).map(([name, part]) => [
    name,
    name === "success" ? "Done." : saidBy(part),
  ]);
  return Object.fromEntries(parts.filter(([, part]) => part !== undefined));
}

export interface WholeOperation {
  operationId: string;
  description?: string;
  tags: [string];
  security?: object[];
  parameters: { name: string; in: string; description?: string; schema: object }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { description: string; content?: Record<string, Media> }>;
}
type Paths = Record<string, Record<string, WholeOperation>>;

/** The paths of an OpenAPI document with their references resolved. */
export function wholePaths({ paths, components }: ReturnType<typeof openapiDocument>): Paths {
  const named: Record<string, Record<string, unknown>> = { ...components };
  const whole = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(whole);
    if (typeof value !== "object" || value === null) return value;
    const { $ref, ...rest }: { $ref?: unknown } = value;
    const [, , kind = "", name = ""] = typeof $ref === "string" ? $ref.split("/") : [];
    const all = Object.entries({ ...Object(named[kind]?.[name]), ...rest });
    return asOne(Object.fromEntries(all.map(([key, part]) => [key, whole(part)])));
  };
  return whole(paths) as Paths;
}

/** A record with those that it extends. */
function asOne({ allOf, ...own }: Record<string, unknown>): Record<string, unknown> {
  if (!Array.isArray(allOf)) return own;
  const parts = allOf as { properties?: object; required?: string[] }[];
  return {
    ...own,
    type: "object",
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required = [] }) => required),
  };
}

/** Validates answers by the document's JSON Schema 2020-12; a key that it does not name is a fault. */
export class DocumentedAnswers {
  // that the schemas are some is held by the test of the document, and what is compiled runs a few times
  readonly #ajv = new Ajv2020({
    strict: false,
    validateFormats: false,
    allErrors: true,
    validateSchema: false,
    code: { optimize: false },
  });
  readonly #validators = new WeakMap<object, ValidateFunction>();
  readonly #paths: { matches: RegExp; item: Paths[string] }[];

  constructor(document: ReturnType<typeof openapiDocument>) {
    this.#paths = Object.entries(wholePaths(document)).map(([template, item]) => ({
      matches: new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
      item,
    }));
  }

  at(pathname: string): Paths[string] | undefined {
    return this.#paths.find(({ matches }) => matches.test(pathname))?.item;
  }

  faults(schema: object, value: unknown): string[] {
    const known = this.#validators.get(schema);
    const validate = known ?? this.#ajv.compile(closed(schema));
    this.#validators.set(schema, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath}: ${message} ${JSON.stringify(params)}`,
    );
  }
}

/** Closes every record that does not say otherwise. */
function closed(schema: object): object {
  return JSON.parse(JSON.stringify(schema), (_, value: unknown) => {
    const isRecord =
      typeof value === "object" &&
      value !== null &&
      "type" in value &&
      value.type === "object" &&
      "properties" in value;
    return isRecord ? { additionalProperties: false, ...value } : value;
  });
}
