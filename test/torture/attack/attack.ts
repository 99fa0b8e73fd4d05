import { attackLimits, expectForgiven } from "./limits.ts";
import { attackPages } from "./pages.ts";
import { attackFraming, attackPaths } from "./paths.ts";
import { storm } from "./storm.ts";
import { openTarget, type Target } from "../target.ts";
import { measureTiming } from "./timing.ts";
import { attackTokens } from "./tokens.ts";
import { attackWords, judgeLog } from "./words.ts";
import { Notes } from "../notes.ts";
import type { Extent, Trial } from "../trial.ts";

/** Whoever wants to get in, or to keep others out: by forged packets, guesses, floods, slow requests, tokens, paths, words. */
export const attack: Trial = {
  name: "attack",
  run: async (extent) => {
    const notes = new Notes();
    await using target = await openTarget();
    await everyWay(target, notes, extent);
    await judgeEnd(target, notes, extent);
    return notes.outcome;
  },
};

async function everyWay(target: Target, notes: Notes, extent: Extent): Promise<void> {
  const { isShort, isLong = false, seed, log } = extent;
  log("tokens, pages, paths");
  await attackTokens(target, notes);
  await attackPages(target, notes);
  await attackPaths(target, notes, extent);
  await attackFraming(target, notes, extent);
  await attackWords(target, notes, extent);
  log("timing");
  const rounds = isShort ? { rounds: 1, gross: 20, tries: 8 } : { rounds: 60, gross: 3, tries: 1 };
  await measureTiming(target, notes, { ...rounds, seed });
  const forgivenFrom = await attackLimits(target, notes);
  log("everything at once");
  await storm(target, notes, {
    seconds: isLong ? 600 : isShort ? 1 : 65,
    rate: isShort ? 500 : 10_000,
    attempts: isShort ? 20 : 100_000,
    guessing: isShort ? 1 : 70,
    slow: isShort ? 20 : 1000,
    pace: 250,
    tries: isShort ? 20 : 3,
    comesAgain: isShort ? 20 : 0,
    unheard: isShort ? 1 : 0.05,
    seed,
  });
  if (!isShort) await expectForgiven(target, notes, forgivenFrom);
}

/** Afterwards the books are whole, nobody is online who never came, and the server ends as it should. */
async function judgeEnd(target: Target, notes: Notes, { isShort, isLong = false }: Extent): Promise<void> {
  const { appliance } = target;
  const check = await appliance.run(["check"]);
  notes.expect(check.code === 0, `gatehouse check finds: ${check.stdout}`);
  const { stdout } = await appliance.run(["sessions", "list", "--all", "--json"]);
  notes.expect(!/"nas":\s*"(proving|old)"/.test(stdout), "a forged packet is in the books");
  judgeLog(target, notes, { lines: isShort ? 5000 : isLong ? 60_000 : 10_000 });
  const code = await appliance.stop();
  notes.expect(code === 0, `the server ended with ${code}`);
}
