import { expect, test } from "bun:test";
import { Command } from "commander";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Cli } from "../../src/cli/cli.ts";
import { commands } from "../../src/cli/commands.ts";

const src = join(import.meta.dir, "../../src");

test.each([...new Set(commands.values())].map((load) => [namesOf(load).join(" and "), load] as const))(
  "the module that is loaded for %s adds that and nothing else",
  async (_, load) => {
    const program = new Command();
    (await load())(program, new Cli({}, process));
    expect(program.commands.map((command) => command.name())).toEqual(namesOf(load));
  },
);

test("before it is known which command is wanted, nothing of the store is loaded, and of libraries but what reads arguments and addresses", () => {
  const { files, packages } = loadedBy(join(src, "main.ts"));
  expect(files.filter((file) => /\/(db|http|radius|machine)\//.test(file))).toEqual([]);
  expect(files.length).toBeLessThan(25);
  expect([...packages].filter((name) => !name.startsWith("node:"))).toEqual(["commander", "ipaddr.js"]);
});

test("a server loads what assistants speak when the first of them asks", () => {
  const { packages } = loadedBy(join(src, "http/app.ts"));
  expect(packages.has("elysia")).toBe(true);
  expect([...packages].filter((name) => name.startsWith("@modelcontextprotocol/"))).toEqual([]);
});

function namesOf(expected: unknown): string[] {
  return [...commands].filter(([, load]) => load === expected).map(([name]) => name);
}

/** The files that one takes values from, and theirs, and the packages of them all. */
function loadedBy(entry: string): { files: string[]; packages: Set<string> } {
  const files = new Set([entry]);
  const packages = new Set<string>();
  for (const file of files) {
    const loader = /\.(tsx?)$/.exec(file)?.[1];
    if (loader !== "ts" && loader !== "tsx") continue; // what is read as text
    const transpiler = new Bun.Transpiler({ loader });
    for (const { path, kind } of transpiler.scanImports(readFileSync(file, "utf8"))) {
      if (kind !== "import-statement") continue;
      if (path.startsWith(".")) files.add(join(dirname(file), path));
      else packages.add(path);
    }
  }
  return { files: [...files], packages };
}
