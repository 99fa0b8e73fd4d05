import type { TSchema } from "@sinclair/typebox";
import type { Fields } from "../domain/fields.ts";
import type { Access, Answer, Description } from "./describe.ts";
import { type Family, familyOf } from "./families.ts";
import { errorAnswers } from "./openapi-errors.ts";

/** A route as Elysia lists it. */
interface Route {
  method: string;
  path: string;
  hooks: { detail?: Description };
}

type Operation = ReturnType<typeof operation>;

const securitySchemes = {
  staffToken: { type: "http", scheme: "bearer", description: "From staff login; header only." },
  subscriberToken: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "From subscriber login; header only.",
  },
  basic: {
    type: "http",
    scheme: "basic",
    description: "Username or e-mail address of a staff account, and its password.",
  },
  portalSession: {
    type: "apiKey",
    in: "cookie",
    name: "gatehouse_portal",
    description: "From /mobile-auto-login.",
  },
};

/** The OpenAPI 3.1 document of the routes. Throws for a route that does not describe itself. */
export function openapiDocument(routes: readonly Route[]) {
  const paths: Record<string, Record<string, Operation>> = {};
  for (const { method, path, hooks } of routes) {
    if (method === "ALL") continue; // answers 405
    if (!hooks.detail) throw new Error(`${method} ${path} does not describe itself`);
    const item = (paths[path.replaceAll(/:(\w+)/g, "{$1}")] ??= {});
    item[method.toLowerCase()] = operation(method, hooks.detail, familyOf(path));
  }
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  return {
    openapi: "3.1.0",
    info: {
      title: "Gatehouse",
      summary: "Subscriber management for an internet service provider",
      description:
        "Times are `Y-m-d H:i:s` in the server's zone. Bodies are form fields or JSON; a field may be sent once. " +
        "A path that is not here answers 404, another method 405 with `Allow`, each in the error body of its family.",
      version: "1",
    },
    servers: [{ url: "/" }],
    tags: [...new Set(operations.flatMap(({ tags }) => tags))].map((name) => ({ name })),
    paths,
    components: { securitySchemes },
  };
}

function operation(method: string, described: Description, family: Family) {
  const { operationId, tags, summary, access, form, path = {}, success, otherwise = {} } = described;
  const inQuery = method === "GET" || method === "DELETE";
  const flag = typeof access === "object" && `Needs the permission \`${access.flag}\`.`;
  const answers: Record<string, Answer> = {
    [success.status ?? 200]: success,
    ...errorAnswers(method, described, family),
    ...otherwise,
  };
  return {
    operationId,
    tags,
    summary,
    ...text([described.description, flag]),
    security: security(access),
    parameters: [
      ...parameters("path", path, Object.keys(path), {}),
      ...(form && inQuery ? parameters("query", form.fields, form.required, form.example) : []),
    ],
    ...(form && !inQuery && { requestBody: requestBody(form, access) }),
    responses: Object.fromEntries(
      Object.entries(answers).map(([status, answer]) => [status, response(answer)]),
    ),
  };
}

interface Response {
  description: string;
  headers?: Answer["headers"];
  content?: Record<string, { schema: TSchema; example?: unknown }>;
}

function response({ description, headers, type = "application/json", schema, example }: Answer): Response {
  return {
    description,
    ...(headers && { headers }),
    ...(schema && { content: { [type]: { schema, ...(example !== undefined && { example }) } } }),
  };
}

function text(parts: (string | false | undefined)[]) {
  const description = parts.filter(Boolean).join(" ");
  return description === "" ? {} : { description };
}

function parameters(
  where: "path" | "query",
  fields: Fields,
  required: readonly string[],
  examples: Readonly<Record<string, unknown>>,
) {
  return Object.entries(fields).map(([name, { schema }]) => ({
    name,
    in: where,
    required: required.includes(name),
    schema,
    example: Object.hasOwn(examples, name) ? examples[name] : undefined,
  }));
}

function requestBody(
  { fields, required, others, example }: NonNullable<Description["form"]>,
  access: Access,
) {
  const schema = {
    type: "object",
    properties: Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema])),
    required,
    ...(others && { additionalProperties: others }),
  };
  const json = { "application/json": { schema, example } };
  const forms = {
    "application/x-www-form-urlencoded": { schema, example },
    "multipart/form-data": { schema, example },
  };
  const content = typeof access === "object" ? { ...forms, ...json } : { ...json, ...forms };
  return { required: required.length > 0, content };
}

function security(access: Access): Record<string, []>[] {
  if (typeof access === "object") return [{ basic: [] }];
  if (access === "everybody") return [];
  return [{ [access === "portal" ? "portalSession" : `${access}Token`]: [] }];
}
