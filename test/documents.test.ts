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

test("README is short enough to be read", () => {
  expect(Buffer.byteLength(read("README.md"))).toBeLessThanOrEqual(10_000);
});
