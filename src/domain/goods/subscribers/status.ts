import { type Db, type Tx, write } from "../../../../db/open.ts";
import { subscriberTokens, subscribers } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import { audit } from "../../core/audit/audit.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { endPush } from "../../people/push/devices.ts";
import { subscriberById } from "./find.ts";
import { storeRadiusPassword } from "./password.ts";

/** Disabling revokes tokens. Enabling copies the password to RADIUS, which missed changes meanwhile. Throws not_found. */
export function setSubscriberStatus(
  db: Db,
  by: Actor,
  { subscriberId, enabled }: { subscriberId: number; enabled: boolean },
  { now }: { now: Seconds },
): void {
  permit(by, "setSubscriberStatus");
  const status = enabled ? 1 : 0;
  write(db, (tx) => {
    const before = subscriberById(tx, by.scope, subscriberId);
    if (before.status === status) return;
    update(tx, subscribers, { status, updatedAt: now }, { id: subscriberId });
    if (enabled) storeRadiusPassword(tx, subscriberId, tx.vault.openText(before.passwordSealed));
    else revokeTokens(tx, subscriberId, now);
    audit(tx, by, now, {
      action: enabled ? "subscriber.enable" : "subscriber.disable",
      entity: "subscriber",
      entityId: subscriberId,
      ispId: before.ispId,
      before: { status: before.status },
      after: { status },
    });
  });
}

/** Revokes tokens and portal sessions, and ends notifications. */
export function revokeTokens(tx: Tx, subscriberId: number, now: Seconds): void {
  update(tx, subscriberTokens, { revokedAt: now }, { subscriberId, revokedAt: null });
  endPush(tx, { subscriberId });
}
