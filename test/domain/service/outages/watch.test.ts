import { describe, expect, test } from "bun:test";
import type { Db } from "../../../../db/open.ts";
import {
  listSubscriberOutages,
  openOutages,
  outageById,
} from "../../../../src/domain/service/outages/find.ts";
import { OutageWatch, watchOutages } from "../../../../src/domain/service/outages/watch.ts";
import { addBox } from "../../../support/access-boxes.ts";
import { by } from "../../../support/isp.ts";
import { dial, drop, linesOfArea, linesOfBox, plant as copyOfPlant, report } from "../../../support/plant.ts";
import { NOW, undoneStores } from "../../../support/store.ts";

const plant = undoneStores(copyOfPlant);

const LOOK = 10;

/** Looks as often as the job does until so many seconds after NOW; `each` is what happens meanwhile. */
async function look(
  db: Db,
  {
    until,
    from = 0,
    watch,
    each,
  }: { until: number; from?: number; watch?: OutageWatch; each?: (second: number) => void },
): Promise<OutageWatch> {
  const looking = watch ?? new OutageWatch(db, { since: NOW - 3600 });
  for (let second = from; second <= until; second += LOOK) {
    each?.(second);
    await watchOutages(by, { watch: looking }, { now: NOW + second });
  }
  return looking;
}

const outagesIn = (db: Db) =>
  openOutages(db, by).map(({ kind, nasName, areaName, boxNumber, lines }) => [
    kind,
    nasName ?? areaName ?? boxNumber,
    lines,
  ]);

interface Scenario {
  what: string;
  /** Before the first look. */
  setUp?: (db: Db) => void;
  /** What is in the books at a second after NOW, as far as it has come. */
  each: (db: Db, second: number) => void;
  until?: number;
  announced: (string | number | null)[][];
}

const once = (at: number, work: (db: Db) => void) => (db: Db, second: number) => {
  report(db, NOW + second);
  if (second === at) work(db);
};
const [box1, area1] = [linesOfBox(1), linesOfArea(1)];
const dropAll = (lines: readonly number[], spread: number, cause?: string) => (db: Db) => {
  for (const [index, line] of lines.entries())
    drop(db, line, NOW - 5 + Math.floor((index * spread) / lines.length), cause);
};
/** Each line of some dials in again so many seconds after it went, on each of the last days. */
const everyDay = (lines: readonly number[], away: number) => (db: Db) => {
  for (let day = 20; day > 0; day--)
    for (const line of lines) {
      const at = NOW - day * 86_400 + (line % 20);
      drop(db, line, at);
      dial(db, line, at + away);
    }
};

