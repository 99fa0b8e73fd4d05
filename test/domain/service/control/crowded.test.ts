import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Db } from "../../../../db/open.ts";
import { crowdedCardSessions, crowdedSessions } from "../../../../src/domain/service/control/crowded.ts";
import { Enforcer } from "../../../../src/domain/service/enforcement/enforce.ts";
import type { Session } from "../../../../src/domain/service/sessions/advance.ts";
import { RecordedRouters } from "../../../support/recorded-routers.ts";
import { makeCard } from "../../../support/card-codes.ts";
import { aPackage, aSubscriber, loadIsp } from "../../../support/isp.ts";
import { insertSessions } from "../../../support/sessions.ts";
import { NOW, undoneTemplate, type TemporaryStore } from "../../../support/store.ts";

const isp = undoneTemplate((db) =>
  loadIsp(db, {
    packages: [aPackage(2, { simultaneous_use: 2 })],
    subscribers: [aSubscriber(1), aSubscriber(2, { package_id: 2 })],
  }),
);
let store: TemporaryStore;
let db: Db;
beforeEach(async () => {
  store = await isp();
  ({ db } = store);
  db.$client.run("UPDATE access_state SET marking = 1");
});
afterEach(() => store[Symbol.dispose]());

const HERE = null;
const THERE = 2;
let count = 0;
function open(startedAt: number, viaBox: number | null, values: Partial<Session> = {}): string {
  const acctSessionId = `8${String(++count).padStart(7, "0")}`;
  const mac = `02:00:00:00:01:${String(count % 100).padStart(2, "0")}`;
  insertSessions(db, {
    acctSessionId,
    mac,
    startedAt: NOW + startedAt,
    viaBox,
    nasAddress: "127.0.0.1",
    ...values,
  });
  return acctSessionId;
}
const crowded = () =>
  crowdedSessions(db).map(
    ({ sessionId }) =>
      db.$client
        .query<{ id: string }, [number]>("SELECT acct_session_id AS id FROM sessions WHERE id = ?")
        .get(sessionId)?.id ?? "",
  );

test("of two that two boxes let in the older one ends, by the box that has it", () => {
  const older = open(-100, HERE);
  open(-50, THERE, { nasAddress: "127.0.0.2" });
  expect(crowded()).toEqual([older]);
  expect(crowdedSessions(db, 1)).toHaveLength(1);
  expect(crowdedSessions(db, 2)).toEqual([]);
});

test("the newer one goes on, and the other box ends its own", () => {
  open(-100, THERE, { nasAddress: "127.0.0.2" });
  open(-50, HERE);
  expect(crowded()).toEqual([]);
});

test("two that began in one second: both machines end the same one", () => {
  const first = open(-50, HERE, { nasAddress: "127.0.0.1" });
  open(-50, THERE, { nasAddress: "127.0.0.2" });
  expect(crowded()).toEqual([first]);
  db.$client.run("UPDATE sessions SET via_box = iif(via_box IS NULL, 2, NULL)");
  expect(crowded()).toEqual([]);
});

test("as many as the package allows go on", () => {
  const values = { subscriberId: 2, username: "user2" };
  const oldest = open(-100, HERE, values);
  open(-50, THERE, { ...values, nasAddress: "127.0.0.2" });
  expect(crowded()).toEqual([]);
  open(-20, THERE, { ...values, nasAddress: "127.0.0.3" });
  expect(crowded()).toEqual([oldest]);
});

test("what the same device has replaced at its router is over already", () => {
  const mac = "02:00:00:00:00:09";
  open(-100, HERE, { mac });
  open(-50, THERE, { mac });
  expect(crowded()).toEqual([]);
});

test("where one machine let all in its logins have counted them; and without boxes nobody looks", () => {
  open(-100, HERE);
  open(-50, HERE, { nasAddress: "127.0.0.2" });
  expect(crowded()).toEqual([]);
  db.$client.run("UPDATE sessions SET via_box = 2 WHERE started_at = " + (NOW - 50));
  expect(crowded()).toHaveLength(1);
  db.$client.run("UPDATE access_state SET marking = 0");
  expect(crowded()).toEqual([]);
});

test("one that is over counts no more", () => {
  open(-100, HERE);
  open(-50, THERE, { nasAddress: "127.0.0.2", stoppedAt: NOW - 10 });
  expect(crowded()).toEqual([]);
});

test("of a card the same", () => {
  const { id: cardId } = makeCard(db);
  db.$client
    .query("UPDATE cards SET state = 'active', first_used_at = ?, ends_at = ? WHERE id = ?")
    .run(NOW - 200, NOW + 3000, cardId);
  const values = { subscriberId: null, cardId, username: "C-000001" };
  open(-100, HERE, values);
  open(-50, THERE, { ...values, nasAddress: "127.0.0.2" });
  expect(crowdedCardSessions(db, cardId)).toHaveLength(1);
  expect(crowdedCardSessions(db)).toEqual(crowdedCardSessions(db, cardId));
});

test("the enforcer asks its router once, and the trail says why", async () => {
  const older = open(-100, HERE);
  open(-50, THERE, { nasAddress: "127.0.0.2" });
  const routers = new RecordedRouters();
  const enforcer = new Enforcer(db, { clock: () => NOW, routers });
  expect(await enforcer.run()).toMatchObject({ ended: 1, failures: [] });
  expect(
    db.$client.query("SELECT acct_session_id AS id FROM sessions WHERE stopped_at IS NOT NULL").all(),
  ).toEqual([{ id: older }]);
  const { after } = db.$client
    .query<{ after: string }, []>("SELECT after FROM audit_entries WHERE action = 'subscriber.disconnect'")
    .get() ?? { after: "{}" };
  expect(JSON.parse(after)).toMatchObject({ why: "too_many_sessions" });
  expect(await enforcer.run()).toMatchObject({ ended: 0 });
});
