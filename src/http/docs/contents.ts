import type { openapiDocument } from "../openapi.ts";
import type { Written } from "../openapi-schemas.ts";

export type ApiDocument = ReturnType<typeof openapiDocument>;
type Path = ApiDocument["paths"][string];
type DocumentedOperation = Path[string];

/** A parameter of the address or a header. */
export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Written;
  readonly example?: unknown;
}

interface Media {
  readonly schema: Written;
  readonly example?: unknown;
}

/** What an operation answers with one status. */
export interface Answer {
  readonly status: string;
  readonly description: string;
  readonly media: (Media & { readonly type: string }) | undefined;
}

/** An operation as a reader wants it: what the document says by reference stands here in its place. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** Names of `securitySchemes`, of which it takes one; none: it takes nothing. */
  readonly credentials: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly body: (Media & { readonly type: string }) | undefined;
  readonly answers: readonly Answer[];
}

export interface Chapter {
  /** Its name in the address of its page. */
  readonly slug: string;
  readonly title: string;
  /** Markdown. */
  readonly description: string;
  readonly operations: readonly Operation[];
}

/** An event that programs are told of, and the record that is sent. */
export interface DocumentedEvent {
  readonly type: string;
  readonly summary: string;
  readonly schema: Written;
}

/** The document of the API, ordered for its pages. */
export interface Contents {
  /** Markdown. */
  readonly introduction: string;
  readonly chapters: readonly Chapter[];
  readonly events: readonly DocumentedEvent[];
  /** Records by their names. */
  readonly schemas: Readonly<Record<string, Written>>;
}

export function buildContents(document: ApiDocument): Contents {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      chapter: operation.tags[0],
      operation: toOperation(document, { method, path, operation }),
    })),
  );
  return {
    introduction: document.info.description,
    chapters: document.tags.map(({ name, description = "" }) => ({
      slug: toSlug(name),
      title: name,
      description,
      operations: operations.flatMap(({ chapter, operation }) => (chapter === name ? [operation] : [])),
    })),
    events: Object.entries(document.webhooks).map(([type, { post }]) => ({
      type,
      summary: post.summary,
      schema: post.requestBody.content["application/json"].schema,
    })),
    schemas: wholeRecords(document.components.schemas),
  };
}

/** Records with what they extend. */
function wholeRecords(schemas: Contents["schemas"]): Contents["schemas"] {
  const whole = (record: Written): Written => {
    if (!Array.isArray(record["allOf"])) return record;
    const parts = (record["allOf"] as Written[]).map((part) => schemas[recordName(part) ?? ""] ?? part);
    return {
      ...record,
      properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
      required: parts.flatMap(({ required }) => (Array.isArray(required) ? required : [])),
    };
  };
  return Object.fromEntries(Object.entries(schemas).map(([name, record]) => [name, whole(record)]));
}

function toOperation(
  document: ApiDocument,
  { method, path, operation }: { method: string; path: string; operation: DocumentedOperation },
): Operation {
  const { security = document.security } = operation as { security?: readonly object[] };
  const { requestBody: body } = operation as { requestBody?: { content: Readonly<Record<string, Media>> } };
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    summary: operation.summary,
    description: (operation as { description?: string }).description ?? "",
    credentials: security.flatMap((way) => Object.keys(way)),
    parameters: operation.parameters.map((one) => resolved<Parameter>(document, one)),
    body: firstMedia(document, body?.content),
    answers: Object.entries(operation.responses).map(([status, answer]) => {
      const { description, content } = resolved<{
        description: string;
        content?: Readonly<Record<string, Media>>;
      }>(document, answer);
      return { status, description, media: firstMedia(document, content) };
    }),
  };
}

/** What is sent or answered in the first of its types; no call has two of which one says more. */
function firstMedia(
  { components: { schemas } }: ApiDocument,
  content: Readonly<Record<string, Media>> | undefined,
): Operation["body"] {
  const [first] = Object.entries(content ?? {});
  if (!first) return undefined;
  const [type, media] = first;
  return { type, ...media, example: media.example ?? exampleIn(schemas, media.schema) };
}

/** The example that stands with a record, and not where it is answered: its own, a list of that of its rows, or what its parts say. */
function exampleIn(schemas: Contents["schemas"], schema: Written): unknown {
  const whole = schemas[recordName(schema) ?? ""] ?? schema;
  const [own] = (whole["examples"] as readonly unknown[] | undefined) ?? [];
  if (own !== undefined) return own;
  if (whole.items) {
    const row = exampleIn(schemas, whole.items);
    return row === undefined ? undefined : [row];
  }
  const parts = Object.entries(whole.properties ?? {}).map(([name, part]) => [
    name,
    name === "success" ? "Done." : exampleIn(schemas, part),
  ]);
  return parts.length === 0 ? undefined : Object.fromEntries(parts.filter(([, part]) => part !== undefined));
}

/** A part of the document, or what a reference to one leads to. */
function resolved<T>(document: ApiDocument, part: object): T {
  if (!("$ref" in part)) return part as T;
  const [, , kind = "", name = ""] = String(part.$ref).split("/");
  return (document.components as unknown as Record<string, Record<string, T>>)[kind]?.[name] as T;
}

/** The name of the record that a schema refers to. */
export function recordName({ $ref }: Written): string | undefined {
  return typeof $ref === "string" ? $ref.split("/").at(-1) : undefined;
}

/** Records that schemas lead to, each once, those within the others too. */
export function recordsWithin(schemas: Contents["schemas"], from: readonly Written[]): readonly string[] {
  const found = new Set<string>();
  const follow = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    const name = recordName(value as Written);
    if (name === undefined) return Object.values(value).forEach(follow);
    if (found.has(name)) return;
    found.add(name);
    follow(schemas[name]);
  };
  from.forEach(follow);
  return [...found];
}

const toSlug = (title: string) => title.toLowerCase().replaceAll(/[^a-z]+/g, "-");

/** Operations in which each word stands, those whose name or path has them first. */
export function searchContents({ chapters, schemas }: Contents, words: string) {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return [];
  const has = (text: string) => wanted.every((word) => text.includes(word));
  const found = chapters.flatMap((chapter) =>
    chapter.operations.map((operation) => {
      const title = `${operation.summary} ${operation.path} ${operation.id}`.toLowerCase();
      return {
        chapter,
        operation,
        isTitled: has(title),
        isFound: has(title + operationText(operation, schemas)),
      };
    }),
  );
  return [
    ...found.filter(({ isTitled }) => isTitled),
    ...found.filter((one) => one.isFound && !one.isTitled),
  ];
}

/** Everything that is said of an operation, and of the fields of what it takes and answers; made once of each. */
function operationText(operation: Operation, schemas: Contents["schemas"]): string {
  const known = texts.get(operation);
  if (known !== undefined) return known;
  const media = [operation.body, operation.answers[0]?.media];
  const records = media.map((one) => schemas[recordName(one?.schema ?? {}) ?? ""] ?? one?.schema);
  const text = JSON.stringify([{ ...operation, answers: [], body: undefined }, records]).toLowerCase();
  texts.set(operation, text);
  return text;
}

const texts = new WeakMap<Operation, string>();
