import { and, desc, eq, gt, isNull, ne } from "drizzle-orm";
import { createHash, randomBytes } from "node:crypto";
import { type Db, type Tx, write, writePatiently } from "../../../db/open.ts";
import { subscribers, subscriberTokens } from "../../../db/schema.ts";
import type { Actor } from "../staff/actor.ts";
import { permitSelf } from "../staff/permissions.ts";
import type { Seconds } from "../time.ts";
import type { Subscriber } from "./find.ts";
import { admitSubscriber, type Credentials, proveSubscriber } from "./sign-in.ts";
import { revokeTokens } from "./status.ts";
import { auditSignIn, requireValid, storeToken, type ValidSubscriberToken } from "./tokens.ts";

/** Seconds that a signed-in web session of the portal lives. */
export const PORTAL_SESSION_LIFE = 12 * 3600;
/** A phone that opens the portal again and again ends its oldest sessions instead of filling the store. */
const MAX_SESSIONS = 10;

/**
 * Opens a web session for the holder of an app token and returns its secret id, of which
 * the store keeps the SHA-256. Throws `unauthenticated`.
 */
export function openPortalSession(
  db: Db,
  { now, ...presented }: ValidSubscriberToken & { now: Seconds },
): string {
  return write(db, (tx) => {
    requireValid(tx, presented, now);
    return open(tx, presented.subscriberId, now);
  });
}

/** Opens a web session by password. Throws `unauthenticated`, `forbidden` for a disabled account, `overloaded`. */
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

/** Ends one web session; an unknown one has ended already. */
export function closePortalSession(
  db: Db,
  { id, source, now }: { id: string; source: string; now: Seconds },
): void {
  write(db, (tx) => {
    const subscriber = portalSubscriber(tx, id, now);
    if (!subscriber) return;
    tx.update(subscriberTokens)
      .set({ revokedAt: now })
      .where(eq(subscriberTokens.id, hashOf(id)))
      .run();
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

/** The subscriber signed in under a session's id; undefined when it is unknown, ended, or the account is disabled. */
export function portalSubscriber(db: Db, id: string, now: Seconds): Subscriber | undefined {
  const found = db
    .select({ subscriber: subscribers })
    .from(subscriberTokens)
    .innerJoin(subscribers, eq(subscribers.id, subscriberTokens.subscriberId))
    .where(
      and(
        eq(subscriberTokens.id, hashOf(id)),
        eq(subscriberTokens.kind, "portal"),
        isNull(subscriberTokens.revokedAt),
        gt(subscriberTokens.expiresAt, now),
        eq(subscribers.status, 1),
      ),
    )
    .get();
  return found?.subscriber;
}

/** Ends every app token and web session of a subscriber but one. */
export function revokeOthers(tx: Tx, subscriberId: number, sessionId: string, now: Seconds): void {
  tx.update(subscriberTokens)
    .set({ revokedAt: now })
    .where(
      and(
        eq(subscriberTokens.subscriberId, subscriberId),
        isNull(subscriberTokens.revokedAt),
        ne(subscriberTokens.id, hashOf(sessionId)),
      ),
    )
    .run();
}

/** A new session's secret id. */
function open(tx: Tx, subscriberId: number, now: Seconds): string {
  const id = randomBytes(32).toString("base64url");
  const expiresAt = now + PORTAL_SESSION_LIFE;
  endOldest(tx, subscriberId);
  storeToken(tx, { tokenId: hashOf(id), subscriberId, expiresAt, now }, "portal");
  return id;
}

/** Makes room for one more. */
function endOldest(tx: Tx, subscriberId: number): void {
  const open = tx
    .select({ id: subscriberTokens.id })
    .from(subscriberTokens)
    .where(and(eq(subscriberTokens.subscriberId, subscriberId), eq(subscriberTokens.kind, "portal")))
    .orderBy(desc(subscriberTokens.createdAt))
    .all();
  for (const { id } of open.slice(MAX_SESSIONS - 1))
    tx.delete(subscriberTokens).where(eq(subscriberTokens.id, id)).run();
}

function hashOf(id: string): string {
  return createHash("sha256").update(id).digest("base64url");
}
