import { describe, expect, test } from "bun:test";
import { openapiDocument } from "../../src/http/openapi.ts";
import { wholePaths } from "../support/documented-answers.ts";
import type { Sent } from "../support/http.ts";
import { callers, withTenants } from "../support/tenants.ts";

const basic = callers.admin;
const SECRET = "s3cr3t-Marker";

const hostile: unknown[] = [
  "'; DROP TABLE subscribers; --",
  '" OR ""="',
  "%_\\",
  "a\0b",
  "\0",
  "\ud800",
  "a\udfffb",
  "\u202e\ufeff",
  "__proto__",
  "constructor",
  "{}",
  '{"a":1}',
  "[1]",
  "null",
  "true",
  "NaN",
  "1e99",
  "0x10",
  "9007199254740993",
  "-1",
  "1.5",
  "-0",
  " 1 ",
  "١",
  "../../etc/passwd",
  "${7*7}",
  "<script>alert(1)</script>",
  "\r\nSet-Cookie: a=b",
];
const hostileJson: unknown[] = [
  1e99,
  -1e99,
  1.5,
  -1,
  -0,
  2 ** 53,
  true,
  false,
  [],
  [1],
  {},
  { $ne: 1 },
  { toString: 1 },
  { __proto__: { isp_id: 2 } },
];

const valid: Record<string, unknown> = {
  isp_id: 1,
  branch_id: 11,
  username: "user1",
  email: "ada@isp.example",
  password: SECRET,
  name: "New",
  package_id: 1,
  connection_type_id: 1,
  salesperson_id: 2,
  nas_id: 1,
  nic_number: "N-new",
  mobile_number: "M-new",
  user_id: 1,
  code: 4,
  role_code: 4,
  note: "A",
  new_password: SECRET,
  mac_address: "AA:BB:CC:DD:EE:FF",
};

/** The three ways to send fields, by turns. */
function sentBy(turn: number, fields: Record<string, unknown>): Sent {
  if (turn % 3 === 0) return { json: fields };
  if (turn % 3 === 1) return { form: fields };
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, String(value));
  return { body };
}

/** What the document says of each operation, the same of every app. */
const operations = await (async () => {
  using app = await withTenants();
  const paths = wholePaths(openapiDocument(app.app.routes, { pages: true }));
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { parameters, requestBody, security }]) => {
      const schema = Object.values(requestBody?.content ?? {})[0]?.schema;
      return {
        method: method.toUpperCase(),
        path,
        fields: Object.keys(schema?.properties ?? {}),
        kinds: Object.entries(schema?.properties ?? {}).map(([name, of]) =>
          JSON.stringify({ ...of, description: Bun.env["THOROUGH"] && `${path} ${name}` }),
        ),
        query: parameters.filter(({ in: where }) => where === "query").map(({ name }) => name),
        credentials: security === undefined ? { basic } : {},
      };
    }),
  );
})();

/** Every so many of the values, each time others; before a release more of them. */
const byTurns = (values: readonly unknown[], turn: number, [usual, thorough]: [number, number]) => {
  const step = Bun.env["THOROUGH"] ? thorough : usual;
  return values.filter((_, index) => (turn + index) % step === 0);
};

/** Nothing of these is a way out: understood or refused, and told so in the right shape (the caller checks the schema). */
function expectHarmless({ status, body }: { status: number; body: unknown }, lines: string[]): void {
  expect(status).toBeOneOf([200, 303, 400, 401, 403, 404, 422, 429, 502]);
  expect(JSON.stringify(body ?? "")).not.toContain(SECRET);
  // many wrong codes of cards are told, for that is what somebody who guesses sends
  expect(lines.filter((line) => !line.includes("guessing codes of cards"))).toEqual([]);
}

