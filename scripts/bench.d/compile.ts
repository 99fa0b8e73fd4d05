/** Compiles C with gcc into a program, or with `flags` into something else. Throws when that fails; gcc has said why. */
export async function compile(
  output: string,
  sources: readonly string[],
  flags: readonly string[] = [],
): Promise<void> {
  // libraries stand behind what needs them
  const gcc = Bun.spawn(["gcc", "-O2", "-Wall", "-Wextra", "-o", output, ...sources, ...flags], {
    stderr: "inherit",
  });
  if ((await gcc.exited) !== 0)
    throw new Error(`gcc could not compile ${sources.join(", ")}; it needs gcc and libc6-dev`);
}
