import type { Db } from "../../../../db/open.ts";
import { normalCode, printedCode } from "../../goods/codes/codes.ts";

/**
 * Under which names a router may know a session of a card: its code as our pages send it, and as people type it. For the router alone:
 * they are to stand in nothing that is kept or shown. None where the code cannot be opened.
 */
export function routerNamesOf(
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

/** What was said of a card by its code, in whatever writing, with its number instead. */
export function withoutCode(text: string, code: string, number: string): string {
  const symbols = [...normalCode(code)].map((symbol) => RegExp.escape(symbol));
  if (symbols.length === 0) return text;
  return text.replace(new RegExp(symbols.join("[\\s\\p{Dash}\\p{C}]*"), "giu"), number);
}
