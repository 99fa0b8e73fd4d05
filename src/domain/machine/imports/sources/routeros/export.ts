import type { Origin } from "../../model.ts";
import { MovingRefused } from "../../source.ts";
import { Scanner, type Token } from "./scanner.ts";

/** One `add` or `set` with its values. */
export interface ExportItem {
  readonly menu: string;
  readonly command: "add" | "set";
  readonly at: Origin;
  readonly values: ReadonlyMap<string, string>;
  /** Of `set`: its target, such as `[ find default=yes ]` or `*0`. */
  readonly item: string;
}

export interface RouterExport {
  readonly version: string | undefined;
  readonly items: readonly ExportItem[];
}

const MAX_BYTES = 128 * 1024 * 1024;

/**
 * Parses `/export`, terse or verbose: continued lines, quoted values, `\E0` bytes. Scripts' commands are skipped. Throws
 * MovingRefused for no export or a truncated one.
 */
export function readExport(bytes: Uint8Array, name: string): RouterExport {
  if (bytes.length > MAX_BYTES)
    throw new MovingRefused(
      `${name} is larger than 128 MB, which no export of a router is; give the right file`,
    );
  refuseBinary(bytes, name);
  // as latin1, one character a byte, for escapes are bytes
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
    const item = parseItem(menu, rest, { file: name, line });
    if (item) items.push(item);
  }
  if (version === undefined && items.length === 0)
    throw new MovingRefused(
      `${name} is no export of a router: it has no line such as "/ppp secret" with "add name=..." below; make it by /export show-sensitive file=gatehouse (RouterOS 6: /export file=gatehouse)`,
    );
  return { version, items };
}

function refuseBinary(bytes: Uint8Array, name: string): void {
  const start = bytes.subarray(0, 4096);
  if (start[0] === 0xff && start[1] === 0xfe)
    throw new MovingRefused(`${name} is in UTF-16; save it as UTF-8, or fetch it from the router anew`);
  if (!start.some((byte) => byte < 9)) return;
  throw new MovingRefused(
    `${name} is no text; a .backup file cannot be read, make an export by /export show-sensitive file=gatehouse`,
  );
}

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

function parseItem(menu: string, [command, ...rest]: Token[], at: Origin): ExportItem | undefined {
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
/** Winbox's encoding on Western Windows. */
const western = new TextDecoder("windows-1252");

/** UTF-8, else Windows-1252. */
function decoded(text: string): string {
  if (!/[\u0080-\u00ff]/.test(text)) return text;
  const bytes = Buffer.from(text, "latin1");
  try {
    return utf8.decode(bytes);
  } catch {
    return western.decode(bytes);
  }
}
