import { afterAll, beforeAll, expect, test } from "bun:test";
import { LiveFeed } from "../../src/domain/service/live/feed.ts";
import { endOtherConsoleSessions } from "../../src/domain/people/staff/console-sessions.ts";
import { everything, operator } from "../../src/domain/core/actor/operator.ts";
import { LiveStreams } from "../../src/http/console/live/streams.ts";
import { consoleSessionOf, consoleSite, type ConsoleSite } from "../support/console-browser.ts";
import { eventually } from "../support/radius-server.ts";
import { NOW, type TemporaryStore, templateStore } from "../support/store.ts";
import { temporaryApp } from "../support/http.ts";
import { callers, fillTenants } from "../support/tenants.ts";

const tenants = templateStore(fillTenants);
let store: TemporaryStore;
let feed: LiveFeed;
let streams: LiveStreams;
let site: ConsoleSite;
beforeAll(async () => {
  store = await tenants();
  feed = new LiveFeed(store.db);
  streams = new LiveStreams(feed);
  site = consoleSite(temporaryApp({ streams }, store));
});
afterAll(async () => {
  streams.close();
  await site.close();
  store[Symbol.dispose]();
});

/** A page that listens: its stream, and what came so far. */
async function listening(account: string, session?: string) {
  const cookie = session ?? (await consoleSessionOf(site, account));
  const leave = new AbortController();
  const response = await fetch(`${site.origin}/console/live`, { headers: { cookie }, signal: leave.signal });
  let text = "";
  let hasEnded = false;
  const read = async () => {
    for await (const bytes of response.body ?? []) text += Buffer.from(bytes).toString();
    hasEnded = true;
  };
  read().catch(() => (hasEnded = true));
  return {
    response,
    take: () => text.split("\n\n").filter((line) => line.startsWith("event")),
    heard: () => text,
    ended: () => hasEnded,
    async [Symbol.asyncDispose]() {
      const before = streams.count;
      if (hasEnded || response.status !== 200) return;
      leave.abort();
      expect(await eventually(() => streams.count < before)).toBe(true);
    },
  };
}

test("a page hears what happened within its scope and flags, once, and is forgotten when it goes", async () => {
  {
    // signed in beforehand, for that is a change which the trail tells
    const [first, second, third] = [callers.admin, callers.otherBranch, callers.noFlag];
    const [one, two, three] = [
      await consoleSessionOf(site, first),
      await consoleSessionOf(site, second),
      await consoleSessionOf(site, third),
    ];
    await using admin = await listening(first, one);
    await using branch = await listening(second, two);
    await using idle = await listening(third, three);
    expect(admin.response.headers.get("content-type")).toBe("text/event-stream");
    expect(await eventually(() => admin.heard().startsWith("retry: 3000\n\n"))).toBe(true);
    feed.decided([{ subscriberId: 1 }, { subscriberId: 1 }]);
    feed.flush();
    expect(await eventually(() => admin.take().length === 1)).toBe(true);
    expect(admin.take()).toEqual(['event: topics\ndata: {"logins":2}']);
    feed.decided([{ subscriberId: 2 }]);
    feed.flush();
    expect(await eventually(() => branch.take().length === 1)).toBe(true);
    expect([branch.take(), idle.take()]).toEqual([['event: topics\ndata: {"logins":1}'], []]);
    expect(feed.viewers).toBe(3);
  }
  expect(feed.viewers).toBe(0);
});

test("a stream ends with its session, and gives signs of life until then, which are none of somebody's being there", async () => {
  await using page = await listening(callers.reseller);
  site.clock.now += 30 * 60;
  streams.look();
  expect(await eventually(() => page.heard().endsWith("\n\n:\n\n"))).toBe(true);
  const seen = store.db.$client
    .query("SELECT max(seen_at) AS at FROM staff_sessions WHERE staff_id = 2")
    .get();
  expect(seen).toEqual({ at: NOW });
  endOtherConsoleSessions(store.db, operator("root", "cli"), { staffId: 2 }, { now: site.clock.now });
  streams.look();
  expect(await eventually(() => page.ended())).toBe(true);
  site.clock.now = NOW;
});

test("a stream ends when its account loses a flag, so that the page comes again with what it may see now", async () => {
  await using page = await listening(callers.branch);
  store.db.$client.run("UPDATE role_permissions SET value = 0 WHERE role_code = 1 AND flag = 'session_view'");
  streams.look();
  expect(await eventually(() => page.ended())).toBe(true);
  store.db.$client.run("UPDATE role_permissions SET value = 1 WHERE role_code = 1 AND flag = 'session_view'");
});

test("nobody who is not signed in gets a stream, and one account leaves room for others", async () => {
  const stranger = await fetch(`${site.origin}/console/live`, { redirect: "manual" });
  expect(stranger.status).toBe(303);
  const many = new LiveStreams(feed);
  const open = (staffId: number) =>
    many.open({ staffId, scope: everything, topics: ["logins"], stands: () => true }).status;
  for (let count = 0; count < 200; count++) expect(open(1)).toBe(200);
  expect([open(1), open(2)]).toEqual([204, 200]);
  many.close();
  expect([many.count, feed.viewers]).toEqual([0, 0]);
});

test("an end of the server ends the streams at once, and none begins after it", async () => {
  const other = new LiveStreams(feed);
  const ending = consoleSite(temporaryApp({ streams: other }, store));
  const cookie = await consoleSessionOf(ending, callers.admin);
  const ask = () => fetch(`${ending.origin}/console/live`, { headers: { cookie } });
  const { body } = await ask();
  const reader = body?.getReader();
  await reader?.read();
  other.close();
  expect(await reader?.read()).toEqual({ done: true, value: undefined });
  expect((await ask()).status).toBe(204);
  const since = performance.now();
  await ending.close();
  expect(performance.now() - since).toBeLessThan(10_000);
});
