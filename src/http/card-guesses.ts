import type { Logger } from "pino";
import { CardRefusal } from "../domain/service/cards/refusal.ts";
import type { Guessing } from "../domain/service/cards/guessing.ts";
import { AttemptLimit } from "./attempt-limit.ts";

/** Wrong codes a minute that somebody has; then no code is looked at until the minute is over. */
const WRONG_A_MINUTE = 5;
/** Of all who try from one address, several of whom may share it. */
const WRONG_AN_ADDRESS = 20;
/** Wrong codes a minute of one account or address, with those that were not looked at, that are told. */
const NOTICE_AFTER = 20;

const WHAT = "wrong codes of cards";

/** Who tries a code: an account or a line, and from where. */
export interface Guesser {
  /** `subscriber 7`, `staff 3`. */
  readonly holder: string;
  readonly ispId: number | null;
  readonly address: string;
}

/** Counts wrong codes of cards, wherever they are typed but at the routers. No code is kept. */
export class CardGuesses {
  readonly #ofHolders = new AttemptLimit(WRONG_A_MINUTE, { what: WHAT });
  readonly #ofAddresses = new AttemptLimit(WRONG_AN_ADDRESS, { what: WHAT });
  readonly #tries = new AttemptLimit(NOTICE_AFTER);
  readonly #told = new AttemptLimit(1);
  readonly #log: Logger;
  readonly #record: (guessing: Guessing) => void;

  /** `record` keeps for a check what is told. */
  constructor(log: Logger, record: (guessing: Guessing) => void) {
    this.#log = log;
    this.#record = record;
  }

  /**
   * Does the work, counted as a wrong code unless the code is one of a card: before it is known, so that codes that are sent at once do
   * not slip through together. Throws `too_soon` without looking, and what the work throws.
   */
  count<T>({ holder, ispId, address }: Guesser, work: () => T): T {
    this.#try(holder, "", ispId);
    this.#try("address", address, ispId);
    this.#ofHolders.take(holder, "");
    try {
      this.#ofAddresses.take("address", address);
    } catch (error) {
      this.#ofHolders.giveBack(holder, "");
      throw error;
    }
    let isWrong = false;
    try {
      return work();
    } catch (error) {
      isWrong = error instanceof CardRefusal && error.why === "unknown";
      throw error;
    } finally {
      if (!isWrong) this.#forgive({ holder, address });
    }
  }

  #forgive({ holder, address }: Pick<Guesser, "holder" | "address">): void {
    this.#ofHolders.giveBack(holder, "");
    this.#ofAddresses.giveBack("address", address);
    this.#tries.giveBack(holder, "");
    this.#tries.giveBack("address", address);
  }

  #try(name: string, address: string, ispId: number | null): void {
    if (this.#isLeft(this.#tries, name, address)) return;
    if (!this.#isLeft(this.#told, name, address)) return;
    const who = address === "" ? { who: name } : { address };
    this.#log.warn(who, "somebody may be guessing codes of cards: more than 20 wrong ones in a minute");
    // afterwards: what is being tried may be a transaction, which is undone with the refusal
    queueMicrotask(() => this.#keep({ who: address === "" ? name : `address ${address}`, ispId }));
  }

  /** A store that cannot be written keeps nobody from anything: the log has it. */
  #keep(guessing: Guessing): void {
    try {
      this.#record(guessing);
    } catch (error) {
      this.#log.error({ err: error }, "who may be guessing codes of cards could not be written down");
    }
  }

  #isLeft(limit: AttemptLimit, name: string, address: string): boolean {
    try {
      limit.take(name, address);
      return true;
    } catch {
      return false;
    }
  }
}
