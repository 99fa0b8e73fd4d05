import { expect, test } from "bun:test";
import { checkSetup } from "../../../../src/domain/machine/check/check.ts";
import { aSubscriber, by, loadIsp } from "../../../support/isp.ts";
import { insertSessions } from "../../../support/sessions.ts";
import { NOW, undoneEmptyStores } from "../../../support/store.ts";

const temporaryStore = undoneEmptyStores();

test("those with more sessions than a household has are named with their router, the five with the most", async () => {
  using store = temporaryStore();
  const { db } = store;
  await loadIsp(db, { subscribers: Array.from({ length: 7 }, (_, at) => aSubscriber(at + 1)) });
  // the first has as many as may be
  const open = Array.from({ length: 7 }, (_, at) =>
    Array.from({ length: 40 + at }, (_, of) => ({
      subscriberId: at + 1,
      acctSessionId: `${at}-${of}`,
      nasId: of === 0 && at < 6 ? 1 : null,
      stoppedAt: null,
    })),
  );
  insertSessions(db, ...open.flat());
  insertSessions(db, { subscriberId: 1, acctSessionId: "over", stoppedAt: NOW });
  const findings = checkSetup(db, by, { now: NOW }).filter(({ subject }) => subject === "sessions");
  expect(findings.map(({ message }) => message.split(";")[0])).toEqual([
    "a router tells of 46 sessions of user7 at once",
    ...[45, 44, 43, 42].map((open) => `core tells of ${open} sessions of user${open - 39} at once`),
  ]);
});
