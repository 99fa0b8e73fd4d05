import type { SQLQueryBindings } from "bun:sqlite";
import { type Fields, scopeId, time } from "../../../core/fields/fields.ts";
import { packageFields } from "../../../goods/packages/fields.ts";
import { columnFields } from "../../../goods/subscribers/fields.ts";
import { pauseFields } from "./stamps.ts";

export type StoredRow = Readonly<Record<string, string | number | null | Uint8Array>>;

type Printable = string | number | null;
export interface FieldChange {
  readonly before: Printable;
  readonly after: Printable;
}

export interface RowChange {
  readonly section: string;
  readonly id: number;
  readonly name: string;
  readonly fields: Record<string, FieldChange>;
}

type Column = readonly [name: string, value: SQLQueryBindings];

const EXPIRATION = "current_expiration_date";
/** What stands in place of secrets. */
const HIDDEN = "(hidden)";
const hidden = /_sealed$|^portal_pass$|^password_hash$/;
/** Fields by which values are formatted. */
const fields: Fields = {
  ...packageFields,
  ...columnFields,
  isp_id: scopeId,
  expires_at: time,
  ...pauseFields,
};
const own = new Set([EXPIRATION, ...Object.keys(pauseFields)]);
/** Derived columns. */
const derived = /_key$|^permissions_set$/;

export class ChangeLog {
  readonly #rows = new Map<string, RowChange>();

  get rows(): readonly RowChange[] {
    return [...this.#rows.values()];
  }

  add(section: string, id: number, name: unknown, field: string, change: FieldChange): void {
    const key = `${section}/${id}`;
    const row = this.#rows.get(key) ?? { section, id, name: String(name), fields: {} };
    this.#rows.set(key, row);
    row.fields[field] = change;
  }

  addColumns(section: string, id: number, stored: StoredRow, columns: readonly Column[]): void {
    const name = stored["username"] ?? stored["name"];
    for (const [field, change] of columnChanges(stored, columns)) this.add(section, id, name, field, change);
  }

  addService(id: number, name: unknown, stored: StoredRow, columns: readonly Column[]): void {
    for (const [field, change] of columnChanges(stored, columns))
      this.add("subscribers", id, name, own.has(field) ? field : `service/${field}`, change);
  }
}

function columnChanges(
  stored: StoredRow,
  columns: readonly Column[],
): [field: string, change: FieldChange][] {
  return columns.flatMap(([column, value]): [string, FieldChange][] => {
    if (derived.test(column)) return [];
    const before = format(column, stored[column] ?? null);
    return [[columnField(column), { before, after: format(column, value) }]];
  });
}

function columnField(column: string): string {
  if (column === "expires_at") return EXPIRATION;
  return column.replace(/^routeros_/, "routeros/").replace(/_sealed$|_hash$/, "");
}

function format(column: string, value: SQLQueryBindings): Printable {
  if (hidden.test(column)) return HIDDEN;
  const written = fields[column]?.show ? fields[column].show(value) : value;
  return written === null || typeof written === "number" ? written : String(written);
}
