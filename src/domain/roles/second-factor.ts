import { type Db, write } from "../../../db/open.ts";
import { roles } from "../../../db/schema.ts";
import { update } from "../../../db/update.ts";
import { audit } from "../audit.ts";
import { type Actor, requireWholeIsp } from "../staff/actor.ts";
import { permit } from "../staff/permissions.ts";
import type { Seconds } from "../time.ts";
import { auditOf, findRole } from "./roles.ts";

/** Says whether those of a role need a second factor at the console. Throws not_found, `forbidden` to an account of one branch. */
export function needSecondFactor(
  db: Db,
  by: Actor,
  { code, needed }: { code: number; needed: 0 | 1 },
  { now }: { now: Seconds },
): void {
  permit(by, "needSecondFactor");
  requireWholeIsp(by, "roles");
  write(db, (tx) => {
    const role = findRole(tx, by.scope, code);
    update(tx, roles, { needsSecondFactor: needed }, { id: role.id });
    audit(tx, by, now, {
      ...auditOf(role, "role.second_factor"),
      before: { needs_second_factor: role.needsSecondFactor },
      after: { needs_second_factor: needed },
    });
  });
}
