import { type Db, write } from "../../../../db/open.ts";
import { staff, staffSessions } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import { audit } from "../../core/audit/audit.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import type { Seconds } from "../../core/time/time.ts";
import { staffEntry, type StaffRow } from "./accounts.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { ownAccount, storeRecoveryCodes, wrongCode } from "./second-factor.ts";
import { revokeStaffTokens } from "./tokens.ts";
import { newTotpSecret, totpStep, totpUri } from "./totp.ts";

/** Seconds to confirm a new secret. */
const ENROLMENT_LIFE = 1800;

export interface Enrolment {
  /** The sealed enrolment, carried by a form. */
  readonly sealed: string;
  /** Base32. */
  readonly secret: string;
  readonly uri: string;
}

/** Throws `refused` with a factor present. */
export function startEnrolment(
  db: Db,
  by: Actor,
  { issuer }: { issuer: string },
  { now }: { now: Seconds },
): Enrolment {
  permit(by, "startEnrolment");
  const account = ownAccount(db, by);
  requireNone(account);
  const pending = { staffId: account.id, secret: newTotpSecret(), at: now };
  return enrolmentView(db, account, { issuer, pending });
}

/** Goes on after a wrong code. Throws `refused` for an old or foreign one. */
export function continueEnrolment(
  db: Db,
  by: Actor,
  { sealed, issuer }: { sealed: string; issuer: string },
  { now }: { now: Seconds },
): Enrolment {
  permit(by, "continueEnrolment");
  const account = ownAccount(db, by);
  requireNone(account);
  return enrolmentView(db, account, { issuer, pending: openPending(db, account, sealed, now) });
}

/**
 * Returns recovery codes, shown once. The session of `key` counts as verified; others need a code, and API tokens are revoked.
 * Throws `unauthenticated`, `refused`.
 */
export function confirmEnrolment(
  db: Db,
  by: Actor,
  { sealed, code, key }: { sealed: string; code: string; key: string },
  { now }: { now: Seconds },
): string[] {
  permit(by, "confirmEnrolment");
  return write(db, (tx) => {
    const account = ownAccount(tx, by);
    requireNone(account);
    const { secret } = openPending(tx, account, sealed, now);
    const step = totpStep(secret, code, { now, last: null });
    if (step === undefined) throw wrongCode();
    update(tx, staff, { totpSecret: tx.vault.seal(secret), totpStep: step }, { id: account.id });
    update(tx, staffSessions, { secondFactorAt: null }, { staffId: account.id }); // codes of one it had before
    update(tx, staffSessions, { secondFactorAt: now }, { id: key, staffId: account.id });
    revokeStaffTokens(tx, account.id, now);
    audit(tx, by, now, staffEntry(account, "staff.second_factor_on"));
    return storeRecoveryCodes(tx, account.id);
  });
}

interface Pending {
  readonly staffId: number;
  readonly secret: string;
  readonly at: Seconds;
}

function enrolmentView(
  { vault }: Db,
  { username }: StaffRow,
  { issuer, pending }: { issuer: string; pending: Pending },
): Enrolment {
  const { staffId, secret, at } = pending;
  const sealed = vault.seal([staffId, at, secret].join(" ")).toString("base64url");
  return { sealed, secret, uri: totpUri(secret, { issuer, label: username }) };
}

function openPending({ vault }: Db, account: StaffRow, sealed: string, now: Seconds): Pending {
  const text = vault.openTextIfWhole(Buffer.from(sealed, "base64url")) ?? "";
  const [staffId, at, secret = ""] = text.split(" ");
  if (Number(staffId) !== account.id || Number(at) <= now - ENROLMENT_LIFE)
    throw new DomainError("refused", phrase`this picture is too old; begin again with a new one`);
  return { staffId: account.id, secret, at: Number(at) };
}

function requireNone({ totpSecret, username }: StaffRow): void {
  if (totpSecret !== null)
    throw new DomainError("refused", phrase`${username} has a second factor already; remove it first`);
}
