import { type Db, type Tx, write } from "../../../../db/open.ts";
import { audit } from "../../core/audit/audit.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase, type Phrase } from "../../core/errors/phrase.ts";
import { type Actor, requireApplianceAdmin } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { formatTime, type Seconds } from "../../core/time/time.ts";
import { keepLineage, lastChange, readLineage } from "./book-changes.ts";
import { leapNumbers } from "./leap.ts";
import { markAll } from "./publishing.ts";
import { isFarAbove } from "./signed-head.ts";
import { accessState } from "./state.ts";

/**
 * Makes this store the primary: its epoch becomes one above the highest known (ignoring absurdly high ones) before anything is
 * written. Returns it. Throws `refused` without boxes.
 */
export function promotePrimary(
  db: Db,
  by: Actor,
  { epoch: seen }: { epoch: number },
  { now }: { now: Seconds },
): number {
  permit(by, "promotePrimary");
  requireApplianceAdmin(db, by);
  return write(db, (tx) => {
    const { role, keySealed, epoch: before, highest, pending, overSince } = accessState(tx);
    if (role !== "books" || keySealed === null)
      throw new DomainError(
        "refused",
        phrase`these are no books with access boxes; there is nothing to promote`,
      );
    const own = Math.max(before, highest);
    const epoch = (isFarAbove(seen, own) ? own : Math.max(own, seen)) + 1;
    // while recovery waits, `highest` is the epoch of the backup
    if (pending === null) keepLineage(tx, [...readLineage(tx), [before, lastChange(tx)]]);
    tx.$client
      .query<unknown, [number]>("UPDATE access_state SET epoch = ?, over_since = NULL, bucket = NULL")
      .run(epoch);
    markAll(tx);
    // recovered rows keep their ids, so the next ones follow them
    if (pending === null && overSince !== null) leapNumbers(tx, now); // others have given out the next ones meanwhile
    if (pending === null) auditPromotion(tx, by, { from: before, now });
    return epoch;
  });
}

export function auditPromotion(tx: Tx, by: Actor, { from, now }: { from: number; now: Seconds }): void {
  audit(tx, by, now, {
    action: "box.promote",
    entity: "box",
    entityId: 0,
    ispId: null,
    before: { epoch: from },
    after: { epoch: accessState(tx).epoch },
  });
}

/** Why this primary is held, and what to do; undefined: it is not. */
export function heldBecause(db: Db): Phrase | undefined {
  const { role, overSince, pending, epoch, highest } = accessState(db);
  if (role !== "books") return undefined;
  if (overSince !== null)
    return phrase`these books are over since ${formatTime(overSince)}: others with a higher epoch count, and nothing is written or answered here; keep this machine's file for \`gatehouse recover --from FILE\` on the others`;
  if (pending === "recover")
    return epoch > highest
      ? phrase`a backup was put in place and what was done since is not in it yet: no receipt, invoice or id is given out; run: gatehouse recover`
      : phrase`a backup was put in place and what was done since is not in it yet: no receipt, invoice or id is given out; run: gatehouse box promote, then gatehouse recover`;
  return undefined;
}
