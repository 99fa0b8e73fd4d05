import { type Db, write } from "../../../../db/open.ts";
import { audit } from "../../core/audit/audit.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { findRole } from "../roles/roles.ts";
import type { Seconds } from "../../core/time/time.ts";
import { staffEntry, ENABLED, managedStaff, type StaffRow } from "./accounts.ts";
import { type Actor, requireFlag } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { listFlags, refuseReseller, requireNoMore } from "../../core/actor/reach.ts";
import { actorWith } from "./sign-in.ts";
import { ownAccount } from "./second-factor.ts";

/** An account, or anybody with a role. */
export type SeenAs = { readonly staffId: number } | { readonly roleCode: number };

export interface Seen {
  readonly by: Actor;
  /** With a role the viewer's own. */
  readonly account: StaffRow;
  readonly name: string;
}

/**
 * For managers of accounts and roles. Throws `not_found` outside the scope, `forbidden` for a more powerful one, `refused` for
 * the own or a disabled account.
 */
export function seeAs(db: Db, by: Actor, seen: SeenAs): Seen {
  permit(by, "seeAs");
  requireFlag(by, "role_manage");
  refuseReseller(by);
  return "staffId" in seen ? asAccount(db, by, seen.staffId) : asRole(db, by, seen.roleCode);
}

/** Leaves an audit entry. Throws as seeAs. */
export function startSeeingAs(db: Db, by: Actor, seen: SeenAs, { now }: { now: Seconds }): Seen {
  permit(by, "startSeeingAs");
  return write(db, (tx) => {
    const found = seeAs(tx, by, seen);
    const role = "roleCode" in seen ? findRole(tx, by.scope, seen.roleCode) : undefined;
    audit(tx, by, now, {
      ...staffEntry(found.account, "staff.see_as"),
      ...(role && { entity: "role", entityId: role.code, ispId: role.ispId }),
      after: { name: found.name },
    });
    return found;
  });
}

function asAccount(db: Db, by: Actor, staffId: number): Seen {
  const account = managedStaff(db, by, { staffId });
  if (account.id === by.staffId)
    throw new DomainError("refused", phrase`that is yourself; choose somebody else, or a role`);
  if (account.status !== ENABLED)
    throw new DomainError("refused", phrase`${account.username} is disabled, and sees nothing`);
  const flags = account.roleCode === null ? [] : listFlags(db, account.roleCode);
  return { by: actorWith(account, flags, by.source), account, name: account.name };
}

/** Somebody with a role, without Admin rights and within the actor's scope. */
function asRole(db: Db, by: Actor, roleCode: number): Seen {
  const role = findRole(db, by.scope, roleCode);
  requireNoMore(db, by, { isAdmin: false, roleCode });
  const account = ownAccount(db, by);
  const scope = { ispId: role.ispId, branchId: by.scope.branchId, salespersonId: null };
  const flags = new Set(listFlags(db, roleCode));
  return { by: { ...by, scope, admin: false, flags }, account, name: role.name };
}
