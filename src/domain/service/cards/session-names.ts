import type { Db } from "../../../../db/open.ts";
import { parseMac } from "../../core/fields/text.ts";
import { cardNumber } from "../../goods/codes/codes.ts";
import { CardReader, codeOfName, hiddenCode } from "./reader.ts";

/** Under which name a session is kept, and of which access card it is; null: of none. */
export interface SessionName {
  readonly username: string;
  readonly cardId: number | null;
}

/** Names of sessions that are no subscriber's: of a card its number, never its code; of what could be one how it begins. */
export class SessionNames {
  readonly #reader: CardReader;

  constructor(db: Db) {
    this.#reader = new CardReader(db);
  }

  /** Of a name as its NAS sent it, whose ISP is `ispId` (null: every one), for a device; null: nobody knows which. */
  of(name: string, { ispId, mac }: { ispId: number | null; mac: string | null }): SessionName {
    const code = codeOfName(name);
    const card = this.#reader.card(code);
    if (!card) {
      const isOwnAddress = mac !== null && parseMac(name) === mac;
      return { username: isOwnAddress ? name : this.#reader.shown(name, code), cardId: null };
    }
    const batch = this.#reader.batchOf(card)?.batch;
    // another ISP learns nothing of a card, not even its number
    if (ispId !== null && batch?.ispId !== ispId) return { username: hiddenCode(code), cardId: null };
    return { username: cardNumber(card.id), cardId: batch?.kind === "access" ? card.id : null };
  }

  /** Of a name that is no text, as the books write it. */
  ofBytes(escaped: string): SessionName {
    return { username: this.#reader.nameOfBytes(escaped), cardId: null };
  }
}
