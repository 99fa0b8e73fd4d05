import { Arrivals } from "../../src/domain/goods/nas/arrivals.ts";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { connect } from "node:net";
import { pino } from "pino";
import { id, text } from "../../src/domain/core/fields/fields.ts";
import { AttemptLimit } from "../../src/http/attempt-limit.ts";
import { KeyCalls } from "../../src/http/key-calls.ts";
import { CardGuesses } from "../../src/http/card-guesses.ts";
import { BasicCredentials } from "../../src/http/basic.ts";
import { natsTools } from "../../src/cli/nats-tools.ts";
import { trustedProxies } from "../../src/http/client-address.ts";
import { foundation } from "../../src/http/foundation.ts";
import { file, listed, logged } from "../../src/http/list.ts";
import { addManaged } from "../../src/http/operation.ts";
import { listen, type Listener } from "../../src/http/server.ts";
import { request } from "../support/http.ts";
import { noNasTools, noRouters } from "../support/routers.ts";
import { callers, type Tenants, undoneTenants } from "../support/tenants.ts";

const withTenants = undoneTenants();

const basic = callers.admin;
const AREAS = "/api/v1/area/list";
const PACKAGES = "/api/v1/package/list";
const csv = { accept: "text/csv" };

let app: Tenants;
/** Areas 1 East of ISP 1 and 2 of ISP 2 are there; 11 to 13 and a city of their own come to them, and two packages. */
beforeAll(async () => {
  app = await withTenants();
  app.db.$client.run("INSERT INTO cities (id, isp_id, name) VALUES (5, 1, 'Bay')");
  app.db.$client.run(
    `INSERT INTO areas (id, isp_id, city_id, name) VALUES (11, 1, 5, 'alder, "old"'), (12, 1, 5, '=Quay'), (13, 1, NULL, 'Zoo')`,
  );
});
afterAll(() => app[Symbol.dispose]());

const idsOf = (body: unknown) => (Array.isArray(body) ? body.map(({ id }) => id) : body);

describe("a list by limit and offset", () => {
  test.each<[query: string, ids: number[], total: number, next: string | null]>([
    ["", [12, 11, 1, 13], 4, null],
    ["?sort=name", [12, 11, 1, 13], 4, null],
    ["?sort=-name", [13, 1, 11, 12], 4, null],
    ["?sort=id", [1, 11, 12, 13], 4, null],
    ["?sort=-id&limit=2", [13, 12], 4, "?sort=-id&limit=2&offset=2"],
    ["?sort=-id&limit=2&offset=2", [11, 1], 4, null],
    ["?limit=3", [12, 11, 1], 4, "?limit=3&offset=3"],
    ["?limit=1&offset=1&sort=", [11], 4, "?limit=1&offset=2"],
    ["?limit=4", [12, 11, 1, 13], 4, null],
    ["?limit=1000&offset=4", [], 4, null],
    ["?offset=9007199254740991", [], 4, null],
    ["?city_id=5", [12, 11], 2, null],
    ["?city_id=5&limit=1", [12], 2, "?city_id=5&limit=1&offset=1"],
    ["?city_id=&limit=", [12, 11, 1, 13], 4, null],
    ["?city_id=2", [], 0, null],
    ["?isp_id=1&sort=id&limit=1", [1], 4, "?isp_id=1&sort=id&limit=1&offset=1"],
    ["?isp_id=2", [], 0, null],
  ])("%p", async (query, ids, total, next) => {
    const { status, body, headers } = await app.call("GET", AREAS + query, { basic });
    expect([status, idsOf(body)]).toEqual([200, ids]);
    expect(headers.get("x-total-count")).toBe(String(total));
    expect(headers.get("link")).toBe(next && `<${AREAS}${next}>; rel="next"`);
  });

  test("its links lead through all of it, once", async () => {
    const seen: unknown[] = [];
    let target: string | undefined = `${AREAS}?limit=1&sort=-name`;
    while (target) {
      const { body, headers } = await app.call("GET", target, { basic });
      seen.push(idsOf(body));
      target = /<(.*)>/.exec(headers.get("link") ?? "")?.[1];
    }
    expect(seen).toEqual([[13], [1], [11], [12]]);
  });

  test.each([
    ["limit=0", { limit: ["must be a whole number from 1 to 1000"] }],
    ["limit=1001", { limit: ["must be a whole number from 1 to 1000"] }],
    ["offset=-1", { offset: ["must be a whole number from 0 to 9007199254740991"] }],
    ["sort=city_id", { sort: ["must be one of name, id, -name, -id"] }],
    ["sort=--name", { sort: ["must be one of name, id, -name, -id"] }],
    ["city_id=x", { city_id: ["must be the whole number of an id, 1 or more"] }],
    ["city_id=1&city_id=5", { city_id: ["was sent more than once"] }],
    ["citi_id=5", { citi_id: ["is not a filter of this list"] }],
    ["name=East", { name: ["is not a filter of this list"] }],
    ["__proto__=1", JSON.parse('{"__proto__":["is not a filter of this list"]}')],
    ["area=1&city=2", { area: ["is not a filter of this list"], city: ["is not a filter of this list"] }],
  ])("%s is a fault, of a file too", async (query, errors) => {
    const fault = { error: `check ${Object.keys(errors).join(", ")}`, errors };
    for (const headers of [{}, csv])
      expect(await app.call("GET", `${AREAS}?${query}`, { basic, headers })).toMatchObject({
        status: 400,
        body: fault,
      });
  });

  test("numbers are sorted as numbers, and rows that are alike by their ids", async () => {
    app.db.$client.run("UPDATE packages SET price = 900 WHERE id = 2");
    for (const [sort, ids] of [
      ["price", [2, 1]],
      ["-price", [1, 2]],
      ["created_at", [1, 2]],
      ["-created_at", [2, 1]],
    ])
      expect(idsOf((await app.call("GET", `${PACKAGES}?sort=${sort}`, { basic })).body)).toEqual(ids);
  });
});

