import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Appliance } from "../support/appliance.ts";

const functionsOf = (file: string) =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.startsWith("F "));

test("the build knows nine in ten of the functions that a start runs; when it does not: scripts/bun scripts/start-order.ts", async () => {
  await using appliance = new Appliance();
  const seen = join(appliance.folder, "seen");
  await appliance.run(["init"]);
  await appliance.serve({ BUN_BYTECODE_ORDER_OUT: seen });
  await appliance.stop();
  const known = new Set(functionsOf(join(import.meta.dir, "../../scripts/start-order.txt")));
  const run = functionsOf(seen);
  expect(run.length).toBeGreaterThan(1000);
  expect(run.filter((each) => known.has(each)).length).toBeGreaterThan(run.length * 0.9);
});
