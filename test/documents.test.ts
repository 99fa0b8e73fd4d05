import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

const checkout = join(import.meta.dir, "..");
const tracked = (await Bun.$`git ls-files`.cwd(checkout).text()).trim().split("\n");
const documents = tracked.filter((file) => file.endsWith(".md"));
const read = (file: string) => readFileSync(join(checkout, file), "utf8");

/** The names by which a link reaches the headings of a document. */
function anchorsOf(file: string): string[] {
  const headings = read(file).matchAll(/^#+ (.+)$/gm);
  return [...headings].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

test.each(documents)("every link of %s leads somewhere", (file) => {
  const links = [...read(file).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
  const broken = links.filter((target) => {
    if (/^https?:/.test(target)) return false;
    const [path = "", anchor] = target.split("#");
    const place = path === "" ? file : normalize(join(dirname(file), path));
    if (!existsSync(join(checkout, place))) return true;
    return anchor !== undefined && !anchorsOf(place).includes(anchor);
  });
  expect(broken).toEqual([]);
});

test("no file cites a document that is not in the project", () => {
  const sources = tracked.filter((file) =>
    /\.(ts|tsx|js|c|h|sql|sh|service|env|yml)$|^scripts\/[^/.]+$/.test(file),
  );
  const cited = sources.flatMap((file) =>
    [...read(file).matchAll(/\b(?!license\b)[\w./-]+\.md\b/gi)].map(([document]) => ({ file, document })),
  );
  const missing = cited.filter(
    ({ file, document }) =>
      !documents.includes(normalize(document)) &&
      !documents.includes(normalize(join(dirname(file), document))),
  );
  expect(missing).toEqual([]);
});

test("files that comments name are there", () => {
  const places = tracked.map((file) => `/${file}\n`).join("");
  const sources = tracked.filter((file) => /^(src|db|test|scripts)\/.+\.(tsx?|js|css|sql)$/.test(file));
  const missing = sources.flatMap((file) =>
    [...read(file).matchAll(/(?:^|\s)(?:\/\/|\/?\*\*?) (?!import)(.*)/g)]
      .flatMap(([, comment = ""]) => comment.match(/(?<![\w./@:-])(?:[\w-]+\/)*[\w-]+\.tsx?\b(?!\/)/g) ?? [])
      .filter((name) => !places.includes(`/${name}\n`))
      .map((name) => ({ file, name })),
  );
  expect(missing).toEqual([]);
});

/** Of a room: the root's README and the reports of labs and benches are for other readers. */
const rooms = documents.filter((file) =>
  /^(src|db)\/(.+\/)?README\.md$|^(test|scripts)\/README\.md$/.test(file),
);
const namesIn = (file: string) => [...read(file).matchAll(/`([^`\n]+)`/g)].map(([, name = ""]) => name);

test("files and folders that rooms name are there", () => {
  const folders = new Set(
    tracked.flatMap((file) => [...file.matchAll(/\//g)].map(({ index }) => file.slice(0, index))),
  );
  const places = [...tracked, ...folders].map((place) => `/${place}\n`).join("");
  const missing = rooms.flatMap((file) =>
    namesIn(file)
      .filter((name) => /^[\w./<>-]+(\.(tsx?|js|json|css|sql|md|env)|\/)$/.test(name))
      .filter((name) => {
        const pattern = name.replace(/\/$/, "").replaceAll(".", "\\.").replace(/<\w+>/g, "[^/\n]+");
        return !new RegExp(`/${pattern}\n`).test(places);
      })
      .map((name) => ({ file, name })),
  );
  expect(missing).toEqual([]);
});

test("names of the code that rooms name are there", () => {
  const sources = tracked.filter((file) => /^(src|db|test|scripts)\/.+\.(tsx?|js|css)$/.test(file));
  const known = new Set(sources.flatMap((file) => read(file).match(/\w+/g) ?? []));
  const missing = rooms.flatMap((file) =>
    namesIn(file)
      .filter((name) => /^\w+(\(.*\))?$/.test(name))
      .flatMap((name) => name.match(/[a-z_]\w*/gi) ?? [])
      .filter((name) => !known.has(name))
      .map((name) => ({ file, name })),
  );
  expect(missing).toEqual([]);
});

const limits: readonly (readonly [RegExp, number])[] = [
  [/^README\.md$/, 10_000],
  [/^src\/README\.md$/, 12_000],
  [/^src\/domain\/\w+\/README\.md$/, 2000],
  [/^src\/.+\/README\.md$/, 4000],
];

test("documents are short enough to be read", () => {
  const long = documents.flatMap((file) => {
    const most = limits.find(([place]) => place.test(file))?.[1] ?? Number.POSITIVE_INFINITY;
    const bytes = Buffer.byteLength(read(file));
    return bytes > most ? [{ file, bytes, most }] : [];
  });
  expect(long).toEqual([]);
});

test("the map needs few words that have to be explained", () => {
  const [, words = ""] = read("src/README.md").split("\n## Words\n");
  const rows = words.match(/^- \*\*/gm) ?? [];
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.length).toBeLessThanOrEqual(25);
});
