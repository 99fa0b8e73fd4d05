import { type OrderFound, sourceTime } from "../../dates.ts";
import type { SourceFile } from "../../source.ts";
import { joined, type TableKind, type Target } from "./columns.ts";
import { detectEncoding, type Encoding } from "./encoding.ts";
import { targetOfHeader } from "./headers.ts";
import type { ColumnMap, TableMap } from "./map.ts";
import { Facts, isDeciding, type UnknownWord } from "./facts.ts";
import { standingOf, truthOf } from "./standing.ts";
import { detectDelimiter, tableRows } from "./table.ts";
import { amountOf, connectionOf, type DecimalSeen, isNothing } from "./values.ts";

/** How sure it is what a column becomes: said by the map, by its header, by a part of its header, by its values; or nothing. */
export type Confidence = "given" | "sure" | "likely" | "perhaps" | "none";

export interface ColumnLook {
  /** Unique in its table. */
  readonly header: string;
  /** null: it is left out. */
  readonly target: Target | null;
  readonly confidence: Confidence;
  /** Its first values that are not empty. */
  readonly samples: readonly string[];
}

/** What a table is, before it is read. */
export interface TableLook {
  readonly file: string;
  readonly kind: TableKind;
  readonly encoding: Encoding;
  readonly delimiter: string;
  readonly columns: readonly ColumnLook[];
  readonly rows: number;
  readonly dates: OrderFound;
  readonly decimal: DecimalSeen["found"];
  /** Words of columns that decide who gets in, which nobody knows but who wrote them. */
  readonly unknown: readonly UnknownWord[];
}

/** Rows that guesses are made from. */
const SAMPLE = 200;
const SHOWN = 3;

/** Looks at a table: how its bytes are text, what parts its cells, and what its columns are. Throws MovingRefused. */
export async function lookAtTable(
  file: SourceFile,
  map: ColumnMap,
  heard: (bytes: number) => void = () => {},
): Promise<TableLook> {
  const own = map.files.get(file.name);
  const said = own?.encoding ?? map.all.encoding;
  const found = await detectEncoding(file);
  const encoding = said === undefined ? found : { name: said, sure: true };
  const delimiter = own?.delimiter ?? map.all.delimiter ?? (await detectDelimiter(file, encoding.name));
  const [sample, rest] = [
    [] as (readonly string[])[],
    tableRows(file, { encoding: encoding.name, delimiter, heard }),
  ];
  let headers: string[] = [];
  let facts = new Facts("subscribers");
  let columns: readonly ColumnLook[] | undefined;
  let kind: TableKind = "subscribers";
  const decide = () => {
    kind = own?.kind ?? map.all.kind ?? kindOf(headers);
    facts = new Facts(kind);
    columns = columnsOf(headers, sample, { kind, own, all: map.all });
    for (const cells of sample) facts.add(columns, cells);
  };
  for await (const { cells } of rest) {
    if (headers.length === 0) headers = uniqueHeaders(cells);
    else if (columns) facts.add(columns, cells);
    else if (sample.push(cells) === SAMPLE) decide();
  }
  if (!columns) decide();
  return { file: file.name, kind, encoding, delimiter, columns: columns ?? [], ...facts.found };
}

function uniqueHeaders(cells: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return cells.map((cell, index) => {
    const header = cell.trim() || `Column ${index + 1}`;
    const count = (seen.get(header) ?? 0) + 1;
    seen.set(header, count);
    return count === 1 ? header : `${header} (${count})`;
  });
}

/** By the headers that are just so. */
function kindOf(headers: readonly string[]): TableKind {
  const exact = (kind: TableKind) =>
    new Set(
      headers.flatMap((header) => {
        const found = targetOfHeader(kind, header);
        return found?.exact ? [found.target] : [];
      }),
    );
  const people = exact("subscribers");
  const isPerson = ["username", "mobile_number", "email", "expires_at", "mac_address"].some((target) =>
    people.has(target as Target),
  );
  if (isPerson) return "subscribers";
  const routers = exact("routers");
  if (routers.has("secret") && routers.has("address")) return "routers";
  const packages = exact("packages");
  const isPackage = ["price", "rate_limit", "download", "upload", "duration", "data_quota"].some((target) =>
    packages.has(target as Target),
  );
  return isPackage && (packages.has("name") || packages.has("key")) ? "packages" : "subscribers";
}

interface Maps {
  readonly kind: TableKind;
  readonly own: TableMap | undefined;
  readonly all: TableMap;
}

interface Candidate extends ColumnLook {
  readonly rank: number;
  /** Whether it counts beside others of its target: somebody gets in whom none of them keeps out. */
  readonly stays?: boolean;
}

