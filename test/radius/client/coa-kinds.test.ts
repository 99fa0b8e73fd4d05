import { afterAll, describe, expect, spyOn, test } from "bun:test";
import type { CoaNas } from "../../../src/domain/service/control/routers.ts";
import { type NasKind, nasKinds } from "../../../src/domain/goods/nas/kinds.ts";
import { CoaClient } from "../../../src/radius/client/coa.ts";
import { coaRequests } from "../../../src/radius/client/coa-requests.ts";
import { FakeNas } from "../../support/fake-nas.ts";
import { startFreeRadius } from "../../support/freeradius.ts";
import { aSession } from "../../support/sessions.ts";

const SECRET = "testing123";
const server = await startFreeRadius("", SECRET);
const client = new CoaClient();
const requests = coaRequests(client);
afterAll(async () => {
  client.close();
  await server.stop();
});

const routerOf = (kind: NasKind, port: number): CoaNas => ({
  name: "core",
  kind,
  address: "127.0.0.1",
  localAddress: null,
  port,
  secret: Buffer.from(SECRET),
  wait: 10,
  messageAuthenticator: false,
  eventTimestamp: false,
});
const session = aSession({ acctSessionId: "0000001A", framedIp: "10.0.0.7", nasIp: "192.0.2.1" });

/** By which attributes each names a session: User-Name 1, NAS-IP-Address 4, Framed-IP-Address 8, Acct-Session-Id 44. */
const identified: Readonly<Record<NasKind, readonly number[]>> = {
  mikrotik: [1, 44, 8, 4],
  "accel-ppp": [44, 4],
  cisco: [44],
  huawei: [1, 44],
  juniper: [44],
  generic: [1, 44, 8, 4],
};

test.each([...nasKinds])("a session of %p is named as it goes by it", async (kind) => {
  using nas = await FakeNas.start();
  expect(await requests.disconnect(routerOf(kind, nas.port), session)).toEqual({ kind: "acknowledged" });
  expect(await requests.changeTimeout(routerOf(kind, nas.port), session, 600)).toEqual({
    kind: "acknowledged",
  });
  expect(nas.requests.map(({ code, attributes }) => [code, attributes.map(([type]) => type)])).toEqual([
    [40, [...identified[kind]]],
    [43, [...identified[kind], 27]],
  ]);
});

test("one that is named by no more than its id is not asked a second time", async () => {
  using nas = await FakeNas.start({ answer: "nak", errorCause: 401 });
  using request = spyOn(client, "request");
  expect(await requests.disconnect(routerOf("cisco", nas.port), session)).toMatchObject({ kind: "failed" });
  expect(request).toHaveBeenCalledTimes(1);
});

/** FreeRADIUS prints what it reads by the names of its dictionaries. */
const rates: Readonly<Record<NasKind, readonly string[]>> = {
  mikrotik: ['Mikrotik-Rate-Limit = "1M/3M"'],
  "accel-ppp": ['Filter-Id = "3000/1000"'],
  cisco: ['Cisco-AVPair = "ip:sub-qos-policy-in=up-1M"', 'Cisco-AVPair = "ip:sub-qos-policy-out=down-3M"'],
  huawei: [
    ...["Huawei-Input-Average-Rate = 1000000", "Huawei-Input-Peak-Rate = 1000000"],
    ...["Huawei-Output-Average-Rate = 3000000", "Huawei-Output-Peak-Rate = 3000000"],
  ],
  juniper: ['ERX-Ingress-Policy-Name = "up-1M"', 'ERX-Egress-Policy-Name = "down-3M"'],
  generic: ["WISPr-Bandwidth-Max-Up = 1000000", "WISPr-Bandwidth-Max-Down = 3000000"],
};

test.each([...nasKinds])("a new rate of %p is read by FreeRADIUS", async (kind) => {
  const nas = routerOf(kind, server.coaPort);
  expect(await requests.changeRate(nas, session, { rateLimit: "1M/3M" })).toEqual({ kind: "acknowledged" });
  for (const line of rates[kind]) expect(await server.logged(line)).toBe(true);
});

describe("what is added to an Accept", () => {
  test("stands in place of the rate in a change of it too, and nothing else of it is sent", async () => {
    using nas = await FakeNas.start();
    const added = "ERX-Egress-Policy-Name=gold\nFramed-Route=10.9.0.0/24";
    await requests.changeRate(routerOf("juniper", nas.port), session, { rateLimit: "1M/3M", added });
    expect(nas.requests.map(({ attributes }) => attributes.slice(1))).toEqual([
      [
        [26, `0000130a0a07${Buffer.from("up-1M").toString("hex")}`],
        [26, `0000130a0b06${Buffer.from("gold").toString("hex")}`],
      ],
    ]);
  });
});
