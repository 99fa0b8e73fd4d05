import { afterEach, describe, expect, test } from "bun:test";
import { formatOffsetTime, parseOffsetTime } from "../../src/domain/core/time/time.ts";
import { openapiDocument } from "../../src/http/openapi.ts";
import { preferredForm } from "../../src/http/preferences.ts";
import { DocumentedAnswers } from "../support/documented-answers.ts";
import { request, type Sent } from "../support/http.ts";
import { inSharedWorld, requestOf, routes, world } from "../support/route-calls.ts";
import { callers, undoneTenants } from "../support/tenants.ts";

const withTenants = undoneTenants();

const PLAIN = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;
const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}[+-]\d{2}:\d{2}$/;
const iso = { prefer: "time=iso" };

/** Each text of an answer with the names that lead to it. */
function* textsOf(value: unknown, place = ""): Generator<[place: string, text: string]> {
  if (typeof value === "string") yield [place, value];
  if (typeof value !== "object" || value === null) return;
  for (const [name, part] of Object.entries(value))
    yield* textsOf(part, Array.isArray(value) ? place : `${place}.${name}`);
}

/** What is kept as it was written once. */
const kept = /^GET \/api\/v1\/audit\/list \.(before|after)\./;

const document = await (async () => {
  using app = await world();
  return new DocumentedAnswers(openapiDocument(app.app.routes));
})();

const asked = routes.filter(({ path }) => path.startsWith("/api/"));

interface Said {
  format?: string;
  properties?: Record<string, Said>;
  items?: Said;
  oneOf?: Said[];
}

/** Numbers that are no amounts. */
const others = new Set(["latitude", "longitude", "tax_percent"]);

/** A body without its minor units, each of which was beside its amount and equal to it. */
function withoutMinor(schema: Said, body: unknown): unknown {
  if (Array.isArray(body)) return body.map((one) => withoutMinor(schema.items ?? {}, one));
  if (typeof body !== "object" || body === null) return body;
  const { properties = schema.oneOf?.find((way) => way.properties)?.properties ?? {} } = schema;
  const amounts = Object.entries(properties).flatMap(([name, { format }]) =>
    format === "double" && name in body && !others.has(name) ? [name] : [],
  );
  const all = Object.entries(body);
  const values = new Map<string, unknown>(all);
  for (const name of amounts) {
    const amount = values.get(name);
    const expected = amount === null ? null : Math.round(Number(amount) * 100);
    expect([name, values.get(`${name}_minor`)]).toEqual([name, expected]);
  }
  const isMinor = (name: string) => name.endsWith("_minor") && !properties[name];
  expect(all.filter(([name]) => isMinor(name)).length).toBe(
    amounts.filter((name) => !properties[`${name}_minor`]).length,
  );
  return Object.fromEntries(
    all.flatMap(([name, one]) => (isMinor(name) ? [] : [[name, withoutMinor(properties[name] ?? {}, one)]])),
  );
}

const cellsOf = (line: string) =>
  [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, cell = ""]) => cell).slice(0, -1);

const filed = asked.filter(({ method, path }) =>
  document
    .at(path.replaceAll(/:\w+/g, "1"))
    ?.[method.toLowerCase()]?.description?.includes("it answers a file"),
);

test.each(filed)(
  "a file has its amounts in minor units beside them where that is preferred: $name",
  (route) =>
    inSharedWorld(route, async (app) => {
      const headers = { prefer: "money=minor", accept: "text/csv" };
      const sent = await requestOf(app, route, 1, headers);
      const { content = {} } = document.at(new URL(sent.url).pathname)?.["get"]?.responses["200"] ?? {};
      const rowSchema: Said = content["application/json"]?.schema.items ?? {};
      const { properties = {} } = rowSchema;
      const answer = await app.app.handle(sent);
      expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
      const [names = [], ...rows] = (await answer.text()).slice(1).split("\r\n").map(cellsOf);
      const amounts = names.filter(
        (name) => properties[name]?.format === "double" && !others.has(name) && !properties[`${name}_minor`],
      );
      expect(names.filter((name) => name.endsWith("_minor") && !properties[name])).toEqual(
        amounts.map((name) => `${name}_minor`),
      );
      for (const row of rows.filter(({ length }) => length === names.length))
        for (const name of amounts) {
          const at = names.indexOf(name);
          const [amount = "", minor] = row.slice(at, at + 2);
          expect([name, minor]).toEqual([
            name,
            amount === "" ? "" : String(Math.round(Number(amount) * 100)),
          ]);
        }
    }),
);