test("every field of every body, with what JSON has, hostile texts and every encoding by turns", async () => {
  using app = await withTenants();
  let calls = 0;
  let turn = 0;
  for (const { method, path, fields, credentials } of operations)
    for (const field of fields) {
      turn += 1;
      const others = Object.fromEntries(
        fields.flatMap((name) => (Object.hasOwn(valid, name) ? [[name, valid[name]]] : [])),
      );
      const sent = [
        ...byTurns(hostileJson, turn, [5, 2]).map((value) => ({ json: { ...others, [field]: value } })),
        ...byTurns(hostile, turn, [7, 3]).map((value, index) =>
          sentBy(Math.floor(turn / 3) + index, { ...others, [field]: value }),
        ),
      ];
      for (const fieldsSent of sent) {
        calls += 1;
        expectHarmless(await app.call(method, path, { ...credentials, ...fieldsSent }), app.lines);
      }
    }
  expect(calls).toBeGreaterThan(3 * turn);
  expect(Object.hasOwn(Object.prototype, "isp_id")).toBe(false);
  expect(app.db.$client.query("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
});

test("every parameter of a query and every place in a path, with hostile texts by turns", async () => {
  using app = await withTenants();
  let turn = 0;
  for (const [nth, { method, path, query, credentials }] of operations.entries())
    for (const value of byTurns(hostile, nth, [3, 1])) {
      const escaped = encodeURIComponent(String(value).toWellFormed());
      const place = path.replace(/\{\w+\}/, escaped);
      if (place !== path)
        expectHarmless(await app.app.handle(requests(method, place)).then(parsed), app.lines);
      turn += 1;
      for (const name of query.filter((_, index) => (turn + index) % 3 === 0)) {
        const url = `${path.replace(/\{\w+\}/, "1")}?${name}=${escaped}`;
        expectHarmless(await app.call(method, url, credentials), app.lines);
      }
    }
  for (const raw of ["%", "%zz", "%ff", "%c0%80", "%ed%a0%80", "a%00", "..%2f..", "1;1", "1?x=%zz"])
    expectHarmless(
      await app.app.handle(requests("GET", `/api/v1/subscriber/get/${raw}`)).then(parsed),
      app.lines,
    );

  function requests(method: string, place: string): Request {
    const authorization = `Basic ${btoa(basic)}`;
    return new Request(`http://localhost${place}`, { method, headers: { authorization } });
  }

  async function parsed(response: Response) {
    return { status: response.status, body: await response.text() };
  }
});

test("an id that does not decode is unknown", async () => {
  using app = await withTenants();
  for (const raw of ["%", "%zz", "%ff"]) {
    const authorization = `Basic ${btoa(basic)}`;
    const url = `http://localhost/api/v1/subscriber/get/${raw}`;
    const response = await app.app.handle(new Request(url, { headers: { authorization } }));
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({
      error: "there is no subscriber with such an id",
      code: "not_found",
    });
  }
});

describe("names that are not fields", () => {
  test.each([
    '{"__proto__":{"isp_id":2,"username":"evil"},"constructor":{"prototype":{"isp_id":2}},"hasOwnProperty":1}',
    '{"user_id":1,"note":"A","__proto__":1,"toString":"x"}',
    '{"user_id":1,"user_id":9,"note":"A"}',
  ])("%s", async (body) => {
    using app = await withTenants();
    for (const { method, path, fields, credentials } of operations) {
      if (fields.length === 0) continue;
      const headers = { "content-type": "application/json" };
      expectHarmless(await app.call(method, path, { ...credentials, headers, body }), app.lines);
    }
    expect(Object.hasOwn(Object.prototype, "isp_id")).toBe(false);
  });

  test("repeated fields are named, in a form and in multipart", async () => {
    using app = await withTenants();
    const once = { user_id: "1", note: SECRET };
    const urlencoded = `${new URLSearchParams(once)}&note=B`;
    const multipart = new FormData();
    for (const [name, value] of [...Object.entries(once), ["note", "B"]])
      multipart.append(name ?? "", value ?? "");
    for (const sent of [
      { body: urlencoded, headers: { "content-type": "application/x-www-form-urlencoded" } },
      { body: multipart },
    ]) {
      const answer = await app.call("POST", "/api/v1/subscriber/note", { basic, ...sent });
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual({ error: "check note", errors: { note: ["was sent more than once"] } });
    }
  });

  test("a multipart field that looks like JSON stays text", async () => {
    using app = await withTenants();
    for (const note of ['{"a":1}', "[1,2]", "true", "null", "1e3", '"quoted"']) {
      const body = new FormData();
      body.append("user_id", "1");
      body.append("note", note);
      expect(await app.call("POST", "/api/v1/subscriber/note", { basic, body })).toMatchObject({
        status: 200,
      });
      const answer = await app.call("GET", "/api/v1/subscriber/notes/1", { basic });
      expect(answer.body).toMatchObject({ global_note: note });
    }
  });
});

test("fields of a megabyte are refused at once, and not repeated: all of some bodies, and of the others one of each kind", async () => {
  using app = await withTenants();
  const megabyte = "x".repeat(1024 * 1024 - 2000);
  const whole = ["subscriber/create", "card_batch/create"];
  const ofAll = ({ path }: { path: string }) => whole.some((end) => path.endsWith(`/${end}`));
  expect(operations.filter(ofAll)).toHaveLength(whole.length);
  const known = new Set<string>();
  for (const operation of operations) {
    const { method, path, fields, kinds, credentials } = operation;
    for (const [nth, field] of fields.entries()) {
      const kind = kinds[nth] ?? "";
      if (known.has(kind) && !ofAll(operation)) continue;
      known.add(kind);
      const from = process.cpuUsage(); // which others on a busy machine do not add to
      const answer = await app.call(method, path, { ...credentials, json: { ...valid, [field]: megabyte } });
      const { user, system } = process.cpuUsage(from);
      expect((user + system) / 1000).toBeLessThan(1000);
      expectHarmless(answer, app.lines);
      expect(JSON.stringify(answer.body ?? "").length).toBeLessThan(5000);
    }
  }
  expect(known.size).toBeGreaterThan(50);
});

test("an internal error tells neither the client nor the log what was submitted", async () => {
  using app = await withTenants();
  app.db.$client.run("ALTER TABLE audit_entries RENAME TO vanished");
  const calls: [path: string, sent: Sent][] = [
    ["/api/v1/subscriber/create", { basic, form: { ...valid, username: "other", mobile_number: "M8" } }],
    ["/api/v1/subscriber/update", { basic, form: { username: "user1", password: SECRET } }],
    ["/api/v1/subscriber/reset_password", { basic, json: { user_id: 1, new_password: SECRET } }],
    ["/api/v1/subscriber/login", { json: { username: "user1", password: "pw-1" } }],
    ["/api/v1/users/login", { json: { email: "ada", password: "secret-1" } }],
  ];
  for (const [path, sent] of calls) {
    const { status, body } = await app.call("POST", path, sent);
    expect(status).toBe(500);
    expect(JSON.stringify(body)).not.toContain("audit");
  }
  expect(app.lines).toHaveLength(calls.length);
  for (const secret of [SECRET, "secret-1", "pw-1"]) expect(app.lines.join("\n")).not.toContain(secret);
});
