import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { selectColumns } from "../../../../db/columns.ts";
import { insert } from "../../../../db/insert.ts";
import { type Db, type Tx, write } from "../../../../db/open.ts";
import { staffTokens } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import type { Seconds } from "../../core/time/time.ts";

const DAY = 86_400;
const SECRET_BYTES = 32;

export interface IssuedToken {
  /** `<id>|<secret>`; shown once, stored as SHA-256. */
  readonly token: string;
  readonly expiresAt: Seconds;
}

export interface ValidToken {
  readonly tokenId: number;
  readonly staffId: number;
}

export function issueStaffToken(
  tx: Tx,
  { staffId, now, days }: { staffId: number; now: Seconds; days: number },
): IssuedToken {
  tx.$client.query("DELETE FROM staff_tokens WHERE staff_id = ? AND expires_at <= ?").run(staffId, now);
  const secret = randomBytes(SECRET_BYTES).toString("base64url");
  const expiresAt = now + days * DAY;
  const id = insert(tx, staffTokens, { staffId, secretHash: sha256(secret), createdAt: now, expiresAt });
  return { token: `${id}|${secret}`, expiresAt };
}

const selectToken = `
  SELECT ${selectColumns(staffTokens, "t")}, a.status
  FROM staff_tokens t JOIN staff a ON a.id = t.staff_id WHERE t.id = ?`;
type Stored = Omit<typeof staffTokens.$inferSelect, "secretHash"> & {
  secretHash: Uint8Array;
  status: number;
};

/** Throws `unauthenticated`. */
export function verifyStaffToken(db: Db, token: string, now: Seconds): ValidToken {
  const [, id, secret] = /^([1-9]\d{0,14})\|([\w-]{40,128})$/.exec(token) ?? [];
  const row = id && db.$client.query<Stored, [number]>(selectToken).get(Number(id));
  if (
    !row ||
    !secret ||
    !timingSafeEqual(row.secretHash, sha256(secret)) ||
    row.revokedAt !== null ||
    row.expiresAt <= now ||
    row.status !== 1
  )
    throw new DomainError("unauthenticated", phrase`the token is invalid, expired or revoked; log in again`, {
      code: "token_invalid",
    });
  return { tokenId: row.id, staffId: row.staffId };
}

/** Revokes and reissues; of concurrent calls one is `unauthenticated`. */
export function refreshStaffToken(
  db: Db,
  { token, now, days }: { token: string; now: Seconds; days: number },
): IssuedToken {
  return write(db, (tx) => {
    const { tokenId, staffId } = verifyStaffToken(tx, token, now);
    update(tx, staffTokens, { revokedAt: now }, { id: tokenId });
    return issueStaffToken(tx, { staffId, now, days });
  });
}

export function revokeStaffToken(db: Db, { token, now }: { token: string; now: Seconds }): void {
  write(db, (tx) => {
    const { tokenId } = verifyStaffToken(tx, token, now);
    update(tx, staffTokens, { revokedAt: now }, { id: tokenId });
  });
}

/** Revokes all tokens of an account. */
export function revokeStaffTokens(tx: Tx, staffId: number, now: Seconds): void {
  update(tx, staffTokens, { revokedAt: now }, { staffId, revokedAt: null });
}

function sha256(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}
