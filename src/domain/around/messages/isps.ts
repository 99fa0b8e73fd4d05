import type { Db } from "../../../../db/open.ts";
import type { Scope } from "../../core/actor/actor.ts";

/** One by one, because indexes begin with the ISP. */
export function listIspIds({ $client }: Pick<Db, "$client">, { ispId }: Scope): readonly number[] {
  if (ispId !== null) return [ispId];
  return $client
    .query<{ id: number }, []>("SELECT id FROM isps ORDER BY id")
    .all()
    .map(({ id }) => id);
}
