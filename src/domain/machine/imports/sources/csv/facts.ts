import { OrderSeen } from "../../dates.ts";
import type { ColumnLook, TableKind, Target } from "./columns.ts";
import { type Deciding, deciding, parseStanding, plainWord } from "./standing.ts";
import { DecimalSeen } from "./values.ts";

export interface UnknownWord {
  readonly header: string;
  /** As in its first row. */
  readonly text: string;
  readonly rows: number;
}

/** Distinct words: more, and it is no status column. */
const MOST_WORDS = 50;

/** Whether a column says in what standing people come, of which each word has to be known. */
export const isDeciding = (kind: TableKind, target: Target | null): target is Deciding =>
  (kind === "subscribers" || kind === "people") && deciding.some((one) => one === target);

/** Row count, date order and decimal sign. */
export class Facts {
  #rows = 0;
  readonly #dates = new OrderSeen();
  readonly #decimal = new DecimalSeen();
  readonly #unknown = new Map<string, UnknownWord>();
  readonly #kind: TableKind;

  constructor(kind: TableKind) {
    this.#kind = kind;
  }

  add(columns: readonly ColumnLook[], cells: readonly string[]): void {
    this.#rows++;
    for (const [index, { target, header }] of columns.entries()) {
      const cell = cells[index] ?? "";
      if (isDeciding(this.#kind, target) && parseStanding(cell, target) === undefined)
        this.#addUnknown(header, cell.trim());
      if (target === "expires_at" || target === "created_at") this.#dates.add(cell);
      else if (target === "balance" || target === "package_price" || target === "price")
        this.#decimal.add(cell);
    }
  }

  #addUnknown(header: string, text: string): void {
    const key = `${header}\n${plainWord(text)}`;
    const known = this.#unknown.get(key);
    if (known) this.#unknown.set(key, { ...known, rows: known.rows + 1 });
    else if (this.#unknown.size < MOST_WORDS) this.#unknown.set(key, { header, text, rows: 1 });
  }

  get found() {
    const unknown = [...this.#unknown.values()];
    return { rows: this.#rows, dates: this.#dates.found, decimal: this.#decimal.found, unknown };
  }
}
