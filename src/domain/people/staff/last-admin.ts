import type { Db } from "../../../../db/open.ts";
import type { staff } from "../../../../db/schema.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { ADMIN } from "../../core/actor/profile-types.ts";

type StaffRow = typeof staff.$inferSelect;

/** Throws `refused` without another enabled Admin of the box or ISP. The command line may, because it can add one. */
export function requireAnotherAdmin({ $client }: Db, by: Actor, before: StaffRow, after: StaffRow): void {
  if (by.staffId === null || !isFullAdmin(before) || isFullAdmin(after)) return;
  const another = $client
    .query<unknown, [number, number | null]>(
      `SELECT 1 FROM staff WHERE profile_type = ${ADMIN} AND status = 1 AND branch_id IS NULL AND id <> ? AND isp_id IS ?`,
    )
    .get(before.id, before.ispId);
  if (another) return;
  const whose = before.ispId === null ? phrase`the box` : phrase`the ISP`;
  throw new DomainError(
    "refused",
    phrase`${before.username} is the last Admin of ${whose}; make another account an Admin first`,
    { code: "last_admin" },
  );
}

function isFullAdmin({ profileType, status, branchId }: StaffRow): boolean {
  return profileType === ADMIN && status === 1 && branchId === null;
}