const scenarios: Scenario[] = [
  { what: "nothing happens", each: once(-1, () => {}), announced: [] },
  {
    what: "half of a box goes within nine seconds",
    each: once(0, dropAll(box1.slice(4), 9)),
    announced: [["box", "BOX-1", 4]],
  },
  { what: "a whole box goes", each: once(0, dropAll(box1, 9)), announced: [["box", "BOX-1", 8]] },
  {
    what: "three lines of a box go: people switch things off",
    each: once(0, dropAll(box1.slice(5), 9)),
    announced: [],
  },
  {
    what: "an area goes: it is told, and not its five boxes",
    each: once(0, dropAll(area1, 40)),
    announced: [["area", "Area 1", 40]],
  },
  {
    what: "a third of an area goes, a line of a box each time",
    each: once(0, dropAll([1, 2, 9, 10, 17, 18, 25, 26, 33, 34], 60)),
    announced: [["area", "Area 1", 10]],
  },
  {
    what: "both areas of a router go, which goes on to answer",
    each: once(0, dropAll([...area1, ...linesOfArea(2)], 60)),
    announced: [["router", "core", 80]],
  },
  {
    what: "a box goes, and the rest of its area after it",
    each: (db, second) => {
      report(db, NOW + second);
      if (second === 0) dropAll(box1, 9)(db);
      if (second === 50) for (const line of area1.slice(8)) drop(db, line, NOW + 45);
    },
    announced: [["area", "Area 1", 40]],
  },
  {
    what: "half of a box and all of another area go at the same time",
    each: once(0, (db) => {
      dropAll(box1.slice(4), 9)(db);
      dropAll(linesOfArea(3), 9)(db);
    }),
    announced: [
      ["area", "Area 3", 40],
      ["box", "BOX-1", 4],
    ],
  },
  {
    what: "an area dials anew and is back within half a minute",
    each: (db, second) => {
      report(db, NOW + second);
      if (second === 0) dropAll(area1, 5)(db);
      if (second === 20) for (const line of area1) dial(db, line, NOW + 20);
    },
    announced: [],
  },
  {
    what: "an area is switched off for two minutes at this hour of each day",
    setUp: everyDay(area1, 120),
    each: once(0, dropAll(area1, 20)),
    announced: [],
  },
  {
    what: "the same happens at another hour of each day",
    setUp: (db) => {
      everyDay(area1, 120)(db);
      db.$client.run(
        "UPDATE sessions SET stopped_at = stopped_at - 21600, started_at = started_at - 21600 WHERE stopped_at IS NOT NULL",
      );
    },
    each: once(0, dropAll(area1, 20)),
    announced: [["area", "Area 1", 40]],
  },
  ...["User-Request", "Session-Timeout", "Admin-Reset", "NAS-Reboot"].map((cause) => ({
    what: `an area ends by ${cause}`,
    each: once(0, dropAll(area1, 20, cause)),
    announced: [],
  })),
  {
    what: "lines that have expired go",
    setUp: (db) => db.$client.run(`UPDATE services SET expires_at = ${NOW - 10}`),
    each: once(0, dropAll(area1, 20)),
    announced: [],
  },
  {
    what: "lines dial at once and are refused: they are sound",
    each: once(0, (db) => {
      dropAll(area1, 20)(db);
      for (const line of area1)
        db.$client
          .query(
            `INSERT INTO auth_log (at, nas_id, nas_address, username, subscriber_id, accepted, reason)
             VALUES (?, 1, '127.0.0.1', ?, ?, 0, 'mac_locked')`,
          )
          .run(NOW + 20, `user${line}`, line);
    }),
    announced: [],
  },
  {
    what: "a router is silent that is new",
    until: 900,
    each: (db, second) => report(db, NOW + second, { but: second < 30 ? [] : [3] }),
    announced: [["router", "hill", 40]],
  },
  {
    what: "a router is silent because the access box that it asks is cut off",
    setUp: (db) => {
      const { id } = addBox(db, by, "tower-1", { heardAt: NOW + 30 });
      db.$client.run("UPDATE sessions SET via_box = ? WHERE nas_id = 3", [id]);
    },
    until: 900,
    each: (db, second) => report(db, NOW + second, { but: second < 30 ? [] : [3] }),
    announced: [],
  },
  {
    what: "a router is silent that never was for a minute",
    setUp: (db) => quietMinutes(db, 3, 0),
    until: 150,
    each: (db, second) => report(db, NOW + second, { but: second < 30 ? [] : [3] }),
    announced: [["router", "hill", 40]],
  },
  {
    what: "a router reports half as often as it is asked to",
    setUp: (db) => quietMinutes(db, 3, 4),
    until: 900,
    each: (db, second) => report(db, NOW + second, { but: second % 300 < 290 ? [3] : [] }),
    announced: [],
  },
  {
    what: "a router is restarted and its lines dial within two minutes",
    each: (db, second) => {
      report(db, NOW + second, { but: [3] });
      if (second === 0)
        db.$client.run(
          `UPDATE sessions SET stopped_at = ${NOW}, closed_by = 'accounting_on', terminate_cause = 'NAS-Reboot'
           WHERE nas_id = 3 AND stopped_at IS NULL`,
        );
      if (second === 120) for (const line of linesOfArea(3)) dial(db, line, NOW + 100);
    },
    announced: [],
  },
];

/** A week of samples in which a router says nothing for so many minutes at a time. */
function quietMinutes(db: Db, nasId: number, quiet: number): void {
  const insert = db.$client.query(
    "INSERT INTO nas_minutes (nas_id, at, isp_id, sessions, input_octets) VALUES (?, ?, 1, 40, ?)",
  );
  db.transaction(() => {
    for (let minute = 1; minute < 7 * 1440; minute++)
      insert.run(nasId, NOW - minute * 60, minute % (quiet + 1) === 0 ? 1000 : 0);
  });
}

