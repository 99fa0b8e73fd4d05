import { describe, expect, test } from "bun:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import { join } from "node:path";
import { meanings, meaningIn } from "../../src/http/meanings.ts";
import { openapiDocument } from "../../src/http/openapi.ts";
import { CommandLine } from "../cli/harness.ts";
import { inSharedWorld, requestOf, routes } from "../support/route-calls.ts";
import { request, type TestApp, undoneApps } from "../support/http.ts";
import {
  DocumentedAnswers,
  exampleOf,
  type WholeOperation,
  wholePaths,
} from "../support/documented-answers.ts";

const temporaryApp = undoneApps();

interface Document {
  security: object[];
  paths: Record<string, Record<string, { operationId: string; security?: object[]; responses: object }>>;
}

async function documentOf({ app }: TestApp): Promise<Document> {
  const response = await app.handle(request("GET", "/openapi.json"));
  return JSON.parse(await response.text());
}

function documentOfApp(which?: Parameters<typeof openapiDocument>[1]) {
  using app = temporaryApp();
  return openapiDocument(app.app.routes, which);
}

/** With the pages; the same of every app. */
const operations: readonly WholeOperation[] = Object.values(
  wholePaths(documentOfApp({ pages: true })),
).flatMap((item) => Object.values(item));
const document = documentOfApp();

function operationsOf({ paths }: Document): string[] {
  return Object.entries(paths)
    .flatMap(([path, item]) => Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`))
    .sort();
}

test("the document is valid OpenAPI 3.1", async () => {
  using app = temporaryApp();
  expect(await new Validator().validate({ ...(await documentOf(app)) })).toEqual({ valid: true });
});

test("gatehouse openapi writes what the server answers, without a store, and over nothing", async () => {
  using app = temporaryApp();
  using cli = new CommandLine();
  const file = join(cli.folder, "openapi.json");
  const printed = await cli.run("openapi");
  expect({ code: printed.code, document: JSON.parse(printed.stdout) }).toEqual({
    code: 0,
    document: await documentOf(app),
  });
  expect(await cli.run(`openapi ${file}`)).toEqual({ code: 0, stdout: `${file}: written\n`, stderr: "" });
  expect(await Bun.file(file).text()).toBe(printed.stdout);
  expect((await cli.run(`openapi ${file}`)).stderr).toContain("exists already");
});

test("the document lists exactly the routes of the app but the pages and what speaks another protocol, each under a name of its own", async () => {
  using app = temporaryApp();
  const document = await documentOf(app);
  const routes = app.app.routes
    .filter(({ path }) => !/^\/(console|portal|docs|mcp|llms\.txt)\b/.test(path))
    .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`);
  expect(operationsOf(document)).toEqual([...new Set(routes)].sort());
  const names = Object.values(document.paths).flatMap((item) =>
    Object.values(item).map(({ operationId }) => operationId),
  );
  expect(new Set(names).size).toBe(names.length);
});

