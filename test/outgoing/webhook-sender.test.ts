import { afterAll, describe, expect, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import type { Db } from "../../db/open.ts";
import { createEndpoint, rotateEndpointSecret } from "../../src/domain/around/webhooks/endpoints.ts";
import { replayDelivery } from "../../src/domain/around/webhooks/deliveries.ts";
import { takePayment } from "../../src/domain/desk/payments/take.ts";
import { WebhookSender } from "../../src/outgoing/webhook-sender.ts";
import { by } from "../support/isp.ts";
import { boss, office } from "../support/office.ts";

interface Received {
  id: string;
  body: { type: string; timestamp: string; data: { seq: number; subscriber: { id: number } } };
}

const servers: { stop: (force: boolean) => unknown }[] = [];
afterAll(() => servers.forEach((server) => void server.stop(true)));

/** A program that hears of events, verifies each by the library that its author would use, and answers as `answer` says. */
function receiver(answer: (nth: number, received: Received) => Response | Promise<Response>) {
  const received: Received[] = [];
  const faults: string[] = [];
  const secrets: string[] = [];
  const server = Bun.serve({
    port: 0,
    fetch: async (request) => {
      const text = await request.text();
      const headers = Object.fromEntries(request.headers);
      for (const secret of secrets) {
        try {
          new Webhook(secret).verify(text, headers);
        } catch (error) {
          faults.push(String(error));
        }
      }
      const one: Received = { id: headers["webhook-id"] ?? "", body: JSON.parse(text) };
      received.push(one);
      return answer(received.length, one);
    },
  });
  servers.push(server);
  return { url: `http://127.0.0.1:${server.port}/hook`, received, faults, secrets };
}

/** The clock that the library checks against is the real one. */
let now = Math.floor(Date.now() / 1000);
const pay = (db: Db, subscriberId = 1) =>
  takePayment(db, boss, { subscriberId, amount: 100, method: "cash" }, { now });
const failed = (error: unknown) => {
  throw error;
};
const ok = () => new Response("ok");

async function scene(answer: Parameters<typeof receiver>[0], types = "payment.received") {
  const store = await office();
  const hook = receiver(answer);
  const { endpoint, secret } = createEndpoint(
    store.db,
    by,
    { isp_id: 1, url: hook.url, types, allow_local: 1 },
    { now },
  );
  hook.secrets.push(secret);
  const sender = new WebhookSender({ db: store.db, by, clock: () => now, failed, random: () => 0 });
  const run = async (later = 0) => {
    now += later;
    sender.run();
    await sender.settled();
  };
  const deliveries = () =>
    store.db.$client
      .query<{ state: string; attempts: number; next: number }, []>(
        `SELECT state, attempts, next_at - ${now} AS next FROM webhook_deliveries ORDER BY id`,
      )
      .all();
  return {
    db: store.db,
    hook,
    endpoint,
    run,
    deliveries,
    sender,
    [Symbol.dispose]: () => store[Symbol.dispose](),
  };
}

test("what happens arrives, signed so that the library of Standard Webhooks takes it", async () => {
  using here = await scene(ok);
  pay(here.db);
  await here.run();
  expect(here.hook.received.map(({ body }) => [body.type, body.data.subscriber.id])).toEqual([
    ["payment.received", 1],
  ]);
  expect(here.hook.received[0]?.id).toMatch(/^evt_[0-9a-f]{32}$/);
  expect(here.hook.faults).toEqual([]);
  expect(here.deliveries()).toMatchObject([{ state: "delivered", attempts: 1 }]);
  await here.run();
  expect(here.hook.received.length).toBe(1);
});

test("during a rotation both secrets are good, and after it the new one alone", async () => {
  using here = await scene(ok);
  const { secret } = rotateEndpointSecret(here.db, by, { id: here.endpoint.id }, { now });
  here.hook.secrets.push(secret);
  pay(here.db);
  await here.run();
  expect(here.hook.faults).toEqual([]);
  const former = here.hook.secrets.shift();
  pay(here.db);
  here.db.$client.run(`UPDATE webhook_endpoints SET former_until = ${now}`);
  await here.run();
  expect(here.hook.faults).toEqual([]);
  here.hook.secrets.splice(0, 1, former ?? "");
  pay(here.db);
  await here.run();
  expect(here.hook.faults.length).toBe(1);
});

test("what fails comes again under the same id and signed anew, after growing pauses, and fails after the last", async () => {
  using here = await scene(() => new Response("no", { status: 500 }));
  pay(here.db);
  await here.run();
  const pauses = [];
  for (let nth = 0; nth < 9; nth++) {
    const next = here.deliveries()[0]?.next ?? 0;
    pauses.push(next);
    await here.run(next - 1);
    expect(here.hook.received.length).toBe(nth + 1);
    // the library refuses what is old by its own clock
    here.hook.secrets.splice(0);
    await here.run(1);
  }
  expect(pauses).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]);
  expect(here.deliveries()).toMatchObject([{ state: "failed", attempts: 10 }]);
  expect(new Set(here.hook.received.map(({ id }) => id)).size).toBe(1);
  const attempts = here.db.$client
    .query<{ status: number; answer: string }, []>("SELECT status, answer FROM webhook_attempts")
    .all();
  expect(attempts.length).toBe(10);
  expect(attempts[0]).toEqual({ status: 500, answer: "no" });
  replayDelivery(here.db, by, { id: 1 }, { now });
  await here.run();
  expect(here.hook.received.length).toBe(11);
  now = Math.floor(Date.now() / 1000);
});

