import { type Db, write } from "../../../../db/open.ts";
import { cards } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import { audit } from "../../core/audit/audit.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { cardNumber } from "../../goods/codes/codes.ts";
import { type CardRecord, findCardRow } from "./list.ts";
import { requireOwnBranch } from "./reach.ts";

/** Unlocks a card's device: the next device used takes its place. Throws `not_found`, `forbidden`, `refused` when not locked. */
export function unlockCard(db: Db, by: Actor, { id }: { id: number }, { now }: { now: Seconds }): CardRecord {
  permit(by, "unlockCard");
  return write(db, (tx) => {
    const { lockedMac, batchId, branchId, ispId } = findCardRow(tx, by.scope, id, now);
    requireOwnBranch(by, { id: batchId, branchId });
    if (lockedMac === null)
      throw new DomainError(
        "refused",
        phrase`${cardNumber(id)} is locked to no device; it may be used as it is`,
        {
          code: "already_done",
        },
      );
    update(tx, cards, { lockedMac: null }, { id });
    audit(tx, by, now, {
      action: "card.unlock",
      entity: "card",
      entityId: id,
      ispId,
      before: { mac_address: lockedMac },
      after: { card: cardNumber(id), mac_address: null },
    });
    return findCardRow(tx, by.scope, id, now);
  });
}
