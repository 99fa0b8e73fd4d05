import { and, eq, isNull, lte } from "drizzle-orm";
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { type Db, type Tx, write } from "../../../db/open.ts";
import { staff, staffTokens } from "../../../db/schema.ts";
import { DomainError } from "../errors.ts";
import type { Seconds } from "../time.ts";

const DAY = 86_400;
const SECRET_BYTES = 32;

export interface IssuedToken {
  /** `<id>|<secret>`; the secret is shown this once and stored as its SHA-256 only. */
  readonly token: string;
  readonly expiresAt: Seconds;
}

export interface ValidToken {
  readonly tokenId: number;
  readonly staffId: number;
}

/** Issues a token of `days` days and deletes the account's expired ones. */
export function issueStaffToken(
  tx: Tx,
  { staffId, now, days }: { staffId: number; now: Seconds; days: number },
): IssuedToken {
  tx.delete(staffTokens)
    .where(and(eq(staffTokens.staffId, staffId), lte(staffTokens.expiresAt, now)))
    .run();
  const secret = randomBytes(SECRET_BYTES).toString("base64url");
  const expiresAt = now + days * DAY;
  const { id } = tx
    .insert(staffTokens)
    .values({ staffId, secretHash: hashOf(secret), createdAt: now, expiresAt })
    .returning({ id: staffTokens.id })
    .get();
  return { token: `${id}|${secret}`, expiresAt };
}

/** Whose token it is. Throws `unauthenticated` for one that is unknown, expired, revoked, or of a disabled account. */
export function verifyStaffToken(db: Db, token: string, now: Seconds): ValidToken {
  const [, id, secret] = /^([1-9]\d{0,14})\|([\w-]{40,128})$/.exec(token) ?? [];
  const row =
    id &&
    db
      .select({
        tokenId: staffTokens.id,
        staffId: staffTokens.staffId,
        secretHash: staffTokens.secretHash,
        expiresAt: staffTokens.expiresAt,
        revokedAt: staffTokens.revokedAt,
        status: staff.status,
      })
      .from(staffTokens)
      .innerJoin(staff, eq(staff.id, staffTokens.staffId))
      .where(eq(staffTokens.id, Number(id)))
      .get();
  if (
    !row ||
    !secret ||
    !timingSafeEqual(row.secretHash, hashOf(secret)) ||
    row.revokedAt !== null ||
    row.expiresAt <= now ||
    row.status !== 1
  )
    throw new DomainError("unauthenticated", "the token is invalid, expired or revoked; log in again");
  return { tokenId: row.tokenId, staffId: row.staffId };
}

/** Revokes the token and issues a new one with a full life. Of two calls at one moment one wins, the other is `unauthenticated`. */
export function refreshStaffToken(
  db: Db,
  { token, now, days }: { token: string; now: Seconds; days: number },
): IssuedToken {
  return write(db, (tx) => {
    const { tokenId, staffId } = verifyStaffToken(tx, token, now);
    tx.update(staffTokens).set({ revokedAt: now }).where(eq(staffTokens.id, tokenId)).run();
    return issueStaffToken(tx, { staffId, now, days });
  });
}

/** Revokes one token: log out. */
export function revokeStaffToken(db: Db, { token, now }: { token: string; now: Seconds }): void {
  write(db, (tx) => {
    const { tokenId } = verifyStaffToken(tx, token, now);
    tx.update(staffTokens).set({ revokedAt: now }).where(eq(staffTokens.id, tokenId)).run();
  });
}

/** Revokes every token of an account for good: log out everywhere, a changed password, a disabled account. */
export function revokeStaffTokens(tx: Tx, staffId: number, now: Seconds): void {
  tx.update(staffTokens)
    .set({ revokedAt: now })
    .where(and(eq(staffTokens.staffId, staffId), isNull(staffTokens.revokedAt)))
    .run();
}

function hashOf(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}
