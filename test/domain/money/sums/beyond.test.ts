import { expect, test } from "bun:test";
import { reportOnline } from "../../../../src/domain/around/reports/online.ts";
import { reportTraffic } from "../../../../src/domain/around/reports/traffic.ts";
import { onlineNow } from "../../../../src/domain/service/sessions/online-routers.ts";
import { type Carried, CarriedTally } from "../../../../src/domain/money/sums/carried.ts";
import { sumDays } from "../../../../src/domain/money/sums/days.ts";
import { keepCarried, rollUpHours } from "../../../../src/domain/money/sums/minutes.ts";
import { lastHour } from "../../../../src/domain/money/sums/traffic-now.ts";
import { localDay } from "../../../../src/domain/core/time/time.ts";
import { trafficCurve } from "../../../../src/domain/around/today/lines.ts";
import { ada, aPackage, aSubscriber, by, DAY, loadIsp, NAS_SECRET, rex } from "../../../support/isp.ts";
import { insertSessions } from "../../../support/sessions.ts";
import { NOW, temporaryStore } from "../../../support/store.ts";

/** What 512 reports of the largest counter that is read add up to: two of these are more than SQLite adds as integers. */
const MOST = 2 ** 62;
const HOUR = 3600;

function tallied(...all: readonly Carried[]): readonly Carried[] {
  const tally = new CarriedTally();
  for (const one of all) tally.add(one);
  return tally.take();
}

test("a router that reports more than can be added up takes no sum, report or curve of others with it", async () => {
  using store = temporaryStore();
  const { db } = store;
  await loadIsp(db, {
    nas: [
      { id: 1, isp_id: 1, name: "core", address: "127.0.0.1", secret: NAS_SECRET },
      { id: 2, isp_id: 2, name: "south", address: "127.0.0.2", secret: NAS_SECRET },
      { id: 3, isp_id: 1, name: "hill", address: "127.0.0.3", secret: NAS_SECRET },
    ],
    packages: [aPackage(2, { isp_id: 2 })],
    staff: [ada, rex, { ...ada, id: 9, isp_id: 2, username: "sue", email: "sue@isp.example" }],
    subscribers: [
      ...[1, 2, 3].map((id) => aSubscriber(id)),
      aSubscriber(4, { isp_id: 2, package_id: 2, salesperson_id: 9, nas_id: 2 }),
    ],
  });
  const use = db.$client.query("INSERT INTO usage_days VALUES (?, ?, ?, ?)");
  for (const id of [1, 2, 3]) use.run(id, localDay(NOW), MOST, MOST);
  use.run(4, localDay(NOW), 7, 70);
  const begun = NOW - (NOW % HOUR) - 2 * HOUR;
  for (const minute of [0, 1, 2])
    for (const at of [begun + minute * 60, NOW - (NOW % 60) - (minute + 2) * 60])
      keepCarried(
        db,
        by,
        {
          carried: tallied(...[1, 1, 1, 3].map((nasId) => ({ nasId, input: MOST, output: MOST })), {
            nasId: 2,
            input: 7,
            output: 70,
          }),
        },
        { now: at },
      );
  const rate = { rateInput: MOST, rateOutput: MOST, updatedAt: NOW };
  insertSessions(
    db,
    ...[1, 2, 3].map((subscriberId) =>
      Object.assign({ subscriberId, acctSessionId: String(subscriberId) }, rate),
    ),
    { subscriberId: 4, acctSessionId: "4", nasId: 2, nasAddress: "127.0.0.2", ...rate, rateInput: 7 },
  );

  await sumDays(db, by, { now: NOW });
  await rollUpHours(db, by, { now: NOW });
  const range = { from: NOW - DAY, to: NOW };
  const { rows } = reportTraffic(db, by, { ...range, per: "day" });
  expect(rows.find(({ ispId }) => ispId === 2)).toMatchObject({ inputOctets: 7, outputOctets: 70 });
  expect(Number(rows.find(({ ispId }) => ispId === 1)?.inputOctets)).toBeGreaterThanOrEqual(MOST);
  const hour = db.$client.query("SELECT input_octets FROM nas_hours WHERE nas_id = 2 AND at = ?");
  expect(hour.get(begun)).toEqual({ input_octets: 21 });
  for (const resolution of ["minute", "hour"] as const)
    expect(reportOnline(db, by, { ...range, resolution, group: "isp" }).rows.length).toBeGreaterThan(0);
  expect(lastHour(db, by, {}, { now: NOW }).some(({ up }) => up > MOST / 60)).toBe(true);
  expect(trafficCurve(db, by, { span: "day" }, { now: NOW }).length).toBeGreaterThan(0);
  expect(onlineNow(db, by, { now: NOW }).find(({ nasId }) => nasId === 2)).toMatchObject({ rateInput: 7 });
});