describe("a list as a file", () => {
  const fileOf = async (target: string, who = basic) => {
    const response = await app.app.handle(request("GET", target, { basic: who, headers: csv }));
    return { response, bytes: Buffer.from(await response.arrayBuffer()).toString() };
  };

  test("has all that match, whatever page was asked for, and text that no spreadsheet computes", async () => {
    const { response, bytes } = await fileOf(`${AREAS}?limit=1&offset=2&sort=name`);
    expect(bytes).toBe(
      `\uFEFFid,isp_id,name,city_id\r\n12,1,'=Quay,5\r\n11,1,"alder, ""old""",5\r\n1,1,East,1\r\n13,1,Zoo,\r\n`,
    );
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": 'attachment; filename="areas.csv"',
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    });
  });

  test("keeps to its filters and to the scope of who asks", async () => {
    expect((await fileOf(`${AREAS}?city_id=5&sort=id`)).bytes.split("\r\n").length).toBe(4);
    expect((await fileOf(AREAS, callers.otherTenant)).bytes).toBe(
      "\uFEFFid,isp_id,name,city_id\r\n2,2,Slope,2\r\n",
    );
    expect((await fileOf(`${AREAS}?isp_id=2`)).bytes).toBe("\uFEFFid,isp_id,name,city_id\r\n");
  });

  test("shows numbers and times as they are", async () => {
    const [head = "", line = ""] = (await fileOf(`${PACKAGES}?sort=id`)).bytes.slice(1).split("\r\n");
    const cells = Object.fromEntries(head.split(",").map((name, index) => [name, line.split(",")[index]]));
    expect(cells).toMatchObject({
      id: "1",
      price: "15",
      rate_limit: "10M/20M",
      reseller_price: "",
      tax: "0",
    });
    expect(cells["created_at"]).toBe("2030-01-15 12:00:00");
  });

  test("needs what the list needs", async () => {
    for (const [who, status] of [
      [callers.noFlag, 403],
      ["ada:wrong", 401],
    ] as const)
      expect((await app.call("GET", AREAS, { basic: who, headers: csv })).status).toBe(status);
  });
});