describe("an answer has its times with their offset and its amounts in minor units where that is preferred", () => {
  test.each(asked)("$name", (route) =>
    inSharedWorld(route, async (app) => {
      const sent = await requestOf(app, route, 1, { prefer: "time=iso, money=minor" });
      const { pathname } = new URL(sent.url);
      const answer = await app.app.handle(sent);
      expect(answer.headers.get("preference-applied")).toBe("time=iso, money=minor");
      if (!answer.headers.get("content-type")?.startsWith("application/json")) return;
      const body: unknown = await answer.json();
      const plain = [...textsOf(body, `${route.name} `)].filter(([, text]) => PLAIN.test(text));
      expect(plain.filter(([place]) => !kept.test(place))).toEqual([]);
      const described = document.at(pathname)?.[route.method.toLowerCase()]?.responses["200"]?.content;
      const schema = described?.["application/json"]?.schema;
      if (schema) expect(document.faults(schema, withoutMinor(schema, body))).toEqual([]);
    }),
  );
});

const { admin: basic } = callers;
const created = ({ body }: { body: unknown }) => String(Object(body).created_at);

test("the moments are the same, and their offset that of the day, also of a file and of who reads it late", async () => {
  using app = await withTenants();
  const paths = ["/api/v1/subscriber/get/1", "/api/v1/subscriber/list"];
  for (const path of paths) {
    const [usual, preferred] = await Promise.all([
      app.call("GET", path, { basic }),
      app.call("GET", path, { basic, headers: iso }),
    ]);
    const [plain, offset] = [Array.from(textsOf(usual.body)), Array.from(textsOf(preferred.body))];
    expect(offset.length).toBe(plain.length);
    const times = plain.flatMap(([, text], index) =>
      PLAIN.test(text) ? [[text, offset[index]?.[1] ?? ""]] : [],
    );
    expect(times.length).toBeGreaterThan(1);
    for (const [text = "", other = ""] of times) {
      expect(other).toMatch(ISO);
      expect(Temporal.Instant.from(other).epochMilliseconds).toBe(Date.parse(text.replace(" ", "T")));
    }
  }
  app.db.$client.run(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
    INSERT INTO audit_entries (isp_id, at, actor, source, action, entity, entity_id)
    SELECT 1, 1700000000 + i, 'ada', 'cli', 'role.update', 'role', '1' FROM n`);
  const file = await app.call("GET", "/api/v1/audit/list", {
    basic,
    headers: { ...iso, accept: "text/csv" },
  });
  const lines = String(file.body).trim().split("\r\n").slice(1);
  expect(lines.length).toBeGreaterThanOrEqual(1200);
  expect(lines.filter((line) => !/,\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}[+-]\d{2}:\d{2},/.test(line))).toEqual(
    [],
  );
});

const zone = process.env["TZ"];
afterEach(() => void (process.env["TZ"] = zone ?? "UTC"));

test.each<[zone: string, at: string, said: string]>([
  ["UTC", "2030-01-31T11:00:00Z", "2030-01-31T11:00:00+00:00"],
  ["America/New_York", "2030-01-31T11:00:00Z", "2030-01-31T06:00:00-05:00"],
  ["Asia/Kathmandu", "2030-01-31T11:00:00Z", "2030-01-31T16:45:00+05:45"],
  ["America/St_Johns", "2030-01-31T11:00:00Z", "2030-01-31T07:30:00-03:30"],
  // the hour that comes twice
  ["Europe/Berlin", "2030-10-27T00:30:00Z", "2030-10-27T02:30:00+02:00"],
  ["Europe/Berlin", "2030-10-27T01:30:00Z", "2030-10-27T02:30:00+01:00"],
])("in %s %s is %s", (name, at, said) => {
  process.env["TZ"] = name;
  const seconds = Date.parse(at) / 1000;
  expect(formatOffsetTime(seconds)).toBe(said);
  expect(parseOffsetTime(said)).toBe(seconds);
});

test("what one call prefers no other gets, however they are mixed", async () => {
  using app = await withTenants();
  const get = (headers = {}) => app.call("GET", "/api/v1/subscriber/get/1", { basic, headers });
  const answers = await Promise.all([get(iso), get(), get(iso), get(), get({ prefer: "respond-async" })]);
  expect(answers.map((answer) => ISO.test(created(answer)))).toEqual([true, false, true, false, false]);
  expect(answers.map(({ headers }) => headers.get("preference-applied"))).toEqual([
    "time=iso",
    null,
    "time=iso",
    null,
    null,
  ]);
});

test("each form has a tag of its own, and a change may be held against either", async () => {
  using app = await withTenants();
  const get = (headers = {}) => app.call("GET", "/api/v1/subscriber/get/1", { basic, headers });
  const tags = [(await get()).headers.get("etag"), (await get(iso)).headers.get("etag")];
  expect(new Set(tags).size).toBe(2);
  expect((await get({ ...iso, "if-none-match": tags[0] ?? "" })).status).toBe(200);
  expect((await get({ ...iso, "if-none-match": tags[1] ?? "" })).status).toBe(304);
  const form = { user_id: 1, mac_address: "AA:BB:CC:DD:EE:FF" };
  const lock = (tag: string) =>
    app.call("POST", "/api/v1/subscriber/mac_lock", { basic, form, headers: { "if-match": tag } });
  expect((await lock(tags[1] ?? "")).status).toBe(200);
  expect((await lock(tags[1] ?? "")).status).toBe(412);
});

test("an answer that is given again is as it was first, and says nothing of what is preferred by now", async () => {
  using app = await withTenants();
  app.db.$client.run("UPDATE packages SET price = 0");
  const activate = (headers: Record<string, string>) =>
    app.call("POST", "/api/v1/activation/activate", {
      basic,
      form: { user_id: 1, package_id: 1 },
      headers: { "idempotency-key": "sale", ...headers },
    });
  const first = await activate({});
  expect(first.status).toBe(200);
  const again = await activate(iso);
  expect([again.body, again.headers.get("preference-applied")]).toEqual([first.body, null]);
});

test("an ISP says how many digits a minor unit has", async () => {
  using app = await withTenants();
  const { body } = await app.call("GET", "/api/v1/isp/get/1", { basic: callers.operator });
  expect(body).toMatchObject({ minor_digits: 2 });
});

test("minor units are whole numbers, also of what is owed, and of an answer that is given again", async () => {
  using app = await withTenants();
  app.db.$client.run("UPDATE packages SET price = 1999, billing_type = 'postpaid'");
  const headers = { "idempotency-key": "sale", prefer: "money=minor, time=iso" };
  const ask = async (method: string, path: string, sent: Sent) => {
    const answer = await app.app.handle(request(method, path, { basic, headers, ...sent }));
    return { headers: answer.headers, body: await answer.json() };
  };
  const sale = () => ask("POST", "/api/v1/activation/activate", { form: { user_id: 1, package_id: 1 } });
  const [first, again] = [await sale(), await sale()];
  expect(first.body).toMatchObject({ amount_charged: 19.99, amount_charged_minor: 1999 });
  expect([again.body, again.headers.get("preference-applied")]).toEqual([first.body, "money=minor"]);
  const { body } = await ask("GET", "/api/v1/subscriber/get/1", {});
  expect(body).toMatchObject({
    balance_minor: Math.round(Object(body).balance * 100),
    credit_limit_minor: null,
  });
});

test.each<[string, boolean]>([
  ["time=iso", true],
  ["money=minor,time=iso", true],
  ["money=minor", false],
  ["Time=ISO", true],
  ['time="iso"', true],
  ["respond-async, time = iso; foo=bar", true],
  ["time=isolated", false],
  ["runtime=iso", false],
  ["time", false],
  ["time=utc", false],
  ["", false],
])("Prefer: %s", (prefer, isIso) => {
  const sent = new Request("http://localhost/", { headers: { prefer } });
  expect(preferredForm(sent)?.form.time === "iso").toBe(isIso);
});
