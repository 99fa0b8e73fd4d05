import { LIVE_PATH } from "../../../src/http/console/guard.ts";
import type { Notes } from "../notes.ts";
import type { Answer, Visitor } from "./visitor.ts";
import { routes } from "./world.ts";

/** It does not end by itself. */
export const LIVE = LIVE_PATH;

/** A path of a route, with 1 for each of its parameters. */
export function filled(path: string): string {
  return path.replaceAll(/:\w+/g, "1");
}

export const pagePaths = routes
  .filter(({ method, path }) => method === "GET" && path !== LIVE)
  .map(({ path }) => filled(path));
export const formPaths = routes.filter(({ method }) => method === "POST").map(({ path }) => filled(path));

const patterns = routes
  .filter(({ method, path }) => method === "GET" && path !== LIVE)
  .map(({ path }) => ({ path, form: new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+")}$`) }));

/**
 * Every page, and what they link to: for each route so many paths as were found. So that a page is looked at with ids that there are,
 * whatever its parameters mean. `look` sees each of them.
 */
export async function crawl(
  visitor: Visitor,
  notes: Notes,
  { each, look }: { each: number; look: (path: string, answer: Answer) => void },
): Promise<string[]> {
  const found = new Map<string, Set<string>>(patterns.map(({ path }) => [path, new Set()]));
  const waiting = [...pagePaths];
  const seen = new Set<string>();
  while (waiting.length > 0) {
    const path = waiting.shift() ?? "";
    const [bare = ""] = path.split("?");
    const known = found.get(patterns.find(({ form }) => form.test(bare))?.path ?? "");
    if (!known || seen.has(path) || (known.size >= each && !pagePaths.includes(path))) continue;
    seen.add(path);
    const answer = await visitor.get(path);
    const { status, text } = answer;
    notes.expect(status < 500, `${path} broke: ${status}`);
    if (status !== 200) continue;
    known.add(path);
    look(path, answer);
    for (const [, link = ""] of text.matchAll(/(?:href|hx-get)="(\/console[^"#]*)/g))
      waiting.push(link.replaceAll("&amp;", "&"));
  }
  return Array.from(found.values(), (paths) => Array.from(paths)).flat();
}
