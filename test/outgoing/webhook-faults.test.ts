import { afterAll, describe, expect, test } from "bun:test";
import type { Db } from "../../db/open.ts";
import { takePayment } from "../../src/domain/desk/payments/take.ts";
import { replayDelivery } from "../../src/domain/around/webhooks/deliveries.ts";
import { dueDeliveries, endpointsDue } from "../../src/domain/around/webhooks/due.ts";
import { createEndpoint } from "../../src/domain/around/webhooks/endpoints.ts";
import { outside, type Outside } from "../../src/outgoing/request.ts";
import { WebhookSender } from "../../src/outgoing/webhook-sender.ts";
import { by } from "../support/isp.ts";
import { boss, office } from "../support/office.ts";
import { NOW } from "../support/store.ts";

const servers: { stop: (force: boolean) => unknown }[] = [];
afterAll(() => servers.forEach((server) => void server.stop(true)));

type Answer = (nth: number, request: Request) => Response | Promise<Response>;

function receiver(answer: Answer) {
  const events: string[] = [];
  const server = Bun.serve({
    port: 0,
    fetch: (request) => {
      events.push(request.headers.get("webhook-id") ?? "");
      return answer(events.length, request);
    },
  });
  servers.push(server);
  return { url: `http://127.0.0.1:${server.port}/hook`, heard: events, port: server.port };
}

const ok = () => new Response("ok");
const never = () => new Promise<Response>(() => {});
const pay = (db: Db, subscriberId = 1, now = NOW) =>
  takePayment(db, boss, { subscriberId, amount: 100, method: "cash" }, { now });
const hookTo = (db: Db, url: string, types = "payment.received") =>
  createEndpoint(db, by, { isp_id: 1, url, types, allow_local: 1 }, { now: NOW }).endpoint.id;

async function sending(world: Outside = outside) {
  const store = await office();
  const clock = { now: NOW };
  const failed: unknown[] = [];
  const { db } = store;
  const sender = new WebhookSender({
    db,
    by,
    clock: () => clock.now,
    random: () => 0,
    world,
    failed: (error) => void failed.push(error),
  });
  const run = async (later = 0) => {
    clock.now += later;
    sender.run();
    await sender.settled();
  };
  const attempts = () =>
    db.$client
      .query<{ status: number | null; error: string | null; answer: string | null }, []>(
        "SELECT status, error, answer FROM webhook_attempts ORDER BY id",
      )
      .all();
  const states = () =>
    db.$client
      .query<{ state: string; attempts: number; next: number }, []>(
        `SELECT state, attempts, next_at - ${NOW} AS next FROM webhook_deliveries ORDER BY id`,
      )
      .all();
  return {
    db,
    sender,
    run,
    attempts,
    states,
    failed,
    [Symbol.dispose]: () => store[Symbol.dispose](),
  };
}

test("a redirect is followed by nobody, and the event comes again to where it was to go", async () => {
  using here = await sending();
  const inside = receiver(ok);
  const hook = receiver((nth) => (nth === 1 ? Response.redirect(inside.url, 307) : ok()));
  hookTo(here.db, hook.url);
  pay(here.db);
  await here.run();
  expect(here.states()).toEqual([{ state: "waiting", attempts: 1, next: 5 }]);
  expect(here.attempts()).toMatchObject([
    { status: 307, error: expect.stringContaining("pointed to another address") },
  ]);
  await here.run(5);
  expect([hook.heard.length, inside.heard.length, here.states()[0]?.state]).toEqual([2, 0, "delivered"]);
});

test("of a huge answer a little is kept, and 2xx is delivered", async () => {
  using here = await sending();
  const chunk = new Uint8Array(100_000).fill(65);
  const endless = () =>
    new Response(new ReadableStream({ pull: (controller) => controller.enqueue(chunk) }), { status: 202 });
  hookTo(here.db, receiver(endless).url);
  pay(here.db);
  await here.run();
  expect(here.attempts()).toEqual([{ status: 202, error: null, answer: "A".repeat(1000) }]);
  expect(here.states()).toMatchObject([{ state: "delivered" }]);
});

