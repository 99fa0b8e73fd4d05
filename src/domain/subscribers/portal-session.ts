import { and, desc, eq, gt, isNull } from "drizzle-orm";
import { createHash, randomBytes } from "node:crypto";
import { type Db, type Tx, write } from "../../../db/open.ts";
import { subscribers, subscriberTokens } from "../../../db/schema.ts";
import type { Seconds } from "../time.ts";
import type { Subscriber } from "./find.ts";
import { requireValid, storeToken, type ValidSubscriberToken } from "./tokens.ts";

/** Seconds that a signed-in web session of the portal lives. */
export const PORTAL_SESSION_LIFE = 12 * 3600;
/** A phone that opens the portal again and again ends its oldest sessions instead of filling the store. */
const MAX_SESSIONS = 10;

/**
 * Opens a web session for the holder of an app token (interface.md B, Mobile auto login) and returns its secret id, of which
 * the store keeps the SHA-256. Throws `unauthenticated`.
 */
export function openPortalSession(
  db: Db,
  { now, ...presented }: ValidSubscriberToken & { now: Seconds },
): string {
  const id = randomBytes(32).toString("base64url");
  const { subscriberId } = presented;
  write(db, (tx) => {
    requireValid(tx, presented, now);
    endOldest(tx, subscriberId);
    storeToken(
      tx,
      { tokenId: hashOf(id), subscriberId, expiresAt: now + PORTAL_SESSION_LIFE, now },
      "portal",
    );
  });
  return id;
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
