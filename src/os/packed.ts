import { readFileSync } from "node:fs";

/**
 * A text that is seldom read: the executable has it compressed, as scripts/pack.ts made it, so that it weighs a fifth and costs nothing
 * until it is asked for. Run from source it is what `made` makes.
 */
export function packed(name: string, made: () => string): string {
  if (!Bun.isStandaloneExecutable) return made();
  return Bun.zstdDecompressSync(readFileSync(`/$bunfs/root/${name}.zst`)).toString("utf8");
}
