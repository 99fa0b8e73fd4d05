import { expect, test } from "bun:test";
import { removeAccessBox } from "../../../../src/domain/machine/access-boxes/boxes.ts";
import { boxesOverview } from "../../../../src/domain/machine/access-boxes/overview.ts";
import { readReport } from "../../../../src/domain/service/box-standing/status-report.ts";
import {
  keepReport,
  routersBehind,
  standings,
  standingWords,
} from "../../../../src/domain/service/box-standing/standing.ts";
import { checkAccessBoxes } from "../../../../src/domain/machine/check/access-boxes.ts";
import { closeLostSessions } from "../../../../src/domain/service/sessions/sweep.ts";
import { accessBoxGauges } from "../../../../src/metrics/access-box-gauges.ts";
import { aBoxReport, addBox } from "../../../support/access-boxes.ts";
import { by, loadIsp } from "../../../support/isp.ts";
import { NOW, temporaryStore } from "../../../support/store.ts";
import { Registry } from "prom-client";

const whole = aBoxReport();

/** What a box of another version, or in the hands of a thief, may say of itself. */
const cases: readonly (readonly [string, unknown])[] = [
  ["nothing", {}],
  ["null", null],
  ["a list", [1, 2, 3]],
  ["a word", "well"],
  ["no disk", { ...whole, disk: undefined }],
  ["a disk of words", { ...whole, disk: "full" }],
  ["half a disk", { ...whole, disk: { free: 5 } }],
  ["nothing but nulls", Object.fromEntries(Object.keys(whole).map((key) => [key, null]))],
  ["words for numbers", Object.fromEntries(Object.keys(whole).map((key) => [key, "1"]))],
  ["numbers that are none", { ...whole, at: 1e300, waiting: -5, waitingFor: 1e99, sessions: 1.5 }],
  ["a version of a megabyte", { ...whole, version: "x".repeat(1_000_000) }],
  ["markup for a version", { ...whole, version: { toString: "<script>" } }],
  ["another version's words", { release: "9", open: 3, disk: { left: 5 } }],
  ["more than is asked", { ...whole, heardAt: "now", constructor: 1, more: { deep: [] } }],
];

test.each(cases)(
  "a box that says of itself: %s, takes nobody else down, and is removed",
  async (_, report) => {
    using store = temporaryStore();
    const { db } = store;
    await loadIsp(db, { subscribers: [] });
    addBox(db, by, "tower-1");
    addBox(db, by, "tower-2", { heardAt: null });
    // as 0.2.0 kept it, and as it is kept now
    db.$client
      .query("UPDATE access_boxes SET state = ?, heard_at = ? WHERE name = 'tower-2'")
      .run(JSON.stringify(report), NOW);
    await look();
    expect(keepReport(db, { box: "tower-2", report }, NOW)).toBe(true);
    await look();
    const kept = db.$client
      .query<{ n: number }, []>("SELECT max(length(state)) AS n FROM access_boxes")
      .get();
    expect(kept?.n).toBeLessThan(1000);
    expect(removeAccessBox(db, by, { name: "tower-2" }, { now: NOW }).knows.routers.length).toBeGreaterThan(
      0,
    );

    async function look(): Promise<void> {
      expect(checkAccessBoxes(db, NOW).map(({ message }) => message.split(" ")[0])).toBeArray();
      expect(boxesOverview(db, by, { now: NOW }).boxes.map((node) => standingWords(node, NOW))[0]).toBe(
        "all is well",
      );
      expect(standings(db, NOW).map(({ name, state }) => [name, state])).toEqual([
        ["tower-1", "heard"],
        ["tower-2", "heard"],
      ]);
      expect(routersBehind(db, NOW)).toBeInstanceOf(Set);
      await closeLostSessions(db, by, { since: 0 }, { now: NOW });
      const registry = new Registry();
      accessBoxGauges(registry, { db, clock: () => NOW });
      const text = await registry.metrics();
      expect(text).toContain('gatehouse_boxes_sessions_open{box="tower-1"} 12');
      expect(text).not.toMatch(/NaN|undefined|null/);
    }
  },
);

test("what is understood of a report is kept, and it is said that the rest is not", () => {
  using store = temporaryStore();
  const { db } = store;
  addBox(db, by, "tower-1");
  keepReport(db, { box: "tower-1", report: { version: "9.0.0", sessions: 5, disk: { left: 1 } } }, NOW);
  const [node] = standings(db, NOW);
  expect(node).toMatchObject({
    isUnderstood: false,
    report: { version: "9.0.0", sessions: 5, heardAt: NOW },
  });
  expect(checkAccessBoxes(db, NOW).map(({ message }) => message)).toContainEqual(
    expect.stringMatching(
      /^tower-1 says of itself less than .* \(version 9\.0\.0\); install the same version on both$/,
    ),
  );
  expect(readReport(whole)).toEqual(whole);
});
