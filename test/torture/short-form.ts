import { expect, test } from "bun:test";
import { startChromium } from "../support/chromium.ts";
import type { Trial } from "./trial.ts";

// always the same draws: a run of the tests says whether a change broke something, scripts/torture looks for what is new
const seed = 9;

/** A test of the short form of each trial. */
export function testShortForms(trials: readonly Trial[]): void {
  for (const { name, run } of trials) {
    test(`${name}, the short form: nothing is lost and nobody gets in`, async () => {
      const lines: string[] = [];
      const { faults } = await run({
        isShort: true,
        seed,
        log: (line) => lines.push(line),
        browser: startChromium,
      });
      expect(faults, lines.join("\n")).toEqual([]);
    });
  }
}
