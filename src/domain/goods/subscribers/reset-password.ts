import { type Db, type Tx, write } from "../../../../db/open.ts";
import { subscribers } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import { audit } from "../../core/audit/audit.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { type Subscriber, subscriberById } from "./find.ts";
import { storeRadiusPassword } from "./password.ts";
import { profileStatus } from "./record.ts";
import { revokeTokens } from "./status.ts";

/** Sets the password for profile and, if active, RADIUS. Removes a portal password. Throws not_found. */
export function resetPassword(
  db: Db,
  by: Actor,
  { subscriberId, password }: { subscriberId: number; password: string },
  { now }: { now: Seconds },
): void {
  permit(by, "resetPassword");
  write(db, (tx) => {
    const subscriber = subscriberById(tx, by.scope, subscriberId);
    setPassword(tx, subscriber, password, now);
    update(tx, subscribers, { portalPass: null, updatedAt: now }, { id: subscriberId });
    revokeTokens(tx, subscriberId, now);
    audit(tx, by, now, {
      action: "subscriber.reset_password",
      entity: "subscriber",
      entityId: subscriberId,
      ispId: subscriber.ispId,
    });
  });
}

/** Stores a password that differs or is damaged, and ends tokens. Returns whether it did. */
export function setPassword(
  tx: Tx,
  { id, status, passwordSealed }: Subscriber,
  password: string,
  now: Seconds,
): boolean {
  if (tx.vault.openTextIfWhole(passwordSealed) === password) return false;
  update(tx, subscribers, { passwordSealed: tx.vault.seal(password) }, { id });
  const service = tx.$client
    .query<{ expiresAt: Seconds; frozenAt: Seconds | null }, [number]>(
      "SELECT expires_at AS expiresAt, frozen_at AS frozenAt FROM services WHERE subscriber_id = ?",
    )
    .get(id);
  if (service && profileStatus(status, service.expiresAt, now, service.frozenAt) === "active")
    storeRadiusPassword(tx, id, password);
  revokeTokens(tx, id, now);
  return true;
}
