import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A text that was compiled: where src and db stood on the stack, the innermost first, and what it gives. */
export interface Noted {
  readonly text: string;
  readonly places: readonly string[];
  readonly columns: readonly string[];
  /** What each column was declared as; null where it is none of a table. */
  readonly declared: readonly (string | null)[];
}

/** What every process of the tests noted (test/support/noted-statements.ts). */
export function readNoted(folder: string): readonly Noted[] {
  const lines = readdirSync(folder).flatMap((name) =>
    readFileSync(join(folder, name), "utf8").trimEnd().split("\n"),
  );
  return [...new Set(lines)].filter((line) => line !== "").map((line): Noted => JSON.parse(line));
}