test("a name that turns to an address within the own network is not called there", async () => {
  const answers = [["127.0.0.1"], ["10.0.0.5"]];
  using here = await sending({ ...outside, resolve: async () => answers.shift() ?? [] });
  const hook = receiver(() => new Response("", { status: 500 }));
  hookTo(here.db, `http://receiver.example:${hook.port}/`);
  pay(here.db);
  await here.run();
  here.db.$client.run("UPDATE webhook_endpoints SET allow_local = 0");
  await here.run(5);
  expect(hook.heard.length).toBe(1);
  expect(here.attempts()[1]?.error).toContain("receiver.example is 10.0.0.5, which is not an address");
});

test("429 with a Retry-After of years is waited for a day, and counts as one attempt", async () => {
  using here = await sending();
  const busy = () => new Response("", { status: 429, headers: { "Retry-After": "99999999" } });
  const hook = receiver((nth) => (nth === 1 ? busy() : ok()));
  hookTo(here.db, hook.url);
  pay(here.db, 1);
  pay(here.db, 2);
  await here.run();
  expect(here.states()).toMatchObject([{ attempts: 1, next: 86_400 }, { attempts: 0 }]);
  await here.run(86_399);
  expect(hook.heard.length).toBe(1);
  await here.run(1);
  expect(here.states().map(({ state }) => state)).toEqual(["delivered", "delivered"]);
});

test("many receivers that never answer leave room for those that do", async () => {
  using here = await sending({ ...outside, milliseconds: 900 });
  const dead = receiver(never);
  for (let nth = 0; nth < 40; nth++) hookTo(here.db, `${dead.url}/${nth}`);
  const well = receiver(ok);
  hookTo(here.db, well.url);
  for (let nth = 0; nth < 30; nth++) pay(here.db, (nth % 3) + 1);
  here.sender.run();
  while (well.heard.length === 0) {
    here.sender.run();
    await Bun.sleep(20);
  }
  expect(dead.heard.length).toBeLessThanOrEqual(64);
  while (well.heard.length < 30) await Bun.sleep(5);
  expect(dead.heard.length).toBeLessThan(160); // 16 in 900 ms: if it took its turn with each of them, 30 times 40
  await here.sender.stop();
  await here.sender.settled();
});

test("what the store does not take is booked when it does, and not sent again meanwhile", async () => {
  using here = await sending();
  const hook = receiver(() => {
    here.db.$client.run("PRAGMA query_only = 1");
    return ok();
  });
  hookTo(here.db, hook.url);
  pay(here.db);
  await here.run();
  expect(here.failed).toHaveLength(1);
  expect(() => here.sender.run()).toThrow("readonly");
  here.db.$client.run("PRAGMA query_only = 0");
  await here.run();
  expect(here.states()).toMatchObject([{ state: "delivered", attempts: 1 }]);
  expect(hook.heard.length).toBe(1);
});

describe("sent again by hand", () => {
  test("one that was delivered goes once more under its id, and holds up none after it", async () => {
    using here = await sending();
    const hook = receiver((nth) => (nth === 2 ? new Response("", { status: 500 }) : ok()));
    hookTo(here.db, hook.url);
    pay(here.db);
    await here.run();
    replayDelivery(here.db, by, { id: 1 }, { now: NOW });
    pay(here.db);
    await here.run();
    expect(hook.heard[1]).toBe(hook.heard[0] ?? "");
    expect(here.states()).toMatchObject([{ state: "waiting" }, { state: "delivered" }]);
    await here.run(5);
    expect(here.states()).toMatchObject([{ state: "delivered" }, { state: "delivered" }]);
  });

  test("one that waits goes at once, and what waits for it after it", async () => {
    using here = await sending();
    const hook = receiver((nth) => (nth < 3 ? new Response("", { status: 500 }) : ok()));
    hookTo(here.db, hook.url);
    for (let nth = 0; nth < 3; nth++) pay(here.db);
    await here.run();
    await here.run(5);
    await here.run(1);
    expect(here.states().map(({ next }) => next)).toEqual([305, 305, 305]);
    replayDelivery(here.db, by, { id: 1 }, { now: NOW + 6 });
    await here.run();
    expect(here.states().map(({ state }) => state)).toEqual(["delivered", "delivered", "delivered"]);
    expect(new Set(hook.heard.slice(2)).size).toBe(3);
  });
});

