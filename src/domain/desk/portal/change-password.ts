import { type Db, writePatiently } from "../../../../db/open.ts";
import { subscribers } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permitSelf } from "../../core/actor/permissions.ts";
import { hashPassword } from "../../people/staff/passwords.ts";
import type { Subscriber } from "../../goods/subscribers/find.ts";
import { revokeOthers } from "../../goods/subscribers/portal-session.ts";
import { admitSubscriber, proveSubscriber } from "../../goods/subscribers/sign-in.ts";
import { auditSignIn } from "../../goods/subscribers/tokens.ts";
import type { Seconds } from "../../core/time/time.ts";

export interface PasswordChange {
  readonly subscriber: Subscriber;
  readonly current: string;
  readonly chosen: string;
  /** The token or web session that asks, as it is stored: it stays, and every other one ends. */
  readonly tokenId: string;
  readonly source: string;
}

/** The line keeps its own. Throws `unauthenticated`, `overloaded`. */
export async function changePortalPassword(
  db: Db,
  by: Actor,
  { subscriber, current, chosen, tokenId, source }: PasswordChange,
  { now }: { now: Seconds },
): Promise<void> {
  permitSelf(by, "changePortalPassword", subscriber.id);
  const proven = await proveSubscriber(db, {
    username: subscriber.username,
    password: current,
    source,
  });
  const portalPass = await hashPassword(chosen);
  await writePatiently(db, (tx) => {
    const { id: subscriberId } = admitSubscriber(tx, proven);
    update(tx, subscribers, { portalPass, updatedAt: now }, { id: subscriberId });
    revokeOthers(tx, subscriberId, tokenId, now);
    auditSignIn(tx, "subscriber.change_portal_password", { subscriberId, source, now });
  });
}