/** Lists of the test's own: 100,000 rows that are made as they are read. */
describe("a long list", () => {
  const ROWS = 100_000;
  const record = Type.Object({ id: Type.Integer(), name: Type.String() });
  const described = {
    operation: "listPlaces",
    tags: ["Places and choices"] as [string],
    summary: "Rows",
    record,
    example: { id: 1, name: "" },
  } as const;
  const store = { read: 0 };
  let fails = false;
  const rows = (from: number, count: number) => {
    store.read += count;
    const left = Math.max(0, Math.min(count, ROWS - from));
    return Array.from({ length: left }, (_, index) => ({ id: from + index + 1, name: "x".repeat(300) }));
  };
  const pages = listed({
    ...described,
    path: "/rows",
    operationId: "rows",
    filters: { name: text(10) },
    sorts: ["id"],
    page: (_call, { limit, offset }) => {
      if (fails) throw new Error("the store is gone");
      return { records: rows(offset, limit), total: ROWS };
    },
  });
  /** The newest of a group first: group 3 has the ids 1 to 3. */
  const log = logged({
    ...described,
    path: "/group/:id/log",
    ids: { id: "group" },
    operationId: "groupLog",
    filters: { user_id: id },
    page: ({ ids, values }, { limit, before }) =>
      Array.from({ length: ids.id }, (_, index) => ids.id - index)
        .filter((id) => id < before && (!values.user_id || id === values.user_id))
        .slice(0, limit)
        .map((id) => ({ id, name: `-${id}` })),
  });

  /** A row of everything that a record may have. */
  const cells = listed({
    ...described,
    path: "/cells",
    operationId: "cells",
    record: Type.Object({
      id: Type.Integer(),
      balance: Type.Number(),
      phone: Type.String(),
      formula: Type.String(),
      lines: Type.String(),
      city: Type.Object({ id: Type.Integer(), name: Type.String() }),
      nobody: Type.Null(),
      quota: Type.Object({ enabled: Type.Boolean() }),
      on: Type.Boolean(),
      tags: Type.Array(Type.String()),
      at: Type.String(),
    }),
    example: example(),
    filters: {},
    sorts: ["id"],
    page: () => ({ records: [example()], total: 1 }),
  });
  function example() {
    return {
      id: 1,
      balance: -22.5,
      phone: "+49 30 1",
      formula: "\t=1+1",
      lines: "a\r\nb",
      city: { id: 1, name: "@Bay" },
      nobody: null,
      quota: { enabled: true },
      on: false,
      tags: ["a", "b"],
      at: "2030-01-15 12:00:00",
    };
  }

  let server: Listener;
  let url: string;
  beforeAll(() => {
    const { db } = app;
    const clock = () => app.clock.now;
    const needs = {
      db,
      clock,
      routers: noRouters,
      nasTools: noNasTools,
      nats: natsTools(db),
      trusted: trustedProxies([]),
      guesses: new CardGuesses(pino({ level: "silent" }), () => {}),
      keyCalls: new KeyCalls(() => {}),
      renewed: () => {},
      arrivals: new Arrivals(),
      credentials: new BasicCredentials(db, clock, new AttemptLimit(10)),
    };
    const lists = new Elysia();
    addManaged(lists, needs, [pages, log, cells]);
    server = listen(lists, { hostname: "127.0.0.1", port: 0 });
    url = `http://${server.address}`;
  });
  afterAll(() => server.stop(0));
  const authorization = `Basic ${btoa(basic)}`;
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(url + path, { headers: { authorization, ...headers } });

  test("is a file with every row", async () => {
    store.read = 0;
    const lines = (await (await get("/rows", csv)).text()).split("\r\n");
    expect([lines.length, lines[0], lines.at(-2)]).toEqual([
      ROWS + 2,
      "id,name",
      `${ROWS},${"x".repeat(300)}`,
    ]);
    expect(store.read).toBeLessThanOrEqual(ROWS + 500);
  });

  test("has every kind of value as one cell", async () => {
    expect(await (await get("/cells", csv)).text()).toBe(
      [
        "id,balance,phone,formula,lines,city,nobody,quota,on,tags,at",
        `1,-22.5,'+49 30 1,'\t=1+1,"a\r\nb",'@Bay,,"{""enabled"":true}",0,a; b,2030-01-15 12:00:00`,
        "",
      ].join("\r\n"),
    );
  });

  test("others are served while a file is written", async () => {
    store.read = 0;
    const file = get("/rows", csv).then((response) => response.text());
    while (store.read === 0) await Bun.sleep(1);
    expect((await get("/rows?limit=1")).status).toBe(200);
    expect(store.read).toBeLessThan(ROWS);
    await file;
  });

  test("is not read beyond what its client takes, nor once that has gone", async () => {
    store.read = 0;
    const [hostname = "", port = ""] = server.address.split(":");
    const socket = connect(Number(port), hostname).pause();
    socket.write(
      `GET /rows HTTP/1.1\r\nHost: ${server.address}\r\nAuthorization: ${authorization}\r\nAccept: text/csv\r\n\r\n`,
    );
    let before = -1;
    while (before !== store.read || store.read === 0) {
      before = store.read;
      await Bun.sleep(300);
    }
    expect(store.read).toBeLessThan(ROWS / 2); // what fits into the buffers of the connection
    socket.destroy();
    await Bun.sleep(300);
    expect(store.read).toBe(before);
  });

  test("a file that fails at its first page is an error, no empty file", async () => {
    fails = true;
    expect((await get("/rows", csv)).status).toBe(500);
    fails = false;
  });

  test.each<[query: string, ids: number[], next: string | null]>([
    ["/group/3/log", [3, 2, 1], null],
    ["/group/3/log?limit=3", [3, 2, 1], null],
    ["/group/3/log?limit=2", [3, 2], "/group/3/log?limit=2&before=2"],
    ["/group/3/log?limit=2&before=2", [1], null],
    ["/group/3/log?before=1", [], null],
    ["/group/3/log?user_id=2&limit=1", [2], null],
    ["/group/1000/log?limit=1000", Array.from({ length: 1000 }, (_, index) => 1000 - index), null],
    [
      "/group/120/log",
      Array.from({ length: 100 }, (_, index) => 120 - index),
      "/group/120/log?limit=100&before=21",
    ],
  ])("%s, of what grows", async (path, ids, next) => {
    const response = await get(path);
    expect(idsOf(await response.json())).toEqual(ids);
    expect(response.headers.get("link")).toBe(next && `<${next}>; rel="next"`);
    expect(response.headers.get("x-total-count")).toBeNull();
  });

  test("what grows is a file too, from `before` on", async () => {
    expect(await (await get("/group/3/log?limit=1&before=3", csv)).text()).toBe(
      "id,name\r\n2,'-2\r\n1,'-1\r\n",
    );
    expect((await (await get("/group/1000/log", csv)).text()).split("\r\n").length).toBe(1002);
  });
});

