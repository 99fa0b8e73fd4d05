import type { Db } from "../../../../db/open.ts";
import { setting } from "../../core/settings/settings.ts";
import { lastChange } from "./book-changes.ts";
import { accessState } from "./state.ts";

/** Milliseconds of waiting at the most, and between two looks. */
const PATIENCE = 2000;
const LOOK_EVERY = 10;

/** The note where the standby did not get money in time. */
export const ONLY_HERE = "only on this box so far";

/**
 * With the setting money_waits: waits, 2 seconds at the most, for the stream to have everything written. Returns the sentence
 * for the answer; undefined: the standby has it, or the setting is off.
 */
export async function onlyHere(db: Db): Promise<string | undefined> {
  if (!isAwaited(db)) return undefined;
  const written = lastChange(db);
  const waits = db.$client.query<unknown, [number]>("SELECT 1 FROM book_changes WHERE number <= ? LIMIT 1");
  const until = performance.now() + PATIENCE;
  while (waits.get(written) !== null) {
    if (performance.now() >= until) return ONLY_HERE;
    await Bun.sleep(LOOK_EVERY);
  }
  return undefined;
}

const isAwaited = (db: Db) => accessState(db).marking === 1 && setting(db, "money_waits");

/** Whether the standby has the money of one request or command. */
export class MoneyWait {
  readonly #db: Db;
  readonly #before: number | undefined;
  #waited: Promise<string | undefined> | undefined;

  /** Create it before anything is done. */
  constructor(db: Db) {
    this.#db = db;
    this.#before = isAwaited(db) ? written(db) : undefined;
  }

  /** Whether the sentence was asked for. */
  get isSaid(): boolean {
    return this.#waited !== undefined;
  }

  /** As `onlyHere`, once, if money was written since. */
  words(): Promise<string | undefined> {
    this.#waited ??=
      this.#before === undefined || written(this.#db) === this.#before
        ? Promise.resolve(undefined)
        : onlyHere(this.#db);
    return this.#waited;
  }
}

/** Tables with a row for each booking. */
export const booked = [
  ...["ledger_entries", "payments", "invoices", "credit_notes", "closings"],
  ...["incoming_payments", "card_batches"],
];
const WRITTEN = `SELECT sum(seq) AS sum FROM sqlite_sequence WHERE name IN (${booked.map((name) => `'${name}'`).join()})`;

/** Grows with each booking. */
function written({ $client }: Db): number {
  const row = $client.query<{ sum: number | null }, []>(WRITTEN).get();
  return row?.sum ?? 0;
}
