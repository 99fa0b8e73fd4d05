import { afterEach, beforeEach, describe, expect, spyOn, test } from "bun:test";
import { voidCard } from "../../../src/domain/desk/card-sales/void.ts";
import { Enforcer } from "../../../src/domain/service/enforcement/enforce.ts";
import { makeRouters } from "../../../src/domain/service/control/routers.ts";
import { systemClock } from "../../../src/domain/core/time/time.ts";
import { CoaClient } from "../../../src/radius/client/coa.ts";
import { coaRequests } from "../../../src/radius/client/coa-requests.ts";
import type { NamedAttribute } from "../../../src/radius/packet/codec.ts";
import { type MadeCard, makeCard, placesOf, storedCard } from "../../support/card-codes.ts";
import { FakeNas, type NasRequest } from "../../support/fake-nas.ts";
import { by, NAS_SECRET } from "../../support/isp.ts";
import { startTestRadius, type TestRadius } from "../../support/radius-server.ts";

/* Several devices of one card at a router on sockets: what the threads granted and booked is what the router is told of the rest. */

const COA = 43;
const DISCONNECT = 40;
const USER_NAME = 1;
const SESSION_TIMEOUT = 27;
const ACCT_SESSION_ID = 44;
const macOf = (device: string) => `02:00:00:00:00:0${device}`;

let radius: TestRadius;
let router: FakeNas;
let coa: CoaClient;
beforeEach(async () => {
  radius = await startTestRadius();
  router = await FakeNas.start({}, { secret: NAS_SECRET });
  coa = new CoaClient({ clock: systemClock });
  radius.db.$client.run("UPDATE nas SET coa_port = ?", [router.port]);
});
afterEach(async () => {
  await coa.close();
  router[Symbol.dispose]();
  await radius[Symbol.asyncDispose]();
});

/** Ten minutes online. */
const card = (devices: number): MadeCard =>
  makeCard(radius.db, { by_clock: 0, uptime_seconds: 600, devices }, systemClock() - 3600);

/** Logs a device in, whose session begins so many seconds ago, and returns what its router was told. */
async function begin({ code }: MadeCard, device: string, ago: number) {
  const client = radius.client();
  const attributes: NamedAttribute[] = [
    ["NAS-Port-Type", 19],
    ["Calling-Station-Id", macOf(device)],
  ];
  const reply = await client.access({ name: code, password: code, attributes });
  const [timeout] = reply?.attributes["Session-Timeout"] ?? [];
  const [sessionClass] = reply?.attributes["Class"] ?? [];
  const sent: NamedAttribute[] = [
    ["User-Name", code],
    ["Acct-Session-Id", device],
    ["Class", Buffer.isBuffer(sessionClass) ? sessionClass : Buffer.alloc(0)],
    ...attributes,
  ];
  await client.accounting("Start", [...sent, ["Acct-Delay-Time", ago]]);
  const stop = (seconds: number) => client.accounting("Stop", [...sent, ["Acct-Session-Time", seconds]]);
  return { timeout, stop };
}

/** As a server that has just started. */
function enforcer(): Enforcer {
  const api = { disconnect: unasked, find: unasked };
  return new Enforcer(radius.db, {
    clock: systemClock,
    routers: makeRouters(radius.db, { coa: coaRequests(coa), api }),
  });
}

async function unasked(): Promise<never> {
  throw new Error("its API is not set up");
}

function valueOf({ attributes }: NasRequest, expected: number): Buffer {
  return Buffer.from(attributes.find(([type]) => type === expected)?.[1] ?? "", "hex");
}

/** Sessions with their new Session-Timeout. */
const timeouts = () =>
  [...new Map(router.requests.map((request) => [request.bytes.toString("hex"), request])).values()].map(
    (request) => ({
      code: request.code,
      name: valueOf(request, USER_NAME).toString(),
      session: valueOf(request, ACCT_SESSION_ID).toString(),
      timeout: request.code === COA ? valueOf(request, SESSION_TIMEOUT).readUInt32BE() : null,
    }),
  );

/** Some seconds more or less, for the clock goes on, and a wrong one is 50 off. */
const near = (seconds: number | null | undefined, type: number) =>
  expect(Math.abs((seconds ?? 0) - type)).toBeLessThanOrEqual(30);

