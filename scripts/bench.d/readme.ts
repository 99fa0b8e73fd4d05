import { join } from "node:path";
import { output } from "./against.ts";
import { chart } from "./chart.ts";
import { summary } from "./radius-report.ts";
import { type Results, sections } from "./report.ts";

const root = join(import.meta.dir, "../..");

/** The commit that the tables will name. Throws where what is measured is none. */
export async function requireCommit(): Promise<string> {
  const changed = await output(["git", "status", "--porcelain"]);
  if (changed !== "")
    throw new Error(`figures in the README are those of a commit; commit first:\n${changed}`);
  return output(["git", "rev-parse", "--short=12", "HEAD"]);
}

/** Writes what was measured between its marks in both READMEs, and the picture; what was not measured stays as it is. */
export async function writeTables(results: Results, commit: string): Promise<void> {
  const measured = `Commit ${commit}, ${results.date}, ${results.machine}, \`scripts/bench\`.`;
  const below = Object.entries(sections(results)).map(
    ([name, text]) => [name, `${measured}\n\n${text}`] as const,
  );
  const bench = join(import.meta.dir, "README.md");
  const front = join(root, "README.md");
  await rewrite(bench, below);
  if (results.samples.length > 0) {
    await rewrite(front, [["peers", `${measured}\n\n${summary(results.samples)}`]]);
    await Bun.write(join(import.meta.dir, "measured.svg"), chart(results));
  }
  await output([process.execPath, "fmt", "--no-script", bench, front]);
}

async function rewrite(
  file: string,
  parts: readonly (readonly [name: string, text: string])[],
): Promise<void> {
  let text = await Bun.file(file).text();
  for (const [name, part] of parts) text = between(text, name, part);
  await Bun.write(file, text);
}

/** A text with another part between the marks of a name. Throws where they are not there. */
export function between(text: string, name: string, part: string): string {
  const [from, to] = [`<!-- measured: ${name} -->`, `<!-- end: ${name} -->`];
  const [begin, end] = [text.indexOf(from), text.indexOf(to)];
  if (begin === -1 || end < begin) throw new Error(`there is no place for ${name} between ${from} and ${to}`);
  return `${text.slice(0, begin + from.length)}\n\n${part}\n\n${text.slice(end)}`;
}
