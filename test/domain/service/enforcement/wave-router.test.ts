import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import type { Db } from "../../../../db/open.ts";
import { Enforcer } from "../../../../src/domain/service/enforcement/enforce.ts";
import { makeRouters } from "../../../../src/domain/service/control/routers.ts";
import { changeSetting } from "../../../../src/domain/machine/settings/change.ts";
import { CoaClient } from "../../../../src/radius/client/coa.ts";
import { coaRequests } from "../../../../src/radius/client/coa-requests.ts";
import { FakeNas, type FakeNasBehaviour, type NasRequest } from "../../../support/fake-nas.ts";
import { aPackage, aSubscriber, by, loadIsp } from "../../../support/isp.ts";
import { grantedAt, insertSessions } from "../../../support/sessions.ts";
import { NOW, undoneEmptyStores } from "../../../support/store.ts";

const temporaryStore = undoneEmptyStores();

/** Waves at a router that is asked by datagrams: what it is told, in the order in which it heard it. */

const SESSIONS = 30;
/** Ten in the evening of the 15th. */
const TEN = NOW + 10 * 3600;

let store: ReturnType<typeof temporaryStore>;
let db: Db;
let router: FakeNas;
let client: CoaClient;
let enforcer: Enforcer;
let now: number;
/** What came, each once in its wave: a busy machine answers late, and is told again. */
let requests: Map<string, NasRequest>;
let behave: (name: string, request: NasRequest) => FakeNasBehaviour;

beforeEach(async () => {
  store = temporaryStore();
  db = store.db;
  await loadIsp(db, {
    packages: [aPackage(2, { tiers: "1kB 5M/5M", hours: "daily 22:00-06:00 counted 20M/50M" })],
    subscribers: Array.from({ length: SESSIONS }, (_, at) => aSubscriber(at + 1, { package_id: 2 })),
  });
  behave = () => ({});
  requests = new Map();
  router = await FakeNas.start((request) => {
    requests.set(`${now} ${request.bytes.toString("hex")}`, request);
    return behave(acctSessionOf(request), request);
  });
  db.$client.run("UPDATE nas SET coa_port = ?, disconnect_method = 'coa'", [router.port]);
  changeSetting(db, by, { key: "max_coa_wait", value: "10" }, { now: NOW });
  for (let id = 1; id <= SESSIONS; id++) {
    const granted = grantedAt(db, `user${id}`);
    insertSessions(db, { ...granted, subscriberId: id, username: `user${id}`, acctSessionId: `s${id}` });
  }
  client = new CoaClient();
  const api = { kind: "failed" as const, reason: "none" };
  const protocols = {
    coa: coaRequests(client),
    api: { disconnect: async () => api, find: async () => ({ kind: "unknown" as const, reason: "none" }) },
  };
  now = TEN;
  enforcer = new Enforcer(db, { clock: () => now, routers: makeRouters(db, protocols) });
});
afterEach(() => {
  client.close();
  router[Symbol.dispose]();
  store[Symbol.dispose]();
});

const valueOf = ({ attributes }: NasRequest, needed: number) =>
  attributes.filter(([type]) => type === needed).map(([, value]) => Buffer.from(value, "hex").toString());
const acctSessionOf = (request: NasRequest) => valueOf(request, 44)[0] ?? "";
/** Vendor 14988, its attribute 8. */
const rateOf = (request: NasRequest) => valueOf(request, 26).map((value) => value.slice(6));
const sentTo = (name: string) => [...requests.values()].filter((one) => acctSessionOf(one) === name);
const use = (subscriberId: number) =>
  db.$client.run("UPDATE services SET quota_used = 1500, free_bytes = free_bytes WHERE subscriber_id = ?", [
    subscriberId,
  ]);
const openSessions = () =>
  db.$client.query<{ n: number }, []>("SELECT count(*) AS n FROM sessions WHERE stopped_at IS NULL").get()?.n;

test("a session whose turn comes later is told what is in force then, and nothing that is over", async () => {
  behave = (name) => {
    if (name === "s1") use(25);
    return {};
  };
  using request = spyOn(client, "request");
  await enforcer.runWaves();
  expect(sentTo("s25").map(rateOf)).toEqual([["5M/5M"]]);
  expect(sentTo("s24").map(rateOf)).toEqual([["20M/50M"]]);
  expect(request).toHaveBeenCalledTimes(SESSIONS);
});

test("what changes while a router is being told is told after it", async () => {
  behave = (name) => {
    if (name === "s7" && sentTo("s7").length === 1) use(7);
    return {};
  };
  using request = spyOn(client, "request");
  await enforcer.runWaves();
  now += 11;
  await enforcer.runWaves();
  expect(sentTo("s7").map(rateOf)).toEqual([["20M/50M"], ["5M/5M"]]);
  expect(request).toHaveBeenCalledTimes(SESSIONS + 1);
});

test("a session of which nothing is ever heard is asked again by itself, and holds up none of the others", async () => {
  changeSetting(db, by, { key: "max_coa_wait", value: "1" }, { now: NOW });
  behave = (name) => (name === "s20" ? { answer: "silence" } : { late: 1 });
  await enforcer.runWaves();
  expect(new Set(router.requests.map(acctSessionOf)).size).toBe(SESSIONS);
  const before = sentTo("s20").length;
  behave = () => ({});
  now += 11;
  use(5);
  await enforcer.runWaves();
  expect(sentTo("s20")).toHaveLength(before);
  expect(sentTo("s5").map(rateOf)).toEqual([["20M/50M"], ["5M/5M"]]);
  now += 11;
  await enforcer.runWaves();
  expect(sentTo("s20")).toHaveLength(before + 1);
  expect(openSessions()).toBe(SESSIONS);
});

test("accel-ppp is told by Filter-Id, down before up, in kbit/s", async () => {
  db.$client.run("UPDATE nas SET kind = 'accel-ppp'");
  use(3);
  await enforcer.runWaves();
  const filters = (name: string) =>
    sentTo(name).map((one) => [one.code, valueOf(one, 11), valueOf(one, 26), valueOf(one, 1)]);
  expect(filters("s2")).toEqual([[43, ["50000/20000"], [], []]]);
  expect(filters("s3")).toEqual([[43, ["5000/5000"], [], []]]);
  expect(openSessions()).toBe(SESSIONS);
});
