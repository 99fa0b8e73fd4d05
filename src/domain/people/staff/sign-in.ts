import { type Db, writePatiently } from "../../../../db/open.ts";
import { audit } from "../../core/audit/audit.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import type { Seconds } from "../../core/time/time.ts";
import { ENABLED, findStaffBySignIn, selectStaff, type StaffRow } from "./accounts.ts";
import { type Actor, requireFlag } from "../../core/actor/actor.ts";
import { verifyPassword } from "./passwords.ts";
import { readFlags } from "../../core/actor/reach.ts";
import { ADMIN, RESELLER } from "../../core/actor/profile-types.ts";
import { type IssuedToken, issueStaffToken } from "./tokens.ts";

export interface SignedIn extends IssuedToken {
  readonly account: StaffRow;
}

/**
 * By username or e-mail: a token of `days` days. Throws `unauthenticated`, `forbidden` when disabled, without api_access or
 * with a second factor, `overloaded`.
 */
export async function signIn(
  db: Db,
  {
    username,
    password,
    source,
    now,
    days,
  }: { username: string; password: string; source: string; now: Seconds; days: number },
): Promise<SignedIn> {
  const found = findStaffBySignIn(db, username);
  const matches = await verifyPassword(password, found?.passwordHash, { source });
  if (!found || !matches) throw wrongCredentials();
  return writePatiently(db, (tx) => {
    const account = staffById(tx, found.id); // as it is now: verifying took its time
    if (account?.passwordHash !== found.passwordHash) throw wrongCredentials();
    audit(tx, admit(tx, account, source), now, {
      action: "staff.sign_in",
      entity: "staff",
      entityId: account.id,
      ispId: account.ispId,
    });
    return { account, ...issueStaffToken(tx, { staffId: account.id, now, days }) };
  });
}

export function requireEnabled({ status }: StaffRow): void {
  if (status !== ENABLED)
    throw new DomainError("forbidden", phrase`the account is disabled; ask an administrator to enable it`, {
      code: "account_disabled",
    });
}

/** Throws `forbidden` when disabled, without api_access or with a second factor. */
export function admit(db: Db, account: StaffRow, source: string): Actor {
  requireEnabled(account);
  if (account.totpSecret !== null)
    throw new DomainError(
      "forbidden",
      phrase`the account has a second factor, which is for people at the console; give the program an account of its own`,
      { code: "second_factor_set" },
    );
  const actor = makeActor(db, account, source);
  requireFlag(actor, "api_access");
  return actor;
}

export function loadActor(db: Db, staffId: number, source: string): Actor | undefined {
  const account = staffById(db, staffId);
  return account && makeActor(db, account, source);
}

export function staffById({ $client }: Db, staffId: number): StaffRow | undefined {
  return $client.query<StaffRow, [number]>(`${selectStaff} WHERE a.id = ?`).get(staffId) ?? undefined;
}

export function wrongCredentials(): DomainError {
  return new DomainError("unauthenticated", phrase`wrong username or password`, {
    code: "wrong_credentials",
  });
}

function makeActor(db: Db, account: StaffRow, source: string): Actor {
  return actorWith(account, readFlags(db, account), source);
}

export function actorWith(
  { id, username, name, ispId, branchId, profileType, isKey }: StaffRow,
  flags: readonly string[],
  source: string,
): Actor {
  return {
    staffId: id,
    subscriberId: null,
    name: isKey === 1 ? name : username,
    source,
    scope: { ispId, branchId, salespersonId: profileType === RESELLER ? id : null },
    admin: profileType === ADMIN,
    flags: new Set(flags),
    ...(isKey === 1 && { isKey: true }),
  };
}
