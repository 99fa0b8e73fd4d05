import type { Db } from "../../../../db/open.ts";
import { CodeKeys, normalCode } from "./codes.ts";

/** What is said of a new username that is a code: a card would not log in any more, or somebody with it. */
export const IS_A_CODE = "is the code of a card; take another one";

/** Whether a name is the code of a card, for many names; without any card none is looked up. */
export function codeNames({ $client, vault }: Db): (name: string) => boolean {
  if ($client.query("SELECT 1 FROM cards LIMIT 1").get() === null) return () => false;
  const keys = new CodeKeys(vault);
  const find = $client.query<{ found: number }, [Buffer]>("SELECT 1 AS found FROM cards WHERE code_key = ?");
  return (name) => find.get(keys.of(normalCode(name))) !== null;
}
