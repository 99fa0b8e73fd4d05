import type { Fields, Value } from "./imported-rows.ts";
import type { Origin } from "./model.ts";
import type { ImportRow } from "./move.ts";

/** What is written of one subscriber: all of a new one, what changes of a known one. */
export class PlannedSubscriber {
  readonly id: number;
  readonly username: string;
  readonly key: string;
  readonly at: Origin;
  readonly isKnown: boolean;
  /** Columns by name; of a known one those that change. */
  readonly values: Record<string, Value>;
  readonly fields: Record<string, Value>;
  /** What the import format has beside columns: money, term, what is past. */
  readonly more: Record<string, unknown> = {};
  /** What was counted and booked there, which the import takes only as far as it is new; undefined: nothing. */
  past: ImportRow | undefined;
  /** Whether money and term are as this source left them. */
  isMoneyOurs = false;
  /** The stamp of its money and term when they were compared; undefined: it is new. */
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

  /** Leaves a value as it is here: a new one has none. */
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

  /** Whether its ledger, its term or what of it is used is written. */
  get movesMoney(): boolean {
    const names = ["balance", "current_expiration_date", "quota_used", "history"];
    return names.some((name) => name in this.more || (this.past !== undefined && name in this.past));
  }

  /** Whether anything but what is past changes. */
  get changes(): boolean {
    return Object.keys(this.values).length > 0 || Object.keys(this.more).length > 0;
  }
}
