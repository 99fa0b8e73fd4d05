import { fieldNames } from "../../../core/fields/fields.ts";
import type { FieldChange, RowChange } from "./change-log.ts";
import { type Kept, moneyFields } from "./stamps.ts";

export interface ImportOutcome {
  readonly summary: ImportSummary;
  readonly changes: readonly RowChange[];
  /** Rows whose money and term moved since the export, and stay. */
  readonly kept: readonly Kept[];
}

export type ImportSummary = Readonly<Record<string, { added: number; changed: number }>>;

type MoneyById = Record<string, Record<string, FieldChange["before"]>>;

/** Audit details: counts, changed ids, both values of moved money and terms, and what stayed. */
export function auditedOutcome({ summary, changes, kept }: ImportOutcome): {
  before?: object;
  after: object;
} {
  const before = money(changes, "before");
  const after = { ...summary, rows: named(changes), kept: named(kept), ...money(changes, "after") };
  return Object.keys(before).length > 0 ? { before, after } : { after };
}

/** Ids by section; of settings names. */
function named(rows: readonly { section: string; id: number; fields: object }[]): Record<string, string> {
  const sections = [...Map.groupBy(rows, ({ section }) => section)];
  return Object.fromEntries(
    sections.map(([section, members]) => [
      section,
      section === "settings"
        ? members.flatMap(({ fields }) => Object.keys(fields)).join()
        : ranges(members.map(({ id }) => id)),
    ]),
  );
}

/** Changed balances and expirations. */
function money(
  changes: readonly RowChange[],
  side: keyof FieldChange,
): { money?: Record<string, MoneyById> } {
  const bySection: Record<string, MoneyById> = {};
  for (const { section, id, fields } of changes) {
    const moved = fieldNames(moneyFields).flatMap((field) => {
      const change = fields[field];
      return change ? [[field, change[side]] as const] : [];
    });
    if (moved.length === 0) continue;
    bySection[section] ??= {};
    bySection[section][id] = Object.fromEntries(moved);
  }
  return Object.keys(bySection).length > 0 ? { money: bySection } : {};
}

/** "1-3,7". */
function ranges(ids: readonly number[]): string {
  const parts: { first: number; last: number }[] = [];
  for (const id of ids.toSorted((a, b) => a - b)) {
    const open = parts.at(-1);
    if (open && id === open.last + 1) open.last = id;
    else parts.push({ first: id, last: id });
  }
  return parts.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`)).join();
}
