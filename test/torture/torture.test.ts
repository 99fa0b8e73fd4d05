import { expect, test } from "bun:test";
import { trials } from "../../scripts/torture.d/trials.ts";

const seed = Date.now() % 2 ** 31;

for (const { name, run } of trials) {
  test(`${name}, the short form: nothing is lost and nobody gets in (seed ${seed})`, async () => {
    const lines: string[] = [];
    const { faults } = await run({ isShort: true, seed, say: (line) => lines.push(line) });
    expect(faults, lines.join("\n")).toEqual([]);
  }, 180_000);
}
