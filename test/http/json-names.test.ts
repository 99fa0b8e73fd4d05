import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { outermostNames } from "../../src/http/json-names.ts";
import { undoneApps } from "../support/http.ts";
import { insertStaff } from "../support/people.ts";
import { processorTime } from "../support/processor-time.ts";
import { runs } from "../support/runs.ts";

const temporaryApp = undoneApps();

/** JSON texts of objects, with blanks, escapes and names that stand there twice, beside their outermost names. */
const blanks = fc.constantFrom("", " ", "\n\t", "\r ");
const quoted = (text: string, escaped: boolean) =>
  escaped
    ? `"${[...text].map((_, i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, "0")}`).join("")}"`
    : JSON.stringify(text);
const odd = fc.constantFrom('"', "\\", '\\"', "{", "}", "[", ":", ",", "a", "b", "__proto__", '":1,"a');
const name = fc.tuple(fc.oneof(odd, fc.string({ unit: "binary-ascii", maxLength: 5 })), fc.boolean());
const member = fc.tuple(name, fc.jsonValue({ maxDepth: 4 }), blanks);
const objects = fc.array(member, { maxLength: 8 }).map((members) => ({
  names: members.map(([[text]]) => text),
  text: `{${members.map(([[text, escaped], value, blank]) => `${blank}${quoted(text, escaped)}${blank}:${blank}${JSON.stringify(value)}${blank}`).join(",")}}`,
}));

test("the outermost names of any object, as often as they stand there", () => {
  fc.assert(
    fc.property(objects, blanks, ({ names, text }, blank) => {
      const around = blank + text + blank;
      expect(outermostNames(around)).toEqual(names);
      expect(new Set(outermostNames(around))).toEqual(new Set(Object.keys(JSON.parse(around))));
    }),
    runs(500, 2000),
  );
});

test("of what JSON.stringify writes, they are the keys", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue()), (value) => {
      expect(outermostNames(JSON.stringify(value)).toSorted()).toEqual(Object.keys(value).toSorted());
    }),
  );
});

test("a megabyte of anything takes no longer than reading it", () => {
  const size = 1024 * 1024;
  for (const text of [
    `{"a":"${'\\"'.repeat(size / 2)}"}`,
    `{"a":"${"\\\\".repeat(size / 2)}"}`,
    `{"a":${"[".repeat(size / 2)}${"]".repeat(size / 2)}}`,
    `{${'"":0,'.repeat(size / 5)}"":0}`,
  ]) {
    expect(processorTime(() => outermostNames(text))).toBeLessThan(5000);
  }
});

test.each<[string, string, string, object]>([
  [
    "a field",
    "/api/v1/role/create",
    '{"isp_id":1,"name":"A","name":"B"}',
    { name: ["was sent more than once"] },
  ],
  [
    "a field in two writings",
    "/api/v1/role/create",
    '{"isp_id":1,"name":"A","n\\u0061me":"A"}',
    { name: ["was sent more than once"] },
  ],
  [
    "several fields",
    "/api/v1/activation/activate",
    '{"user_id":1,"package_id":1,"user_id":1,"package_id":2}',
    { user_id: ["was sent more than once"], package_id: ["was sent more than once"] },
  ],
  [
    "a login's password",
    "/api/v1/users/login",
    '{"email":"ada","password":"x","password":"secret-1"}',
    { password: ["was sent more than once"] },
  ],
  [
    "a subscriber's name",
    "/api/v1/subscriber/login",
    '{"username":"a","username":"b","password":"x"}',
    { username: ["was sent more than once"] },
  ],
])("%s twice in JSON is refused as in a form", async (_, path, body, errors) => {
  using app = temporaryApp();
  await insertStaff(app.db, "ada");
  const answer = await app.call("POST", path, {
    basic: "ada:secret-1",
    headers: { "content-type": "application/json" },
    body,
  });
  expect(answer.status).toBe(path.startsWith("/api/v1/role/") ? 400 : 422);
  expect(answer.body).toMatchObject({ errors });
});

test("a permission twice in JSON is refused, and nothing is set", async () => {
  using app = temporaryApp();
  await insertStaff(app.db, "ada");
  const basic = "ada:secret-1";
  await app.call("POST", "/api/v1/role/create", { basic, json: { isp_id: 1, name: "Support" } });
  const { status, body } = await app.call("POST", "/api/v1/role/permissions_update", {
    basic,
    headers: { "content-type": "application/json" },
    body: '{"role_code":1,"api_access":0,"api_access":1}',
  });
  expect(status).toBe(400);
  expect(body).toMatchObject({ errors: { api_access: [expect.any(String)] } });
  const { body: after } = await app.call("GET", "/api/v1/role/permissions/1", { basic });
  expect(after).toEqual({ role_code: 1, permissions: null });
});
