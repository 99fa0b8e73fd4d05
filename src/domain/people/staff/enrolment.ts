import { type Db, write } from "../../../../db/open.ts";
import { staff, staffSessions } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import { audit } from "../../core/audit/audit.ts";
import { DomainError } from "../../core/errors/errors.ts";
import type { Seconds } from "../../core/time/time.ts";
import { auditOf, type StaffRow } from "./accounts.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { ownAccount, storeRecoveryCodes, wrongCode } from "./second-factor.ts";
import { revokeStaffTokens } from "./tokens.ts";
import { newTotpSecret, totpStep, totpUri } from "./totp.ts";

/** Seconds that somebody has between the picture of a secret and the first code of it. */
const ENROLMENT_LIFE = 1800;

export interface Enrolment {
  /** What a form carries until a code proves that the app has the secret: nobody else can read or make it. */
  readonly sealed: string;
  /** For who types it into the app, in base32. */
  readonly secret: string;
  readonly uri: string;
}

/** A secret for the own account, which is its second factor once confirmed by a code. Throws `refused` for one that has another. */
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

/** The same enrolment again, after a code that was wrong. Throws `refused` for one that is too old or not the account's. */
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
 * Makes the secret of an enrolment the second factor of the own account, and answers its recovery codes, which are shown this once. The session of `key`
 * has given its code with it; other sessions need one, and tokens of the API are revoked. Throws `unauthenticated` for a wrong code, `refused`.
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
    audit(tx, by, now, auditOf(account, "staff.second_factor_on"));
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
    throw new DomainError("refused", "this picture is too old; begin again with a new one");
  return { staffId: account.id, secret, at: Number(at) };
}

function requireNone({ totpSecret, username }: StaffRow): void {
  if (totpSecret !== null)
    throw new DomainError("refused", `${username} has a second factor already; remove it first`);
}
