import type { Origin } from "../../model.ts";
import { MovingRefused } from "../../source.ts";
import { Scanner, type Token } from "./scanner.ts";

/** One `add` or `set` of an export, its values as the router holds them. */
export interface ExportItem {
  /** "ppp secret" */
  readonly menu: string;
  readonly command: "add" | "set";
  readonly at: Origin;
  readonly values: ReadonlyMap<string, string>;
  /** Of `set`: what stands between the command and its values, such as `[ find default=yes ]` or `*0`. */
  readonly item: string;
}

export interface RouterExport {
  /** "7.16.1"; undefined where the export does not begin with the line that says it. */
  readonly version: string | undefined;
  readonly items: readonly ExportItem[];
}

/** Bytes of an export: those of routers with 20,000 users have some five million. */
const MAX_BYTES = 128 * 1024 * 1024;

/**
 * Reads what `/export` printed, terse and verbose ones too: lines that are continued with a backslash, quoted values, `\E0` bytes.
 * Commands of scripts are left out. Throws MovingRefused for what is no export, or one that is cut off.
 */
export function readExport(bytes: Uint8Array, name: string): RouterExport {
  if (bytes.length > MAX_BYTES)
    throw new MovingRefused(
      `${name} is larger than 128 MB, which no export of a router is; give the right file`,
    );
  refuseBinary(bytes, name);
  // each byte is a character while it is taken apart: escapes are bytes too
  const text = Buffer.from(bytes)
    .toString("latin1")
    .replace(/^\u00ef\u00bb\u00bf/, "");
  const version = /^# .*\bby RouterOS (\d[\w.]*)/m.exec(text)?.[1];
  const items: ExportItem[] = [];
  let menu = "";
  for (const { tokens, line } of commands(text, name)) {
    const start = tokens[0]?.text ?? "";
    let rest = tokens;
    if (start.startsWith("/")) {
      const end = tokens.findIndex(({ text: word }, at) => at > 0 && (word === "add" || word === "set"));
      const path = tokens.slice(0, end < 0 ? tokens.length : end).map(({ text: word }) => word);
      menu = path.join(" ").replaceAll("/", " ").trim().replaceAll(/\s+/g, " ");
      if (end < 0) continue;
      rest = tokens.slice(end);
    }
    const item = itemOf(menu, rest, { file: name, line });
    if (item) items.push(item);
  }
  if (version === undefined && items.length === 0)
    throw new MovingRefused(
      `${name} is no export of a router: it has no line such as "/ppp secret" with "add name=..." below; make it by /export show-sensitive file=gatehouse (RouterOS 6: /export file=gatehouse)`,
    );
  return { version, items };
}

/** A backup is not an export: it is encrypted, or packed, and for one router alone. */
function refuseBinary(bytes: Uint8Array, name: string): void {
  const start = bytes.subarray(0, 4096);
  if (start[0] === 0xff && start[1] === 0xfe)
    throw new MovingRefused(`${name} is in UTF-16; save it as UTF-8, or fetch it from the router anew`);
  if (!start.some((byte) => byte < 9)) return;
  throw new MovingRefused(
    `${name} is no text; a .backup file cannot be read, make an export by /export show-sensitive file=gatehouse`,
  );
}

/** The commands, each taken apart, with the line at which it begins. */
function* commands(text: string, name: string): Generator<{ tokens: Token[]; line: number }> {
  let at = 0;
  let line = 1;
  while (at < text.length) {
    const begins = line;
    const scanner = new Scanner(text, at);
    const tokens = scanner.command();
    line += scanner.lines;
    at = scanner.at;
    if (scanner.broken)
      throw new MovingRefused(
        `${name} ends in the middle of the command at line ${begins}: it was cut off; make the export again`,
      );
    if (tokens.length > 0) yield { tokens, line: begins };
  }
}

function itemOf(menu: string, [command, ...rest]: Token[], at: Origin): ExportItem | undefined {
  if (menu === "" || (command?.text !== "add" && command?.text !== "set")) return undefined;
  const values = new Map<string, string>();
  const words: string[] = [];
  for (const { text, valueAt } of rest) {
    if (valueAt < 0) words.push(decoded(text));
    else values.set(text.slice(0, valueAt - 1), decoded(text.slice(valueAt)));
  }
  return { menu, command: command.text, at, values, item: words.join(" ") };
}

const utf8 = new TextDecoder("utf-8", { fatal: true });
/** What Winbox writes where Windows writes Western European. */
const western = new TextDecoder("windows-1252");

/** Bytes as text: UTF-8 where they are, else Windows-1252. */
function decoded(text: string): string {
  if (!/[\u0080-\u00ff]/.test(text)) return text;
  const bytes = Buffer.from(text, "latin1");
  try {
    return utf8.decode(bytes);
  } catch {
    return western.decode(bytes);
  }
}
