import { expect, test } from "bun:test";
import { Enforcer } from "../../../src/domain/service/enforcement/enforce.ts";
import { makeRouters } from "../../../src/domain/service/control/routers.ts";
import { CoaClient } from "../../../src/radius/client/coa.ts";
import { coaRequests } from "../../../src/radius/client/coa-requests.ts";
import type { NamedAttribute } from "../../../src/radius/packet/codec.ts";
import { FakeNas } from "../../support/fake-nas.ts";
import { aPackage, aSubscriber, DAY } from "../../support/isp.ts";
import { TestHandlers } from "../../support/radius-handlers.ts";
import { NOW } from "../../support/store.ts";

/** The 15th is a Tuesday: the week is from Monday the 14th to Monday the 21st. */
const MONDAY = NOW + 5.5 * DAY;
const M = 1_000_000;

/** The handlers, and an enforcer that asks a router by datagrams, by one clock. */
async function aLine() {
  const handlers = await TestHandlers.open({
    packages: [aPackage(2, { tiers: "1MB 5M/5M; 2MB 1M/1M", fair_window: "week", simultaneous_use: 2 })],
    subscribers: [aSubscriber(1, { package_id: 2 })],
  });
  const { db, clock } = handlers;
  const router = await FakeNas.start();
  db.$client.run("UPDATE nas SET coa_port = ?, disconnect_method = 'coa'", [router.port]);
  const client = new CoaClient();
  const none = { kind: "failed" as const, reason: "none" };
  const api = {
    disconnect: async () => none,
    find: async () => ({ kind: "unknown" as const, reason: "none" }),
  };
  const routers = makeRouters(db, { coa: coaRequests(client), api });
  const startEnforcer = () => new Enforcer(db, { clock: () => clock.now, routers });
  let session: NamedAttribute[] = [];
  let enforcer = startEnforcer();
  return {
    handlers,
    rateOfLogin: () => {
      const reply = handlers.login({ name: "user1", password: "pw-1" });
      const granted = reply?.attributes["Class"]?.[0];
      // the first login is the one of the session
      if (session.length === 0)
        session = [
          ["User-Name", "user1"],
          ["Acct-Session-Id", "81000001"],
          ["Class", granted instanceof Uint8Array ? granted : ""],
        ];
      return [reply?.code, reply?.attributes["Mikrotik-Rate-Limit"]?.[0]];
    },
    /** What the session has carried, told at a moment; and what its router is told then. */
    async report(at: number, octets: number, status: "Start" | "Interim-Update" = "Interim-Update") {
      handlers.clock.now = at;
      handlers.clock.uptime += 20;
      const attributes: NamedAttribute[] = [
        ...session,
        ["Acct-Session-Time", at - NOW],
        ["Acct-Input-Octets", octets],
        ["Acct-Output-Octets", 0],
      ];
      expect((await handlers.account(status, attributes))?.code).toBe("Accounting-Response");
      for (const crossed of handlers.crossed.splice(0)) await enforcer.enforceOne(crossed);
      return this.heard();
    },
    async look(at: number) {
      handlers.clock.now = at;
      await enforcer.runWaves();
      return this.heard();
    },
    restart: () => void (enforcer = startEnforcer()),
    heard: () =>
      router.requests.splice(0).map(({ code, attributes }) => {
        const rate = attributes.find(([type]) => type === 26)?.[1] ?? "";
        return `${code} ${Buffer.from(rate, "hex").subarray(6).toString()}`;
      }),
    one: <T>(sql: string) => db.$client.query<T, []>(sql).get(),
    async [Symbol.asyncDispose]() {
      client.close();
      router[Symbol.dispose]();
      await handlers[Symbol.asyncDispose]();
    },
  };
}

test("a week, from a login over its tiers to Monday, on one session and by datagrams alone", async () => {
  await using line = await aLine();
  expect(line.rateOfLogin()).toEqual(["Access-Accept", "10M/20M"]);
  expect(await line.report(NOW, 0, "Start")).toEqual([]);
  expect(await line.report(NOW + 300, 0.9 * M)).toEqual([]);
  expect(await line.report(NOW + 600, 1.1 * M)).toEqual(["43 5M/5M"]);
  expect(await line.report(NOW + 900, 1.2 * M)).toEqual([]);
  expect(await line.report(NOW + DAY, 2 * M)).toEqual(["43 1M/1M"]);
  expect(line.rateOfLogin()).toEqual(["Access-Accept", "1M/1M"]);
  line.restart();
  expect(await line.look(MONDAY - 1)).toEqual([]);
  expect(line.rateOfLogin()).toEqual(["Access-Accept", "1M/1M"]);
  expect(await line.look(MONDAY)).toEqual(["43 10M/20M"]);
  expect(line.rateOfLogin()).toEqual(["Access-Accept", "10M/20M"]);
  expect(await line.look(MONDAY + 11)).toEqual([]);
});

test("a report over the beginning of Monday is of both weeks, by seconds", async () => {
  await using line = await aLine();
  line.rateOfLogin();
  await line.report(NOW, 0, "Start");
  await line.report(MONDAY - 100, 0.5 * M);
  // a quarter of it before midnight
  expect(await line.report(MONDAY + 300, 0.5 * M + 1.2 * M)).toEqual([]);
  expect(line.one("SELECT quota_used AS used, window_start AS start FROM services")).toEqual({
    used: 0.9 * M,
    start: MONDAY,
  });
  expect(await line.report(MONDAY + 600, 1.9 * M)).toEqual(["43 5M/5M"]);
  expect(line.one("SELECT count(*) AS n FROM sessions WHERE stopped_at IS NULL")).toEqual({ n: 1 });
});
