import { Glob } from "bun";
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import linter from "../../.oxlintrc.json";

const domain = join(import.meta.dir, "../../src/domain");
/** From the ground up: a value comes from the same storey or one below, a type from anywhere. */
const storeys = ["core", "people", "goods", "money", "service", "desk", "around", "machine"];
const files = [...new Glob("**/*.ts").scanSync(domain)].toSorted();
/** The folder of a file, `storey/noun`. */
const nounOf = (file: string) => file.split("/").slice(0, 2).join("/");
const nouns = [...new Set(files.map(nounOf))];

type Import = readonly [from: string, to: string];

/** Which nouns take values from which, by the files of each. */
const imports: Import[] = files.flatMap((file) =>
  valuesOf(readFileSync(join(domain, file), "utf8"))
    .map((path): Import => [nounOf(file), nounOf(normalize(join(dirname(file), path)))])
    .filter(([from, to]) => from !== to && nouns.includes(to)),
);

/** Where a text imports values from: statements of types alone leave nothing in what runs. */
function valuesOf(source: string): string[] {
  const statements = source.matchAll(/^(?:import|export)\b([^;"]*)\bfrom "(\.[^"]+)"/gm);
  const named = [...statements]
    .filter(([, what = ""]) => !isOfTypes(what.trim()))
    .map(([, , path = ""]) => path);
  const others = source.matchAll(/^import "(\.[^"]+)"|\bimport\("(\.[^"]+)"\)(?!\.[A-Z])/gm);
  return [...named, ...[...others].map(([, first, second]) => first ?? second ?? "")];
}

function isOfTypes(what: string): boolean {
  if (/^type\b/.test(what)) return true;
  const names = /^\{([^}]*)\}$/.exec(what)?.[1]?.split(",");
  return names?.every((name) => /^\s*(type\b|$)/.test(name)) ?? false;
}

/** The nouns from which one comes back to where one began. */
function circles(among: readonly Import[]): string[] {
  const next = Map.groupBy(among, ([from]) => from);
  const comesBack = (noun: string) => {
    const seen = new Set<string>();
    const open = [noun];
    for (let at = open.pop(); at !== undefined; at = open.pop())
      for (const [, to] of next.get(at) ?? []) {
        if (to === noun) return true;
        if (seen.has(to)) continue;
        seen.add(to);
        open.push(to);
      }
    return false;
  };
  return nouns.filter(comesBack);
}

test("each file of the domain stands in a noun of a storey", () => {
  const elsewhere = files.filter(
    (file) => file.split("/").length < 3 || !storeys.includes(file.split("/")[0] ?? ""),
  );
  expect(elsewhere).toEqual([]);
  expect([...new Set(nouns.map(dirname))].toSorted()).toEqual(storeys.toSorted());
});

test.each(storeys.slice(0, -1))("the linter keeps %s from the values of every storey above", (storey) => {
  const rule = linter.overrides.find(({ files: of }) => of.includes(`src/domain/${storey}/**`));
  const above = storeys.slice(storeys.indexOf(storey) + 1).map((name) => `**/${name}/**`);
  expect(JSON.stringify(rule?.rules)).toContain(
    JSON.stringify({ group: above, allowTypeImports: true }).slice(1, -1),
  );
});

test("no nouns take values from each other in a circle", () => {
  expect(circles(imports)).toEqual([]);
});

test("any import the other way round would close a circle", () => {
  const pairs = [...new Map(imports.map((pair) => [pair.join(" "), pair])).values()];
  expect(pairs.length).toBeGreaterThan(nouns.length);
  for (const [from, to] of pairs) expect(circles([...pairs, [to, from]])).toContain(from);
});

test.each(storeys)("the page about %s names its nouns, and is short", (storey) => {
  const page = readFileSync(join(domain, storey, "README.md"), "utf8");
  const missing = nouns.filter(
    (noun) => dirname(noun) === storey && !page.includes(`\`${noun.slice(storey.length + 1)}\``),
  );
  expect(missing).toEqual([]);
  expect(Buffer.byteLength(page)).toBeLessThanOrEqual(2048);
});
