import type { Fields, Value } from "./imported-rows.ts";
import type { Origin } from "./model.ts";
import type { ImportRow } from "./move.ts";

export class PlannedSubscriber {
  readonly id: number;
  readonly username: string;
  readonly key: string;
  readonly at: Origin;
  readonly isKnown: boolean;
  readonly values: Record<string, Value>;
  readonly fields: Record<string, Value>;
  /** Fields that are no columns: money, term, history. */
  readonly more: Record<string, unknown> = {};
  /** Usage and history, of which only new parts are imported. */
  past: ImportRow | undefined;
  isMoneyOurs = false;
  /** When compared; undefined: new. */
  stamp: string | undefined;
  readonly #before: Fields;

  constructor(
    who: { id: number; username: string; key: string; at: Origin },
    { values, fields, before }: { values: Fields; fields: Fields; before: Fields | null },
  ) {
    this.id = who.id;
    this.username = who.username;
    this.key = who.key;
    this.at = who.at;
    this.isKnown = before !== null;
    this.values = { ...values };
    this.fields = { ...fields };
    this.#before = before ?? {};
  }

  /** Leaves a field as it is. */
  refuse(field: string): void {
    if (this.isKnown) {
      delete this.values[field];
      const before = this.#before[field];
      if (before === undefined) delete this.fields[field];
      else this.fields[field] = before;
      return;
    }
    this.values[field] = null;
    this.fields[field] = null;
  }

  /** Whether ledger, term or usage is written. */
  get movesMoney(): boolean {
    const names = ["balance", "current_expiration_date", "quota_used", "history"];
    return names.some((name) => name in this.more || (this.past !== undefined && name in this.past));
  }

  /** Whether more than history changes. */
  get changes(): boolean {
    return Object.keys(this.values).length > 0 || Object.keys(this.more).length > 0;
  }
}
