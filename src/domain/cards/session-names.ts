import type { Db } from "../../../db/open.ts";
import { cardNumber, CodeKeys, normalCode } from "./codes.ts";
import { CodeForms, firstOf, namesIn } from "./forms.ts";

/** Under which name a session is kept, and of which access card it is; null: of none. */
export interface SessionName {
  readonly username: string;
  readonly cardId: number | null;
}

interface Found {
  readonly id: number;
  readonly ispId: number;
  readonly kind: string;
}

/**
 * Names of sessions that are no subscriber's: of a card its number, never its code; of what could be one its first characters.
 * An unknown name costs as much as a card: one HMAC, one indexed read. Its statements are prepared once.
 */
export class SessionNames {
  readonly #keys: CodeKeys;
  readonly #forms: CodeForms;
  readonly #card;

  constructor(db: Db) {
    this.#keys = new CodeKeys(db.vault);
    this.#forms = new CodeForms(db);
    this.#card = db.$client.query<Found, [Buffer]>(
      `SELECT c.id, b.isp_id AS ispId, b.kind FROM cards c JOIN card_batches b ON b.id = c.batch_id WHERE c.code_key = ?`,
    );
  }

  /** Of a name as its NAS sent it, whose ISP is `ispId`; null: every one. */
  of(name: string, ispId: number | null): SessionName {
    for (const typed of namesIn(name)) {
      const card = this.#card.get(this.#keys.of(normalCode(typed)));
      if (!card) continue;
      // another ISP learns nothing of a card, not even its number
      if (ispId !== null && card.ispId !== ispId) return { username: firstOf(typed), cardId: null };
      return { username: cardNumber(card.id), cardId: card.kind === "access" ? card.id : null };
    }
    return { username: this.#forms.kept(name), cardId: null };
  }
}
