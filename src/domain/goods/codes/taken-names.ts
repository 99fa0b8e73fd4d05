import { phrase } from "../../core/errors/phrase.ts";
import type { Db } from "../../../../db/open.ts";
import { CodeKeys, normalCode } from "./codes.ts";

/** The refusal of a username that would block the card, or let its holder in. */
export const IS_A_CODE = phrase`is the code of a card; take another one`;

/** Whether a name is a card's code, for many names. */
export function codeNames(db: Db): (name: string) => boolean {
  const find = cardNames(db);
  return (name) => find(name) !== undefined;
}

/** The card whose code a name is, for many names; costs nothing where there are no cards. */
export function cardNames({
  $client,
  vault,
}: Db): (name: string) => { id: number; batchId: number } | undefined {
  if ($client.query("SELECT 1 FROM cards LIMIT 1").get() === null) return () => undefined;
  const keys = new CodeKeys(vault);
  const find = $client.query<{ id: number; batchId: number }, [Buffer]>(
    "SELECT id, batch_id AS batchId FROM cards WHERE code_key = ?",
  );
  return (name) => find.get(keys.of(normalCode(name))) ?? undefined;
}
