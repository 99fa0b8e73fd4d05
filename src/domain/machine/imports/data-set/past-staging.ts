import type { SQLQueryBindings, Statement } from "bun:sqlite";
import type { Tx } from "../../../../../db/open.ts";
import { cappedSum } from "../../../../../db/sum.ts";
import { actingColumns } from "../../../money/billing/ledger.ts";
import type { Actor } from "../../../core/actor/actor.ts";
import { dayBefore, localDay, type Seconds } from "../../../core/time/time.ts";
import type { RowPlace } from "./rows.ts";
import type { Staging } from "./staging.ts";
import type { MonthOfUsage, PastEntry } from "./subscriber-fields.ts";

/** Usage counted elsewhere: raises ours to it, never adds. */
export class UsageStaging {
  readonly #months: { table: string; insert: Statement };
  readonly #quotas: { table: string; insert: Statement };
  readonly #today: number;

  constructor(staging: Staging, now: Seconds) {
    this.#months = staging.inserter("usage", ["id", "month", "day", "up", "down"]);
    this.#quotas = staging.inserter("quotas", ["id INTEGER PRIMARY KEY", "used"]);
    this.#today = localDay(now);
  }

  put(
    { id }: RowPlace,
    { usage, quota_used: used }: { usage: readonly MonthOfUsage[]; quota_used?: number | null | undefined },
  ): void {
    for (const { month: value, up, down } of usage) {
      // the source may be in the next month already
      const month = Math.min(value, Math.floor(this.#today / 100));
      this.#months.insert.run(id, month, this.#monthDay(month), up, down);
    }
    if (used) this.#quotas.insert.run(id, used);
  }

  /** A past month counts on its last day, the current one today. */
  #monthDay(month: number): number {
    if (month >= Math.floor(this.#today / 100)) return this.#today;
    return dayBefore((month % 100 === 12 ? month + 89 : month + 1) * 100 + 1);
  }

  write({ $client }: Tx): void {
    const counted = (column: string) =>
      `coalesce((SELECT ${cappedSum(column)} FROM usage_days WHERE subscriber_id = given.id
         AND day BETWEEN given.month * 100 AND given.month * 100 + 99), 0)`;
    $client.run(
      `INSERT INTO usage_days (subscriber_id, day, input_octets, output_octets)
       SELECT id, day, max(0, up - ${counted("input_octets")}), max(0, down - ${counted("output_octets")})
       FROM ${this.#months.table} AS given
       WHERE up > ${counted("input_octets")} OR down > ${counted("output_octets")}
       ON CONFLICT DO UPDATE SET input_octets = input_octets + excluded.input_octets,
         output_octets = output_octets + excluded.output_octets`,
    );
    $client.run(
      `UPDATE services SET quota_used = given.used, free_bytes = free_bytes FROM ${this.#quotas.table} AS given
       WHERE subscriber_id = given.id AND quota_used < given.used`,
    );
  }
}

/** Entries of a subscriber, the newest ones. */
const MOST = 200;

/** Foreign entries without money, each imported once. */
export class HistoryStaging {
  readonly #entries: { table: string; insert: Statement };
  readonly #newest: Statement<{ at: Seconds; count: number }, SQLQueryBindings[]>;

  constructor(staging: Staging) {
    this.#entries = staging.inserter("history", ["id", "known", "at", "day", "text"]);
    this.#newest = staging.prepare(
      `SELECT created_at AS at, count(*) AS count FROM ledger_entries WHERE subscriber_id = ? AND kind = 'history'
       GROUP BY created_at ORDER BY created_at DESC LIMIT 1`,
    );
  }

  /** Oldest first. */
  put({ id, known }: RowPlace, entries: readonly PastEntry[]): void {
    const newest = (known && entries.length > 0 && this.#newest.get(id)) || undefined;
    let sameTime = newest?.count ?? 0;
    const missing = entries.slice(-MOST).filter(({ at }) => {
      if (!newest || at > newest.at) return true;
      return at === newest.at && sameTime-- <= 0;
    });
    for (const { at, text } of missing) this.#entries.insert.run(id, known ? 1 : 0, at, localDay(at), text);
  }

  /** For new subscribers before their opening, for known ones after all bookings. */
  write({ $client }: Tx, by: Actor, which: "new" | "known"): void {
    const { actingStaffId, actor } = actingColumns(by);
    $client
      .query(
        `INSERT INTO ledger_entries (subscriber_id, isp_id, amount, balance_after, kind, acting_staff_id, actor, created_at, day,
           branch_id, area_id, package_id, seller_id, reason)
         SELECT s.id, s.isp_id, 0, coalesce(w.balance, 0), 'history', ?, ?, h.at, h.day,
           s.branch_id, s.area_id, s.package_id, s.salesperson_id, h.text
         FROM ${this.#entries.table} AS h JOIN subscribers AS s ON s.id = h.id
           LEFT JOIN wallets AS w ON w.subscriber_id = s.id
         WHERE h.known = ? ORDER BY h.rowid`,
      )
      .run(actingStaffId, actor, which === "known" ? 1 : 0);
  }
}
