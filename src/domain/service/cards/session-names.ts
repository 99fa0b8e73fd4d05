import type { Db } from "../../../../db/open.ts";
import { parseMac } from "../../core/fields/text.ts";
import { cardNumber } from "../../goods/codes/codes.ts";
import { CardReader, hiddenCode, parseCode } from "./reader.ts";

/** The stored name of a session, and its access card; null: none. */
export interface SessionName {
  readonly username: string;
  readonly cardId: number | null;
}

/** Session names that are no subscriber's: a card's number instead of its code, and only the beginning of a possible code. */
export class SessionNames {
  readonly #reader: CardReader;

  constructor(db: Db) {
    this.#reader = new CardReader(db);
  }

  /** For a name as sent by a NAS of `ispId` (null: every one), and a device; null: unknown. */
  of(name: string, { ispId, mac }: { ispId: number | null; mac: string | null }): SessionName {
    const code = parseCode(name);
    const card = this.#reader.card(code);
    if (!card) {
      const isOwnAddress = mac !== null && parseMac(name) === mac;
      return { username: isOwnAddress ? name : this.#reader.shown(name, code), cardId: null };
    }
    const batch = this.#reader.findBatch(card)?.batch;
    // another ISP learns nothing of a card, not even its number
    if (ispId !== null && batch?.ispId !== ispId) return { username: hiddenCode(code), cardId: null };
    return { username: cardNumber(card.id), cardId: batch?.kind === "access" ? card.id : null };
  }

  /** For a name that is not text, as stored. */
  ofBytes(escaped: string): SessionName {
    return { username: this.#reader.hideInBytes(escaped), cardId: null };
  }
}
