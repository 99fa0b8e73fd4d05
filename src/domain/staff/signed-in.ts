import { type Db, type Tx, write } from "../../../db/open.ts";
import { audit } from "../audit.ts";
import type { Seconds } from "../time.ts";
import { loadActor } from "./sign-in.ts";
import {
  type IssuedToken,
  refreshStaffToken,
  revokeStaffToken,
  revokeStaffTokens,
  type ValidToken,
  verifyStaffToken,
} from "./tokens.ts";

/* What signed-in staff do with their token (interface.md A). Each throws `unauthenticated` for one that is not valid. */

interface Presented {
  token: string;
  /** The client's IP address. */
  source: string;
  now: Seconds;
}

/** Exchanges the token for one of `days` days. */
export function refresh(db: Db, { days, ...presented }: Presented & { days: number }): IssuedToken {
  return write(db, (tx) => {
    const by = verifyStaffToken(tx, presented.token, presented.now);
    const issued = refreshStaffToken(tx, { ...presented, days });
    record(tx, "staff.refresh_token", by, presented);
    return issued;
  });
}

/** Revokes the presented token alone. */
export function logOut(db: Db, presented: Presented): void {
  write(db, (tx) => {
    const by = verifyStaffToken(tx, presented.token, presented.now);
    revokeStaffToken(tx, presented);
    record(tx, "staff.logout", by, presented);
  });
}

/** Revokes every token of the account. */
export function logOutEverywhere(db: Db, presented: Presented): void {
  write(db, (tx) => {
    const by = verifyStaffToken(tx, presented.token, presented.now);
    revokeStaffTokens(tx, by.staffId, presented.now);
    record(tx, "staff.logout_all", by, presented);
  });
}

function record(tx: Tx, action: string, { staffId }: ValidToken, { source, now }: Presented): void {
  const actor = loadActor(tx, staffId, source);
  if (!actor) throw new Error(`the staff account ${staffId} of a valid token is gone`);
  audit(tx, actor, now, { action, entity: "staff", entityId: staffId, ispId: actor.scope.ispId });
}
