import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dir, "../../systemd");

/** The handbook as it stands in the checkout, by path below systemd/. The executable carries them (scripts/pack.ts). */
export function handbookFiles(): Record<string, string> {
  const pages = readdirSync(join(folder, "handbook"), { recursive: true, encoding: "utf8" });
  const paths = [
    "README.md",
    ...pages.filter((path) => path.endsWith(".md")).map((path) => `handbook/${path}`),
  ];
  return Object.fromEntries(
    paths.sort().map((path) => [path, bare(readFileSync(join(folder, path), "utf8"))]),
  );
}

const pictures = join(folder, "handbook/pictures");

export const pictureNames = (): string[] => readdirSync(pictures).sort();

/** A WebP of the console that a page shows; the executable carries it beside the texts, as it is. */
export function pictureOf(name: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[a-z-]+\.webp$/.test(name)) return undefined;
  try {
    return readFileSync(join(Bun.isStandaloneExecutable ? "/$bunfs/root" : pictures, name));
  } catch {
    return undefined;
  }
}

/** Without what the formatter pads tables with: half of all bytes. */
const bare = (text: string) =>
  text.replaceAll(/^\|.*/gm, (row) => row.replaceAll(/ +/g, " ").replaceAll(/-{4,}/g, "---"));
