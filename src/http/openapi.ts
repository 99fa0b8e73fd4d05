import { type TSchema, Type } from "@sinclair/typebox";
import type { Access, Answer, Description } from "./describe.ts";
import { eventTypes } from "../domain/core/events/types.ts";
import { explained, explainedField } from "./explain.ts";
import { type Family, familyOf } from "./families.ts";
import { chapters, introduction } from "./meanings.ts";
import { errorAnswers } from "./openapi-errors.ts";

/** A route as Elysia lists it. */
interface Route {
  method: string;
  path: string;
  hooks: { detail?: Description | Hidden };
}
/** No part of the API: the pages of staff. */
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
      "Username or e-mail address of a staff account and its password, with every call. The account needs to be an Admin, or to have a role with `api_access` and the permission that the call names.",
  },
  metricsToken: {
    type: "http",
    scheme: "bearer",
    description: "GATEHOUSE_METRICS_TOKEN of the configuration; not needed on the box itself.",
  },
  portalSession: {
    type: "apiKey",
    in: "cookie",
    name: "gatehouse_portal",
    description:
      "From /mobile-auto-login or the sign-in page; under TLS its name is `__Host-gatehouse_portal`.",
  },
};

/** The OpenAPI 3.1 document of the routes. Throws for a route that does not describe itself. */
export function openapiDocument(routes: readonly Route[]) {
  const paths: Record<string, Record<string, Operation>> = {};
  for (const { method, path, detail } of inTheOrderOfTasks(routes)) {
    const item = (paths[path.replaceAll(/:(\w+)/g, "{$1}")] ??= {});
    item[method.toLowerCase()] = operation(method, detail, familyOf(path));
  }
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  return {
    openapi: "3.1.0",
    info: {
      title: "Gatehouse",
      summary: "Subscriber management for an internet service provider",
      description: introduction,
      version: "1",
    },
    servers: [{ url: "/" }],
    tags: [...new Set(operations.flatMap(({ tags }) => tags))].map((name) => ({
      name,
      description: chapters[name],
    })),
    paths,
    webhooks: webhooks(),
    components: { securitySchemes },
  };
}

/** What is sent to programs that asked for it, by the type of the event (OpenAPI 3.1, webhooks). */
function webhooks() {
  const told = Object.entries(eventTypes).map(([type, { says, data }]) => [
    type,
    {
      post: {
        operationId: type,
        tags: ["Webhooks"],
        summary: says,
        description:
          "Headers of Standard Webhooks: `webhook-id` (the same whenever it comes again), `webhook-timestamp` (of the attempt), `webhook-signature`.",
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: Type.Object({
                type: Type.Literal(type),
                timestamp: Type.String({ format: "date-time", description: "When it happened." }),
                data,
              }),
            },
          },
        },
        responses: {
          "2XX": { description: "It has arrived." },
          "410": { description: "Nothing more is wanted; the webhook is switched off." },
        },
      },
    },
  ]);
  return Object.fromEntries(told);
}

/** Chapter by chapter; within one as they were made. Throws for a route that does not describe itself. */
function inTheOrderOfTasks(routes: readonly Route[]) {
  const order = Object.keys(chapters);
  const placeOf = ({ detail }: { detail: Description }) => {
    const place = order.indexOf(detail.tags[0]);
    return place < 0 ? order.length : place;
  };
  return routes
    .flatMap(({ method, path, hooks: { detail } }) => {
      if (!detail) throw new Error(`${method} ${path} does not describe itself`);
      return "hide" in detail ? [] : [{ method, path, detail }];
    })
    .toSorted((a, b) => placeOf(a) - placeOf(b));
}

function operation(method: string, described: Description, family: Family) {
  const { operationId, tags, summary, access, form, path = {}, success, otherwise = {} } = described;
  const [chapter] = tags;
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
      ...parameters("path", { fields: path, required: Object.keys(path), example: {} }, chapter),
      ...(form && inQuery ? parameters("query", form, chapter) : []),
      ...(described.once ? [{ ...keyParameter, required: described.needsKey === true }] : []),
    ],
    ...(form && !inQuery && { requestBody: requestBody(form, access, chapter) }),
    responses: Object.fromEntries(
      Object.entries(answers).map(([status, answer]) => [
        status,
        response(answer, chapter, described.csv === true && answer === success),
      ]),
    ),
  };
}

const keyParameter = {
  name: "Idempotency-Key",
  in: "header",
  description:
    "1 to 100 printable ASCII characters of your choice. For 48 hours the same key with the same body gets the first answer again, and nothing is done twice; with another body it is 409. A refusal keeps nothing.",
  schema: Type.String({ minLength: 1, maxLength: 100 }),
};

interface Response {
  description: string;
  headers?: Answer["headers"];
  content?: Record<string, { schema: TSchema; example?: unknown }>;
}

function response(
  { description, headers, type = "application/json", schema, example }: Answer,
  chapter: string,
  csv = false,
): Response {
  return {
    description,
    ...(headers && { headers }),
    ...(schema && {
      content: {
        [type]: { schema: explained(schema, chapter), ...(example !== undefined && { example }) },
        ...(csv && {
          "text/csv": { schema: Type.String({ description: "The same as a file, with all that match." }) },
        }),
      },
    }),
  };
}

function text(parts: (string | false | undefined)[]) {
  const description = parts.filter(Boolean).join(" ");
  return description === "" ? {} : { description };
}

type Asked = NonNullable<Description["form"]>;

function parameters(
  where: "path" | "query",
  { fields, required, example, meanings }: Asked,
  chapter: string,
) {
  return Object.entries(fields).map(([name, field]) => {
    const { description, ...schema } = explainedField(field, name, { chapter, meanings });
    return {
      name,
      in: where,
      required: required.includes(name),
      description,
      schema,
      example: Object.hasOwn(example, name) ? example[name] : undefined,
    };
  });
}

function requestBody(
  { fields, required, others, example, meanings }: Asked,
  access: Access,
  chapter: string,
) {
  const schema = {
    type: "object",
    properties: Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [
        name,
        explainedField(field, name, { chapter, meanings }),
      ]),
    ),
    required,
    ...(others && { additionalProperties: others }),
  };
  const hasFile = Object.values(fields).some((field) => field.schema["format"] === "binary");
  if (hasFile) return { required: true, content: { "multipart/form-data": { schema, example } } };
  const json = { "application/json": { schema, example } };
  const forms = {
    "application/x-www-form-urlencoded": { schema, example },
    "multipart/form-data": { schema, example },
  };
  const content = typeof access === "object" ? { ...forms, ...json } : { ...json, ...forms };
  return { required: required.length > 0, content };
}

/** Any one of them; an empty one is none at all. */
function security(access: Access): Record<string, []>[] {
  if (typeof access === "object") return [{ basic: [] }];
  if (access === "everybody") return [];
  if (access === "admin") return [{ basic: [] }, {}];
  if (access === "metrics") return [{ metricsToken: [] }, {}];
  return [{ [access === "portal" ? "portalSession" : `${access}Token`]: [] }];
}