describe("of two devices", () => {
  /** a leaves after 200 seconds, and b has 100 of its 300 left by what its router knows, and 200 by its card. */
  async function oneLeft(): Promise<MadeCard> {
    const one = card(2);
    const a = await begin(one, "1", 200);
    const b = await begin(one, "2", 200);
    expect([a.timeout, b.timeout]).toEqual([600, 300]);
    expect((await enforcer().run()).changed).toBe(0);
    expect(router.requests).toEqual([]);
    await a.stop(200);
    return one;
  }

  test("the one that stays may stay for all that is left, which its router is told once", async () => {
    const one = await oneLeft();
    using request = spyOn(coa, "request");
    expect(await enforcer().run()).toEqual({ ended: 0, changed: 1, failures: [] });
    expect(timeouts()).toMatchObject([{ code: COA, name: one.code, session: "2" }]);
    near(timeouts()[0]?.timeout, 400);
    // the server starts again
    expect(await enforcer().run()).toEqual({ ended: 0, changed: 0, failures: [] });
    expect(request).toHaveBeenCalledTimes(1);
    expect(placesOf(radius.db, one.code)).toEqual([]);
  });

  test("a router that refuses is asked once, and nothing is lost", async () => {
    const one = await oneLeft();
    router.behaviour = { answer: "nak", errorCause: 501 };
    const busy = enforcer();
    const { untold = [], ...rest } = await busy.run();
    expect(rest).toEqual({ ended: 0, changed: 0, failures: [] });
    expect(untold).toHaveLength(1);
    expect(untold[0]).toContain("refused the CoA-Request");
    expect(untold[0]).not.toContain(one.code);
    await busy.run();
    expect(router.distinct).toBe(1);
    expect(storedCard(radius.db, one.id).usedSeconds).toBe(200);
    const again = await begin(one, "3", 0);
    near(Number(again.timeout), 200);
  });

  test("a router that says nothing is left alone for a while, and told when it is back", async () => {
    radius.db.$client.run("INSERT INTO settings (key, value) VALUES ('max_coa_wait', '1')");
    const one = await oneLeft();
    router.behaviour = { answer: "silence" };
    const busy = enforcer();
    expect((await busy.run()).untold).toEqual([expect.stringContaining("did not answer the CoA-Request")]);
    expect(router.distinct).toBe(1);
    await busy.run();
    expect(router.distinct).toBe(1);
    router.behaviour = {};
    radius.db.$client.run("UPDATE settings SET value = '10' WHERE key = 'max_coa_wait'");
    expect(await enforcer().run()).toMatchObject({ changed: 1 });
    expect(timeouts().at(-1)).toMatchObject({ code: COA, name: one.code, session: "2" });
  });

  test("one of a card that becomes void is ended, and told nothing", async () => {
    const one = await oneLeft();
    voidCard(radius.db, by, { id: one.id, reason: "lost" }, { now: systemClock() });
    expect(await enforcer().run()).toMatchObject({ ended: 1 });
    expect(timeouts().map(({ code }) => code)).toEqual([DISCONNECT]);
  });

  test("a router that is asked by its API alone cuts the session, and that is said", async () => {
    const one = await oneLeft();
    radius.db.$client.run("UPDATE nas SET disconnect_method = 'routeros'");
    const { untold } = await enforcer().run();
    expect(untold).toEqual([
      expect.stringContaining("is not asked over RADIUS (disconnect_method routeros)"),
    ]);
    expect(router.requests).toEqual([]);
    expect(storedCard(radius.db, one.id).state).toBe("active");
  });
});

test("of three devices, those that stay have half each of what is left", async () => {
  const one = card(3);
  const a = await begin(one, "1", 120);
  const b = await begin(one, "2", 120);
  const c = await begin(one, "3", 120);
  expect([a.timeout, b.timeout, c.timeout]).toEqual([600, 300, 200]);
  await a.stop(120);
  expect(await enforcer().run()).toMatchObject({ ended: 0, changed: 1 });
  // b has 300 by its Accept; of 600 are left 240, and so 240 in all to each
  expect(timeouts().map(({ session }) => session)).toEqual(["3"]);
  near(timeouts()[0]?.timeout, 240);
  await b.stop(130);
  expect(await enforcer().run()).toMatchObject({ changed: 1 });
  near(timeouts()[1]?.timeout, 350);
});
