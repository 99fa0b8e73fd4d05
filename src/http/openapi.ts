import { STATUS_CODES } from "node:http";
import { Type } from "@sinclair/typebox";
import type { Access, Answer, Deprecated, Description } from "./describe.ts";
import { eventTypes } from "../domain/core/events/types.ts";
import { explained, explainedField } from "./explain.ts";
import type { ManagementForm, Place } from "./form.ts";
import { type Family, findFamily } from "./families.ts";
import { chapters, introduction } from "./meanings.ts";
import { Components, pascal, repeated, singular } from "./openapi-components.ts";
import { errorAnswers } from "./openapi-errors.ts";
import { writeSchema, type Written, written } from "./openapi-schemas.ts";

interface Route {
  method: string;
  path: string;
  hooks: { detail?: Description | Hidden };
}
/** Staff pages, not part of the API. */
interface Hidden {
  readonly hide: true;
}

type Operation = ReturnType<typeof operation>;

const securitySchemes = {
  staffToken: {
    type: "http",
    scheme: "bearer",
    description:
      "What POST /api/v1/users/login answers to a person who signs in. Header only. It opens the calls about one's own account; the others take `basic`.",
  },
  subscriberToken: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "What POST /api/v1/subscriber/login answers. Header only.",
  },
  basic: {
    type: "http",
    scheme: "basic",
    description:
      "An API key and its secret, or the username or e-mail address of a staff account and its password, with every call. The account needs to be an Admin, or to have a role with `api_access` and the permission that the call names.",
  },
  apiKey: {
    type: "http",
    scheme: "bearer",
    description:
      "An API key with its secret, as `key_3f9c2b7d10ae4c58:SECRET`. The same pair is taken as `basic`.",
  },
  metricsToken: {
    type: "http",
    scheme: "bearer",
    description: "GATEHOUSE_METRICS_TOKEN of the configuration; not needed on the box itself.",
  },
};

const portalSession = {
  type: "apiKey",
  in: "cookie",
  name: "gatehouse_portal",
  description:
    "From /mobile-auto-login or the sign-in page; under TLS its name is `__Host-gatehouse_portal`.",
};

/** OpenAPI 3.1 for programs; with `pages` what browsers open too. Throws for an undescribed route. */
export function openapiDocument(routes: readonly Route[], { pages = false }: { pages?: boolean } = {}) {
  const components = new Components();
  const described = sortByChapter(routes).filter(({ detail }) => pages || !isPage(detail));
  const asked = new Map(described.map(({ detail }) => [detail.operationId, detail.form?.required ?? []]));
  /** What a call may leave out and not clear: what it takes to make such a record. */
  const neverEmpty = (operationId: string) => asked.get(operationId.replace(/^update/, "create")) ?? [];
  const made = new Map(
    sortByVerb(described).map((route) => [
      route,
      operation(route.method, route.detail, findFamily(route.path), { components, neverEmpty }),
    ]),
  );
  const operations = [...made.values()];
  const headers = repeated(
    "headers",
    operations.flatMap(({ tags: [chapter], responses: answers }) =>
      listHeaders(answers).map(([name, value]) => ({ value, names: qualified(name, chapter) })),
    ),
  );
  for (const { responses: answers } of operations)
    for (const answer of Object.values(answers))
      if (answer.headers) answer.headers = mapped(answer.headers, headers.refer);
  const responses = repeated(
    "responses",
    operations.flatMap(({ tags: [chapter], responses: answers }) =>
      Object.entries(answers).map(([status, value]) => ({
        value,
        names: responseNames(status, value, chapter),
      })),
    ),
  );
  const parameters = repeated(
    "parameters",
    operations.flatMap(({ tags: [chapter], parameters: query }) =>
      query.map((value) => ({ value, names: qualified(`${value.name}_parameter`, chapter) })),
    ),
  );
  const referring = (of: Operation) => ({
    ...of,
    parameters: of.parameters.map(parameters.refer),
    responses: mapped(of.responses, responses.refer),
  });
  const paths: Record<string, Record<string, ReturnType<typeof referring>>> = {};
  for (const route of described) {
    const item = (paths[route.path.replaceAll(/:(\w+)/g, "{$1}")] ??= {});
    const of = made.get(route);
    if (of) item[route.method.toLowerCase()] = referring(of);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Gatehouse",
      summary: "Subscriber management for an internet service provider",
      description: introduction,
      version: "1",
    },
    servers: [{ url: "/" }],
    security: [{ basic: [] }, { apiKey: [] }],
    tags: [...new Set(described.map(({ detail }) => detail.tags[0]))].map((name) => ({
      name,
      description: chapters[name],
    })),
    paths,
    webhooks: webhooks(components),
    components: {
      schemas: components.schemas,
      headers: headers.named,
      responses: responses.named,
      parameters: parameters.named,
      securitySchemes: pages ? { ...securitySchemes, portalSession } : securitySchemes,
    },
  };
}

