import { type Db, type Tx, write } from "../../../../db/open.ts";
import { audit } from "../../core/audit/audit.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import type { Seconds } from "../../core/time/time.ts";
import { type Actor, may } from "../../core/actor/actor.ts";
import { loadActor } from "./sign-in.ts";
import { signOutStaff } from "./sign-out.ts";
import { type IssuedToken, refreshStaffToken, revokeStaffToken, verifyStaffToken } from "./tokens.ts";

interface Presented {
  token: string;
  source: string;
  now: Seconds;
}

interface Holder {
  readonly staffId: number;
  readonly actor: Actor;
}

/** Throws `unauthenticated` unless it could log in now. */
export function tokenHolder(db: Db, { token, source, now }: Presented): Holder {
  const { staffId } = verifyStaffToken(db, token, now);
  const actor = loadActor(db, staffId, source);
  if (!actor || !may(actor, "api_access"))
    throw new DomainError(
      "unauthenticated",
      phrase`the permission api_access was taken away; ask an administrator to set it in your role`,
      { code: "permission_missing" },
    );
  return { staffId, actor };
}

/** A token for one that is given up, of `days` days. Throws `unauthenticated`. */
export function refresh(db: Db, { days, ...presented }: Presented & { days: number }): IssuedToken {
  return write(db, (tx) => {
    const { actor } = tokenHolder(tx, presented);
    const issued = refreshStaffToken(tx, { ...presented, days });
    record(tx, "staff.refresh_token", actor, presented.now);
    return issued;
  });
}

/** Throws `unauthenticated`. */
export function logOut(db: Db, presented: Presented): void {
  write(db, (tx) => {
    const { actor } = tokenHolder(tx, presented);
    revokeStaffToken(tx, presented);
    record(tx, "staff.logout", actor, presented.now);
  });
}

/** Tokens and sessions. Throws `unauthenticated`. */
export function logOutEverywhere(db: Db, presented: Presented): void {
  write(db, (tx) => {
    const { staffId, actor } = tokenHolder(tx, presented);
    signOutStaff(tx, staffId, presented.now);
    record(tx, "staff.logout_all", actor, presented.now);
  });
}

function record(tx: Tx, action: string, by: Actor, now: Seconds): void {
  audit(tx, by, now, { action, entity: "staff", entityId: by.staffId ?? 0, ispId: by.scope.ispId });
}
