import type { Written } from "./openapi-schemas.ts";

interface Reference extends Written {
  readonly $ref: string;
}

/**
 * Named components: each record once by its noun, so that generated clients have its type. Equal records are one; nested ones
 * without a noun are named after both.
 */
export class Components {
  readonly #schemas = new Map<string, Written>();
  readonly #names = new Map<string, string>();
  /** What each had in it before its parts were named. */
  readonly #shapes = new Map<string, string>();

  /** By name, each text once: a record has what its short form in lists has, and what several records have has a name too. */
  get schemas(): Record<string, Written> {
    const inherited = new Map(
      [...this.#schemas].map(([name, record]) => [name, this.#extending(name, record)]),
    );
    const all = [...namingProperties(inherited)];
    return Object.fromEntries(all.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  #extending(name: string, record: Written): Written {
    const { properties: own = {}, required, ...rest } = record;
    const listed = this.#schemas.get(`Listed${name}`);
    const short = Object.entries(listed?.properties ?? {});
    if (short.length === 0 || short.some(([key, part]) => !isSame(own[key], part))) return record;
    const isOwn = (key: string) => listed?.properties?.[key] === undefined;
    const more = {
      type: "object",
      properties: Object.fromEntries(Object.entries(own).filter(([key]) => isOwn(key))),
      required: (Array.isArray(required) ? required : []).filter(isOwn),
    };
    const { type: _, ...said } = rest;
    return { ...said, allOf: [{ $ref: `#/components/schemas/Listed${name}` }, more] };
  }

  has(name: string): boolean {
    return this.#schemas.has(name);
  }

  /** Replaces records by references. `name` unless its title differs; `noun`: the name of one that is a noun. */
  named(schema: Written, name: string, noun = name): Written {
    const { properties, items, oneOf, additionalProperties, title, description, ...rest } = schema;
    const called = typeof title === "string" ? title : name;
    const several = Array.isArray(oneOf) ? (oneOf as Written[]) : undefined;
    const isChoice = several !== undefined && several.filter(({ type }) => type !== "null").length > 1;
    const within: Written = {
      ...rest,
      ...(items && { items: this.named(items, singular(called), singular(noun)) }),
      ...(several && {
        oneOf: several.map((way, index) =>
          this.named(way, isChoice ? `${called}${index + 1}` : called, noun),
        ),
      }),
      ...(isSchema(additionalProperties)
        ? { additionalProperties: this.named(additionalProperties, singular(called), singular(noun)) }
        : additionalProperties !== undefined && { additionalProperties }),
    };
    const meaning = description === undefined ? {} : { description };
    if (items && title !== undefined) return { ...referenceTo(this.#name(within, called)), ...meaning };
    if (!properties && title !== undefined) return referenceTo(this.#name({ ...within, ...meaning }, called));
    if (!properties) return { ...within, ...meaning };
    const shape = shapeOf(schema);
    // a noun is described where it is at home, whoever answers it
    if (this.#shapes.get(noun) === shape) return { ...referenceTo(noun), ...meaning };
    const owner = called.replace(/(Answer|Event)$/, "");
    const record = {
      ...within,
      properties: Object.fromEntries(
        Object.entries(properties).map(([key, property]) => [
          key,
          this.named(property, `${owner}${pascal(key)}`, pascal(key)),
        ]),
      ),
    };
    const own = this.#name(record, called);
    if (!this.#shapes.has(own)) this.#shapes.set(own, shape);
    return { ...referenceTo(own), ...meaning };
  }

  /** An example beside its schema, where that does not say it by itself; the first of a record is said with the record. */
  exampleBeside(schema: Written, example: unknown): unknown {
    if (example === undefined || this.#says(schema, example)) return undefined;
    const [name, record] = this.#findRecord(schema);
    if (!record || record["examples"]) return example;
    this.#schemas.set(name, { ...record, examples: [example] });
    return undefined;
  }

  /** Whether a schema has this example: its record, each of its rows, or each of its parts but the sentence for people. */
  #says(schema: Written, example: unknown): boolean {
    if (Array.isArray(example)) {
      const [only] = example;
      return schema.items !== undefined && example.length === 1 && this.#says(schema.items, only);
    }
    const [, record] = this.#findRecord(schema);
    if (!record || typeof example !== "object" || example === null) return false;
    const own: unknown = record["examples"];
    if (Array.isArray(own)) return JSON.stringify(own[0]) === JSON.stringify(example);
    const values = new Map<string, unknown>(Object.entries(example));
    return Object.entries(record.properties ?? {}).every(
      ([name, part]) => values.has(name) && (name === "success" || this.#says(part, values.get(name))),
    );
  }

  #findRecord({ $ref }: Written): [name: string, record: Written | undefined] {
    const name = typeof $ref === "string" ? ($ref.split("/").at(-1) ?? "") : "";
    return [name, this.#schemas.get(name)];
  }

  #name(record: Written, called: string): string {
    const text = JSON.stringify(record);
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    let name = called;
    for (let number = 2; this.#schemas.has(name); number++) name = `${called}${number}`;
    this.#schemas.set(name, record);
    this.#names.set(text, name);
    return name;
  }
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** Names of scalars would otherwise be longer than what they say. */
const LEAST_GAIN = 40;

/** Properties that several records have word for word, named where that makes the document shorter. */
function namingProperties(schemas: ReadonlyMap<string, Written>): Map<string, Written> {
  const owners = Map.groupBy(
    [...schemas].flatMap(([owner, schema]) =>
      listProperties(schema).flatMap(([key, part]) =>
        isScalar(part) ? [{ owner, key, part, text: JSON.stringify(part) }] : [],
      ),
    ),
    ({ text }) => text,
  );
  const all = new Map(schemas);
  const names = new Map<string, string>();
  for (const [text, places] of [...owners].toSorted(([, a], [, b]) => b.length - a.length)) {
    const [first] = places;
    if (first === undefined) continue;
    const { owner, key, part } = first;
    const candidates = [pascal(key), pascal(`${owner}_${key}`)];
    if (part["enum"] && !key.includes("_")) candidates.reverse(); // a kind or a state is one of something
    const name = candidates.find((one) => !all.has(one));
    if (name === undefined) continue;
    const reference = JSON.stringify(referenceTo(name)).length;
    const gain = places.length * (text.length - reference) - text.length - name.length;
    if (places.length < 2 || gain < LEAST_GAIN) continue;
    all.set(name, part);
    names.set(text, name);
  }
  const refer = (part: Written): Written => {
    const name = isScalar(part) ? names.get(JSON.stringify(part)) : undefined;
    return name === undefined ? part : referenceTo(name);
  };
  for (const [name, schema] of schemas) all.set(name, withProperties(schema, refer));
  return all;
}

const referenceTo = (name: string): Reference => ({ $ref: `#/components/schemas/${name}` });

const isScalar = ({ $ref, items, type, oneOf }: Written) =>
  $ref === undefined && items === undefined && oneOf === undefined && type !== undefined && type !== "object";

const listParts = ({ allOf }: Written) => (Array.isArray(allOf) ? (allOf as Written[]) : []);

const listProperties = (schema: Written): [string, Written][] => [
  ...Object.entries(schema.properties ?? {}),
  ...listParts(schema).flatMap(listProperties),
];

function withProperties(schema: Written, change: (part: Written) => Written): Written {
  const { properties, allOf } = schema;
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([key, part]) => [key, change(part)])),
    }),
    ...(allOf !== undefined && { allOf: listParts(schema).map((part) => withProperties(part, change)) }),
  };
}

const isSchema = (value: unknown): value is Written => typeof value === "object" && value !== null;

/** A record without what it says of itself and its example, which a chapter may say in its own words. */
const shapeOf = (record: Written) =>
  JSON.stringify(record, (key, value: unknown) =>
    (key === "description" && typeof value === "string") || (key === "examples" && Array.isArray(value))
      ? undefined
      : value,
  );

/** `card_batch`, `listCards`, `subscriber.created` to type names. */
export const pascal = (name: string) =>
  name.replace(
    /[^A-Za-z0-9]*([A-Za-z0-9]+)[^A-Za-z0-9]*/g,
    (_, word: string) => word.charAt(0).toUpperCase() + word.slice(1),
  );

export function singular(name: string): string {
  if (/(?:ch|sh|ss|x)es$/i.test(name)) return name.slice(0, -2);
  if (name.endsWith("ies")) return `${name.slice(0, -3)}y`;
  return /[^su]s$/.test(name) && !name.endsWith("Nas") ? name.slice(0, -1) : name;
}

/** Shares equal parts of operations under the first free name, the most frequent first. `refer` returns the reference. */
export function repeated<T extends object>(
  kind: "headers" | "responses" | "parameters",
  all: readonly { readonly value: T; readonly names: readonly string[] }[],
) {
  const same = Map.groupBy(all, ({ value }) => JSON.stringify(value));
  const named: Record<string, T> = {};
  const nameByRecord = new Map<string, string>();
  for (const [text, [one, ...others]] of [...same].toSorted(([, a], [, b]) => b.length - a.length)) {
    const name = one?.names.find((candidate) => !Object.hasOwn(named, candidate));
    if (!one || name === undefined || others.length < 1) continue;
    named[name] = one.value;
    nameByRecord.set(text, name);
  }
  const refer = (value: T): T | Reference => {
    const name = nameByRecord.get(JSON.stringify(value));
    return name === undefined ? value : { $ref: `#/components/${kind}/${name}` };
  };
  return { named, refer };
}
