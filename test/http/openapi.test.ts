import { expect, test } from "bun:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Value } from "@sinclair/typebox/value";
import { openapiDocument } from "../../src/http/openapi.ts";
import { closed, request, type TestApp, temporaryApp } from "../support/http.ts";

interface Document {
  paths: Record<string, Record<string, { operationId: string; security: object[]; responses: object }>>;
}

async function documentOf({ app }: TestApp): Promise<Document> {
  const response = await app.handle(request("GET", "/openapi.json"));
  return JSON.parse(await response.text());
}

function operationsOf({ paths }: Document): string[] {
  return Object.entries(paths)
    .flatMap(([path, item]) => Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`))
    .sort();
}

test("the document is valid OpenAPI 3.1", async () => {
  using app = temporaryApp();
  expect(await new Validator().validate({ ...(await documentOf(app)) })).toEqual({ valid: true });
});

test("the document lists exactly the routes of the app but the pages of staff, each under a name of its own", async () => {
  using app = temporaryApp();
  const document = await documentOf(app);
  const routes = app.app.routes
    .filter(({ path }) => !path.startsWith("/console"))
    .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`);
  expect(operationsOf(document)).toEqual([...new Set(routes)].sort());
  const names = Object.values(document.paths).flatMap((item) =>
    Object.values(item).map(({ operationId }) => operationId),
  );
  expect(new Set(names).size).toBe(names.length);
});

test("every operation is there, with the credentials that it says", async () => {
  using app = temporaryApp();
  const { paths } = await documentOf(app);
  const found = (operation: string) => {
    const [method = "", path = ""] = operation.split(" ");
    return paths[path]?.[method.toLowerCase()]?.security;
  };
  const contract: [security: object[], operations: string[]][] = [
    [[], ["POST /api/v1/users/login", "POST /api/auth-login", "POST /api/v1/subscriber/login"]],
    [
      [{ staffToken: [] }],
      [
        "GET /api/v1/users/profile",
        "POST /api/v1/users/refresh-token",
        "POST /api/v1/users/logout",
        "POST /api/v1/users/logout-all",
      ],
    ],
    [
      [{ subscriberToken: [] }],
      [
        "POST /api/v1/subscriber/logout",
        "POST /api/v1/subscriber/logout-all",
        "POST /api/v1/subscriber/refresh-token",
        "GET /mobile-auto-login",
      ],
    ],
    [
      [{ basic: [] }],
      [
        "GET /api/v1/role/list",
        "GET /api/v1/role/get/{code}",
        "POST /api/v1/role/create",
        "POST /api/v1/role/update",
        "DELETE /api/v1/role/delete/{code}",
        "GET /api/v1/role/permissions/{code}",
        "POST /api/v1/role/permissions_update",
        "POST /api/v1/activation/activate",
        "POST /api/v1/activation/disconnect",
        "GET /api/v1/subscriber/list",
        "GET /api/v1/subscriber/get/{id}",
        "POST /api/v1/subscriber/create",
        "POST /api/v1/subscriber/update",
        "GET /api/v1/subscriber/usage/{id}",
        "GET /api/v1/subscriber/notes/{id}",
        "POST /api/v1/subscriber/note",
        "POST /api/v1/subscriber/reset_password",
        "POST /api/v1/subscriber/mac_lock",
        "POST /api/v1/subscriber/mac_unlock",
        "POST /api/v1/subscriber/change_mac",
      ],
    ],
  ];
  for (const [security, operations] of contract)
    for (const operation of operations)
      expect({ operation, security: found(operation) }).toEqual({ operation, security });
});

test("every operation has examples of what it takes and of every answer in JSON", () => {
  using app = temporaryApp();
  for (const item of Object.values(openapiDocument(app.app.routes).paths))
    for (const { operationId, requestBody, responses } of Object.values(item)) {
      const answers = Object.values(responses).map(({ content }) => content?.["application/json"]);
      const asked = requestBody ? Object.values(requestBody.content) : [];
      for (const described of [...answers, ...asked])
        if (described)
          expect({ operationId, example: described.example }).toEqual({
            operationId,
            example: expect.anything(),
          });
    }
});

test("an operation's examples fit its schemas, to the last key", () => {
  using app = temporaryApp();
  for (const item of Object.values(openapiDocument(app.app.routes).paths))
    for (const { operationId, responses } of Object.values(item))
      for (const [status, { content = {} }] of Object.entries(responses))
        for (const { schema, example } of Object.values(content)) {
          if (example === undefined) continue;
          const faults = [...Value.Errors(closed(schema), example)].map(
            ({ path, message }) => path + message,
          );
          expect({ operationId, status, faults }).toEqual({ operationId, status, faults: [] });
        }
});

/** Every property of a schema at every depth, as its place and what it says of itself. */
function* propertiesOf(schema: unknown, place: string): Generator<[place: string, description: unknown]> {
  if (typeof schema !== "object" || schema === null) return;
  for (const [key, part] of Object.entries(schema)) {
    if (key !== "properties") {
      yield* propertiesOf(part, place);
      continue;
    }
    for (const [name, property] of Object.entries<{ description?: unknown }>(part)) {
      yield [`${place}.${name}`, property.description];
      yield* propertiesOf(property, `${place}.${name}`);
    }
  }
}

test("every field and parameter says what it means, not only what it may be", () => {
  using app = temporaryApp();
  const all: [place: string, description: unknown][] = [];
  for (const item of Object.values(openapiDocument(app.app.routes).paths))
    for (const { operationId, parameters, requestBody, responses } of Object.values(item)) {
      for (const { name, description } of parameters) all.push([`${operationId} ${name}`, description]);
      for (const { schema } of Object.values(requestBody?.content ?? {}))
        all.push(...propertiesOf(schema, operationId));
      for (const [status, { content = {} }] of Object.entries(responses))
        for (const { schema } of Object.values(content))
          all.push(...propertiesOf(schema, `${operationId} ${status}`));
    }
  expect(all.length).toBeGreaterThan(500);
  const silent = all.filter(([, description]) => !/^(?!must)\S.{3,}/i.test(String(description ?? "")));
  expect(silent.map(([place]) => place)).toEqual([]);
});

test("the chapters stand in the order of a client's tasks, each explained, and so are Basic and the staff token", () => {
  using app = temporaryApp();
  const { info, tags, paths, components } = openapiDocument(app.app.routes);
  expect(tags.map(({ name }) => name).slice(0, 5)).toEqual([
    "Staff authentication",
    "Subscribers",
    "Activation",
    "Money",
    "Sessions and logins",
  ]);
  for (const tag of tags)
    expect(tag).toEqual({ name: tag.name, description: expect.stringMatching(/\w{3}/) });
  const order = Object.values(paths).flatMap((item) => Object.values(item).map(({ tags: [name] }) => name));
  expect(order.filter((name, i) => name !== order[i - 1])).toEqual(tags.map(({ name }) => name));
  for (const words of ["HTTP Basic", "staff token", "api_access", "curl -u"])
    expect(info.description).toContain(words);
  for (const scheme of Object.values(components.securitySchemes))
    expect(scheme.description.length).toBeGreaterThan(20);
});