describe("a list that is never long", () => {
  test.each<[path: string, query: string, name: string, columns: RegExp]>([
    ["subscriber/search", "q=user", "subscribers", /^\uFEFFid,name,username,.*\r\n1,/],
    ["subscriber/box", "box_number=B-1", "box", /^\uFEFFid,name,username,/],
    ["session/who", "address=10.0.0.1", "address-holders", /^\uFEFFid,/],
    ["role/list", "", "roles", /^\uFEFFid,code,name,needs_second_factor\r\n/],
  ])("%s is a file too", async (path, query, name, columns) => {
    const response = await app.app.handle(
      request("GET", `/api/v1/${path}?${query}`, { basic, headers: csv }),
    );
    const { status, headers } = response;
    const text = Buffer.from(await response.arrayBuffer()).toString();
    expect(status).toBe(200);
    expect(text).toMatch(columns);
    expect(headers.get("content-disposition")).toBe(`attachment; filename="${name}.csv"`);
  });
});

test.each([
  "subscriber/search?q=user",
  "subscriber/box?box_number=B-1",
  "session/who?address=10.0.0.1",
  "activation/renewals?",
])("a filter that %s does not have is refused", async (path) => {
  const { status, body } = await app.call("GET", `/api/v1/${path}&colour=red`, { basic });
  expect({ status, body }).toEqual({
    status: 400,
    body: { error: "check colour", errors: { colour: ["is not a filter of this list"] } },
  });
});

test("HEAD of a file reads no more than its first rows, and says no length", async () => {
  let pages = 0;
  const rows = function* () {
    for (; pages < 100; pages++) yield [{ id: pages }];
  };
  const app = foundation({
    log: pino({ enabled: false }),
    pages: { isPage: () => false, respond: () => new Response() },
    served: () => {},
    hstsDays: 0,
  }).get("/rows", () => file("rows", ["id"], rows()));
  const listener = listen(app, { hostname: "127.0.0.1", port: 0 });
  try {
    const url = `http://${listener.address}/rows`;
    const { status, headers } = await fetch(url, { method: "HEAD" });
    expect([status, headers.get("content-type"), headers.get("content-length"), pages]).toEqual([
      200,
      "text/csv; charset=utf-8",
      null,
      0,
    ]);
    expect((await (await fetch(url)).text()).split("\r\n").length).toBe(102);
  } finally {
    await listener.stop();
  }
});
