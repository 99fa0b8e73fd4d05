import type { Db } from "../../../../db/open.ts";
import type { Scope } from "../../core/actor/actor.ts";

/**
 * The ISPs whose messages a scope reaches. Each is asked alone, for the indexes of messages begin with it: of the whole box they would be
 * read from one end to the other.
 */
export function ispsOf({ $client }: Pick<Db, "$client">, { ispId }: Scope): readonly number[] {
  if (ispId !== null) return [ispId];
  return $client
    .query<{ id: number }, []>("SELECT id FROM isps ORDER BY id")
    .all()
    .map(({ id }) => id);
}
