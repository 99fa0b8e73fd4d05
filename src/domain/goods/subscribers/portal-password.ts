import { type Db, writePatiently } from "../../../../db/open.ts";
import { subscribers } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import { audit } from "../../core/audit/audit.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { hashPassword } from "../../people/staff/passwords.ts";
import type { Clock } from "../../core/time/time.ts";
import { subscriberById } from "./find.ts";
import { revokeTokens } from "./status.ts";

/** A separate password for portal and app, or none. Ends tokens. Throws not_found. */
export async function setPortalPassword(
  db: Db,
  by: Actor,
  { subscriberId, password }: { subscriberId: number; password: string | null },
  { clock }: { clock: Clock },
): Promise<void> {
  permit(by, "setPortalPassword");
  subscriberById(db, by.scope, subscriberId); // before a hash is made for nobody
  const portalPass = password === null ? null : await hashPassword(password);
  const now = clock();
  await writePatiently(db, (tx) => {
    const { ispId } = subscriberById(tx, by.scope, subscriberId);
    update(tx, subscribers, { portalPass, updatedAt: now }, { id: subscriberId });
    revokeTokens(tx, subscriberId, now);
    audit(tx, by, now, {
      action: "subscriber.portal_password",
      entity: "subscriber",
      entityId: subscriberId,
      ispId,
      after: { portal_password: portalPass === null ? "ended" : "set" },
    });
  });
}
