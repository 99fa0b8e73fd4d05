import { all, equal, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";

/** A role that programs may have; `flags` without those that no key has or needs naming. */
export interface RoleForKeys {
  readonly code: number;
  readonly name: string;
  readonly ispId: number;
  readonly ispName: string;
  readonly flags: readonly string[];
}

/** Roles with `api_access`. */
export function rolesForKeys({ $client }: Db, by: Actor): RoleForKeys[] {
  permit(by, "rolesForKeys");
  const { text, values } = all(
    {
      text: "EXISTS (SELECT 1 FROM role_permissions WHERE role_code = r.code AND flag = 'api_access' AND value = 1)",
      values: [],
    },
    equal("r.isp_id", by.scope.ispId),
  );
  return $client
    .query<Omit<RoleForKeys, "flags"> & { list: string | null }, Value[]>(
      `SELECT r.code, r.name, r.isp_id AS ispId, i.name AS ispName,
         (SELECT group_concat(flag) FROM role_permissions
          WHERE role_code = r.code AND value = 1 AND flag NOT IN ('api_access', 'api_key_manage')) AS list
       FROM roles r JOIN isps i ON i.id = r.isp_id WHERE ${text} ORDER BY i.name COLLATE NOCASE, r.name COLLATE NOCASE, r.code`,
    )
    .all(...values)
    .map(({ list, ...role }) => Object.assign(role, { flags: list?.split(",") ?? [] }));
}
