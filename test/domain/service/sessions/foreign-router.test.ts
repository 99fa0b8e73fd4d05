import { afterAll, expect, test } from "bun:test";
import { by as operator } from "../../../support/isp.ts";
import { NOW } from "../../../support/store.ts";
import { explain } from "../../../../src/domain/service/access/explain.ts";
import { disconnect } from "../../../../src/domain/service/control/disconnect.ts";
import { makeRouters } from "../../../../src/domain/service/control/routers.ts";
import { addressHolders } from "../../../../src/domain/service/sessions/address-holders.ts";
import { listSessions } from "../../../../src/domain/service/sessions/list.ts";
import { ADDRESS, officeStore } from "../../core/actor/operations/call.ts";

/* A session of the subscriber 1 of ISP 1 at `south`, which is ISP 2's: as after a router was given to another ISP. */
const store = await officeStore();
const { db } = store;
db.$client.run("UPDATE sessions SET nas_id = 2, nas_address = '127.0.0.2' WHERE subscriber_id = 1");
afterAll(() => store[Symbol.dispose]());

const ispOne = { ...operator, scope: { ispId: 1, branchId: null, salespersonId: null } };
const now = NOW + 600;

test("who sees one ISP is not told the name of another one's router", () => {
  const listed = (by: typeof operator) =>
    listSessions(db, by, { username: "user1" }).map(({ nasName }) => nasName);
  const held = (by: typeof operator) =>
    addressHolders(db, by, { address: ADDRESS, at: now }).map(({ nasName }) => nasName);
  const online = (by: typeof operator) => explain(db, by, "user1", { now }).online?.nas;
  expect(listed(ispOne)).toEqual([null]);
  expect(held(ispOne)).toEqual(["core", null]);
  expect(online(ispOne)).toBe("127.0.0.2");
  expect(listed(operator)).toEqual(["south"]);
  expect(held(operator)).toContain("south");
  expect(online(operator)).toBe("south");
});

test("nor can find out by asking for it", () => {
  const at = (nas: string) => listSessions(db, ispOne, { nas }).map(({ session }) => session.username);
  expect(at("south")).toEqual([]);
  expect(at("127.0.0.2")).toEqual(["user1"]);
  expect(at("core")).toEqual(["stranger"]);
});

test("nor hears it from a router that does not do what it is asked", async () => {
  const coa = async (router: { name: string }) =>
    ({ kind: "failed", reason: `the router ${router.name} is silent` }) as const;
  const api = async () => {
    throw new Error("it has none");
  };
  const routers = makeRouters(db, {
    coa: { disconnect: coa, changeRate: coa, changeTimeout: coa },
    api: { disconnect: api, find: api },
  });
  const ending = disconnect(db, ispOne, { subscriberId: 1 }, { clock: () => now, routers });
  await expect(ending).rejects.toThrow("the router 127.0.0.2 is silent");
});
