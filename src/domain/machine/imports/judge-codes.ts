import { codeFault, printedCode } from "../../goods/codes/codes.ts";
import { fold } from "../../core/fields/text.ts";
import type { MovedVoucher } from "./model.ts";
import type { Move } from "./move.ts";
import { isUndoneSql } from "./undo-cards.ts";

/** `known`: imported before; `undone`: and taken back. */
type Judgement =
  | { readonly is: "new" | "known" | "double" }
  | { readonly is: "undone"; readonly cardId: number }
  | { readonly is: "refused"; readonly why: string };

interface Found {
  readonly id: number;
  /** Whether an undone import brought it. */
  readonly isUndone: 0 | 1;
}

/** The codes of one run beside each other, and beside the cards and usernames that there are. */
export class JudgedCodes {
  readonly #move: Move;
  readonly #names: { has: (key: string) => boolean };
  readonly #seen = new Set<string>();
  readonly #find: (key: Buffer) => Found | null;
  readonly #isName: (...keys: [string, string, string]) => boolean;

  /** `names`: folded usernames of the run. */
  constructor(move: Move, names: { has: (key: string) => boolean }) {
    this.#move = move;
    this.#names = names;
    const { $client } = move.db;
    const card = $client.query<Found, [number, string, Buffer]>(
      `SELECT c.id, ${isUndoneSql} AND b.isp_id = ? AND b.origin IS ?
         AND NOT EXISTS (SELECT 1 FROM moved_rows m WHERE m.kind = 'voucher' AND m.row_id = c.id) AS isUndone
       FROM cards c JOIN card_batches b ON b.id = c.batch_id WHERE c.code_key = ?`,
    );
    this.#find = (key) => card.get(move.ispId, move.source, key);
    const name = $client.query<{ found: number }, [string, string, string]>(
      "SELECT 1 AS found FROM subscribers WHERE username_key IN (?, ?, ?) LIMIT 1",
    );
    this.#isName = (...keys) => keys.some((key) => this.#names.has(key)) || name.get(...keys) !== null;
  }

  /** Near duplicates of codes are reported. */
  judge(
    voucher: MovedVoucher,
    { code, key, place }: { code: string; key: Buffer; place: string },
  ): Judgement {
    const { imported, notices } = this.#move;
    const malformed = codeFault(code);
    if (malformed !== undefined) return { is: "refused", why: malformed };
    if (this.#seen.has(place)) {
      const text = "is another code but for case, blanks and dashes: the first came";
      notices.add("double", voucher.at, masked(voucher.code), text);
      return { is: "double" };
    }
    this.#seen.add(place);
    if (imported.get("voucher", place)) return { is: "known" };
    if (this.#isName(fold(code), fold(printedCode(code)), fold(voucher.code.trim())))
      return { is: "refused", why: "is a username here, which would win over the code" };
    const found = this.#find(key);
    if (found?.isUndone === 0) return { is: "refused", why: "is the code of a card that is here already" };
    return found ? { is: "undone", cardId: found.id } : { is: "new" };
  }
}

/** Enough to recognize a code, too little to use it. */
export const masked = (code: string) => `${code.slice(0, Math.min(3, Math.floor(code.length / 2)))}…`;
