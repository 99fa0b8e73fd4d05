import { expect, test } from "bun:test";
import { listMoves, moveById } from "../../../../src/domain/machine/imports/moves.ts";
import { by } from "../../../support/isp.ts";
import { aMoved, Mover, somebody } from "./mover.ts";

test("a report that was damaged in the store says so, and hides no other", async () => {
  using mover = await Mover.withIsp();
  await mover.run(aMoved({ subscribers: [somebody("ann")] }));
  await mover.run(aMoved({ subscribers: [somebody("ann"), somebody("bob")] }));
  mover.db.$client.run("UPDATE moves SET report = '{\"told', files = '[' WHERE id = 1");
  const [newest, damaged] = listMoves(mover.db, by, { limit: 10 });
  expect(newest?.report.counts.subscribers.new).toBe(1);
  expect(damaged).toMatchObject({ files: [], report: { counts: { subscribers: { found: 0 } } } });
  expect(moveById(mover.db, by, 1).report.told[0]?.rows[0]?.text).toContain("was damaged in the store");
});
