import { type Db, type Tx, write } from "../../../../db/open.ts";
import { subscribers } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import { giveByService, NOTHING } from "../../goods/address-pools/give.ts";
import { audit } from "../../core/audit/audit.ts";
import { readBalance } from "../../core/amounts/balance.ts";
import { type ControlNeeds, endOpenSessions, type Ended } from "../../service/control/disconnect.ts";
import { DomainError, type Faults } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { formatAmount } from "../../core/amounts/money.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { fold } from "../../core/fields/text.ts";
import type { Seconds } from "../../core/time/time.ts";
import { archivedKey } from "../../goods/subscribers/columns.ts";
import { differences } from "../../goods/subscribers/differences.ts";
import { type Subscriber, subscriberById } from "../../goods/subscribers/find.ts";
import { findUsernameAndContactFaults } from "../../goods/subscribers/rules.ts";
import { revokeTokens } from "../../goods/subscribers/status.ts";

/**
 * Ends access and frees name, numbers and address; books and sessions stay. Ends sessions as disableSubscriber. Throws
 * not_found, refused with a balance.
 */
export async function archiveSubscriber(
  db: Db,
  by: Actor,
  { subscriberId }: { subscriberId: number },
  needs: ControlNeeds,
): Promise<Ended> {
  permit(by, "archiveSubscriber");
  const now = needs.clock();
  const archived = write(db, (tx) => archiveOne(tx, by, { subscriberId }, { now }));
  return endOpenSessions(db, archived, { ...needs, by });
}

/** Archives a subscriber within a transaction; a job ends its sessions. */
export function archiveOne(
  tx: Tx,
  by: Actor,
  { subscriberId }: { subscriberId: number },
  { now }: { now: Seconds },
): Subscriber {
  permit(by, "archiveSubscriber");
  const before = subscriberById(tx, by.scope, subscriberId);
  const balance = readBalance(tx, { subscriberId });
  if (balance > 0)
    throw new DomainError(
      "refused",
      phrase`the wallet of ${before.username} holds ${formatAmount(balance)}; hand it back (payment/refund) or book it away (wallet/adjust) first`,
      { code: "wallet_not_empty" },
    );
  return putAway(tx, by, before, now);
}

/** Archives a subscriber after checks. */
export function putAway(tx: Tx, by: Actor, before: Subscriber, now: Seconds): Subscriber {
  const key = archivedKey(before.id, before.username);
  revokeTokens(tx, before.id, now);
  const left = { status: 0, autoRenew: 0 as const, archivedAt: now, usernameKey: key, ...NOTHING };
  return change(tx, by, before, { action: "subscriber.archive", columns: left, now });
}

/** Restores a subscriber, disabled. Throws not_found, conflict for values taken meanwhile. */
export function restoreSubscriber(
  db: Db,
  by: Actor,
  { subscriberId }: { subscriberId: number },
  { now }: { now: Seconds },
): void {
  permit(by, "restoreSubscriber");
  write(db, (tx) => {
    const before = subscriberById(tx, { ...by.scope, archived: true }, subscriberId);
    if (before.archivedAt === null) return;
    const faults: Faults = {};
    findUsernameAndContactFaults(tx, before, faults);
    const names = Object.keys(faults);
    if (names.length > 0)
      throw new DomainError(
        "conflict",
        phrase`another subscriber has the ${names.join(", ")} of ${before.username} by now; change it there first`,
        { code: "taken" },
      );
    const columns = { archivedAt: null, usernameKey: fold(before.username) };
    change(tx, by, before, { action: "subscriber.restore", columns, now });
    giveByService(tx, subscriberId, now);
  });
}

function change(
  tx: Tx,
  by: Actor,
  before: Subscriber,
  { action, columns, now }: { action: string; columns: Partial<Subscriber>; now: Seconds },
): Subscriber {
  const { id, ispId } = before;
  update(tx, subscribers, { ...columns, updatedAt: now }, { id });
  const after = { ...before, ...columns };
  audit(tx, by, now, { action, entity: "subscriber", entityId: id, ispId, ...differences(before, after) });
  return after;
}
