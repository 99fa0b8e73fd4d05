import { expect, test } from "bun:test";
import { sessions } from "../../../../db/schema.ts";
import { Enforcer } from "../../../../src/domain/service/enforcement/enforce.ts";
import { makeRouters } from "../../../../src/domain/service/control/routers.ts";
import { CoaClient } from "../../../../src/radius/client/coa.ts";
import { coaRequests } from "../../../../src/radius/client/coa-requests.ts";
import { FakeNas, type NasRequest } from "../../../support/fake-nas.ts";
import { aPackage, aSubscriber, loadIsp } from "../../../support/isp.ts";
import { grantedAt, insertSessions } from "../../../support/sessions.ts";
import { NOW, undoneEmptyStores } from "../../../support/store.ts";

const temporaryStore = undoneEmptyStores();

/** WAVE=5000 tries what an ISP's router of that size has at ten in the evening: it takes a minute. */
const SESSIONS = Number(Bun.env["WAVE"] ?? 600);
const A_SECOND = 100;

const nameOf = ({ attributes }: NasRequest) =>
  Buffer.from(attributes.find(([type]) => type === 1)?.[1] ?? "", "hex").toString();

test(`${SESSIONS} sessions have the rate of the night, at most ${A_SECOND} a second, though packets are lost, and none is dropped`, async () => {
  using store = temporaryStore();
  const { db } = store;
  await loadIsp(db, {
    packages: [aPackage(2, { hours: "daily 22:00-06:00 free 50M/50M" })],
    subscribers: Array.from({ length: SESSIONS }, (_, at) => aSubscriber(at + 2, { package_id: 2 })),
  });
  const granted = grantedAt(db, "user2");
  db.$client.transaction(() => {
    for (let id = 2; id < SESSIONS + 2; id++)
      insertSessions(db, { ...granted, subscriberId: id, username: `user${id}`, acctSessionId: `s${id}` });
  })();
  const arrived: number[] = [];
  const seen = new Set<string>();
  // every twentieth packet is lost on its way, and every fiftieth answer
  using router = await FakeNas.start(({ bytes }) => {
    const packets = router.requests.length;
    const key = bytes.toString("hex");
    // what is lost is sent again, beside those whose turn it is
    if (!seen.has(key)) arrived.push(performance.now());
    seen.add(key);
    return { lose: packets % 20 === 0 ? 1 : 0, answer: packets % 50 === 7 ? "silence" : "ack", late: 5 };
  });
  db.$client.run("UPDATE nas SET coa_port = ?, disconnect_method = 'coa'", [router.port]);
  const client = new CoaClient();
  const protocols = {
    coa: coaRequests(client),
    api: {
      disconnect: async () => ({ kind: "failed" as const, reason: "none" }),
      find: async () => ({ kind: "failed" as const, reason: "none" }),
    },
  };
  const ten = NOW + 10 * 3600;
  const began = performance.now();
  // the clock of the night goes on with that of the test
  let skipped = 0;
  const clock = () => ten + skipped + Math.floor((performance.now() - began) / 1000);
  const enforcer = new Enforcer(db, { clock, routers: makeRouters(db, protocols) });
  await enforcer.runWaves();
  const took = Math.ceil((performance.now() - began) / 1000);
  // a packet that was lost each time it was sent is tried again minutes later
  const night = grantedAt(db, "user2", ten).grantedRate;
  const left = () => db.$client.query("SELECT 1 FROM sessions WHERE granted_rate <> ?").all(night).length;
  for (let round = 0; left() > 0 && round < 5; round++) {
    skipped += 300;
    await enforcer.runWaves();
  }
  client.close();

  const rows = db.select().from(sessions).all();
  expect(rows.filter(({ stoppedAt }) => stoppedAt !== null)).toEqual([]);
  expect(rows.filter(({ grantedRate }) => grantedRate !== night)).toEqual([]);
  expect(new Set(router.requests.map(nameOf)).size).toBe(SESSIONS);
  expect(router.requests.every(({ code }) => code === 43)).toBe(true); // CoA-Request, never a Disconnect-Request
  const busiest = Math.max(
    ...arrived.map((from) => arrived.filter((at) => at >= from && at < from + 1000).length),
  );
  expect(busiest).toBeLessThanOrEqual(A_SECOND * 1.2);
  expect(took).toBeLessThan(Math.max(60, SESSIONS / A_SECOND + 5));
  if (Bun.env["WAVE"] !== undefined)
    process.stdout.write(`${SESSIONS} sessions in ${took} s, at most ${busiest} in a second, none dropped\n`);
});
