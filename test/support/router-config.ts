import { insert } from "../../db/insert.ts";
import type { Db } from "../../db/open.ts";
import { routerConfigs } from "../../db/schema.ts";
import type { FakeConfig } from "./fake-routeros-config.ts";
import type { FakeRow } from "./fake-routeros.ts";

/** Two stored configurations of a router, 1 and 2: telnet was switched on, and a rule was added. */
export function insertConfigs(db: Db, nasId: number, now: number): void {
  const rule = "add action=drop chain=input comment=telnet dst-port=23 protocol=tcp";
  const texts = [
    "# 2026-11-21 03:00:00 by RouterOS 7.16.1\n/ip service\nset telnet disabled=yes\n/system identity\nset name=core\n",
    `# 2026-11-22 03:00:00 by RouterOS 7.16.1\n/ip firewall filter\n${rule}\n/ip service\nset telnet address=10.0.0.0/8\n/system identity\nset name=core\n`,
  ];
  for (const [index, text] of texts.entries()) {
    const at = now - (2 - index) * 86_400;
    insert(db, routerConfigs, {
      nasId,
      keptAt: at,
      seenAt: at,
      source: "export",
      version: "7.16.1",
      bytes: text.length,
      textSealed: db.vault.seal(Bun.gzipSync(text)),
    });
  }
}

/** What an export of a router says: rows as commands that make them, accounts and what is secret left out. */
export function exportOf(config: FakeConfig): string {
  const menus: [string, FakeRow[]][] = JSON.parse(config.export());
  const lines = [`# by RouterOS ${config.version}`];
  for (const [menu, rows] of menus) {
    if (menu.startsWith("/user") || rows.length === 0) continue;
    lines.push(menu.replaceAll("/", " ").replace(" ", "/"));
    for (const row of rows) {
      const values = Object.entries(row).filter(([name]) => !/^\.id$|password|secret/.test(name));
      const words = values.map(([name, value]) => ` ${name}=${value === "" ? '""' : value}`);
      lines.push(`${row[".id"] === undefined ? "set" : "add"}${words.join("")}`);
    }
  }
  return `${lines.join("\n")}\n`;
}

export interface ExportsOptions {
  text: string;
  /** The reason of a refused export. */
  refuses?: string;
  /** Bytes of the file that it delivers. */
  hands?: number;
  /** Polls until the file exists. */
  late?: number;
  /** Fails to remove the file. */
  keeps?: string;
}

/** Lets a router export into a file, by the manual: files are read in chunks of 32,768 bytes from 7 on, before that by `contents`. */
export function exporting(config: FakeConfig, options: ExportsOptions) {
  const files = new Map<string, string>();
  const isSeven = config.version.startsWith("7");
  const trap = (message: string) => [["!trap", `=message=${message}`], ["!done"]];
  const value = (words: readonly string[], name: string) =>
    words.find((word) => word.startsWith(name))?.slice(name.length);
  const requests: string[][] = [];
  let looks = 0;
  config.commands["/export"] = (words) => {
    requests.push([...words]);
    if (options.refuses !== undefined) return trap(options.refuses);
    const known = ["=file=", ...(isSeven ? ["=show-sensitive="] : ["=hide-sensitive="])];
    if (words.some((word) => !known.some((name) => word.startsWith(name)))) return trap("unknown parameter");
    files.set(`${value(words, "=file=")}.rsc`, options.text);
    looks = 0;
    return [["!done"]];
  };
  config.commands["/file/print"] = (words) => {
    const name = value(words, "?name=") ?? "";
    const text = files.get(name);
    if (text === undefined || looks++ < (options.late ?? 0))
      return [...(isSeven ? [["!empty"]] : []), ["!done"]];
    const size = `=size=${Buffer.byteLength(text)}`;
    const contents = words.includes("=.proplist=contents");
    const row = contents ? [`=contents=${text.slice(0, options.hands)}`] : ["=.id=*7", `=name=${name}`, size];
    return [["!re", ...row], ["!done"]];
  };
  config.commands["/file/read"] = (words) => {
    if (!isSeven) return trap("no such command");
    const [offset, length] = ["=offset=", "=chunk-size="].map((name) => Number(value(words, name)));
    if (length === undefined || length > 32_768) return trap("value of chunk-size out of range (1..32768)");
    const text = files.get(value(words, "=file=") ?? "");
    if (text === undefined) return trap("no such item");
    const data = text.slice(0, options.hands).slice(offset, (offset ?? 0) + length);
    return [["!re", `=data=${data}`], ["!done"]];
  };
  config.commands["/file/remove"] = () => {
    if (options.keeps !== undefined) return trap(options.keeps);
    files.clear();
    return [["!done"]];
  };
  return { files, asked: requests };
}