test("events of one subscriber come in their order until one has failed five times; others are not held up", async () => {
  using here = await scene((_nth, { body }) =>
    body.data.subscriber.id === 1 && body.data.seq === 1 ? new Response("", { status: 500 }) : ok(),
  );
  here.hook.secrets.splice(0);
  pay(here.db, 1);
  pay(here.db, 1);
  pay(here.db, 2);
  await here.run();
  const result = () => here.hook.received.map(({ body: { data } }) => `${data.subscriber.id}.${data.seq}`);
  expect(result().sort()).toEqual(["1.1", "2.1"]);
  for (let nth = 0; nth < 3; nth++) await here.run(here.deliveries()[0]?.next);
  expect(result()).not.toContain("1.2");
  await here.run(here.deliveries()[0]?.next);
  await here.run(1);
  expect(result()).toContain("1.2");
  now = Math.floor(Date.now() / 1000);
});

describe("where nobody answered", () => {
  const away = () => new Response("", { status: 503 });
  const result = ({ hook }: Awaited<ReturnType<typeof scene>>) =>
    hook.received.map(({ body: { data } }) => `${data.subscriber.id}.${data.seq}`);

  test("all that waits goes once somebody does, in its order", async () => {
    let isThere = false;
    using here = await scene(() => (isThere ? ok() : away()));
    here.hook.secrets.splice(0);
    for (const subscriber of [1, 1, 2]) pay(here.db, subscriber);
    await here.run();
    await here.run(5);
    expect(here.deliveries()).toMatchObject([
      { attempts: 2, next: 300 },
      { attempts: 0, next: 300 },
      { attempts: 2, next: 300 },
    ]);
    isThere = true;
    pay(here.db, 3);
    here.hook.received.splice(0);
    await here.run(1);
    expect(result(here).sort()).toEqual(["1.1", "1.2", "2.1", "3.1"]);
    expect(result(here).filter((one) => one.startsWith("1."))).toEqual(["1.1", "1.2"]);
    now = Math.floor(Date.now() / 1000);
  });

  test("one of what waits is tried now and then, ever later, and that is no attempt", async () => {
    let isThere = false;
    using here = await scene(() => (isThere ? ok() : away()));
    here.hook.secrets.splice(0);
    for (const subscriber of [1, 2, 1]) pay(here.db, subscriber);
    await here.run();
    await here.run(5);
    const heard = async (seconds: number) => {
      const before = here.hook.received.length;
      for (let nth = 0; nth < seconds; nth++) await here.run(1);
      return here.hook.received.length - before;
    };
    expect(await heard(40)).toBe(8); // every 5 s
    expect(await heard(140)).toBeLessThan(20);
    expect(here.deliveries()).toMatchObject([{ attempts: 2 }, { attempts: 2 }, { attempts: 0 }]);
    isThere = true;
    expect(await heard(30)).toBe(3); // what waits behind the one that is tried too
    expect(new Set(here.deliveries().map(({ state }) => state))).toEqual(new Set(["delivered"]));
    now = Math.floor(Date.now() / 1000);
  });

  test("what was tried often keeps its pauses, as what the receiver says no to does", async () => {
    let isThere = false;
    using here = await scene((_nth, { body: { data } }) =>
      isThere && data.subscriber.id === 3
        ? ok()
        : data.subscriber.id === 2
          ? new Response("", { status: 500 })
          : away(),
    );
    here.hook.secrets.splice(0);
    pay(here.db, 1);
    pay(here.db, 2);
    await here.run();
    here.db.$client.run(
      `UPDATE webhook_deliveries SET attempts = 5, next_at = ${now + 36_000} WHERE subscriber_id = 1`,
    );
    here.db.$client.run(`UPDATE webhook_deliveries SET next_at = ${now + 300} WHERE subscriber_id = 2`);
    isThere = true;
    pay(here.db, 3);
    await here.run(1);
    expect(here.deliveries()).toMatchObject([
      { attempts: 5, next: 35_999 },
      { attempts: 1, next: 299 },
      { state: "delivered" },
    ]);
    now = Math.floor(Date.now() / 1000);
  });
});

