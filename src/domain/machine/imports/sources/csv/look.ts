import type { OrderFound } from "../../dates.ts";
import type { SourceFile } from "../../source.ts";
import {
  type ColumnLook,
  type Confidence,
  joined,
  plainHeader,
  type TableKind,
  type Target,
} from "./columns.ts";
import { detectEncoding, type Encoding } from "./encoding.ts";
import { byTheirForm, fit, speeds, speedShare } from "./fit.ts";
import { findTarget } from "./headers.ts";
import type { ColumnMap, TableMap } from "./map.ts";
import { Facts, isDeciding, type UnknownWord } from "./facts.ts";
import { parseStanding } from "./standing.ts";
import { detectDelimiter, tableRows } from "./table.ts";
import type { DecimalSeen } from "./values.ts";

export interface TableLook {
  readonly file: string;
  readonly kind: TableKind;
  readonly encoding: Encoding;
  readonly delimiter: string;
  readonly columns: readonly ColumnLook[];
  readonly rows: number;
  readonly dates: OrderFound;
  readonly decimal: DecimalSeen["found"];
  readonly unknown: readonly UnknownWord[];
}

const SAMPLE = 200;
const LISTED = 3;

/** The look at a table: encoding, delimiter and columns. Throws MovingRefused. */
export async function lookAtTable(
  file: SourceFile,
  map: ColumnMap,
  onBytes: (bytes: number) => void = () => {},
): Promise<TableLook> {
  const own = map.files.get(file.name);
  const stated = own?.encoding ?? map.all.encoding;
  const found = await detectEncoding(file);
  const encoding = stated === undefined ? found : { name: stated, sure: true };
  const delimiter = own?.delimiter ?? map.all.delimiter ?? (await detectDelimiter(file, encoding.name));
  const [sample, rest] = [
    [] as (readonly string[])[],
    tableRows(file, { encoding: encoding.name, delimiter, onBytes }),
  ];
  let headers: string[] = [];
  let facts = new Facts("subscribers");
  let columns: readonly ColumnLook[] | undefined;
  let kind: TableKind = "subscribers";
  const decide = () => {
    kind = own?.kind ?? map.all.kind ?? guessKind(headers);
    facts = new Facts(kind);
    columns = guessColumns(headers, sample, { kind, own, all: map.all });
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

function guessKind(headers: readonly string[]): TableKind {
  const exact = (kind: TableKind) =>
    new Set(
      headers.flatMap((header) => {
        const found = findTarget(kind, header);
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
  /** Whether it counts beside others: nobody in any of them may be cut off. */
  readonly stays?: boolean;
}

function guessColumns(
  headers: readonly string[],
  rows: readonly (readonly string[])[],
  maps: Maps,
): readonly ColumnLook[] {
  const readValues = (index: number) =>
    rows.map((cells) => cells[index] ?? "").filter((value) => value.trim() !== "");
  const candidates = withMobile(
    headers.map((header, index) => guessTarget(header, readValues(index), maps)),
    readValues,
  );
  return candidates.map((candidate, at): ColumnLook => {
    const { header, target, confidence, samples } = candidate;
    const others = target === null || joined.has(target) || candidate.stays === true ? [] : candidates;
    const isBeaten = others.some((other, otherAt) => beats(other, otherAt, candidate, at));
    if (isBeaten) return { header, target: null, confidence: "none", samples };
    return { header, target, confidence, samples };
  });
}

/** Landlines get no messages. */
const LANDLINE = /\b(landline|home|fix|fijo|fixo|fixe|fisso|festnetz|sabit|rumah|work|office)\b/;

/** Columns, of which the first telephone is the mobile one where there is no other. */
function withMobile(
  candidates: readonly Candidate[],
  readValues: (index: number) => readonly string[],
): readonly Candidate[] {
  if (candidates.some(({ target }) => target === "mobile_number")) return candidates;
  const phones = candidates.flatMap((candidate, at) => {
    const isPhone = candidate.target === "phone_number" && candidate.confidence !== "given";
    const isMobile = isPhone && !LANDLINE.test(plainHeader(candidate.header));
    return isMobile && (fit("mobile_number", readValues(at)) ?? 1) >= 0.5 ? [{ candidate, at }] : [];
  });
  const [first] = phones.toSorted((one, other) =>
    beats(one.candidate, one.at, other.candidate, other.at) ? -1 : 1,
  );
  return candidates.map((candidate) =>
    candidate === first?.candidate ? Object.assign({}, candidate, { target: "mobile_number" }) : candidate,
  );
}

const ORDER: readonly Confidence[] = ["given", "sure", "likely", "perhaps", "none"];

function beats(one: Candidate, at: number, other: Candidate, otherAt: number): boolean {
  if (at === otherAt || one.target !== other.target) return false;
  const [a, b] = [ORDER.indexOf(one.confidence), ORDER.indexOf(other.confidence)];
  if (a !== b) return a < b;
  return one.rank !== other.rank ? one.rank < other.rank : at < otherAt;
}

function guessTarget(header: string, values: readonly string[], { kind, own, all }: Maps): Candidate {
  const samples = values.slice(0, LISTED);
  const value = own?.columns.get(header) ?? (own?.columns.has(header) ? null : all.columns.get(header));
  if (value !== undefined)
    return {
      header,
      target: value,
      confidence: value === null ? "none" : "given",
      samples,
      rank: 0,
      stays: isDeciding(kind, value),
    };
  const found = findTarget(kind, header);
  if (found && isDeciding(kind, found.target)) {
    const { target } = found;
    const known = values.filter((value) => parseStanding(value, target) !== undefined).length;
    // unknown words are asked about, never guessed
    if (!found.exact && known === 0) return { header, target: null, confidence: "none", samples, rank: 0 };
    const stays = found.exact && known * 2 >= values.length && values.length > 0;
    return { header, ...found, confidence: found.exact ? "sure" : "likely", samples, stays };
  }
  const isSpeed = found && kind !== "packages" && speeds.has(found.target);
  const share = isSpeed ? speedShare(values, header) : found && fit(found.target, values);
  // the map may know further connection words
  if (found?.exact && (share === undefined || share >= 0.5 || found.target === "connection"))
    return { header, ...found, confidence: "sure", samples };
  if (found && !found.exact && (share === undefined || share >= 0.8))
    return { header, ...found, confidence: "likely", samples };
  const byValues = kind === "subscribers" && values.length >= 3 ? byTheirForm(values) : undefined;
  if (byValues) return { header, target: byValues, confidence: "perhaps", samples, rank: 2000 };
  return { header, target: null, confidence: "none", samples, rank: 0 };
}