/** What people read, and files of it. */
const isPage = ({ access, success: { type } }: Description) =>
  access === "portal" || (access === "everybody" && (type === "text/html" || type === "*/*"));

const listHeaders = (answers: Record<string, Response>) =>
  Object.values(answers).flatMap(({ headers = {} }) => Object.entries(headers));

const mapped = <T, R>(values: Record<string, T>, of: (value: T) => R): Record<string, R> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, of(value)]));

/** Names in fewer letters than HTTP has for them: most calls name all of these. */
const shortNames: Readonly<Record<string, string>> = {
  413: "Too Large",
  415: "Media Type",
  429: "Too Many",
  500: "Internal",
  503: "Unavailable",
};
const statusName = (status: string) => shortNames[status] ?? STATUS_CODES[status];

/** What an answer is called where others are like it: by its status, by its record where that is not the usual one, else by what it says. */
function responseNames(status: string, { description, content = {} }: Response, chapter: string): string[] {
  const [media] = Object.values(content);
  const record =
    String(media?.schema["$ref"] ?? "page")
      .split("/")
      .at(-1) ?? "";
  const [sentence = ""] = description.split(/[.;(]/);
  if (status === "default") return ["Refused", pascal(`Refused ${chapter}`)];
  return [
    ...qualified(`${statusName(status)} ${record.replace(/Error$/, "")}`, chapter),
    pascal(`${statusName(status)} ${sentence}`),
  ];
}

const qualified = (name: string, chapter: string) => [pascal(name), pascal(`${chapter} ${name}`)];

/** Webhooks by event type (OpenAPI 3.1). */
function webhooks(components: Components) {
  const operations = Object.entries(eventTypes).map(
    ([type, { says: text, data }]) =>
      [
        type,
        {
          post: {
            operationId: type,
            tags: ["Webhooks"],
            summary: text,
            requestBody: {
              required: true,
              content: {
                "application/json": {
                  schema: components.named(
                    written(
                      Type.Object({
                        type: Type.Literal(type),
                        timestamp: Type.String({ format: "date-time", description: "When it happened." }),
                        data,
                      }),
                    ),
                    `${pascal(type)}Event`,
                  ),
                },
              },
            },
            responses: {
              "2XX": { description: "It has arrived." },
              "410": { description: "Nothing more is wanted; the webhook is switched off." },
            },
          },
        },
      ] as const,
  );
  return Object.fromEntries(operations);
}

/** Routes by chapter, then in order of definition. Throws for an undescribed route. */
function sortByChapter(routes: readonly Route[]) {
  const order = Object.keys(chapters);
  const chapterIndex = ({ detail }: { detail: Description }) => {
    const place = order.indexOf(detail.tags[0]);
    return place < 0 ? order.length : place;
  };
  return routes
    .flatMap(({ method, path, hooks: { detail } }) => {
      if (!detail) throw new Error(`${method} ${path} does not describe itself`);
      return "hide" in detail ? [] : [{ method, path, detail }];
    })
    .toSorted((a, b) => chapterIndex(a) - chapterIndex(b));
}

/** A noun's own call names it before lists and others. */
function sortByVerb<R extends { readonly detail: Description }>(routes: readonly R[]): R[] {
  const verbs = [/^get/, /^list/, /^/];
  const place = ({ detail }: R) => verbs.findIndex((verb) => verb.test(detail.operationId));
  return routes.toSorted((a, b) => place(a) - place(b));
}

/** The answer's record and its noun, if known. */
function answerNames(
  operationId: string,
  isSuccess: boolean,
  components: Components,
): [name: string, noun?: string] {
  const [, verb, noun = ""] = /^(get|list)(.+)$/.exec(operationId) ?? [];
  if (!isSuccess) return [`${pascal(operationId)}Refusal`];
  if (verb === "get") return [noun];
  if (verb === "list" && !components.has(singular(noun))) return [noun];
  return verb === "list" ? [`Listed${noun}`, noun] : [`${pascal(operationId)}Answer`];
}

/** The file said in text, because a second content type would make every generated call a union. */
const CSV = "With `Accept: text/csv` it answers a file, of all that match.";

const describeReplacement = ({ until, replacedBy }: Deprecated) =>
  `Use ${replacedBy} instead; this one stays until ${until} at least, and its answers say so by \`Deprecation\` and \`Sunset\`.`;

function operation(
  method: string,
  described: Description,
  family: Family,
  {
    components,
    neverEmpty,
  }: { components: Components; neverEmpty: (operationId: string) => readonly string[] },
) {
  const { operationId, tags, summary, access, replaced, path = {}, success, otherwise = {} } = described;
  const { clears = false } = described;
  const form = isAboutRecord(described) ? withoutNarrowing(described.form) : described.form;
  const [chapter] = tags;
  const inQuery = method === "GET" || method === "DELETE";
  const flag = typeof access === "object" && `Permission: \`${access.flag}\`.`;
  const parameters = (where: "path" | "query", query: FormDescription) =>
    buildParameters(where, query, { operationId, chapter, components });
  const answers: Record<string, Answer> = {
    [success.status ?? 200]: success,
    ...errorAnswers(method, described, family),
    ...otherwise,
  };
  return {
    operationId,
    tags,
    summary,
    ...(replaced && { deprecated: true }),
    ...text([described.description, replaced && describeReplacement(replaced), described.csv && CSV, flag]),
    ...(typeof access !== "object" && { security: security(access) }),
    parameters: [
      ...parameters("path", {
        fields: path,
        required: Object.keys(path),
        example: {},
        ...(described.form?.meanings && { meanings: described.form.meanings }),
      }),
      ...(form && inQuery ? parameters("query", form) : []),
      ...(described.once ? [{ ...keyParameter, ...(described.needsKey && { required: true }) }] : []),
      ...(described.condition ? [conditions[described.condition]] : []),
    ],
    ...(form &&
      !inQuery && {
        requestBody: requestBody(
          form,
          { clears, neverEmpty: neverEmpty(operationId) },
          { operationId, chapter, components },
        ),
      }),
    responses: Object.fromEntries<Response>(
      Object.entries(answers).map(([status, answer]) => [
        status,
        response(answer, answerNames(operationId, answer === success, components), { chapter, components }),
      ]),
    ),
  };
}

/** Said in one line, because clients repeat it at each call; the introduction says the rest. */
const keyParameter = {
  name: "Idempotency-Key",
  in: "header",
  description:
    "1 to 100 printable ASCII characters of your choice, with which the call may be sent again and is done once.",
  schema: Type.String({ minLength: 1, maxLength: 100 }),
};

const conditions = {
  read: {
    name: "If-None-Match",
    in: "header",
    description: "The ETag of the copy that one has: the answer is 304 while it is as that.",
    schema: Type.String(),
  },
  change: {
    name: "If-Match",
    in: "header",
    description:
      "The ETag of the record's `get`: where that is another one by now, nothing is done (412, `stale`).",
    schema: Type.String(),
  },
};

interface Response {
  description: string;
  headers?: Record<string, object>;
  content?: Record<string, { schema: Written; example?: unknown }>;
}

function response(
  { description, headers, type = "application/json", schema, example }: Answer,
  names: [name: string, noun?: string],
  { chapter, components }: { chapter: string; components: Components },
): Response {
  if (!schema) return { description, ...(headers && { headers }) };
  const named = components.named(written(explained(schema, chapter)), ...names);
  const own = components.exampleBeside(named, example);
  return {
    description,
    ...(headers && { headers }),
    content: { [type]: { schema: named, ...(own !== undefined && { example: own }) } },
  };
}

function text(parts: (string | false | undefined)[]) {
  const description = parts.filter(Boolean).join(" ");
  return description === "" ? {} : { description };
}

type FormDescription = NonNullable<Description["form"]> & Partial<Pick<ManagementForm<Place>, "narrowedBy">>;

const narrowing = {
  isp_id: "Narrows the call to this ISP; 0 narrows nothing.",
  branch_id: "Narrows the call to this branch; 0 narrows nothing.",
};

/** Whether a call names a record, in its path or in what is sent. */
const isAboutRecord = ({ path = {}, form }: Description) =>
  Object.keys(path).length > 0 ||
  (form?.required ?? []).some((name) => /(^|_)(id|code)$/.test(name) && !/^(isp|branch)_id$/.test(name));

/**
 * What narrows a call to an ISP or a branch says nothing of one that names its record: said once, it is no lines in every client. Without
 * anything else there is nothing to send.
 */
function withoutNarrowing(form: FormDescription | undefined): FormDescription | undefined {
  if (!form) return undefined;
  const { narrowedBy = [], required, fields, example } = form;
  const names = new Set<string>(narrowedBy.filter((name) => !required.includes(name)));
  const kept = <T>(all: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => !names.has(name)));
  if (Object.keys(kept(fields)).length === 0) return undefined;
  return { ...form, fields: kept(fields), example: kept(example), narrowedBy: [] };
}

