import type { Db } from "../../../../db/open.ts";
import { parseCardNumber } from "../../goods/codes/codes.ts";

export function isCard({ $client }: Db, code: string): boolean {
  const id = parseCardNumber(code);
  if (id === undefined) return false;
  return $client.query<{ id: number }, [number]>("SELECT id FROM cards WHERE id = ?").get(id) !== null;
}
