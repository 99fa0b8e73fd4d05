import { all, equal, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";

export interface RoleLine {
  readonly code: number;
  readonly name: string;
  readonly ispId: number;
  readonly ispName: string;
  readonly needsSecondFactor: 0 | 1;
  readonly staff: number;
  readonly flags: ReadonlySet<string>;
}

export function roleTable({ $client }: Db, by: Actor, { code }: { code?: number } = {}): RoleLine[] {
  permit(by, "roleTable");
  const { text, values } = all(equal("r.isp_id", by.scope.ispId), equal("r.code", code));
  return $client
    .query<Omit<RoleLine, "flags"> & { flagList: string | null }, Value[]>(
      `SELECT r.code, r.name, r.isp_id AS ispId, i.name AS ispName, r.needs_second_factor AS needsSecondFactor,
         (SELECT count(*) FROM staff WHERE role_code = r.code AND is_key = 0) AS staff,
         (SELECT group_concat(flag) FROM role_permissions WHERE role_code = r.code AND value = 1) AS flagList
       FROM roles r JOIN isps i ON i.id = r.isp_id WHERE ${text} ORDER BY i.name COLLATE NOCASE, r.name COLLATE NOCASE, r.code`,
    )
    .all(...values)
    .map(({ flagList, ...role }) => Object.assign(role, { flags: new Set(flagList?.split(",")) }));
}