/** Schemas of fields, each with its meaning and rule. */
function fieldSchemas(
  { fields, meanings, narrowedBy = [] }: FormDescription,
  chapter: string,
): [string, Written][] {
  const narrows = Object.fromEntries(narrowedBy.map((name) => [name, narrowing[name]]));
  const own = { ...narrows, ...meanings };
  return Object.entries(fields).map(([name, field]) => [
    name,
    writeSchema(name, explainedField(field, name, { chapter, meanings: own })),
  ]);
}

interface Where {
  readonly operationId: string;
  readonly chapter: string;
  readonly components: Components;
}

function buildParameters(
  where: "path" | "query",
  form: FormDescription,
  { operationId, chapter, components }: Where,
) {
  const { required, example } = form;
  return fieldSchemas(form, chapter).map(([name, { description, ...schema }]) => ({
    name,
    in: where,
    required: required.includes(name) || undefined,
    description,
    schema: components.named(schema, pascal(`${operationId}_${name}`)),
    example: Object.hasOwn(example, name) ? example[name] : undefined,
  }));
}

function requestBody(
  form: FormDescription,
  { clears, neverEmpty }: { clears: boolean; neverEmpty: readonly string[] },
  { operationId, chapter, components }: Where,
) {
  const { fields, required, others, example, narrowedBy = [] } = form;
  const properties = fieldSchemas(form, chapter).map(([name, schema]) => {
    const narrows = narrowedBy.find((one) => one === name);
    if (narrows) return [name, { ...schema, title: pascal(`narrow_to_${narrows}`) }];
    const isPlace = name === "isp_id" || name === "branch_id";
    const isCleared = clears && !isPlace && !required.includes(name) && !neverEmpty.includes(name);
    return [name, isCleared ? clearable(schema) : schema];
  });
  const record = {
    type: "object",
    properties: Object.fromEntries(properties),
    required,
    ...(others && { additionalProperties: written(others) }),
  };
  const name = pascal(operationId);
  const media = { schema: components.named(record, components.has(name) ? `${name}Form` : name), example };
  const isFile = Object.values(fields).some((field) => field.schema["format"] === "binary");
  const content = isFile
    ? { "multipart/form-data": media }
    : {
        "application/json": media,
        ...(inForms.has(operationId) && { "application/x-www-form-urlencoded": media }),
      };
  return { required: required.length > 0, content };
}

