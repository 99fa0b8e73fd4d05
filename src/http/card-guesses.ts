import { phrase } from "../domain/core/errors/phrase.ts";
import type { Logger } from "pino";
import { CardRefusal } from "../domain/service/cards/refusal.ts";
import type { Guessing } from "../domain/service/cards/guessing.ts";
import { AttemptLimit } from "./attempt-limit.ts";

/** Wrong codes a minute of one person; then none is checked until it is over. */
const WRONG_A_MINUTE = 5;
const WRONG_AN_ADDRESS = 20;
const NOTICE_AFTER = 20;

const WHAT = phrase`wrong codes of cards`;

/** Who tries a code, and from where. */
export interface Guesser {
  readonly holder: string;
  readonly ispId: number | null;
  readonly address: string;
}

/** Counts wrong card codes in all forms; routers count their own. Stores no code. */
export class CardGuesses {
  readonly #ofHolders = new AttemptLimit(WRONG_A_MINUTE, { what: WHAT });
  readonly #ofAddresses = new AttemptLimit(WRONG_AN_ADDRESS, { what: WHAT });
  readonly #tries = new AttemptLimit(NOTICE_AFTER);
  readonly #told = new AttemptLimit(1);
  readonly #log: Logger;
  readonly #record: (guessing: Guessing) => void;

  /** `record` gets what the check reports. */
  constructor(log: Logger, record: (guessing: Guessing) => void) {
    this.#log = log;
    this.#record = record;
  }

  /**
   * Counts a wrong code before the outcome is known, so that parallel guesses do not slip through. Throws `too_soon` without
   * looking, and what the work throws.
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
    // later: the work may be a transaction that is rolled back
    queueMicrotask(() => this.#keep({ who: address === "" ? name : `address ${address}`, ispId }));
  }

  /** An unwritable store is only logged. */
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