describe("what is told when", () => {
  test.each(scenarios.map((one) => [one.what, one] as const))(
    "%s",
    async (_, { setUp, each, until = 300, announced: expected }) => {
      using store = await plant();
      const { db } = store;
      setUp?.(db);
      await look(db, { until, each: (second) => each(db, second) });
      expect(outagesIn(db)).toEqual(expected);
    },
  );
});

test("the evidence of a box: its ports, within how many seconds, and which ports answer", async () => {
  using store = await plant();
  const { db } = store;
  await look(db, { until: 60, each: (second) => once(0, dropAll(box1.slice(4), 9))(db, second) });
  const [outage] = openOutages(db, by);
  expect(outage?.evidence).toEqual({
    sign: "lost",
    seconds: 6,
    answering: 4,
    most: 0,
    ports: ["5", "6", "7", "8"],
    answeringPorts: ["1", "2", "3", "4"],
  });
  expect(outage?.foundAt).toBeLessThanOrEqual(NOW + 40);
});

test("an outage is over when three of four lines are back, as of when they were", async () => {
  using store = await plant();
  const { db } = store;
  const watch = await look(db, { until: 60, each: (second) => once(0, dropAll(box1, 9))(db, second) });
  for (const line of box1.slice(0, 5)) dial(db, line, NOW + 100 + line);
  await look(db, { from: 120, until: 150, watch });
  expect(openOutages(db, by).map(({ lines, back }) => [lines, back])).toEqual([[8, 5]]);
  dial(db, 6, NOW + 160);
  await look(db, { from: 170, until: 180, watch });
  expect(openOutages(db, by)).toEqual([]);
  const { endedAt, members } = outageById(db, by, 1);
  expect(endedAt).toBe(NOW + 160);
  // those who are dark still come first, for somebody has to call them
  expect(members.map(({ port, backAt }) => [port, backAt && backAt - NOW])).toEqual([
    ["7", null],
    ["8", null],
    ["1", 101],
    ["2", 102],
    ["3", 103],
    ["4", 104],
    ["5", 105],
    ["6", 160],
  ]);
});

test("a router that is heard again had kept its lines, and its outage is over", async () => {
  using store = await plant();
  const { db } = store;
  quietMinutes(db, 3, 0);
  const watch = await look(db, { until: 200, each: (second) => report(db, NOW + second, { but: [3] }) });
  const [outage] = openOutages(db, by);
  expect(outage?.evidence).toMatchObject({ sign: "silent", others: 1, othersHeard: 1 });
  await look(db, { from: 210, until: 230, watch, each: (second) => report(db, NOW + second) });
  expect(openOutages(db, by)).toEqual([]);
});

test("a router that restarts is back when its lines are", async () => {
  using store = await plant();
  const { db } = store;
  quietMinutes(db, 3, 0);
  const watch = await look(db, { until: 200, each: (second) => report(db, NOW + second, { but: [3] }) });
  db.$client.run(
    `UPDATE sessions SET stopped_at = ${NOW + 205}, closed_by = 'accounting_on' WHERE nas_id = 3 AND stopped_at IS NULL`,
  );
  for (const line of linesOfArea(3).slice(0, 10)) dial(db, line, NOW + 210);
  await look(db, { from: 220, until: 230, watch });
  expect(openOutages(db, by).map(({ back }) => back)).toEqual([10]);
  for (const line of linesOfArea(3).slice(10)) dial(db, line, NOW + 240);
  await look(db, { from: 250, until: 260, watch });
  expect(openOutages(db, by)).toEqual([]);
});

test("a start of the program hears nobody before it", async () => {
  using store = await plant();
  const { db } = store;
  // it was away for ten minutes
  const watch = new OutageWatch(db, { since: NOW + 600 });
  await look(db, { from: 600, until: 700, watch });
  expect(openOutages(db, by)).toEqual([]);
});

test("everybody of an area is told of it, also who was not online", async () => {
  using store = await plant();
  const { db } = store;
  drop(db, 1, NOW - 4000, "User-Request");
  await look(db, { until: 60, each: (second) => once(0, dropAll(area1.slice(1), 20))(db, second) });
  const of = (subscriberId: number) =>
    listSubscriberOutages(db, by, { subscriberId }).map(({ kind, lines, isPart }) => [kind, lines, isPart]);
  expect(of(1)).toEqual([["area", 39, false]]);
  expect(of(2)).toEqual([["area", 39, true]]);
  expect(of(41)).toEqual([]);
});
