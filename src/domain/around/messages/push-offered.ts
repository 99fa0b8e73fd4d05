import type { Db } from "../../../../db/open.ts";
import type { Actor } from "../../core/actor/actor.ts";

/** Whether an ISP sends notifications at all: without a channel of theirs nobody is asked whether they want any. */
export function offersPush({ $client }: Pick<Db, "$client">, ispId: number | null): boolean {
  return (
    $client
      .query(
        "SELECT 1 FROM channels WHERE kind = 'push' AND disabled_at IS NULL AND (isp_id IS ?1 OR isp_id IS NULL OR ?1 IS NULL) LIMIT 1",
      )
      .get(ispId) !== null
  );
}

/** What rules tell somebody of the staff by notifications, by their names: of that the role shows it. */
export function rulesToldTo(
  { $client }: Pick<Db, "$client">,
  { scope, admin, flags }: Pick<Actor, "scope" | "admin" | "flags">,
): string[] {
  return $client
    .query<{ name: string; flag: string | null }, [number | null]>(
      `SELECT r.name, r.flag FROM message_rules r JOIN channels c ON c.id = r.channel_id
       WHERE r.isp_id IS ?1 AND r.audience = 'staff' AND r.is_enabled = 1 AND c.kind = 'push' AND c.disabled_at IS NULL
       ORDER BY r.id`,
    )
    .all(scope.ispId)
    .filter(({ flag }) => admin || flags.has(flag ?? ""))
    .map(({ name }) => name);
}
