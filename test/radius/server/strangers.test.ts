import { expect, test } from "bun:test";
import { checkSetup } from "../../../src/domain/check/check.ts";
import { UNKNOWN_USERS_AN_HOUR } from "../../../src/domain/sessions/unknown-users.ts";
import type { AccountingStatus } from "../../support/radius-client.ts";
import { aSubscriber } from "../../support/isp.ts";
import { FROM, TestPorts } from "../../support/radius-ports.ts";
import { NOW } from "../../support/store.ts";

const HOUR = 3600;

/** Tells of sessions, one for each name, at once; returns how many were answered. */
async function tell(
  ports: TestPorts,
  names: readonly string[],
  { status = "Start" as AccountingStatus, source = FROM, delay = 0 } = {},
): Promise<number> {
  let answered = 0;
  for (const name of names) {
    const { datagram } = ports.client.prepareAccounting(status, [
      ["User-Name", name],
      ["Acct-Session-Id", `id of ${name}`],
      ["Acct-Delay-Time", delay],
    ]);
    ports.clock.uptime += 20;
    ports.accountingPort.receive(datagram, source, ports.clock.uptime, () => answered++);
  }
  await ports.accountingPort.drain(5000);
  return answered;
}

const invented = (count: number, prefix = "x") => Array.from({ length: count }, (_, i) => `${prefix}${i}`);
const names = ({ db }: TestPorts) =>
  db.$client
    .query<{ username: string }, []>("SELECT username FROM sessions ORDER BY id")
    .all()
    .map((row) => row.username);
const dropped = ({ db }: TestPorts) =>
  db.$client.query("SELECT nas_id, total, last_at FROM dropped_sessions").values();
const said = ({ db, clock }: TestPorts) =>
  checkSetup(db, clock.now).filter(({ subject }) => subject === "sessions");

test("of sessions of invented names the newest are kept, all are answered, and it is told", async () => {
  await using ports = await TestPorts.open({ subscribers: [aSubscriber(1), aSubscriber(2)] });
  await tell(ports, ["user1"]);
  expect(await tell(ports, invented(UNKNOWN_USERS_AN_HOUR))).toBe(UNKNOWN_USERS_AN_HOUR);
  expect(names(ports)).toHaveLength(UNKNOWN_USERS_AN_HOUR + 1);
  expect([dropped(ports), ports.crowded, said(ports)]).toEqual([[], [], []]);
  expect(await tell(ports, [...invented(5, "y"), "user2"])).toBe(6);
  expect(names(ports)).toEqual([
    "user1",
    ...invented(UNKNOWN_USERS_AN_HOUR).slice(5),
    ...invented(5, "y"),
    "user2",
  ]);
  expect(dropped(ports)).toEqual([[1, 5, NOW]]);
  expect(ports.crowded).toEqual(["core"]);
  expect(said(ports)).toMatchObject([
    {
      severity: "warning",
      message: expect.stringContaining("core tells of more than 1000 sessions in an hour"),
    },
  ]);
  ports.db.$client.run("UPDATE nas SET name = 'core tower' WHERE id = 1");
  expect(said(ports)[0]?.message).toContain("gatehouse sessions list --all --nas 127.0.0.1 --limit 20");
  ports.clock.now += 2 * 86_400;
  expect(said(ports)).toEqual([]);
});

test("each router has its own hour, that in which a report comes, however old it is", async () => {
  await using ports = await TestPorts.open({ subscribers: [aSubscriber(1)] });
  await tell(ports, invented(UNKNOWN_USERS_AN_HOUR));
  await tell(ports, ["south"], { source: { ...FROM, address: "127.0.0.2" } });
  await tell(ports, ["late"], { delay: 2 * HOUR });
  expect(dropped(ports)).toEqual([[1, 1, NOW]]);
  ports.clock.now += HOUR;
  await tell(ports, ["later"]);
  await tell(ports, ["late again"], { delay: 2 * HOUR });
  expect(dropped(ports)).toEqual([[1, 1, NOW]]);
  expect(names(ports).slice(-4)).toEqual(["south", "late", "later", "late again"]);
});

test("a session that was dropped and goes on is booked again", async () => {
  await using ports = await TestPorts.open();
  await tell(ports, ["first", ...invented(UNKNOWN_USERS_AN_HOUR)]);
  expect(names(ports)).not.toContain("first");
  await tell(ports, ["first"], { status: "Interim-Update" });
  expect(names(ports)).toHaveLength(UNKNOWN_USERS_AN_HOUR);
  expect(names(ports).at(-1)).toBe("first");
});
