export interface Statement {
  readonly menu: string;
  readonly text: string;
  readonly verb: string;
  /** Of a `set`: `default-name=ether1`; empty for a record or `add`. */
  readonly row: string;
  readonly values: ReadonlyMap<string, string>;
}

/** Statements with the menus that the copy lacks. */
export interface Statements {
  readonly all: readonly Statement[];
  readonly missing: ReadonlySet<string>;
  /** Truncated: missing rows may have followed. */
  readonly isBrokenOff: boolean;
}

const FAILED = /^#error exporting "?([^"(\s]*(?: [^"(\s]+)*)"?/;
const BROKEN_OFF = /^#interrupted/m;

export const isPartial = (text: string) => /^#error exporting/m.test(text) || BROKEN_OFF.test(text);

/** Parses `/export` (RouterOS manual, Configuration Management); ignores anything else. */
export function parseStatements(text: string): Statements {
  const missing = new Set<string>();
  const all: Statement[] = [];
  let menu = "";
  for (const line of joined(text)) {
    const failed = FAILED.exec(line)?.[1];
    if (failed !== undefined) missing.add(menuNamed(failed));
    else if (line.startsWith("/")) menu = menuNamed(line);
    else if (line !== "" && !line.startsWith("#")) all.push(statement(menu, line));
  }
  return { all, missing, isBrokenOff: BROKEN_OFF.test(text) };
}

/** Older notation of `/ip firewall filter`. */
const menuNamed = (text: string) =>
  text
    .trim()
    .replace(/^(?!\/)/, "/")
    .replaceAll(" ", "/");

/** Joins lines cut at 80 characters by a backslash. */
function joined(text: string): string[] {
  const lines: string[] = [];
  let begun = "";
  for (const line of text.split(/\r?\n/)) {
    const whole = begun === "" ? line.trimEnd() : begun + line.replace(/^ +/, "");
    const slashes = /\\*$/.exec(whole)?.[0].length ?? 0;
    if (slashes % 2 === 1) begun = whole.slice(0, -1);
    else {
      lines.push(whole);
      begun = "";
    }
  }
  return begun === "" ? lines : [...lines, begun];
}

const WORD = /\[([^\]]*)\]|([\w.-]+)=("(?:[^"\\]|\\.)*"|[^\s"]*)|("(?:[^"\\]|\\.)*"|[^\s[\]]+)/g;

function statement(menu: string, text: string): Statement {
  const [verb = "", rest = ""] = /^(\S+)\s*(.*)$/s.exec(text)?.slice(1) ?? [];
  const values = new Map<string, string>();
  let row = "";
  for (const [, found, name, value = "", bare] of rest.matchAll(WORD)) {
    if (name !== undefined) values.set(name, unquoted(value));
    else row ||= (found ?? bare ?? "").replace(/^\s*find\s+|\s+$/g, "");
  }
  return { menu, text, verb, row, values };
}

function unquoted(value: string): string {
  if (!value.startsWith('"')) return value;
  return value.slice(1, -1).replace(/\\(["\\$?])/g, "$1");
}
