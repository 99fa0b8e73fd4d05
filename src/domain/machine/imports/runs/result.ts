import { mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Type, type Static } from "@sinclair/typebox";
import { writePieces } from "../../../core/files/files.ts";
import { BYTE_ORDER_MARK, csvLine } from "../data-set/csv.ts";
import type { Moved } from "../model.ts";
import type { MoveReport } from "../report.ts";
import type { ColumnLook } from "../sources/csv/columns.ts";
import type { TableLook } from "../sources/csv/look.ts";
import { type NoticeKind, noticeHeadings, type Notices } from "../notices.ts";
import { readJson, runFolder, writeWhole } from "./run.ts";

/* A trial's result, beside its files. Notices can be a million rows, so they are paged. */

export const NOTICES_PAGE = 100;
const LISTED = 20;

const personSchema = Type.Object({
  username: Type.String(),
  name: Type.String(),
  phone: Type.String(),
  package: Type.String(),
  expiresAt: Type.Union([Type.Integer(), Type.Null()]),
  balance: Type.String(),
});
export type FoundPerson = Static<typeof personSchema>;

const foundSchema = Type.Object({
  counts: Type.Record(Type.String(), Type.Integer()),
  people: Type.Array(personSchema),
});
/** `report` has the counts. */
export type Found = Static<typeof foundSchema> & { readonly report: MoveReport };

const noticesSchema = Type.Array(
  Type.Object({
    kind: Type.String(),
    at: Type.Union([Type.Object({ file: Type.String(), line: Type.Integer() }), Type.Null()]),
    who: Type.String(),
    text: Type.String(),
  }),
);
export type NoticeRow = Static<typeof noticesSchema>[number];

const resultFolder = (dataFolder: string, id: string) => join(runFolder(dataFolder, id), "result");
const pageFile = (folder: string, kind: string, page: number) => join(folder, `${kind}-${page}.json`);
const NOTICES_FILE = "told.csv";
export const noticesFile = (dataFolder: string, id: string) =>
  join(resultFolder(dataFolder, id), NOTICES_FILE);

/** Replaces the earlier result atomically. */
export function keepResult(
  dataFolder: string,
  id: string,
  { moved, report, notices }: { moved: Moved; report: MoveReport; notices: Notices },
): void {
  const last = resultFolder(dataFolder, id);
  const folder = `${last}.new`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700 });
  const counts: Partial<Record<NoticeKind, number>> = {};
  for (const kind of Object.keys(noticeHeadings) as NoticeKind[]) {
    if (notices.count(kind) === 0) continue;
    counts[kind] = notices.count(kind);
    let page = 0;
    for (const rows of splitRows(notices.each(kind), NOTICES_PAGE))
      writeWhole(pageFile(folder, kind, ++page), JSON.stringify(rows));
  }
  writePieces(join(folder, NOTICES_FILE), formatNotices(notices));
  writeWhole(join(folder, "report.json"), JSON.stringify(report));
  writeWhole(join(folder, "found.json"), JSON.stringify({ counts, people: listPeople(moved) }));
  rmSync(last, { recursive: true, force: true });
  renameSync(folder, last);
}

function* splitRows<T>(rows: Iterable<T>, size: number): Generator<T[], void> {
  let piece: T[] = [];
  for (const row of rows) {
    if (piece.length === size) {
      yield piece;
      piece = [];
    }
    piece.push(row);
  }
  if (piece.length > 0) yield piece;
}

function* formatNotices(notices: Notices): Generator<string, void> {
  yield BYTE_ORDER_MARK + csvLine(["heading", "file", "line", "who", "text"]);
  for (const { kind, at, who, text } of notices.each())
    yield csvLine([noticeHeadings[kind], at?.file ?? "", at?.line ?? null, who, text]);
}

function listPeople({ subscribers, packages }: Moved): FoundPerson[] {
  const names = new Map(packages.map(({ key, name }) => [key, name]));
  const people = Iterator.from(subscribers)
    .take(LISTED)
    .map((one) => ({
      username: one.username.trim(),
      name: one.name ?? "",
      phone: one.mobile_number ?? one.phone_number ?? "",
      package: names.get(one.package ?? "") ?? one.package ?? "",
      expiresAt: one.service?.expiresAt ?? null,
      balance: one.balance ?? "",
    }));
  return [...people];
}

export function loadResult(dataFolder: string, id: string): Found | undefined {
  const folder = resultFolder(dataFolder, id);
  const found = readJson(join(folder, "found.json"), foundSchema);
  const report = readJson(
    join(folder, "report.json"),
    Type.Unsafe<MoveReport>(Type.Object({ counts: Type.Object({}) })),
  );
  return found && report && { ...found, report };
}

/** Pages count from 1. */
export function loadNotices(
  dataFolder: string,
  id: string,
  kind: NoticeKind,
  page: number,
): readonly NoticeRow[] {
  return readJson(pageFile(resultFolder(dataFolder, id), kind, page), noticesSchema) ?? [];
}

/** Tables for the columns page. */
export type KeptLook = readonly TableLook[];

export function keepLooks(dataFolder: string, id: string, looks: KeptLook): void {
  const kept = looks.map((look) => ({ ...look, columns: look.columns.map(withoutSecrets) }));
  writeWhole(join(runFolder(dataFolder, id), "looks.json"), JSON.stringify(kept));
}

function withoutSecrets(column: ColumnLook): ColumnLook {
  const { target, header, samples } = column;
  const isSecret = target === "password" || target === "secret" || SECRET.test(header);
  return isSecret ? { ...column, samples: samples.map(() => MASK) } : column;
}

const SECRET = /pass|pwd|secret|clave|contrase|senha|parol|şifre|sandi|mot de|kennwort|пароль|السر|المرور/i;
const MASK = "\u2022".repeat(6);

export function loadLooks(dataFolder: string, id: string): KeptLook {
  const schema = Type.Unsafe<KeptLook>(
    Type.Array(Type.Object({ file: Type.String(), columns: Type.Array(Type.Unknown()) })),
  );
  const looks = readJson(join(runFolder(dataFolder, id), "looks.json"), schema) ?? [];
  // older versions had no words
  return looks.map((look) => Object.assign({ unknown: [] }, look));
}
