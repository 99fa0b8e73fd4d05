import { expect, test } from "bun:test";
import { checkSetup } from "../../../src/domain/machine/check/check.ts";
import { UNKNOWN_USERS_AN_HOUR } from "../../../src/domain/service/accounting/unknown-users.ts";
import type { AccountingStatus } from "../../support/radius-client.ts";
import { aSubscriber, by } from "../../support/isp.ts";
import { FROM, TestHandlers } from "../../support/radius-handlers.ts";
import { NOW } from "../../support/store.ts";

const HOUR = 3600;

/** Tells of sessions, one for each name, at once; returns how many were answered. */
async function tell(
  handlers: TestHandlers,
  names: readonly string[],
  { status = "Start" as AccountingStatus, source = FROM, delay = 0 } = {},
): Promise<number> {
  let answered = 0;
  for (const name of names) {
    const { datagram } = handlers.client.prepareAccounting(status, [
      ["User-Name", name],
      ["Acct-Session-Id", `id of ${name}`],
      ["Acct-Delay-Time", delay],
    ]);
    handlers.clock.uptime += 20;
    handlers.accountingHandler.receive(datagram, source, handlers.clock.uptime, () => answered++);
  }
  await handlers.accountingHandler.drain(5000);
  return answered;
}

const invented = (count: number, prefix = "x") => Array.from({ length: count }, (_, i) => `${prefix}${i}`);
const names = ({ db }: TestHandlers) =>
  db.$client
    .query<{ username: string }, []>("SELECT username FROM sessions ORDER BY id")
    .all()
    .map((row) => row.username);
const dropped = ({ db }: TestHandlers) =>
  db.$client.query("SELECT nas_id, total, last_at FROM dropped_sessions").values();
const rows = ({ db, clock }: TestHandlers) =>
  checkSetup(db, by, { now: clock.now }).filter(({ subject }) => subject === "sessions");

test("of sessions of invented names the newest are kept, all are answered, and it is told", async () => {
  await using handlers = await TestHandlers.open({ subscribers: [aSubscriber(1), aSubscriber(2)] });
  await tell(handlers, ["user1"]);
  expect(await tell(handlers, invented(UNKNOWN_USERS_AN_HOUR))).toBe(UNKNOWN_USERS_AN_HOUR);
  expect(names(handlers)).toHaveLength(UNKNOWN_USERS_AN_HOUR + 1);
  expect([dropped(handlers), handlers.crowded, rows(handlers)]).toEqual([[], [], []]);
  expect(await tell(handlers, [...invented(5, "y"), "user2"])).toBe(6);
  expect(names(handlers)).toEqual([
    "user1",
    ...invented(UNKNOWN_USERS_AN_HOUR).slice(5),
    ...invented(5, "y"),
    "user2",
  ]);
  expect(dropped(handlers)).toEqual([[1, 5, NOW]]);
  expect(handlers.crowded).toEqual(["core"]);
  expect(rows(handlers)).toMatchObject([
    {
      severity: "warning",
      message: expect.stringContaining("core tells of more than 1000 sessions in an hour"),
    },
  ]);
  handlers.db.$client.run("UPDATE nas SET name = 'core tower' WHERE id = 1");
  expect(rows(handlers)[0]?.message).toContain("gatehouse sessions list --all --nas 127.0.0.1 --limit 20");
  handlers.clock.now += 2 * 86_400;
  expect(rows(handlers)).toEqual([]);
});

test("each router has its own hour, that in which a report comes, however old it is", async () => {
  await using handlers = await TestHandlers.open({ subscribers: [aSubscriber(1)] });
  await tell(handlers, invented(UNKNOWN_USERS_AN_HOUR));
  await tell(handlers, ["south"], { source: { ...FROM, address: "127.0.0.2" } });
  await tell(handlers, ["late"], { delay: 2 * HOUR });
  expect(dropped(handlers)).toEqual([[1, 1, NOW]]);
  handlers.clock.now += HOUR;
  await tell(handlers, ["later"]);
  await tell(handlers, ["late again"], { delay: 2 * HOUR });
  expect(dropped(handlers)).toEqual([[1, 1, NOW]]);
  expect(names(handlers).slice(-4)).toEqual(["south", "late", "later", "late again"]);
});

test("a session that was dropped and goes on is booked again", async () => {
  await using handlers = await TestHandlers.open();
  await tell(handlers, ["first", ...invented(UNKNOWN_USERS_AN_HOUR)]);
  expect(names(handlers)).not.toContain("first");
  await tell(handlers, ["first"], { status: "Interim-Update" });
  expect(names(handlers)).toHaveLength(UNKNOWN_USERS_AN_HOUR);
  expect(names(handlers).at(-1)).toBe("first");
});