test("410 ends it", async () => {
  using here = await scene(() => new Response("", { status: 410 }));
  pay(here.db, 1);
  pay(here.db, 1);
  await here.run();
  expect(here.deliveries().map(({ state }) => state)).toEqual(["failed", "cancelled"]);
  pay(here.db);
  await here.run(100_000);
  expect(here.hook.received.length).toBe(1);
  now = Math.floor(Date.now() / 1000);
});

test.each([429, 502, 504])("%d leaves the whole endpoint alone for as long as it asks", async (status) => {
  using here = await scene((nth) =>
    nth === 1 ? new Response("", { status, headers: { "Retry-After": "120" } }) : ok(),
  );
  here.hook.secrets.splice(0);
  pay(here.db, 1);
  await here.run();
  pay(here.db, 2);
  await here.run(119);
  expect(here.hook.received.length).toBe(1);
  await here.run(1);
  expect(here.deliveries().map(({ state }) => state)).toEqual(["delivered", "delivered"]);
  now = Math.floor(Date.now() / 1000);
});

test("one that has not been asked for is not told, and another ISP's is nobody's business", async () => {
  using here = await scene(ok, "subscriber.expired");
  pay(here.db);
  await here.run();
  using other = await scene(ok, "*");
  takePayment(other.db, by, { subscriberId: 9, amount: 100, method: "cash" }, { now });
  await other.run();
  expect([here.hook.received.length, other.hook.received.length]).toEqual([0, 0]);
});

test("a receiver that never answers holds up none but itself", async () => {
  using here = await scene(() => new Promise<Response>(() => {}));
  const other = receiver(ok);
  createEndpoint(here.db, by, { isp_id: 1, url: other.url, types: "*", allow_local: 1 }, { now });
  const sender = new WebhookSender({
    db: here.db,
    by,
    clock: () => now,
    failed,
    random: () => 0,
    world: { resolve: async () => [], milliseconds: 4000 }, // for the other one too, on a busy machine
  });
  for (let nth = 0; nth < 12; nth++) pay(here.db, nth % 2 === 0 ? 1 : 2);
  sender.run();
  await sender.settled();
  expect(other.received.length).toBe(12);
  expect(here.hook.received.length).toBe(2);
  const errors = here.db.$client.query<{ error: string }, []>(
    "SELECT DISTINCT error FROM webhook_attempts WHERE error IS NOT NULL",
  );
  expect(errors.all()).toEqual([{ error: "127.0.0.1 did not answer in time" }]);
});

test("an address within the own network is not called unless an Admin allowed it", async () => {
  using here = await scene(ok);
  here.db.$client.run("UPDATE webhook_endpoints SET allow_local = 0");
  pay(here.db);
  await here.run();
  expect(here.hook.received).toEqual([]);
  const [attempt] = here.db.$client.query<{ error: string }, []>("SELECT error FROM webhook_attempts").all();
  expect(attempt?.error).toContain("not an address of the public internet");
});

test("a receiver that never answers does not hold up the end, and gets the event again", async () => {
  using here = await scene(() => new Promise<Response>(() => {}));
  pay(here.db);
  here.sender.run();
  while (here.hook.received.length === 0) await Bun.sleep(5);
  const began = performance.now();
  await here.sender.stop();
  await here.sender.settled();
  expect(performance.now() - began).toBeLessThan(15_000); // a call is given 20 s
  expect(here.deliveries()).toMatchObject([{ state: "waiting", attempts: 0 }]);
});
