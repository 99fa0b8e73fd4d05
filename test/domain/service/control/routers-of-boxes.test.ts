import { expect, test } from "bun:test";
import type { Holder, Routers } from "../../../../src/domain/service/control/routers.ts";
import { routersThrough } from "../../../../src/domain/service/control/routers-of-boxes.ts";
import type { Session } from "../../../../src/domain/service/sessions/advance.ts";
import { addBox } from "../../../support/access-boxes.ts";
import { aSubscriber, by, undoneIspStores } from "../../../support/isp.ts";
import { insertSessions } from "../../../support/sessions.ts";
import { NOW } from "../../../support/store.ts";

const ispStore = undoneIspStores();

const nobody = async () => {
  throw new Error("the router of a box was asked from here");
};
const local: Routers = { disconnect: nobody, changeRate: nobody, changeTimeout: nobody, find: nobody };
const holder: Holder = {
  id: 1,
  ispId: 1,
  username: "user1",
  connectionTypeId: 1,
  anyConnection: 0,
  macLogin: 0,
  nasId: 1,
};

/** What a box that somebody has taken may answer. */
const nonsense: readonly unknown[] = [
  ...[null, 0, "", "gone", [], {}, { kind: "done" }, { kind: "failed" }, { kind: "failed", reason: 5 }],
  ...[
    { kind: "failed", reason: "\u001b[2J" },
    { kind: "failed", reason: "x".repeat(100_000) },
  ],
  ...[{ kind: "listed" }, { kind: "listed", users: null }, { kind: "listed", users: [null] }],
  { kind: "listed", users: [{ id: 1, address: {}, mac: [], uptime: "long" }] },
];

test("what a box answers that is no answer of a router is one in words", async () => {
  using store = await ispStore({ subscribers: [aSubscriber(1)] });
  const { db } = store;
  const { id: viaBox } = addBox(db, by, "tower-1", { heardAt: NOW });
  insertSessions(db, { subscriberId: 1, acctSessionId: "A", viaBox });
  const session = db.$client.query<Session, []>("SELECT *, via_box AS viaBox FROM sessions").get();
  if (!session) throw new Error("there is a session");
  const failed = { kind: "failed", reason: "the box answered something else", isSilent: true };
  for (const answer of nonsense) {
    const routers = routersThrough(db, local, async () => answer);
    expect([answer, await routers.disconnect(holder, session)]).toEqual([answer, failed]);
    expect([answer, await routers.changeRate(holder, session, { rateLimit: "1M" })]).toEqual([
      answer,
      failed,
    ]);
    expect(await routers.find(holder, session)).toMatchObject({ kind: "failed", reason: failed.reason });
  }
  const users = [{ id: "*1", address: "10.0.0.2", mac: null, uptime: 60 }];
  const honest = routersThrough(db, local, async () => ({ kind: "listed", users }));
  expect(await honest.find(holder, session)).toEqual({ kind: "listed", users });
  expect(await routersThrough(db, local, async () => ({ kind: "gone" })).disconnect(holder, session)).toEqual(
    { kind: "gone" },
  );
});
