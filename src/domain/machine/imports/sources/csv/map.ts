import { MovingRefused } from "../../source.ts";
import type { DateOrder } from "../../dates.ts";
import { type TableKind, type Target, targetsByKind } from "./columns.ts";
import { parseStanding, plainWord } from "./standing.ts";
import { type ConnectionWord, type DecimalSign, parseConnection } from "./values.ts";

/** Explicit choices for a table. */
export interface TableMap {
  readonly kind?: TableKind;
  /** By header; null drops a column. */
  readonly columns: ReadonlyMap<string, Target | null>;
  readonly encoding?: string;
  readonly delimiter?: string;
  readonly dates?: DateOrder;
  readonly decimal?: DecimalSign;
}

export interface NamedRouter {
  readonly name: string;
  readonly address?: string;
  readonly secret?: string;
}

/** How tables and their values are read. */
export interface ColumnMap {
  /** For all files; single ones by name. */
  readonly all: TableMap;
  readonly files: ReadonlyMap<string, TableMap>;
  /** Package and router names by their names in tables. */
  readonly packages: ReadonlyMap<string, string>;
  readonly routers: ReadonlyMap<string, NamedRouter>;
  readonly connection: ReadonlyMap<string, ConnectionWord>;
  /** By normalized word. */
  readonly status: ReadonlyMap<string, "on" | "off">;
  /** For empty cells and missing columns. */
  readonly defaults: ReadonlyMap<Target, string>;
}

const KINDS = Object.keys(targetsByKind) as TableKind[]; // the keys of a constant
const TABLE = ["kind", "columns", "encoding", "delimiter", "dates", "decimal"];
const MAP = [...TABLE, "files", "packages", "nas", "connection", "status", "defaults"];

export function readMap(value: unknown): ColumnMap {
  const map = value === undefined || value === null ? {} : parseObject(value, "the map");
  refuseUnknown(map, MAP, "the map");
  return {
    all: tableMap(map, "the map"),
    files: new Map(entries(map["files"], "files").map(([name, value]) => [name, fileMap(name, value)])),
    packages: new Map(
      entries(map["packages"], "packages").map(([key, name]) => [key, parseText(name, `packages.${key}`)]),
    ),
    routers: new Map(entries(map["nas"], "nas").map(([key, value]) => [key, parseRouter(key, value)])),
    connection: new Map(
      entries(map["connection"], "connection").map(([key, value]) => {
        const word = parseConnection(parseText(value, `connection.${key}`));
        if (word === undefined) throw wrong(`connection.${key}`, "pppoe, hotspot, static or any");
        return [key.trim().toLowerCase(), word];
      }),
    ),
    status: new Map(
      entries(map["status"], "status").map(([key, value]) => [
        plainWord(key),
        onOrOff(parseText(value, `status.${key}`), `status.${key}`),
      ]),
    ),
    defaults: new Map(
      entries(map["defaults"], "defaults").map(([key, value]) => [
        targetNamed(key, "subscribers", `defaults.${key}`),
        parseText(value, `defaults.${key}`),
      ]),
    ),
  };
}

function fileMap(name: string, value: unknown): TableMap {
  const map = parseObject(value, `files.${name}`);
  refuseUnknown(map, TABLE, `files.${name}`);
  return tableMap(map, `files.${name}`);
}

function tableMap(map: Readonly<Record<string, unknown>>, where: string): TableMap {
  const kind = parseChoice(map["kind"], KINDS, `${where}: kind`);
  const dates = parseChoice(map["dates"], ["dmy", "mdy"] as const, `${where}: dates`);
  const decimal = parseChoice(map["decimal"], [".", ","] as const, `${where}: decimal`);
  const columns = entries(map["columns"], `${where}: columns`).map(
    ([header, target]): [string, Target | null] => {
      const at = `${where}: columns.${header}`;
      return [
        header.trim(),
        target === null || target === "" ? null : targetNamed(parseText(target, at), kind, at),
      ];
    },
  );
  return {
    columns: new Map(columns),
    ...(kind && { kind }),
    ...(map["encoding"] !== undefined && { encoding: parseText(map["encoding"], `${where}: encoding`) }),
    ...(map["delimiter"] !== undefined && { delimiter: parseDelimiter(map["delimiter"], where) }),
    ...(dates && { dates }),
    ...(decimal && { decimal }),
  };
}

function parseDelimiter(value: unknown, where: string): string {
  const text = parseText(value, `${where}: delimiter`);
  if (text === "\\t" || text === "tab") return "\t";
  if (text.length !== 1) throw wrong(`${where}: delimiter`, 'one sign, such as ";"');
  return text;
}

function targetNamed(name: string, kind: TableKind | undefined, where: string): Target {
  const names = kind ? targetsByKind[kind] : [...new Set(KINDS.flatMap((each) => targetsByKind[each]))];
  const found = names.find((target) => target === name);
  if (found === undefined) throw wrong(where, names.join(", "));
  return found;
}

function onOrOff(text: string, where: string): "on" | "off" {
  const standing = text.trim() === "" ? undefined : parseStanding(text, "status");
  if (standing === "on" || standing === "off") return standing;
  throw wrong(where, "on or off");
}

function parseRouter(key: string, value: unknown): NamedRouter {
  if (typeof value === "string") return { name: value };
  const map = parseObject(value, `nas.${key}`);
  refuseUnknown(map, ["name", "address", "secret"], `nas.${key}`);
  const { name, address, secret } = map;
  return {
    name: parseText(name, `nas.${key}.name`),
    ...(address !== undefined && { address: parseText(address, `nas.${key}.address`) }),
    ...(secret !== undefined && { secret: parseText(secret, `nas.${key}.secret`) }),
  };
}

function entries(value: unknown, where: string): [string, unknown][] {
  return value === undefined || value === null ? [] : Object.entries(parseObject(value, where));
}

function parseObject(value: unknown, where: string): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw wrong(where, "a JSON object");
  return { ...value };
}

function parseText(value: unknown, where: string): string {
  if (typeof value === "number") return String(value);
  if (typeof value !== "string") throw wrong(where, "a text");
  return value;
}

function parseChoice<T extends string>(value: unknown, allowed: readonly T[], where: string): T | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  const found = allowed.find((each) => each === value);
  if (found === undefined) throw wrong(where, allowed.join(", "));
  return found;
}

function refuseUnknown(map: object, known: readonly string[], where: string): void {
  for (const name of Object.keys(map))
    if (!known.includes(name)) throw wrong(`${where}: ${name}`, `one of ${known.join(", ")}`);
}

function wrong(where: string, needed: string): MovingRefused {
  return new MovingRefused(`${where} has to be ${needed}`);
}
