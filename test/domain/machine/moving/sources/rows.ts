import type { DumpRow, DumpValue } from "../../../../../src/domain/machine/moving/dump/row.ts";
import { Tellings, type Told } from "../../../../../src/domain/machine/moving/told.ts";

/** 2026-11-22 12:00:00 UTC. */
export const NOW = Date.UTC(2026, 10, 22, 12) / 1000;

export const options = (zone = "UTC") => ({ now: NOW, zone, told: new Tellings() });

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
export const toldOf = (rows: readonly Told[], kind: Told["kind"]) =>
  rows.filter((row) => row.kind === kind).map(({ who, text }) => `${who}: ${text}`);