/** null, and "" for text; of a choice as a pattern, because generators make three types of an enum with null. */
function clearable({ enum: values, ...schema }: Written): Written {
  if (typeof schema.type !== "string" || schema.type === "object" || schema.type === "array") return schema;
  const pattern = Array.isArray(values) ? `^(${values.join("|")})$` : schema["pattern"];
  return {
    ...schema,
    type: [schema.type, "null"],
    minLength: undefined,
    ...(typeof pattern === "string" && { pattern: `^$|${pattern}` }),
  };
}

/** Operations that the interface documents as forms; others accept forms silently. */
const inForms = new Set([
  "createRole",
  "updateRole",
  "updatePermissions",
  "activate",
  "disconnect",
  "createSubscriber",
  "updateSubscriber",
  "setNote",
  "resetPassword",
  "lockMac",
  "unlockMac",
  "changeMac",
]);

/** Alternatives; an empty one means none. Staff calls use the document's default. */
function security(access: Exclude<Access, object>): Record<string, []>[] {
  if (access === "everybody") return [];
  if (access === "admin") return [{ basic: [] }, { apiKey: [] }, {}];
  if (access === "metrics") return [{ metricsToken: [] }, {}];
  return [{ [access === "portal" ? "portalSession" : `${access}Token`]: [] }];
}
