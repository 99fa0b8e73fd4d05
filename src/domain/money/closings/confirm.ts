import { type Db, type Tx, write } from "../../../../db/open.ts";
import { closings } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import { audit } from "../../core/audit/audit.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { ENABLED } from "../../people/staff/accounts.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { ADMIN } from "../../core/actor/profile-types.ts";
import { formatTime, type Seconds } from "../../core/time/time.ts";
import { type Closing, findClosing } from "./find.ts";

/** The cash was handed on. The own close only without a second Admin. Throws `not_found`, `forbidden`, `conflict` when confirmed. */
export function confirmClosing(
  db: Db,
  by: Actor,
  { closingId }: { closingId: number },
  { now }: { now: Seconds },
): void {
  permit(by, "confirmClosing");
  write(db, (tx) => {
    const closing = findClosing(tx, by.scope, closingId);
    const { confirmedAt, ispId, staffId } = closing;
    if (confirmedAt !== null)
      throw new DomainError(
        "conflict",
        phrase`the day's close ${closingId} was confirmed on ${formatTime(confirmedAt)}`,
        { code: "already_confirmed" },
      );
    if (staffId === by.staffId && !isOnlyAdmin(tx, by, closing))
      throw new DomainError(
        "forbidden",
        phrase`somebody else has to confirm your day's close; ask a manager`,
        {
          code: "own_account",
        },
      );
    update(tx, closings, { confirmedAt: now, confirmedBy: by.staffId }, { id: closingId });
    audit(tx, by, now, {
      action: "closing.confirm",
      entity: "closing",
      entityId: closingId,
      ispId,
      after: { staff_id: staffId },
    });
  });
}

/** The only Admin of the ISP or box. */
function isOnlyAdmin({ $client }: Tx, { admin }: Actor, { ispId, staffId }: Closing): boolean {
  if (!admin) return false;
  const others = $client
    .query<unknown, [number, number, number, number]>(
      "SELECT 1 FROM staff WHERE profile_type = ? AND status = ? AND (isp_id = ? OR isp_id IS NULL) AND id <> ? LIMIT 1",
    )
    .get(ADMIN, ENABLED, ispId, staffId);
  return others === null;
}
