import { expect, test } from "bun:test";
import { join } from "node:path";

const root = join(import.meta.dir, "../..");
const bun = process.execPath;

test.each([
  [[bun, "test/torture/main.ts", "fuzz"], "fuzz"],
  [[bun, "test/torture/main.ts", "--only", "none"], "no trial is called none"],
  [[bun, "test/torture/main.ts", "--seed", "x"], "--seed is a whole number, not 'x'"],
  [[bun, "scripts/bench.d/main.ts", "api"], "api"],
  [[bun, "scripts/bench.d/main.ts", "--only", "none"], "there is no part none"],
  [[bun, "scripts/bench.d/main.ts", "--rounds", "many"], "--rounds is a whole number, not 'many'"],
  [[bun, "scripts/lab.d/main.ts", "--bogus"], "--bogus"],
  [[bun, "scripts/lab.d/main.ts"], "scripts/lab booted"],
  [[bun, "scripts/lab.d/main.ts", "radius"], "scripts/lab ppp"],
  [
    ["scripts/screenshots", "--help"],
    "usage: scripts/screenshots [FOLDER [PATTERN] | --readme | --handbook]",
  ],
  [
    ["scripts/screenshots", "a", "b", "c"],
    "usage: scripts/screenshots [FOLDER [PATTERN] | --readme | --handbook]",
  ],
  [["scripts/migrations"], "usage: scripts/migrations NAME"],
  [["scripts/migrations", "--help"], "usage: scripts/migrations NAME"],
])("%p is wrong usage, which is said in words", (command, words) => {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd: root });
  const text = stderr.toString();
  expect({ exitCode, stdout: stdout.toString() }).toEqual({ exitCode: 2, stdout: "" });
  expect(text).toContain(words);
  expect(text).not.toMatch(/^\s+at /m);
  expect(text.toLowerCase()).toMatch(/usage|scripts\/(torture|bench|lab) /);
});
