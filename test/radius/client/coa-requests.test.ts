import { afterAll, describe, expect, spyOn, test } from "bun:test";
import type { CoaNas } from "../../../src/domain/service/control/routers.ts";
import { CoaClient } from "../../../src/radius/client/coa.ts";
import { coaRequests } from "../../../src/radius/client/coa-requests.ts";
import { FakeNas, type FakeNasBehaviour, type NasRequest } from "../../support/fake-nas.ts";
import { aSession } from "../../support/sessions.ts";
import { NOW } from "../../support/store.ts";

const client = new CoaClient({ clock: () => NOW });
const requests = coaRequests(client);
afterAll(() => client.close());

const routerAt = (nas: FakeNas, values: Partial<CoaNas> = {}): CoaNas => ({
  name: "core",
  kind: "mikrotik",
  address: nas.address,
  localAddress: null,
  port: nas.port,
  secret: Buffer.from("testing123"),
  wait: 10,
  messageAuthenticator: false,
  eventTimestamp: false,
  ...values,
});
const session = aSession({ framedIp: "10.0.0.7", nasIp: "192.0.2.1" });
const types = ({ attributes }: NasRequest) => attributes.map(([type]) => type);

/** A router that knows User-Name and Acct-Session-Id, and what else is named. */
function knows(more: readonly number[], then: FakeNasBehaviour = {}) {
  const known = new Set([1, 44, ...more]);
  return (request: NasRequest): FakeNasBehaviour =>
    types(request).every((type) => known.has(type)) ? then : { answer: "nak", errorCause: 401 };
}

describe("a router that does not support an attribute", () => {
  test("is asked once more, by session id and name alone", async () => {
    using nas = await FakeNas.start(knows([]));
    expect(await requests.disconnect(routerAt(nas), session)).toEqual({ kind: "acknowledged" });
    expect(nas.requests.map(types)).toEqual([
      [1, 44, 8, 4],
      [1, 44],
    ]);
  });

  test("is given the rate again, and not asked twice when that is what it does not know", async () => {
    using nas = await FakeNas.start(knows([26]));
    using request = spyOn(client, "request");
    expect(await requests.changeRate(routerAt(nas), session, { rateLimit: "5M/5M" })).toEqual({
      kind: "acknowledged",
    });
    expect(nas.requests.map(types)).toEqual([
      [1, 44, 8, 4, 26],
      [1, 44, 26],
    ]);
    nas.behaviour = { answer: "nak", errorCause: 401 };
    const bare = aSession({});
    expect(await requests.changeRate(routerAt(nas), bare, { rateLimit: "5M/5M" })).toMatchObject({
      reason: expect.stringContaining("Error-Cause 401 Unsupported-Attribute"),
    });
    expect(request).toHaveBeenCalledTimes(3);
  });

  test("is told how long a session lasts in all, in seconds", async () => {
    using nas = await FakeNas.start(knows([27]));
    expect(await requests.changeTimeout(routerAt(nas), session, 90_061)).toEqual({ kind: "acknowledged" });
    expect(nas.requests.map(types)).toEqual([
      [1, 44, 8, 4, 27],
      [1, 44, 27],
    ]);
    const attributes = nas.requests[1]?.attributes.find(([type]) => type === 27);
    expect(Buffer.from(attributes?.[1] ?? "", "hex").readUInt32BE()).toBe(90_061);
  });

  test("has no more time for both than for one", async () => {
    using nas = await FakeNas.start((request) =>
      types(request).includes(8) ? { answer: "nak", errorCause: 401, late: 600 } : { answer: "silence" },
    );
    using request = spyOn(client, "request");
    expect(await requests.disconnect(routerAt(nas, { wait: 2 }), session)).toEqual({
      kind: "failed",
      reason: `the router core (127.0.0.1 port ${nas.port}) refused the Disconnect-Request: Error-Cause 401 Unsupported-Attribute: it does not support an attribute of the request`,
    });
    const [first = 0, second = 2000, ...more] = request.mock.calls.map(([, , { wait }]) => wait);
    expect(first).toBeGreaterThan(1000);
    expect(second).toBeLessThanOrEqual(1400); // what the first answer has left of it
    expect(more).toEqual([]);
  });

  test("another refusal is final", async () => {
    using nas = await FakeNas.start({ answer: "nak", errorCause: 404 });
    using request = spyOn(client, "request");
    expect(await requests.disconnect(routerAt(nas), session)).toMatchObject({ kind: "failed" });
    expect(request).toHaveBeenCalledTimes(1);
  });
});

test("Event-Timestamp is sent where the router is set to get it", async () => {
  using nas = await FakeNas.start(knows([8, 4, 55]));
  await requests.disconnect(routerAt(nas), session);
  await requests.disconnect(routerAt(nas, { eventTimestamp: true }), session);
  expect(nas.requests.map(types)).toEqual([
    [1, 44, 8, 4],
    [1, 44, 8, 4, 55],
  ]);
  expect(nas.requests[1]?.attributes.at(-1)).toEqual([55, NOW.toString(16)]);
});

test.each([
  ["RouterOS by its session id", { acctSessionId: "81000001" }, "/radius/incoming/set accept=yes port=N"],
  [
    "RouterOS by its name",
    { acctSessionId: "x", nasIdentifier: "MikroTik" },
    "/radius/incoming/set accept=yes port=N",
  ],
  [
    "hostapd",
    { acctSessionId: "5C3A1B2C-00000001", nasIdentifier: "ap" },
    "let it take dynamic authorization (RFC 5176) from this server on UDP port N, with our secret",
  ],
])("advice about a silent router is in the words of its kind: %s", async (_, values, advice) => {
  using nas = await FakeNas.start({ answer: "silence" });
  const answer = await requests.disconnect(routerAt(nas, { wait: 0.1 }), aSession(values));
  if (answer.kind !== "failed") throw new Error("it answered");
  const reason = answer.reason.replaceAll(/(port |port=)\d+/g, "$1N");
  expect(reason).toEndWith(advice);
  expect(answer.isSilent).toBe(true);
});
