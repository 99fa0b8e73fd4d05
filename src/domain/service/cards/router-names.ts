import type { Db } from "../../../../db/open.ts";
import { normalCode, printedCode } from "../../goods/codes/codes.ts";

/**
 * Names under which a router may know a card's session: its code as our pages send it and as people type it. Never to be stored
 * or shown. Empty when the code cannot be opened.
 */
export function listRouterNames(
  { $client, vault }: Pick<Db, "$client" | "vault">,
  cardId: number,
): readonly string[] {
  const card = $client
    .query<{ codeSealed: Uint8Array }, [number]>("SELECT code_sealed AS codeSealed FROM cards WHERE id = ?")
    .get(cardId);
  const code = card ? vault.openTextIfWhole(card.codeSealed) : undefined;
  if (code === undefined) return [];
  const printed = printedCode(code);
  return [...new Set([code, code.toLowerCase(), printed, printed.toLowerCase()])];
}

/** Replaces a card's code in a text, in any notation, by its number. */
export function withoutCode(text: string, code: string, number: string): string {
  const symbols = [...normalCode(code)].map((symbol) => RegExp.escape(symbol));
  if (symbols.length === 0) return text;
  return text.replace(new RegExp(symbols.join("[\\s\\p{Dash}\\p{C}]*"), "giu"), number);
}
