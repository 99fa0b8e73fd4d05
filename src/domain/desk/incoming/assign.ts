import { type Db, type Tx, write } from "../../../../db/open.ts";
import { incomingPayments } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import { audit } from "../../core/audit/audit.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { formatAmount } from "../../core/amounts/money.ts";
import { setting } from "../../core/settings/settings.ts";
import { type Actor, requireWholeIsp } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { formatTime, type Seconds } from "../../core/time/time.ts";
import { bookIncoming, type BookedPayment } from "./book.ts";
import { findIncoming, type Incoming } from "./list.ts";

interface At {
  readonly now: Seconds;
}

/**
 * Books a waiting payment for the named subscriber. Throws `not_found`, `conflict` if not waiting, `refused` for refunds,
 * disputes and another currency, and as `recordPayment`.
 */
export function assignIncoming(
  db: Db,
  by: Actor,
  { id, subscriberId, method }: { id: number; subscriberId: number; method: string },
  { now }: At,
): { incoming: Incoming; booked: BookedPayment } {
  permit(by, "assignIncoming");
  requireWholeIsp(by, "payments that arrive");
  return write(db, (tx) => {
    const { ispId, provider, externalId, amount, currency, state } = requireOpen(tx, by, id);
    if (state === "told")
      throw new DomainError(
        "refused",
        phrase`it is a refund or a dispute; book what follows from it by hand (payment/reverse or payment/refund), then dismiss it`,
        { code: "is_refund" },
      );
    const own = setting(tx, "currency", ispId);
    if (currency !== own)
      throw new DomainError(
        "refused",
        phrase`it is in ${currency}, and the books are in ${own}; take it as a payment of what it is worth, then dismiss it`,
        { code: "other_currency" },
      );
    const scoped = { ...by, scope: { ...by.scope, ispId } };
    const booking = { subscriberId, ispId, amount, method, reference: externalId, note: `by ${provider}` };
    const booked = bookIncoming(tx, scoped, booking, now);
    end(tx, by, { id, state: "assigned", subscriberId, paymentId: booked.paymentId }, now);
    audit(tx, by, now, {
      action: "incoming_payment.assign",
      entity: "incoming_payment",
      entityId: id,
      ispId,
      after: { user_id: subscriberId, amount: formatAmount(amount), number: booked.number, provider },
    });
    return { incoming: findIncoming(tx, by.scope, id), booked };
  });
}

export interface Assigned {
  readonly id: number;
  readonly booked: BookedPayment | null;
  readonly refusal: string | null;
}

/** Books waiting payments by guess, each alone; refused ones stay. Throws `forbidden`. */
export function assignGuessed(
  db: Db,
  by: Actor,
  { ids, method }: { ids: readonly number[]; method: string },
  { now }: At,
): Assigned[] {
  permit(by, "assignGuessed");
  requireWholeIsp(by, "payments that arrive");
  return ids.map((id) => {
    try {
      const { subscriberId } = findIncoming(db, by.scope, id);
      if (subscriberId === null) return { id, booked: null, refusal: "nobody is known whose it may be" };
      return {
        id,
        booked: assignIncoming(db, by, { id, subscriberId, method }, { now }).booked,
        refusal: null,
      };
    } catch (error) {
      if (error instanceof DomainError) return { id, booked: null, refusal: error.message };
      throw error;
    }
  });
}

export function dismissIncoming(
  db: Db,
  by: Actor,
  { id, reason }: { id: number; reason: string },
  { now }: At,
): Incoming {
  permit(by, "dismissIncoming");
  requireWholeIsp(by, "payments that arrive");
  return write(db, (tx) => {
    const { ispId, amount, provider } = requireOpen(tx, by, id);
    end(tx, by, { id, state: "dismissed" }, now);
    audit(tx, by, now, {
      action: "incoming_payment.dismiss",
      entity: "incoming_payment",
      entityId: id,
      ispId,
      after: { amount: formatAmount(amount), provider, reason },
    });
    return findIncoming(tx, by.scope, id);
  });
}

/** The sealed message, audited. Throws `not_found`. */
export function openRawIncoming(db: Db, by: Actor, { id }: { id: number }, { now }: At): string {
  permit(by, "openRawIncoming");
  requireWholeIsp(by, "payments that arrive");
  return write(db, (tx) => {
    const { ispId, provider } = findIncoming(tx, by.scope, id);
    const { raw = null } =
      tx.$client
        .query<{ raw: Uint8Array | null }, [number]>(
          "SELECT raw_sealed AS raw FROM incoming_payments WHERE id = ?",
        )
        .get(id) ?? {};
    if (raw === null)
      throw new DomainError(
        "not_found",
        phrase`what was sent with the payment ${id} was kept for 90 days, and is gone`,
      );
    const entry = { action: "incoming_payment.raw", entity: "incoming_payment", entityId: id, ispId };
    audit(tx, by, now, { ...entry, after: { provider } });
    return tx.vault.openText(raw);
  });
}

function requireOpen(tx: Tx, by: Actor, id: number): Incoming {
  const found = findIncoming(tx, by.scope, id);
  if (found.endedAt === null) return found;
  const how =
    found.number === null
      ? phrase`was dismissed`
      : phrase`was booked as ${found.number} for ${found.username}`;
  throw new DomainError("conflict", phrase`it ${how} on ${formatTime(found.endedAt)}`, {
    code: "already_settled",
  });
}

function end(
  tx: Tx,
  { staffId }: Actor,
  { id, ...ended }: { id: number } & Partial<Pick<Incoming, "state" | "subscriberId" | "paymentId">>,
  now: Seconds,
): void {
  update(tx, incomingPayments, { ...ended, endedAt: now, endedBy: staffId }, { id });
}
