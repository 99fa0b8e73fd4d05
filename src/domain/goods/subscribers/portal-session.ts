import { createHash, randomBytes } from "node:crypto";
import { type Db, type Tx, write, writePatiently } from "../../../../db/open.ts";
import { subscriberTokens } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permitSelf } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { endPush } from "../../people/push/devices.ts";
import { type Subscriber, subscribersWhere } from "./find.ts";
import { admitSubscriber, type Credentials, proveSubscriber } from "./sign-in.ts";
import { revokeTokens } from "./status.ts";
import { auditSignIn, requireValid, storeToken, type ValidSubscriberToken } from "./tokens.ts";

export const PORTAL_SESSION_LIFE = 12 * 3600;
/** The oldest end, so that a phone cannot fill the store. */
const MAX_SESSIONS = 10;

/** Returns its secret id, stored as SHA-256. Throws `unauthenticated`. */
export function openPortalSession(
  db: Db,
  { now, ...presented }: ValidSubscriberToken & { now: Seconds },
): string {
  return write(db, (tx) => {
    requireValid(tx, presented, now);
    return open(tx, presented.subscriberId, now);
  });
}

/** Throws `unauthenticated`, `forbidden` for a disabled account, `overloaded`. */
export async function signInToPortal(
  db: Db,
  { now, ...credentials }: Credentials & { now: Seconds },
): Promise<string> {
  const proven = await proveSubscriber(db, credentials);
  return writePatiently(db, (tx) => {
    const { id: subscriberId } = admitSubscriber(tx, proven);
    auditSignIn(tx, "subscriber.sign_in", { subscriberId, source: credentials.source, now });
    return open(tx, subscriberId, now);
  });
}

export function closePortalSession(
  db: Db,
  { id, source, now }: { id: string; source: string; now: Seconds },
): void {
  write(db, (tx) => {
    const subscriber = portalSubscriber(tx, id, now);
    if (!subscriber) return;
    update(tx, subscriberTokens, { revokedAt: now }, { id: sha256(id) });
    endPush(tx, { subscriberId: subscriber.id }, { tokenId: sha256(id) });
    auditSignIn(tx, "subscriber.logout", { subscriberId: subscriber.id, source, now });
  });
}

/** Ends every app token and web session of a subscriber. */
export function signOutEverywhere(
  db: Db,
  by: Actor,
  { subscriberId, source }: { subscriberId: number; source: string },
  { now }: { now: Seconds },
): void {
  permitSelf(by, "signOutEverywhere", subscriberId);
  write(db, (tx) => {
    revokeTokens(tx, subscriberId, now);
    auditSignIn(tx, "subscriber.logout_all", { subscriberId, source, now });
  });
}

/** The subscriber of a session; undefined: the session is unknown or over, or the subscriber disabled. */
export function portalSubscriber(db: Db, id: string, now: Seconds): Subscriber | undefined {
  const [found] = subscribersWhere(db, {
    text: `s.status = 1 AND s.id = (SELECT subscriber_id FROM subscriber_tokens
      WHERE id = ? AND kind = 'portal' AND revoked_at IS NULL AND expires_at > ?)`,
    values: [sha256(id), now],
  });
  return found;
}

/** What a web session is stored as. */
export const storedAs = (sessionId: string): string => sha256(sessionId);

/** Ends every app token and web session of a subscriber but one. */
export function revokeOthers(tx: Tx, subscriberId: number, tokenId: string, now: Seconds): void {
  tx.$client
    .query(
      "UPDATE subscriber_tokens SET revoked_at = ? WHERE subscriber_id = ? AND revoked_at IS NULL AND id <> ?",
    )
    .run(now, subscriberId, tokenId);
  endPush(tx, { subscriberId }, { but: tokenId });
}

/** Returns the secret id. */
function open(tx: Tx, subscriberId: number, now: Seconds): string {
  const id = randomBytes(32).toString("base64url");
  const expiresAt = now + PORTAL_SESSION_LIFE;
  endOldest(tx, subscriberId);
  storeToken(tx, { tokenId: sha256(id), subscriberId, expiresAt, now }, "portal");
  return id;
}

function endOldest(tx: Tx, subscriberId: number): void {
  tx.$client
    .query(
      `DELETE FROM subscriber_tokens WHERE id IN (SELECT id FROM subscriber_tokens
         WHERE subscriber_id = ? AND kind = 'portal' ORDER BY created_at DESC LIMIT -1 OFFSET ${MAX_SESSIONS - 1})`,
    )
    .run(subscriberId);
}

function sha256(id: string): string {
  return createHash("sha256").update(id).digest("base64url");
}
