import { type TSchema, Type } from "@sinclair/typebox";
import type { Fields } from "../domain/fields.ts";
import type { Access, Answer, Description } from "./describe.ts";
import { type Family, familyOf } from "./families.ts";

/** A route as Elysia lists it. */
interface Route {
  method: string;
  path: string;
  hooks: { detail?: Description };
}

interface DocumentedAnswer {
  description: string;
  headers?: object;
  content: { "application/json": { schema: TSchema; example?: unknown } };
}

type Operation = ReturnType<typeof operation>;

/** The OpenAPI 3.1 document of the routes. Throws for a route that does not describe itself. */
export function openapiDocument(routes: readonly Route[]) {
  const paths: Record<string, Record<string, Operation>> = {};
  for (const { method, path, hooks } of routes) {
    if (method === "ALL") continue; // answers 405
    if (!hooks.detail) throw new Error(`${method} ${path} does not describe itself`);
    const item = (paths[path.replaceAll(/:(\w+)/g, "{$1}")] ??= {});
    item[method.toLowerCase()] = operation(method, hooks.detail, familyOf(path));
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Gatehouse",
      summary: "Subscriber management for an internet service provider",
      description:
        "Times are `Y-m-d H:i:s` in the server's zone. Bodies of HTTP Basic calls are form fields or JSON; a field may be sent once.",
      version: "1",
    },
    servers: [{ url: "/" }],
    paths,
    components: {
      securitySchemes: {
        staffToken: { type: "http", scheme: "bearer", description: "From staff login; header only." },
        subscriberToken: {
          type: "http",
          scheme: "bearer",
          description: "From subscriber login; header only.",
        },
        basic: {
          type: "http",
          scheme: "basic",
          description: "Username or e-mail address of a staff account.",
        },
      },
    },
  };
}

function operation(method: string, described: Description, family: Family) {
  const { operationId, tags, summary, access, form, path = {}, success, otherwise = {} } = described;
  const inQuery = method === "GET" || method === "DELETE";
  const flag = typeof access === "object" && `Needs the permission \`${access.flag}\`.`;
  return {
    operationId,
    tags,
    summary,
    ...text([described.description, flag]),
    security: security(access),
    parameters: [
      ...parameters("path", path, Object.keys(path)),
      ...(form && inQuery ? parameters("query", form.fields, form.required) : []),
    ],
    ...(form && !inQuery && { requestBody: requestBody(form, access) }),
    responses: {
      200: response(success),
      ...errorResponses(method, described, family),
      ...Object.fromEntries(Object.entries(otherwise).map(([status, answer]) => [status, response(answer)])),
    },
  };
}

function response({ description, schema, example }: Answer): DocumentedAnswer {
  return { description, content: { "application/json": { schema, example } } };
}

function text(parts: (string | false | undefined)[]) {
  const description = parts.filter(Boolean).join(" ");
  return description === "" ? {} : { description };
}

function parameters(where: "path" | "query", fields: Fields, required: readonly string[]) {
  return Object.entries(fields).map(([name, { schema }]) => ({
    name,
    in: where,
    required: required.includes(name),
    schema,
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
  return access === "everybody" ? [] : [{ [`${access}Token`]: [] }];
}

/** What each operation of an access and a form can answer, and what it says of itself. */
function errorResponses(
  method: string,
  { access, form, refusals = {} }: Description,
  family: Family,
): Record<string, DocumentedAnswer> {
  const hasBody = form !== undefined && method !== "GET";
  const meanings: Record<number, string | undefined> = {
    400: form ? `The ${hasBody ? "body" : "query"} cannot be parsed.` : undefined,
    401: access === "everybody" ? undefined : "Missing, wrong, expired or revoked credentials.",
    403: typeof access === "object" ? "Disabled account, or a permission is missing." : undefined,
    413: hasBody ? "The body is larger than 1 MiB." : undefined,
    415: hasBody ? "The content type is not accepted." : undefined,
    429: typeof access === "object" ? "Ten wrong passwords in a minute; see Retry-After." : undefined,
    500: "Internal error; `id` stands in the log beside its cause.",
    503: typeof access === "object" ? "Too many sign-ins at once; see Retry-After." : undefined,
  };
  const responses: Record<string, DocumentedAnswer> = {};
  const fault = form && "A field is missing or wrong; see `errors`.";
  for (const status of [400, 401, 403, 404, 413, 415, 422, 429, 500, 502, 503]) {
    const reasons = [meanings[status], status === family.faultStatus && fault, refusals[status]];
    const { description } = { description: "", ...text(reasons) };
    if (description === "") continue;
    const isFault = status === family.faultStatus && fault !== undefined;
    responses[status] = {
      description,
      ...(status === 401 && { headers: { "WWW-Authenticate": { schema: { type: "string" } } } }),
      ...((status === 429 || status === 503) && {
        headers: { "Retry-After": { description: "Seconds.", schema: { type: "integer" } } },
      }),
      content: { "application/json": { schema: errorSchema(family, status, isFault) } },
    };
  }
  return responses;
}

/** From the body that the family makes, so that it cannot say anything else. */
function errorSchema(family: Family, status: number, withErrors: boolean): TSchema {
  const body = family.body(status, "", undefined);
  const properties = Object.entries(body).map(([name, value]) => [
    name,
    value === "" ? Type.String() : Type.Literal(value),
  ]);
  return Type.Object({
    ...Object.fromEntries(properties),
    ...(status === 500 && { id: Type.String() }),
    ...(withErrors && { errors: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))) }),
  });
}
