import { existsSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";

/**
 * Compiles C with gcc into a program, or with `flags` into something else. Throws when that fails; gcc has said why. Of one run of the tests,
 * which has a folder for it, whoever comes first compiles for all.
 */
export async function compile(
  output: string,
  sources: readonly string[],
  flags: readonly string[] = [],
): Promise<void> {
  const { GATEHOUSE_TEST_DISK: shared } = process.env;
  if (shared === undefined) return compileAnew(output, sources, flags);
  const compiled = join(shared, `compiled-${Bun.hash([...sources, ...flags].join("\n"))}`);
  if (!existsSync(compiled)) {
    const unfinished = `${compiled}.${process.pid}`; // several may come first
    await compileAnew(unfinished, sources, flags);
    renameSync(unfinished, compiled);
  }
  symlinkSync(compiled, output);
}

async function compileAnew(
  output: string,
  sources: readonly string[],
  flags: readonly string[],
): Promise<void> {
  // libraries stand behind what needs them
  const gcc = Bun.spawn(["gcc", "-O2", "-Wall", "-Wextra", "-o", output, ...sources, ...flags], {
    stderr: "inherit",
  });
  if ((await gcc.exited) !== 0)
    throw new Error(`gcc could not compile ${sources.join(", ")}; it needs gcc and libc6-dev`);
}
