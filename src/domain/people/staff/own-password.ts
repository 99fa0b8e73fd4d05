import { type Db, writePatiently } from "../../../../db/open.ts";
import { staff } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import { audit } from "../../core/audit/audit.ts";
import { DomainError, type Faults, rejectFaults } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { readFields } from "../../core/fields/fields.ts";
import type { Seconds } from "../../core/time/time.ts";
import { staffEntry } from "./accounts.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { endOthers } from "./console-sessions.ts";
import { forgetFirstPassword } from "./first-password.ts";
import { chosenPassword, hashPassword, verifyPassword } from "./passwords.ts";
import { permit } from "../../core/actor/permissions.ts";
import { ownAccount } from "./second-factor.ts";
import { revokeStaffTokens } from "./tokens.ts";

/** Ends tokens and other sessions than `key`. Throws `unauthenticated`, `invalid`, `overloaded`. */
export async function changeOwnPassword(
  db: Db,
  by: Actor,
  { current, password, key }: { current: string; password: string; key: string },
  { now }: { now: Seconds },
): Promise<void> {
  permit(by, "changeOwnPassword");
  const faults: Faults = {};
  const values = readFields({ password: chosenPassword }, { password }, faults, { required: ["password"] });
  rejectFaults(faults);
  const { id, passwordHash: known } = ownAccount(db, by);
  if (!(await verifyPassword(current, known, { source: by.source }))) throw wrongPassword();
  const passwordHash = await hashPassword(values.password ?? "");
  const username = await writePatiently(db, (tx) => {
    const account = ownAccount(tx, by);
    if (account.passwordHash !== known) throw wrongPassword(); // it was changed meanwhile
    update(tx, staff, { passwordHash, updatedAt: now }, { id });
    revokeStaffTokens(tx, id, now);
    endOthers(tx, id, key);
    audit(tx, by, now, staffEntry(account, "staff.password"));
    return account.username;
  });
  forgetFirstPassword(db, username);
}

function wrongPassword(): DomainError {
  return new DomainError("unauthenticated", phrase`that is not your present password`, {
    code: "wrong_password",
  });
}
