import type { Db } from "../../../../db/open.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { ADMIN } from "../../core/actor/profile-types.ts";

/** Whom to ask for a permission, by name. */
export interface WhoMay {
  readonly admins: readonly string[];
  readonly roles: readonly string[];
}

const MOST = 3;

/** Admins and roles of the actor's ISP with a flag; names alone, which every account may know. */
export function whoMay({ $client }: Db, { scope: { ispId } }: Actor, flag: string): WhoMay {
  const names = (query: string, ...values: (number | string | null)[]) =>
    $client
      .query<{ name: string }, (number | string | null)[]>(query)
      .all(...values)
      .map(({ name }) => name);
  return {
    admins: names(
      `SELECT name FROM staff WHERE isp_id IS ? AND profile_type = ${ADMIN} AND status = 1 ORDER BY branch_id IS NOT NULL, id LIMIT ${MOST}`,
      ispId,
    ),
    roles: names(
      `SELECT r.name FROM roles r JOIN role_permissions p ON p.role_code = r.code
       WHERE r.isp_id IS ? AND p.flag = ? AND p.value = 1 ORDER BY r.name LIMIT ${MOST}`,
      ispId,
      flag,
    ),
  };
}
