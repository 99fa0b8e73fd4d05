import { phrase } from "../../core/errors/phrase.ts";
import { readFileSync } from "node:fs";
import { extname } from "node:path";
import { insert } from "../../../../db/insert.ts";
import type { Db, Tx } from "../../../../db/open.ts";
import { logos } from "../../../../db/schema.ts";
import type { Seconds } from "../../core/time/time.ts";
import { logoFile, MAX_LOGO } from "./branding.ts";

export interface Logo {
  readonly type: string;
  readonly version: string;
  readonly read: () => Uint8Array<ArrayBuffer>;
}

const types: Readonly<Record<string, string>> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".webp": "image/webp",
  ".svg": "image/svg+xml",
};

/** A file or an upload; undefined: none to show. */
export function findLogo(db: Db, named: string): Logo | undefined {
  if (named === "") return undefined;
  const [, id] = /^upload:(\d+)$/.exec(named) ?? [];
  if (id !== undefined) return uploadedLogo(db, Number(id));
  const type = types[extname(named).toLowerCase()];
  const changed = type && logoFile(named)?.mtimeMs;
  if (!type || changed === undefined) return undefined;
  return { type, version: `${named} ${changed}`, read: () => readFileSync(named) };
}

function uploadedLogo({ $client }: Db, id: number): Logo | undefined {
  const found = $client.query<{ type: string }, [number]>("SELECT type FROM logos WHERE id = ?").get(id);
  if (!found) return undefined;
  const read = () => {
    const row = $client
      .query<{ content: Uint8Array<ArrayBuffer> }, [number]>("SELECT content FROM logos WHERE id = ?")
      .get(id);
    return row?.content ?? new Uint8Array();
  };
  return { type: found.type, version: String(id), read };
}

export function keepLogo(
  tx: Tx,
  { ispId, type, content }: { ispId: number; type: string; content: Uint8Array },
  now: Seconds,
): string {
  const id = insert(tx, logos, { ispId, type, content: Buffer.from(content), createdAt: now });
  return `upload:${id}`;
}

export function forgetLogos({ $client }: Tx, ispId: number): void {
  $client.query("DELETE FROM logos WHERE isp_id = ?").run(ispId);
}

export const LOGO_MESSAGE = phrase`must be a PNG, JPEG, WebP or SVG picture of at most 256 KB`;

/** The type of a picture by its magic bytes; undefined: it is no picture, empty or too large. */
export function logoType(content: Uint8Array): string | undefined {
  if (content.length === 0 || content.length > MAX_LOGO) return undefined;
  const head = Buffer.from(content.subarray(0, 12)).toString("latin1");
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (head.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (/^RIFF[^]{4}WEBP/.test(head)) return "image/webp";
  return isSvg(content) ? "image/svg+xml" : undefined;
}

/** Whether the root is `svg`. Scripts are blocked by the Content-Security-Policy. */
function isSvg(content: Uint8Array): boolean {
  const text = new TextDecoder("utf-8", { ignoreBOM: false }).decode(content);
  return /^<(\w+:)?svg[\s>]/.test(text.slice(findRoot(text)));
}

/** What may precede the root, longest prefix first. */
const prologue = [
  ["<?", "?>"],
  ["<!--", "-->"],
  ["<!DOCTYPE", ">"],
] as const;

/** The root's position, or the end. Linear: a regular expression could be made to take minutes. */
function findRoot(text: string): number {
  const blanks = /\s*/y;
  for (let at = 0; ;) {
    blanks.lastIndex = at;
    at += blanks.exec(text)?.[0].length ?? 0;
    const found = prologue.find(([begin]) => text.slice(at, at + begin.length).toUpperCase() === begin);
    if (!found) return at;
    const [begin, end] = found;
    const ends = text.indexOf(end, begin === "<!DOCTYPE" ? findSubsetEnd(text, at) : at + begin.length);
    if (ends === -1) return text.length;
    at = ends + end.length;
  }
}

/** The end of a DOCTYPE's internal subset, or the start without one. */
function findSubsetEnd(text: string, at: number): number {
  const closes = text.indexOf(">", at);
  const opens = text.slice(at, closes === -1 ? undefined : closes).indexOf("[");
  if (opens === -1) return at;
  const ends = text.indexOf("]", at + opens);
  return ends === -1 ? text.length : ends;
}
