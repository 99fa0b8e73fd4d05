import { expect, test } from "bun:test";
import { must, runSteps } from "../../scripts/lab.d/run-steps.ts";

test("a lab ends at the first fault, says what was lately there, and has it in its table", async () => {
  const output: string[] = [];
  const seen: string[] = [];
  const step = (what: string, run: () => string) => ({
    what,
    run: async (world: string[]) => {
      world.push(what);
      return run();
    },
  });
  const { table, faults } = await runSteps(
    [
      step("dial in", () => "up"),
      step("hang up", () => {
        must(seen.length === 0, "the line is still up\nand has 5 bytes");
        return "down";
      }),
      step("never", () => "reached"),
    ],
    seen,
    { log: (line) => output.push(line), lately: async () => "LCP terminated" },
  );
  expect(seen).toEqual(["dial in", "hang up"]);
  expect(faults).toEqual(["hang up: the line is still up\nand has 5 bytes"]);
  expect(output.at(-1)).toBe("FAULT: hang up: the line is still up\nand has 5 bytes\nLCP terminated");
  expect(table.replace(/\d+\.\d s/g, "TIME")).toBe(
    "| step | seen | after |\n| --- | --- | --- |\n| dial in | up | TIME |\n| hang up | **fault**: the line is still up |  |\n",
  );
});
