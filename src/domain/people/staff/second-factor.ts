import { selectColumns } from "../../../../db/columns.ts";
import { insert } from "../../../../db/insert.ts";
import { type Db, type Tx, write } from "../../../../db/open.ts";
import { staff, staffRecoveryCodes, staffSessions } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import { audit } from "../../core/audit/audit.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import type { Seconds } from "../../core/time/time.ts";
import { staffEntry, managedStaff, type NamedStaff, type StaffRow } from "./accounts.ts";
import { type Actor, requireFlag } from "../../core/actor/actor.ts";
import { consoleSession, hashId, openSession } from "./console-sessions.ts";
import { permit } from "../../core/actor/permissions.ts";
import { staffById } from "./sign-in.ts";
import { newRecoveryCode, recoveryHash, totpStep } from "./totp.ts";

const RECOVERY_CODES = 10;
/** How many recovery codes are left; undefined: there is no second factor. */
export function recoveryCodesLeft(db: Db, by: Actor, read?: StaffRow): number | undefined {
  permit(by, "recoveryCodesLeft");
  const account = read?.id === ownId(by) ? read : ownAccount(db, by);
  return account.totpSecret === null ? undefined : codesLeft(db, account.id);
}

/** Replaces all. Throws `unauthenticated`, `refused`. */
export function renewRecoveryCodes(
  db: Db,
  by: Actor,
  { code }: { code: string },
  { now }: { now: Seconds },
): string[] {
  permit(by, "renewRecoveryCodes");
  return write(db, (tx) => {
    const account = ownAccount(tx, by);
    proveFactor(tx, account, { code }, now);
    audit(tx, by, now, staffEntry(account, "staff.recovery_codes"));
    return storeRecoveryCodes(tx, account.id);
  });
}

export type FactorProof = { readonly code: string } | { readonly recoveryCode: string };

/** Completes a session, with a new secret id, so that knowledge of the old one is worthless. Throws `unauthenticated`. */
export function passSecondFactor(
  db: Db,
  { id, source, now, ...proof }: FactorProof & { id: string; source: string; now: Seconds },
): string {
  return write(db, (tx) => {
    const session = consoleSession(tx, id, { now, source, quiet: true });
    if (!session) throw new DomainError("unauthenticated", phrase`the session is over; sign in again`);
    const { account, by, key, needs } = session;
    if (needs !== "code") throw new DomainError("refused", phrase`this session needs no code`);
    proveFactor(tx, account, proof, now);
    const before = tx.$client
      .query<typeof staffSessions.$inferSelect, [string]>(
        `SELECT ${selectColumns(staffSessions, "s")} FROM staff_sessions s WHERE id = ?`,
      )
      .get(key);
    tx.$client.query("DELETE FROM staff_sessions WHERE id = ?").run(key);
    const renewed = openSession(tx, {
      staffId: account.id,
      source,
      userAgent: before?.userAgent ?? null,
      now,
    });
    update(tx, staffSessions, { secondFactorAt: now }, { id: hashId(renewed) });
    const isRecovery = "recoveryCode" in proof;
    audit(tx, by, now, {
      ...staffEntry(account, isRecovery ? "staff.recovery_code" : "staff.second_factor"),
      ...(isRecovery && { after: { left: codesLeft(tx, account.id) } }),
    });
    return renewed;
  });
}

/** Removes the factor by a code, or of a managed account. Sessions and tokens stay. Throws `unauthenticated`, `refused`, `forbidden`, `not_found`. */
export function removeSecondFactor(
  db: Db,
  by: Actor,
  { proof, ...named }: NamedStaff & { proof?: FactorProof },
  { now }: { now: Seconds },
): void {
  permit(by, "removeSecondFactor");
  write(db, (tx) => {
    const isOwn = "staffId" in named && named.staffId === by.staffId;
    if (!isOwn) requireFlag(by, "staff_manage");
    const account = isOwn ? ownAccount(tx, by) : managedStaff(tx, by, named);
    if (account.totpSecret === null)
      throw new DomainError("refused", phrase`${account.username} has no second factor`);
    if (account.id === by.staffId) proveFactor(tx, account, proof ?? { code: "" }, now);
    update(tx, staff, { totpSecret: null, totpStep: null }, { id: account.id });
    tx.$client.query("DELETE FROM staff_recovery_codes WHERE staff_id = ?").run(account.id);
    audit(tx, by, now, staffEntry(account, "staff.second_factor_off"));
  });
}

/** Codes count once. Throws `unauthenticated`. */
function proveFactor(tx: Tx, account: StaffRow, proof: FactorProof, now: Seconds): void {
  const { id, totpSecret, totpStep: last } = account;
  if (totpSecret === null) throw new DomainError("refused", phrase`the account has no second factor`);
  if ("recoveryCode" in proof) {
    const { changes } = tx.$client
      .query(
        "UPDATE staff_recovery_codes SET used_at = ? WHERE staff_id = ? AND code_hash = ? AND used_at IS NULL",
      )
      .run(now, id, recoveryHash(tx.vault, id, proof.recoveryCode));
    if (changes === 0)
      throw new DomainError("unauthenticated", phrase`that is none of the codes that are left`);
    return;
  }
  const step = totpStep(tx.vault.openText(totpSecret), proof.code, { now, last });
  if (step === undefined) throw wrongCode();
  update(tx, staff, { totpStep: step }, { id });
}

export function storeRecoveryCodes(tx: Tx, staffId: number): string[] {
  tx.$client.query("DELETE FROM staff_recovery_codes WHERE staff_id = ?").run(staffId);
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
  for (const code of codes)
    insert(tx, staffRecoveryCodes, { staffId, codeHash: recoveryHash(tx.vault, staffId, code) });
  return codes;
}

function codesLeft({ $client }: Db, staffId: number): number {
  const left = $client.query<{ n: number }, [number]>(
    "SELECT count(*) AS n FROM staff_recovery_codes WHERE staff_id = ? AND used_at IS NULL",
  );
  return left.get(staffId)?.n ?? 0;
}

export function ownAccount(db: Db, by: Actor): StaffRow {
  const account = staffById(db, ownId(by));
  if (!account) throw notStaff();
  return account;
}

/** Throws `forbidden`. */
export function ownId({ staffId }: Pick<Actor, "staffId">): number {
  if (staffId === null) throw notStaff();
  return staffId;
}

const notStaff = () =>
  new DomainError("forbidden", phrase`this is for a member of staff, of the own account`);

export function wrongCode(): DomainError {
  return new DomainError(
    "unauthenticated",
    phrase`that code is wrong, or was used already; wait for the next one, and see that the phone's clock is right`,
  );
}
