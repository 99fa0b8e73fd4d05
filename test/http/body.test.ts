import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { request, undoneApps, type Sent } from "../support/http.ts";
import { insertStaff } from "../support/people.ts";
import { runs } from "../support/runs.ts";

const temporaryApp = undoneApps();

const basic = "ada:secret-1";

async function withAdmin() {
  const app = temporaryApp();
  await insertStaff(app.db, "ada");
  return app;
}

describe("what a body may look like", () => {
  const multipart = new FormData();
  multipart.append("name", '{"a":1}');
  const crlf = ["--B", 'Content-Disposition: form-data; name="name"', "", "[1]", "--B--", ""].join("\r\n");
  const cases: { name: string; sent: Sent; created: string }[] = [
    { name: "a form", sent: { form: { name: "a+b & c=d%" } }, created: "a+b & c=d%" },
    {
      name: "a form whose type is in capitals and has parameters",
      sent: {
        body: "name=A+B",
        headers: { "content-type": "Application/X-WWW-Form-URLencoded ; charset=UTF-8" },
      },
      created: "A B",
    },
    { name: "multipart whose text looks like JSON", sent: { body: multipart }, created: '{"a":1}' },
    {
      name: "multipart in capitals",
      sent: { body: crlf, headers: { "content-type": "Multipart/Form-Data; boundary=B" } },
      created: "[1]",
    },
    { name: "JSON", sent: { json: { name: "Ünïcödé \u{1F680}" } }, created: "Ünïcödé \u{1F680}" },
    { name: "a number in JSON", sent: { json: { name: 7 } }, created: "7" },
    {
      name: "names that mean something to JavaScript",
      sent: {
        body: '{"name":"A","__proto__":{"isp_id":2},"constructor":{"prototype":{"isp_id":2}},"hasOwnProperty":1}',
        headers: { "content-type": "application/json" },
      },
      created: "A",
    },
  ];
  test.each(cases)("$name", async ({ sent, created }) => {
    using app = await withAdmin();
    expect(await app.call("POST", "/api/v1/role/create", { basic, ...sent })).toMatchObject({ status: 200 });
    const { body } = await app.call("GET", "/api/v1/role/list", { basic });
    expect(body).toEqual([{ id: 1, code: 1, name: created, needs_second_factor: 0 }]);
    expect(Object.hasOwn(Object.prototype, "isp_id")).toBe(false);
  });

  const refusals: { name: string; sent: Sent; fault: string }[] = [
    { name: "a file", sent: { body: withFile() }, fault: "must be text of 1 to 120 characters" },
    { name: "a name twice in multipart", sent: { body: twice() }, fault: "was sent more than once" },
    {
      name: "a control character",
      sent: { form: { name: "a\0b" } },
      fault: "must be text of 1 to 120 characters",
    },
    {
      name: "half a character",
      sent: { body: '{"name":"\\ud800"}', headers: { "content-type": "application/json" } },
      fault: "must be text of 1",
    },
    {
      name: "121 characters",
      sent: { form: { name: "\u{1F680}".repeat(121) } },
      fault: "must be text of 1 to 120 characters",
    },
    { name: "an array", sent: { json: { name: ["A"] } }, fault: "must be text of 1 to 120 characters" },
    { name: "a list of form fields", sent: { form: { "name[]": "A" } }, fault: "is required" },
  ];
  test.each(refusals)("but not $name", async ({ sent, fault }) => {
    using app = await withAdmin();
    const { status, body } = await app.call("POST", "/api/v1/role/create", { basic, ...sent });
    expect({ status, body: JSON.stringify(body) }).toEqual({
      status: 400,
      body: expect.stringContaining(`{"error":"check name","errors":{"name":["${fault}`),
    });
  });

  function withFile() {
    const form = new FormData();
    form.append("name", new Blob(["A"]), "name.txt");
    return form;
  }

  function twice() {
    const form = new FormData();
    form.append("name", "A");
    form.append("name", "B");
    return form;
  }
});

test("no body of any bytes is an internal error", async () => {
  using app = await withAdmin();
  const types = ["application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=B"];
  const pieces = [
    "--B",
    "\r\n",
    "Content-Disposition: form-data; name=",
    '"name"',
    "{",
    "}",
    "[",
    ":",
    "%",
    "&",
    "=",
  ];
  const text = fc
    .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: "binary" })))
    .map((all) => all.join(""));
  const body = fc.oneof(text, fc.uint8Array());
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...types), body, async (type, body) => {
      const sent = { basic, body, headers: { "content-type": type } };
      const { status } = await app.call("POST", "/api/v1/role/create", sent);
      expect([200, 400]).toContain(status);
    }),
    runs(80, 300),
  );
  expect(app.lines).toEqual([]);
});

test.each([
  ["application/x-www-form-urlencoded", "a&".repeat(500_000)],
  ["application/x-www-form-urlencoded", Array.from({ length: 1001 }, (_, i) => `k${i}=1`).join("&")],
  ["application/json", `{${Array.from({ length: 1001 }, (_, i) => `"k${i}":1`).join()}}`],
])("more than a thousand fields of %s are refused at once", async (type, body) => {
  using app = temporaryApp();
  const headers = { "content-type": type };
  const refused = await app.call("POST", "/api/v1/subscriber/login", { headers, body });
  expect(refused).toMatchObject({
    status: 400,
    body: { success: false, message: "the request has more than 1000 fields" },
  });
});

test("a hundred long bodies that never end do not fill the memory; short ones and later ones are read", async () => {
  using app = await withAdmin();
  const headers = { "content-type": "application/json" };
  const path = "/api/v1/subscriber/login";
  const odd = { headers: { ...headers, "content-length": "x" }, body: "{}" };
  expect((await app.app.handle(request("POST", path, odd))).status).toBe(422);
  const piece = new Uint8Array(1_000_000).fill(97);
  const open = new Set<ReadableStreamDefaultController>();
  const unfinished = () => {
    let mine: ReadableStreamDefaultController | undefined;
    return new ReadableStream({
      start: (controller) => {
        mine = controller;
        open.add(controller);
        controller.enqueue(piece);
      },
      cancel: () => void (mine && open.delete(mine)),
    });
  };
  const statuses: number[] = [];
  const long = Array.from({ length: 100 }, async () => {
    const { status } = await app.app.handle(request("POST", path, { headers, body: unfinished() }));
    statuses.push(status);
  });
  for (let tries = 0; tries < 3000 && statuses.length < 60; tries++) await Bun.sleep(10);
  expect(statuses.length).toBeWithin(60, 80);
  expect(new Set(statuses)).toEqual(new Set([503]));
  expect(app.lines.map((line) => JSON.parse(line))).toMatchObject([
    { msg: "too many long requests at once; try again in a moment" }, // once, not once for each
  ]);
  const short = await app.call("POST", path, { json: { username: "user1", password: "pw-1" } });
  expect(short.status).toBe(401);
  for (const controller of open) controller.close();
  await Promise.all(long);
  const text = "x".repeat(1_000_000);
  expect(await app.call("POST", path, { json: { username: text, password: "pw-1" } })).toMatchObject({
    status: 422,
  });
});