describe("50,000 deliveries that wait for one dead receiver", () => {
  const MANY = 50_000;

  /** Half of them one subscriber's, behind its first, which has failed; the others' too, in pairs. */
  function pile({ $client }: Db, endpointId: number): void {
    $client.run("PRAGMA foreign_keys = 0");
    $client.run(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${MANY})
       INSERT INTO events (id, uid, type, isp_id, subscriber_id, seq, at, written_at, data)
       SELECT 1000 + i, 'evt_' || i, 'payment.received', 1, iif(i % 2, 1, 100 + i / 4), i, ${NOW}, ${NOW}, '{}' FROM n`,
    );
    $client.run(
      `INSERT INTO webhook_deliveries (endpoint_id, event_id, subscriber_id, next_at)
       SELECT ${endpointId}, id, subscriber_id, ${NOW} FROM events WHERE id > 1000`,
    );
    $client.run(
      `UPDATE webhook_deliveries SET attempts = 1, next_at = ${NOW + 300} WHERE id IN
         (SELECT min(id) FROM webhook_deliveries WHERE endpoint_id = ${endpointId} GROUP BY subscriber_id)`,
    );
    $client.run(`UPDATE marks SET value = (SELECT max(id) FROM events) WHERE name = 'webhooks'`);
  }

  test("a look goes over few of them, whoever is blocked, and what waits behind others is not looked at twice", async () => {
    using here = await sending();
    const { db } = here;
    const id = hookTo(db, receiver(never).url);
    pay(db);
    here.db.$client.run("UPDATE webhook_endpoints SET disabled_at = 1");
    await here.run();
    here.db.$client.run("UPDATE webhook_endpoints SET disabled_at = NULL");
    pile(db, id);
    const look = () =>
      dueDeliveries(db, { endpointId: id, limit: 4, busy: { ids: new Set(), subscribers: new Set() } }, NOW);
    let looks = 0;
    while (endpointsDue(db, NOW).length > 0 && looks < 200) {
      expect(look()).toEqual([]);
      looks++;
    }
    expect(looks).toBeLessThanOrEqual(MANY / 500 + 1);
  });

  test("another receiver hears at once", async () => {
    using here = await sending({ ...outside, milliseconds: 120_000 });
    const { db } = here;
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    const dead = hookTo(db, receiver(() => over.then(ok)).url);
    pile(db, dead);
    const well = receiver(ok);
    hookTo(db, well.url);
    for (let nth = 0; nth < 20; nth++) pay(db, 2);
    here.sender.run();
    while (well.heard.length < 20) await Bun.sleep(5); // behind those of the dead it would be never
    const stopped = here.sender.stop();
    end();
    await stopped;
    await here.sender.settled();
  });

  test("a look goes along its indexes", async () => {
    using here = await sending();
    const { db } = here;
    const plans: string[] = [];
    const texts = new Set<string>();
    const { $client } = db;
    const query = $client.query.bind($client);
    $client.query = ((text: string) => {
      if (text.includes("webhook_deliveries")) texts.add(text);
      return query(text);
    }) as typeof $client.query;
    endpointsDue(db, NOW);
    dueDeliveries(db, { endpointId: 1, limit: 4, busy: { ids: new Set(), subscribers: new Set() } }, NOW);
    for (const text of texts)
      for (const { detail } of query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${text}`).all())
        plans.push(detail);
    expect(texts.size).toBe(2);
    expect(plans.filter((plan) => /SCAN (?!w|\(?subquery|due$)/i.test(plan))).toEqual([]);
    expect(plans.join("\n")).toContain("webhook_deliveries_due (endpoint_id=? AND next_at<?)");
    expect(plans.join("\n")).toContain("webhook_deliveries_order");
  });
});
