import { expect, test } from "bun:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Value } from "@sinclair/typebox/value";
import { openapiDocument } from "../../src/http/openapi.ts";
import { closed, request, temporaryApp } from "../support/http.ts";

test("health: 200 while the database answers and RADIUS listens", async () => {
  using app = temporaryApp();
  expect(await app.call("GET", "/healthz")).toMatchObject({ status: 200, body: { status: "ok" } });
});

test("health: 503 when RADIUS does not listen", async () => {
  using app = temporaryApp({ health: () => ({ radius: false }) });
  const { status, body } = await app.call("GET", "/healthz");
  expect(status).toBe(503);
  expect(body).toEqual({ status: "failing", database: true, radius: false });
});

test("health: 503 when the database does not answer", async () => {
  using app = temporaryApp();
  app.db.$client.close();
  const { status, body } = await app.call("GET", "/healthz");
  expect(status).toBe(503);
  expect(body).toEqual({ status: "failing", database: false, radius: true });
});

test("the OpenAPI document is valid and tells of every route", async () => {
  using app = temporaryApp();
  const response = await app.app.handle(request("GET", "/openapi.json"));
  const document: { paths: Record<string, Record<string, object>> } = JSON.parse(await response.text());
  expect(await new Validator().validate(structuredClone(document))).toEqual({ valid: true });
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
  for (const operation of [
    "POST /api/v1/users/login",
    "POST /api/auth-login",
    "GET /api/v1/users/profile",
    "POST /api/v1/users/refresh-token",
    "POST /api/v1/users/logout",
    "POST /api/v1/users/logout-all",
    "GET /api/v1/role/list",
    "GET /api/v1/role/get/{code}",
    "POST /api/v1/role/create",
    "POST /api/v1/role/update",
    "DELETE /api/v1/role/delete/{code}",
    "GET /api/v1/role/permissions/{code}",
    "POST /api/v1/role/permissions_update",
    "POST /api/v1/activation/activate",
    "GET /api/v1/subscriber/get/{id}",
    "GET /api/v1/subscriber/usage/{id}",
    "GET /healthz",
    "GET /openapi.json",
  ])
    expect(operations).toContain(operation);
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
