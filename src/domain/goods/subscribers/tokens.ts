import { errors, jwtVerify, SignJWT } from "jose";
import { selectColumns } from "../../../../db/columns.ts";
import { insert } from "../../../../db/insert.ts";
import { type Db, type Tx, write, writePatiently } from "../../../../db/open.ts";
import { subscriberTokens } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import type { Vault } from "../../../../db/vault.ts";
import { audit } from "../../core/audit/audit.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { everything } from "../../core/actor/operator.ts";
import type { Seconds } from "../../core/time/time.ts";
import { endPush, movePush } from "../../people/push/devices.ts";
import { type Subscriber, subscriberById } from "./find.ts";
import { revokeTokens } from "./status.ts";

const DAY = 86_400;
const ALGORITHM = "HS256";
/** Longer ones are not verified. */
const MAX_LENGTH = 1000;

export interface SignedToken {
  readonly token: string;
  readonly tokenId: string;
  readonly expiresAt: Seconds;
  readonly expiresIn: Seconds;
}

export interface ValidSubscriberToken {
  readonly tokenId: string;
  readonly subscriberId: number;
}

/** Valid after `storeToken`. */
export async function signToken(
  { vault }: Db,
  { subscriberId, now, days }: { subscriberId: number; now: Seconds; days: number },
): Promise<SignedToken> {
  const tokenId = crypto.randomUUID();
  const expiresIn = days * DAY;
  const expiresAt = now + expiresIn;
  const token = await new SignJWT()
    .setProtectedHeader({ alg: ALGORITHM, typ: "JWT" })
    .setSubject(String(subscriberId))
    .setJti(tokenId)
    .setIssuedAt(now)
    .setExpirationTime(expiresAt)
    .sign(signingKey(vault));
  return { token, tokenId, expiresAt, expiresIn };
}

/** Deletes expired and revoked ones. */
export function storeToken(
  tx: Tx,
  {
    tokenId: id,
    subscriberId,
    expiresAt,
    now,
  }: { tokenId: string; subscriberId: number; expiresAt: Seconds; now: Seconds },
  kind: "app" | "portal" = "app",
): void {
  tx.$client
    .query(
      "DELETE FROM subscriber_tokens WHERE subscriber_id = ? AND (expires_at <= ? OR revoked_at IS NOT NULL)",
    )
    .run(subscriberId, now);
  insert(tx, subscriberTokens, { id, kind, subscriberId, createdAt: now, expiresAt });
}

/** Throws `unauthenticated`. */
export async function verifySubscriberToken(
  db: Db,
  token: string,
  now: Seconds,
): Promise<ValidSubscriberToken> {
  const signed = await readToken(db.vault, token, now);
  requireValid(db, signed, now);
  return signed;
}

const selectToken = `
  SELECT ${selectColumns(subscriberTokens, "t")}, s.status
  FROM subscriber_tokens t JOIN subscribers s ON s.id = t.subscriber_id WHERE t.id = ?`;
type Stored = typeof subscriberTokens.$inferSelect & { status: number };

/** Valid and enabled now, else `unauthenticated`. */
export function requireValid(db: Db, { tokenId, subscriberId }: ValidSubscriberToken, now: Seconds): void {
  const row = db.$client.query<Stored, [string]>(selectToken).get(tokenId);
  const isValid =
    row?.kind === "app" &&
    row.subscriberId === subscriberId &&
    row.revokedAt === null &&
    row.expiresAt > now &&
    row.status === 1;
  if (!isValid) throw invalidToken();
}

/** Replaces a token; of concurrent calls one wins, the other is `unauthenticated`. Not audited, because apps repeat it. */
export async function refreshSubscriberToken(
  db: Db,
  { now, days, ...presented }: ValidSubscriberToken & { now: Seconds; days: number },
): Promise<SignedToken> {
  const { subscriberId } = presented;
  const fresh = await signToken(db, { subscriberId, now, days });
  await writePatiently(db, (tx) => {
    revokePresented(tx, presented, now);
    storeToken(tx, { ...fresh, subscriberId, now });
    movePush(tx, { from: presented.tokenId, to: fresh.tokenId }, subscriberId);
  });
  return fresh;
}

/** Throws `unauthenticated`. */
export function revokeSubscriberToken(
  db: Db,
  { now, source, ...presented }: ValidSubscriberToken & { now: Seconds; source: string },
): void {
  write(db, (tx) => {
    revokePresented(tx, presented, now);
    endPush(tx, { subscriberId: presented.subscriberId }, { tokenId: presented.tokenId });
    auditSignIn(tx, "subscriber.logout", { ...presented, source, now });
  });
}

/** Revokes portal sessions too. Throws `unauthenticated`. */
export function revokeAllSubscriberTokens(
  db: Db,
  { now, source, ...presented }: ValidSubscriberToken & { now: Seconds; source: string },
): void {
  write(db, (tx) => {
    requireValid(tx, presented, now);
    revokeTokens(tx, presented.subscriberId, now);
    auditSignIn(tx, "subscriber.logout_all", { ...presented, source, now });
  });
}

/** Notes that a subscriber signed in or out by itself. */
export function auditSignIn(
  tx: Tx,
  action:
    | "subscriber.sign_in"
    | "subscriber.logout"
    | "subscriber.logout_all"
    | "subscriber.change_portal_password",
  { subscriberId, source, now }: { subscriberId: number; source: string; now: Seconds },
): void {
  const subscriber = subscriberById(tx, everything, subscriberId);
  audit(tx, subscriberActor(subscriber, source), now, {
    action,
    entity: "subscriber",
    entityId: subscriberId,
    ispId: subscriber.ispId,
  });
}

function revokePresented(tx: Tx, presented: ValidSubscriberToken, now: Seconds): void {
  requireValid(tx, presented, now);
  update(tx, subscriberTokens, { revokedAt: now }, { id: presented.tokenId });
}

/** What a token says, after its verification. */
async function readToken(vault: Vault, token: string, now: Seconds): Promise<ValidSubscriberToken> {
  if (token.length > MAX_LENGTH) throw invalidToken();
  try {
    const { payload } = await jwtVerify(token, signingKey(vault), {
      algorithms: [ALGORITHM],
      requiredClaims: ["sub", "jti", "iat", "exp"],
      currentDate: new Date(now * 1000),
    });
    return { tokenId: payload.jti ?? "", subscriberId: Number(payload.sub) };
  } catch (error) {
    throw error instanceof errors.JOSEError ? invalidToken() : error;
  }
}

export function subscriberActor({ id, username, ispId }: Subscriber, source: string): Actor {
  return {
    staffId: null,
    subscriberId: id,
    name: `subscriber ${username}`,
    source,
    scope: { ispId, branchId: null, salespersonId: null },
    admin: false,
    flags: new Set(),
  };
}

function signingKey(vault: Vault): Buffer {
  return vault.deriveKey("subscriber token");
}

function invalidToken(): DomainError {
  return new DomainError("unauthenticated", phrase`the token is invalid, expired or revoked; log in again`, {
    code: "token_invalid",
  });
}
