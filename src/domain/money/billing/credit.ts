import { type Db, write } from "../../../../db/open.ts";
import { audit } from "../../core/audit/audit.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { formatAmount } from "../../core/amounts/money.ts";
import { subscriberById } from "../../goods/subscribers/find.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { book } from "./book.ts";

export interface Credit {
  subscriberId: number;
  /** Minor units, above 0. */
  amount: number;
}

/** Settles charges, the oldest first. Throws not_found, invalid. Returns the balance. */
export function credit(
  db: Db,
  by: Actor,
  { subscriberId, amount }: Credit,
  { now }: { now: Seconds },
): number {
  permit(by, "credit");
  if (!Number.isSafeInteger(amount) || amount <= 0) {
    throw new DomainError("invalid", phrase`the amount must be above 0`, {
      fields: { amount: [phrase`must be above 0`] },
    });
  }
  return write(db, (tx) => {
    const { ispId } = subscriberById(tx, by.scope, subscriberId);
    const { balance } = book(tx, { account: { subscriberId }, ispId, amount, kind: "adjustment" }, now, by);
    audit(tx, by, now, {
      action: "subscriber.credit",
      entity: "subscriber",
      entityId: subscriberId,
      ispId,
      before: { balance: formatAmount(balance - amount) },
      after: { balance: formatAmount(balance) },
    });
    return balance;
  });
}
