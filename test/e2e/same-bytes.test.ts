import { expect, test } from "bun:test";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { program } from "../support/appliance.ts";

test("the executable does not know the folder where it was built, so that the same commit makes the same bytes", () => {
  const executable = readFileSync(program);
  expect(executable.includes("/$bunfs/root")).toBe(true);
  expect(executable.includes(join(import.meta.dir, "../.."))).toBe(false);
});

test("the executable is at most 142 MB", () => {
  expect(statSync(program).size).toBeLessThanOrEqual(142_000_000);
});