function columnsOf(
  headers: readonly string[],
  rows: readonly (readonly string[])[],
  maps: Maps,
): readonly ColumnLook[] {
  const candidates = headers.map((header, index) => {
    const values = rows.map((cells) => cells[index] ?? "").filter((value) => value.trim() !== "");
    return candidateOf(header, values, maps);
  });
  return candidates.map((candidate, at): ColumnLook => {
    const { header, target, confidence, samples } = candidate;
    const others = target === null || joined.has(target) || candidate.stays === true ? [] : candidates;
    const isBeaten = others.some((other, otherAt) => beats(other, otherAt, candidate, at));
    if (isBeaten) return { header, target: null, confidence: "none", samples };
    return { header, target, confidence, samples };
  });
}

const ORDER: readonly Confidence[] = ["given", "sure", "likely", "perhaps", "none"];

/** Of two columns for one target the surer one is it, then the one whose header is the better known, then the first. */
function beats(one: Candidate, at: number, other: Candidate, otherAt: number): boolean {
  if (at === otherAt || one.target !== other.target) return false;
  const [a, b] = [ORDER.indexOf(one.confidence), ORDER.indexOf(other.confidence)];
  if (a !== b) return a < b;
  return one.rank !== other.rank ? one.rank < other.rank : at < otherAt;
}

function candidateOf(header: string, values: readonly string[], { kind, own, all }: Maps): Candidate {
  const samples = values.slice(0, SHOWN);
  const given = own?.columns.get(header) ?? (own?.columns.has(header) ? null : all.columns.get(header));
  if (given !== undefined)
    return {
      ...{ header, target: given, confidence: given === null ? "none" : "given", samples, rank: 0 },
      stays: isDeciding(kind, given),
    };
  const found = targetOfHeader(kind, header);
  if (found && isDeciding(kind, found.target)) {
    const { target } = found;
    const known = values.filter((value) => standingOf(value, target) !== undefined).length;
    // words that nobody knows are asked for, and never a reason to leave out who is cut off
    if (!found.exact && known === 0) return { header, target: null, confidence: "none", samples, rank: 0 };
    const stays = found.exact && known * 2 >= values.length && values.length > 0;
    return { header, ...found, confidence: found.exact ? "sure" : "likely", samples, stays };
  }
  const share = found && fit(found.target, values);
  // of a line's type the map may know words that are not known here
  if (found?.exact && (share === undefined || share >= 0.5 || found.target === "connection"))
    return { header, ...found, confidence: "sure", samples };
  if (found && !found.exact && (share === undefined || share >= 0.8))
    return { header, ...found, confidence: "likely", samples };
  const byValues = kind === "subscribers" && values.length >= 3 ? byTheirForm(values) : undefined;
  if (byValues) return { header, target: byValues, confidence: "perhaps", samples, rank: 2000 };
  return { header, target: null, confidence: "none", samples, rank: 0 };
}

const FORMS: readonly (readonly [Target, RegExp])[] = [
  ["mac_address", /^([0-9a-f]{2}[:\-.]?){5}[0-9a-f]{2}$/i],
  ["static_ip", /^\d{1,3}(\.\d{1,3}){3}(\/32)?$/],
  ["email", /^[^\s@]+@[^\s@]+\.[^\s@]+$/],
];

function byTheirForm(values: readonly string[]): Target | undefined {
  return FORMS.find(([, form]) => shareOf(values, (value) => form.test(value.trim())) >= 0.9)?.[0];
}

const isTime = (value: string) =>
  sourceTime(value, "UTC") !== undefined || sourceTime(value, "UTC", { order: "mdy" }) !== undefined;
const isAmount = (value: string) => amountOf(value, ".") !== undefined;

/** What values of a target look like; others can be anything. */
const tests: Partial<Record<Target, (value: string) => boolean>> = {
  ...Object.fromEntries(
    FORMS.map(([target, form]) => [
      target,
      (value: string) => form.test(value.trim().split(/[,;\s]/)[0] ?? ""),
    ]),
  ),
  expires_at: isTime,
  created_at: isTime,
  balance: isAmount,
  package_price: isAmount,
  price: isAmount,
  latitude: (value) => Math.abs(Number(value.replace(",", "."))) <= 90,
  longitude: (value) => Math.abs(Number(value.replace(",", "."))) <= 180,
  connection: (value) => connectionOf(value) !== undefined,
  status: (value) => truthOf(value) !== undefined,
  mac_lock: (value) => truthOf(value) !== undefined,
  auto_renew: (value) => truthOf(value) !== undefined,
  mobile_number: (value) => /^[+\d][\d\s()./-]{3,}$/.test(value.trim().normalize("NFKC")),
};

/** Values from which on it is the column that is something else, and not a value that is wrong. */
const FEWEST = 5;

/** The share of values that can be of the target; undefined where any can, or there are few. */
function fit(target: Target, values: readonly string[]): number | undefined {
  const test = tests[target];
  return test && values.length >= FEWEST
    ? shareOf(values, (value) => isNothing(value) || test(value))
    : undefined;
}

function shareOf(values: readonly string[], test: (value: string) => boolean): number {
  return values.filter(test).length / values.length;
}
