import type { Db } from "../../../../db/open.ts";
import { setting } from "../../core/settings/settings.ts";
import { lastChange } from "./book-changes.ts";
import { accessState } from "./state.ts";

/** Milliseconds that an answer waits at the most, and between two looks. */
const PATIENCE = 2000;
const LOOK_EVERY = 10;

/** What is said of money that the stream of the books did not have in time. */
export const ONLY_HERE = "only on this box so far";

/**
 * Where the setting money_waits is on: waits until the stream of the books has all that was written up to now, 2 seconds at the most.
 * Returns what is to be said beside the answer; undefined: nothing, the other machine has it or nobody asked.
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

/** The money of one request or command, whatever of it moves any: whether the stream of the books has it. */
export class MoneyWait {
  readonly #db: Db;
  readonly #before: number | undefined;
  #waited: Promise<string | undefined> | undefined;

  /** Made before anything is done. */
  constructor(db: Db) {
    this.#db = db;
    this.#before = isAwaited(db) ? written(db) : undefined;
  }

  /** Whether somebody has asked, and says it. */
  get isSaid(): boolean {
    return this.#waited !== undefined;
  }

  /** Where money was written since: as `onlyHere`, once however often it is asked. */
  words(): Promise<string | undefined> {
    this.#waited ??=
      this.#before === undefined || written(this.#db) === this.#before
        ? Promise.resolve(undefined)
        : onlyHere(this.#db);
    return this.#waited;
  }
}

/** Where each that is booked has a row: entries of wallets, papers, tills, what arrived, cards to sell. */
export const booked = [
  ...["ledger_entries", "payments", "invoices", "credit_notes", "closings"],
  ...["incoming_payments", "card_batches"],
];
const WRITTEN = `SELECT sum(seq) AS sum FROM sqlite_sequence WHERE name IN (${booked.map((name) => `'${name}'`).join()})`;

/** Grows with everything that is booked. */
function written({ $client }: Db): number {
  const row = $client.query<{ sum: number | null }, []>(WRITTEN).get();
  return row?.sum ?? 0;
}