test("every operation is there, with the credentials that it says", async () => {
  using app = temporaryApp();
  const { paths, security: usual } = await documentOf(app);
  const found = (operation: string) => {
    const [method = "", path = ""] = operation.split(" ");
    const of = paths[path]?.[method.toLowerCase()];
    return of && (of.security ?? usual);
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
      [{ basic: [] }, { apiKey: [] }],
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
  for (const { operationId, requestBody, responses } of operations) {
    const answers = Object.values(responses).map(({ content }) => content?.["application/json"]);
    const bodies = requestBody ? Object.values(requestBody.content) : [];
    for (const described of [...answers, ...bodies])
      if (described)
        expect({ operationId, example: exampleOf(described) }).toEqual({
          operationId,
          example: expect.anything(),
        });
  }
});

test("an operation's examples fit its schemas, to the last key", () => {
  const answers = new DocumentedAnswers(document);
  for (const { operationId, requestBody, responses } of operations) {
    const bodies = [requestBody?.content, ...Object.values(responses).map(({ content }) => content)];
    for (const media of bodies.flatMap((content = {}) => Object.values(content))) {
      const [example, { schema }] = [exampleOf(media), media];
      if (example !== undefined)
        expect({ operationId, faults: answers.faults(schema, example) }).toEqual({ operationId, faults: [] });
    }
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

/** What an operation says of all that it takes and answers, by their names and where they stand. */
function* describedIn({ operationId, parameters, requestBody, responses }: WholeOperation) {
  for (const { name, description } of parameters) yield [`${operationId}.${name}`, description] as const;
  for (const { schema } of Object.values(requestBody?.content ?? {}))
    yield* propertiesOf(schema, operationId);
  for (const [status, { content = {} }] of Object.entries(responses))
    for (const { schema } of Object.values(content)) yield* propertiesOf(schema, `${operationId} ${status}`);
}

test("every record has a name of its own, and the document is no longer than programs like to read", () => {
  const { components, paths, webhooks } = document;
  const nameless = JSON.stringify([paths, webhooks]).match(/"properties":/g) ?? [];
  expect(nameless).toEqual([]);
  for (const [name, schema] of Object.entries(components.schemas)) {
    expect(name).toMatch(/^[A-Z][A-Za-z0-9]*[a-z]$/); // no name that a number had to tell from another
    expect(Object.values(schema.properties ?? {}).filter((property) => property.properties)).toEqual([]);
  }
  for (const noun of ["Subscriber", "Package", "Payment", "Invoice", "Session", "Card", "Nas", "Error"])
    expect(Object.keys(components.schemas)).toContain(noun);
  expect(JSON.stringify(document).length).toBeLessThan(700 * 1024);
});

test("what a call takes as an object says what stands in it", () => {
  const said = ["properties", "patternProperties", "additionalProperties"] as const;
  const silent = Object.entries<Record<string, unknown>>(document.components.schemas).filter(
    ([, schema]) =>
      schema["type"] === "object" && !said.some((key) => Object.keys(schema[key] ?? {}).length > 0),
  );
  expect(silent.map(([name]) => name)).toEqual([]);
});

test("no value is one of several scalars", () => {
  const choices = JSON.stringify(document).match(/"anyOf":/g) ?? [];
  expect(choices).toEqual([]);
});

test("every field and parameter says what it means, not only what it may be", () => {
  const all = operations.flatMap((operation) => Array.from(describedIn(operation)));
  expect(all.length).toBeGreaterThan(500);
  const silent = all.filter(([, description]) => !/^(?!must)\S.{3,}/i.test(String(description ?? "")));
  expect(silent.map(([place]) => place)).toEqual([]);
});

test("an address that is sent says what it looks like, in each writing that is taken", () => {
  const writings = {
    mac_address: [
      "AA:BB:CC:DD:EE:0f",
      "aa-bb-cc-dd-ee-0f",
      "aabb.ccdd.ee0f",
      "aabb-ccdd-ee0f",
      "AABBCCDDEE0F",
    ],
    static_ip: ["10.0.0.7", "192.0.2.255"],
  };
  for (const [name, taken] of Object.entries(writings)) {
    const patterns = operations
      .flatMap(({ parameters, requestBody }) => [
        ...parameters.map((one) => ({ [one.name]: one.schema })),
        ...Object.values(requestBody?.content ?? {}).map(({ schema }) => schema.properties ?? {}),
      ])
      .flatMap((fields: Record<string, { pattern?: string }>) =>
        name in fields ? [fields[name]?.pattern] : [],
      );
    expect(patterns.length, name).toBeGreaterThan(2);
    for (const pattern of patterns) {
      for (const text of taken) expect(text).toMatch(new RegExp(pattern ?? "^nothing$"));
      expect(`${name} of nobody`).not.toMatch(new RegExp(pattern ?? ""));
    }
  }
});

test("every field of an event says what it means", () => {
  const { schemas } = document.components;
  const silent = new Set<string>();
  const seen = new Set<string>();
  const look = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    const name = "$ref" in value ? String(value.$ref).split("/").at(-1) : undefined;
    if (name === undefined) return Object.values(value).forEach(look);
    if (seen.has(name)) return;
    seen.add(name);
    for (const [field, part] of Object.entries(schemas[name]?.properties ?? {})) {
      const { $ref = "", ...own } = part as { $ref?: string };
      const {
        description,
        properties,
        const: only,
      }: Record<string, unknown> = { ...schemas[$ref.split("/").at(-1) ?? ""], ...own };
      // a record says itself, and so does the one value that there is
      if (!(description ?? properties ?? only)) silent.add(`${name}.${field}`);
    }
    look(schemas[name]);
  };
  look(document.webhooks);
  expect(seen.size).toBeGreaterThan(50);
  expect([...silent]).toEqual([]);
});

/** The fields of a body that null clears. */
const cleared = ({ requestBody }: WholeOperation) =>
  Object.values(requestBody?.content ?? {}).flatMap(({ schema: { properties = {} } }) =>
    Object.entries(properties).flatMap(([name, { type }]) => (Array.isArray(type) ? [name] : [])),
  );

describe("what it takes to make a record is never cleared, and not described so", () => {
  const paths = wholePaths(document);
  const kept = routes.filter(({ path }) => /^\/api\/v1\/\w+\/update(\/:id)?$/.test(path));
  test.each(kept)("$name", (route) =>
    inSharedWorld(route, async (app) => {
      const of = (path: string) => paths[path.replace(/:(\w+)/g, "{$1}")]?.["post"];
      const making = of(route.path.replace(/update.*/, "create"))?.requestBody?.content["application/json"];
      const update = of(route.path);
      const { properties = {}, required = [] } =
        update?.requestBody?.content["application/json"]?.schema ?? {};
      const { required: needed = [] } = making?.schema ?? {};
      for (const name of needed.filter(
        (one) => one in properties && !required.includes(one) && one !== "isp_id",
      )) {
        expect(update && cleared(update)).not.toContain(name);
        const sent = await requestOf(app, route, 1);
        const form = new URLSearchParams(await sent.text());
        form.set(name, "");
        const answer = await app.app.handle(
          new Request(sent.url, { method: "POST", headers: sent.headers, body: form.toString() }),
        );
        expect([name, answer.status, Object.keys(Object(await answer.json()).errors ?? {})]).toEqual([
          name,
          400,
          [name],
        ]);
      }
    }),
  );
});

test("what is explained is a field or parameter of a call", () => {
  const explained = new Set<string>();
  for (const operation of operations)
    for (const [place] of describedIn(operation)) {
      const name = place.slice(place.lastIndexOf(".") + 1);
      explained.add(`${meaningIn(name, operation.tags[0])}.${name}`);
    }
  const meaningsOf = Object.entries(meanings).flatMap(([chapter, names]) =>
    Object.keys(names).map((name) => `${chapter}.${name}`),
  );
  expect(meaningsOf.filter((one) => !explained.has(one))).toEqual([]);
});

test("the chapters stand in the order of a client's tasks, each explained, and so are Basic and the staff token", () => {
  const { info, tags, paths, components } = document;
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
