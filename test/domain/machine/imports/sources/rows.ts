import type { DumpRow, DumpValue } from "../../../../../src/domain/machine/imports/dump/row.ts";
import type { Moved } from "../../../../../src/domain/machine/imports/model.ts";
import { Notices, type Notice } from "../../../../../src/domain/machine/imports/notices.ts";

/** What a source gives, with all of its rows in memory. */
export const inMemory = ({ subscribers, sessions, vouchers, spentCodes = [], ...rest }: Moved) => ({
  ...rest,
  subscribers: [...subscribers],
  sessions: [...sessions],
  vouchers: [...vouchers],
  spentCodes: [...spentCodes],
});

/** 2026-11-22 12:00:00 UTC. */
export const NOW = Date.UTC(2026, 10, 22, 12) / 1000;

export const options = (zone = "UTC") => ({ now: NOW, zone, notices: new Notices() });

/** A row of a table by its values in the order of `columns`, "a b c". */
export function rowsOf(
  table: string,
  columns: string,
  ...rows: readonly (readonly DumpValue[])[]
): DumpRow[] {
  const names = columns.split(" ");
  return rows.map((values, index) => ({
    table,
    line: index + 1,
    values: Object.fromEntries(names.map((name, at) => [name, values[at] ?? null])),
  }));
}

/** Of a kind, "who: text". */
export const noticesOf = (rows: readonly Notice[], kind: Notice["kind"]) =>
  rows.filter((row) => row.kind === kind).map(({ who, text }) => `${who}: ${text}`);
