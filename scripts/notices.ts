import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageManager } from "../package.json";

/*
 * Prints the notices of everything by others that stands in the executable: the packages that `bun build --metafile` has bundled,
 * each with its license, and Bun itself. scripts/notices.ts METAFILE; the build embeds it, the release has it as a file.
 */

const LICENSE_FILE = /^(licen[cs]e|copying|notice)(\.(md|txt))?$|\.LICENSE\.txt$/i;
const RULE = "=".repeat(100);

interface Package {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly from: string;
  readonly texts: readonly string[];
}

function main(metafile: string): string {
  const { inputs }: { inputs: Record<string, unknown> } = JSON.parse(readFileSync(metafile, "utf8"));
  const folders = new Set(Object.keys(inputs).flatMap((file) => packageFolder(file) ?? []));
  const packages = [...folders].map(readPackage).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const texts = new Map(packages.flatMap(({ license, texts: [first] }) => (first ? [[license, first]] : [])));
  return [
    "Gatehouse is under the MIT license, see LICENSE. Its executable holds the following software of others.",
    bun(),
    makers(),
    ...packages.map((one) => section(one, texts)),
  ].join("\n\n");
}

/** `node_modules/a/node_modules/@b/c` of a file in it. */
function packageFolder(file: string): string | undefined {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0];
}

function readPackage(folder: string): Package {
  const values = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const { name, version, license = "the license below", homepage, repository, author } = values;
  const from = homepage ?? repository?.url ?? repository ?? author?.name ?? author ?? "";
  const texts = readdirSync(folder)
    .filter((file) => LICENSE_FILE.test(file))
    .toSorted()
    .map((file) => readFileSync(join(folder, file), "utf8").trim());
  return { name, version, license, from, texts };
}

/** A package without a file of its license has that of another one with the same. Throws where there is none. */
function section(
  { name, version, license, from, texts }: Package,
  known: ReadonlyMap<string, string>,
): string {
  const others = known.get(license);
  if (texts.length === 0 && others === undefined)
    throw new Error(`${name} has no license file, and no other package has ${license}`);
  const notices = texts.length > 0 ? texts : [`Its package has no file of it; it says:\n\n${others}`];
  return [`${RULE}\n${name} ${version}, ${license}\n${from}\n${RULE}`, ...new Set(notices)].join("\n\n");
}

/** What scripts/makers.ts makes of a package that names its license and has no file of it. */
function makers(): string {
  const { name, version, license, from } = readPackage("node_modules/oui-data");
  const text = readFileSync("src/domain/goods/devices/makers-license.txt", "utf8").trim();
  return `${RULE}\n${name} ${version}, ${license}: the makers of devices, made from it\n${from}\n${RULE}\n\n${text}`;
}

/** Bun's own word about itself and what is linked into it, as its documentation of this version has it. */
function bun(): string {
  const version = packageManager.replace("bun@", "");
  const types = "node_modules/bun-types";
  if (readPackage(types).version !== version) throw new Error(`${types} is not of Bun ${version}`);
  const page = readFileSync(join(types, "docs/project/license.mdx"), "utf8");
  const text = page.replace(/^---\n.*?\n---\n/s, "").trim();
  return `${RULE}\nBun ${version}, MIT, with libraries under their own licenses\nhttps://bun.sh\n${RULE}\n\n${text}`;
}

const [, , metafile = ""] = process.argv;
process.stdout.write(`${main(metafile)}\n`);
