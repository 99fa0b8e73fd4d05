import { afterAll, expect, spyOn, test } from "bun:test";
import { Database } from "bun:sqlite";
import type { Db } from "../../db/open.ts";
import { listen } from "../../src/http/server.ts";
import { calls, inSharedWorld, type Route, requestOf, routes, world } from "../support/route-calls.ts";
import { openSession, type Tenants } from "../support/tenants.ts";

/** Every text that was asked of a connection, in all the calls. */
const texts = new Set<string>();

/** What a connection is asked: the statements that it keeps compiled, and the texts that it compiles for this once. */
function watch({ $client }: Db) {
  const kept = spyOn($client, "query");
  const once = [spyOn($client, "prepare"), spyOn($client, "run")]; // the query builder's way, and one that keeps nothing
  const every = [kept, ...once];
  return {
    begin: () => every.forEach((spy) => spy.mockClear()),
    end() {
      const statements = kept.mock.results.map(({ value }, index) => ({
        statement: value,
        text: kept.mock.calls[index]?.[0] ?? "",
      }));
      for (const { text } of statements) texts.add(text);
      return { statements, compiled: once.flatMap(({ mock }) => mock.calls.map(([text]) => text)) };
    },
  };
}

/** Calls a route in a world that has what it is about, and answers what the call asked of the store. */
async function call(app: Tenants, route: Route, nth: number, watched: Watched) {
  const sent = await requestOf(app, route, nth);
  watched.begin();
  const { status } = await app.app.handle(sent);
  expect(status).toBeLessThan(400);
  return watched.end();
}

type Watched = ReturnType<typeof watch>;

test.each(routes)("a third call of $name builds no query and compiles no statement", (route) =>
  inSharedWorld(route, async (app) => {
    const watched = watch(app.db);
    const known = new Set<unknown>();
    for (const nth of [1, 2])
      for (const { statement } of (await call(app, route, nth, watched)).statements) known.add(statement);
    const { statements, compiled } = await call(app, route, 3, watched);
    const anew = statements.filter(({ statement }) => !known.has(statement)).map(({ text }) => text);
    expect([...compiled, ...anew]).toEqual([]);
  }),
);

test("nor does the page of the walled garden", async () => {
  using app = await world();
  openSession(app, 1);
  app.db.$client.run("UPDATE sessions SET framed_ip = '127.0.0.1'");
  const server = listen(app.walledApp, { hostname: "127.0.0.1", port: 0 });
  const watched = watch(app.db);
  const page = async () => {
    watched.begin();
    expect(await (await fetch(`http://${server.address}/`)).text()).toContain("user1");
    return watched.end();
  };
  const known = new Set((await page()).statements.map(({ statement }) => statement));
  const { statements, compiled } = await page();
  expect(statements.filter(({ statement }) => !known.has(statement))).toEqual([]);
  expect(compiled).toEqual([]);
  await server.stop(0);
});

test("every call is of a route that there is", () => {
  const names = new Set(routes.map(({ name }) => name));
  expect(Object.keys(calls).filter((name) => !names.has(name))).toEqual([]);
});

/** The other half of what a connection keeps is for the jobs, and for lists and forms with other fields. */
afterAll(() => {
  expect(texts.size * 2).toBeLessThan(Database.MAX_QUERY_CACHE_SIZE);
});
