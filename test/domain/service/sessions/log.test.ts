import { expect, test } from "bun:test";
import type { Db } from "../../../../db/open.ts";
import { type SessionLogFilter, sessionLog } from "../../../../src/domain/service/sessions/log.ts";
import { everything } from "../../../../src/domain/core/actor/operator.ts";
import { aSubscriber, by, loadIsp } from "../../../support/isp.ts";
import { insertSessions } from "../../../support/sessions.ts";
import { NOW, undoneEmptyStores } from "../../../support/store.ts";

const temporaryStore = undoneEmptyStores();
const FIRST = Number.MAX_SAFE_INTEGER;
const DAY = 86_400;

const newestFirst = (rows: readonly { id: number; startedAt: number }[]) =>
  rows.toSorted((a, b) => b.startedAt - a.startedAt || b.id - a.id).map(({ id }) => id);

/** Page after page of `limit`. */
function paged(db: Db, filter: SessionLogFilter, limit: number, actor = by): number[] {
  const found: number[] = [];
  for (let before = FIRST; ;) {
    const page = sessionLog(db, actor, filter, { limit, before }).map(({ session }) => session.id);
    found.push(...page);
    const last = page.at(-1);
    if (last === undefined || page.length < limit) return found;
    before = last;
  }
}

/** Of three routers and none: at the same second, close together, and years apart. */
async function someSessions(db: Db) {
  await loadIsp(db, { subscribers: [aSubscriber(1)] });
  const starts = [0, 0, 0, 1, 59, 60, 61, 3600, 3600, DAY, 40 * DAY, 1000 * DAY, 1000 * DAY];
  return insertSessions(
    db,
    ...starts.flatMap((ago, at) =>
      [1, 2, null].map((nasId, of) => ({
        nasId,
        acctSessionId: `${at}-${of}`,
        startedAt: NOW - ago,
        stoppedAt: at % 2 === 0 ? NOW : null,
        closedBy: at % 2 === 0 ? ("stop" as const) : null,
        subscriberId: of === 0 ? 1 : null,
      })),
    ),
  );
}

test("the log goes through all routers in one order, page after page", async () => {
  using store = temporaryStore();
  const { db } = store;
  const rows = await someSessions(db);
  for (const limit of [1, 2, 7, 100]) expect(paged(db, {}, limit)).toEqual(newestFirst(rows));
  const ended = newestFirst(rows.filter(({ stoppedAt }) => stoppedAt !== null));
  expect(paged(db, { open: 0 }, 5)).toEqual(ended);
});

test("and keeps to a range of starts, whose ends belong to it", async () => {
  using store = temporaryStore();
  const { db } = store;
  const rows = await someSessions(db);
  const within = (from: number, to: number) =>
    newestFirst(rows.filter(({ startedAt }) => startedAt >= from && startedAt <= to));
  for (const [from, to] of [
    [NOW - 3600, NOW - 59],
    [NOW - 41 * DAY, NOW - 2 * DAY],
    [NOW - 900 * DAY, NOW - 50 * DAY],
    [NOW + 1, NOW + DAY],
  ] as const)
    for (const limit of [2, 100]) expect(paged(db, { from, to }, limit)).toEqual(within(from, to));
});

test("nothing is older than a session that was deleted meanwhile", async () => {
  using store = temporaryStore();
  const { db } = store;
  await someSessions(db);
  expect(sessionLog(db, by, {}, { limit: 5, before: 999 })).toEqual([]);
});

test("of an ISP with many subscribers it has theirs, and unknown names at its routers", async () => {
  using store = temporaryStore();
  const { db } = store;
  const rows = await someSessions(db);
  db.$client.run(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2100)
     INSERT INTO subscribers (isp_id, name, username, username_key, password_sealed, package_id, connection_type_id, created_at, updated_at)
     SELECT isp_id, 'x', 'x' || i, 'x' || i, password_sealed, package_id, connection_type_id, 1, 1 FROM subscribers, n WHERE id = 1`,
  );
  const theirs = newestFirst(rows.filter(({ nasId }) => nasId === 1));
  const ofIsp = { ...by, scope: { ...everything, ispId: 1 } };
  for (const limit of [2, 100]) expect(paged(db, {}, limit, ofIsp)).toEqual(theirs);
});
