import { insert } from "../../../../db/insert.ts";
import { type Db, type Tx, write } from "../../../../db/open.ts";
import { incomingPayments, type incomingStates } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase, type Phrase, phrases } from "../../core/errors/phrase.ts";
import { announceOther } from "../../core/events/announce.ts";
import { formatMinor } from "../../core/amounts/money.ts";
import { setting } from "../../core/settings/settings.ts";
import { type Actor, requireOwnIsp, requireWholeIsp } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { bookIncoming, type BookedPayment } from "./book.ts";
import { type Named, whoIs } from "./who.ts";

export type IncomingState = (typeof incomingStates)[number];

/** Days, sealed, for disputes. */
const RAW_KEPT = 90;
const DAY = 86_400;

export interface PaymentNotice {
  readonly ispId: number;
  readonly sourceId: number | null;
  readonly provider: string;
  readonly externalId: string;
  readonly amount: number;
  readonly currency: string;
  readonly paidAt: Seconds | null;
  readonly method: string;
  readonly named: Named;
  readonly payer: string | null;
  readonly bodyHash: Uint8Array;
  readonly raw: Uint8Array | string;
  /** Why it is not booked; absent: it is. */
  readonly reason?: Phrase | null;
  /** `of`: the payment's external id. */
  readonly back?: { readonly of: string | null };
  /** The guessed subscriber of a bank line. */
  readonly guess?: number | null;
}

export interface Arrived {
  readonly id: number;
  readonly state: IncomingState;
  readonly reason: string | null;
  readonly subscriberId: number | null;
  readonly booked: BookedPayment | null;
  readonly isRepeat: boolean;
  readonly answer: string | null;
}

interface Stored {
  id: number;
  state: IncomingState;
  reason: string | null;
  subscriberId: number | null;
  amount: number;
  currency: string;
  bodyHash: Uint8Array;
  answer: string | null;
  reference: string | null;
  endedAt: Seconds | null;
}

interface Handling {
  readonly now: Seconds;
  readonly onOther: OnOther;
  /** Stored for repeats. */
  readonly toAnswer?: ((arrived: Omit<Arrived, "answer">) => string) | undefined;
}

/** What a different body leads to: `conflict`, or a payment for staff to see. */
export type OnOther = "refuse" | "keep";

/**
 * Books an external payment once, in one transaction: wallet, charges, renewal, receipt, event. Otherwise it waits for staff
 * with the reason. Throws `conflict` for another body where refused.
 */
export function receivePayment(
  db: Db,
  by: Actor,
  notice: PaymentNotice,
  { now, onOther, toAnswer }: Handling,
): Arrived {
  permit(by, "receivePayment");
  requireWholeIsp(by, "payments that arrive");
  requireOwnIsp(by, notice.ispId);
  return write(db, (tx) => receiveWithin(tx, by, notice, { now, onOther, toAnswer }));
}

/** Receives a payment within a transaction, after checks. */
export function receiveWithin(
  tx: Tx,
  by: Actor,
  notice: PaymentNotice,
  { now, onOther, toAnswer }: Handling,
): Arrived {
  const known = storedVariants(tx, notice);
  const same = known.find((one) => isSame(one, notice, onOther));
  if (same && same === known[0] && isNamedNow(same, notice)) return nameLater(tx, by, notice, { same, now });
  if (same) return { ...auditView(same), booked: null, isRepeat: true };
  if (known.length > 0 && onOther === "refuse")
    throw new DomainError(
      "conflict",
      phrase`the payment ${notice.externalId} of ${notice.provider} was told before with another body; nothing was booked: send what was sent first, or another external_id`,
      { code: "external_id_reused" },
    );
  const arrived = arrive(tx, by, notice, { now, variant: known.length });
  const answer = toAnswer?.(arrived) ?? null;
  if (answer !== null) update(tx, incomingPayments, { answer }, { id: arrived.id });
  return { ...arrived, answer };
}

/** The renewed subscriber, whose session has yet to change. */
export function renewedBy({ booked }: Pick<Arrived, "booked">): number | null {
  return booked !== null && booked.renewal !== null && typeof booked.renewal === "object"
    ? booked.subscriberId
    : null;
}

function arrive(
  tx: Tx,
  by: Actor,
  notice: PaymentNotice,
  { now, variant }: { now: Seconds; variant: number },
): Omit<Arrived, "answer"> {
  const tried = notice.back
    ? takenBack(tx, notice, notice.back)
    : variant > 0
      ? contradicts
      : tryToBook(tx, by, notice, now);
  const booked = "booked" in tried ? tried.booked : null;
  const reason = "reason" in tried ? tried.reason.toString() : null;
  const subscriberId = "reason" in tried ? tried.subscriberId : tried.booked.subscriberId;
  const state = booked ? "booked" : notice.back ? "told" : "unmatched";
  const { ispId, sourceId, provider, externalId, amount, currency, paidAt, named, payer } = notice;
  const id = insert(tx, incomingPayments, {
    ispId,
    sourceId,
    provider,
    externalId,
    variant,
    state,
    reason,
    amount,
    currency,
    paidAt,
    payer,
    reference: named.text,
    subscriberId,
    paymentId: booked?.paymentId ?? null,
    bodyHash: Buffer.from(notice.bodyHash),
    rawSealed: tx.vault.seal(notice.raw),
    rawUntil: now + RAW_KEPT * DAY,
    receivedAt: now,
    endedAt: booked ? now : null,
  });
  if (!booked && notice.guess === undefined) tellUnmatched(tx, { id, notice, reason }, now);
  return { id, state, reason, subscriberId, booked, isRepeat: false };
}

interface NotBooked {
  readonly reason: Phrase;
  readonly subscriberId: number | null;
}

const contradicts: NotBooked = {
  reason: phrase`this payment was told before with another amount or currency, and the first one counts; look at the provider's own page`,
  subscriberId: null,
};

/** The payment that is reversed. */
function takenBack(
  { $client }: Tx,
  { ispId, provider, reason }: PaymentNotice,
  { of }: { of: string | null },
): NotBooked {
  const known = $client
    .query<{ subscriberId: number | null; number: string | null }, [number, string, string | null]>(
      `SELECT i.subscriber_id AS subscriberId, p.number FROM incoming_payments i LEFT JOIN payments p ON p.id = i.payment_id
       WHERE i.isp_id = ? AND i.provider = ? AND i.external_id = ? ORDER BY i.payment_id IS NULL, i.variant LIMIT 1`,
    )
    .get(ispId, provider, of);
  const about = [
    ...(of === null ? [] : [phrase`the payment ${of}`]),
    ...(known?.number ? [phrase`receipt ${known.number}`] : []),
  ];
  const back = reason ?? phrase`it was taken back`;
  return {
    reason: about.length === 0 ? back : phrase`${back}; it is about ${phrases(about, ", ")}`,
    subscriberId: known?.subscriberId ?? null,
  };
}

/** Rolls back a refusal. */
function tryToBook(
  tx: Tx,
  by: Actor,
  { ispId, currency, amount, method, externalId, provider, named, reason, guess }: PaymentNotice,
  now: Seconds,
): NotBooked | { readonly booked: BookedPayment } {
  const own = setting(tx, "currency", ispId);
  const who = whoIs(tx, ispId, named);
  const subscriberId = "id" in who ? who.id : null;
  if (reason) return { reason, subscriberId: guess === undefined ? subscriberId : guess };
  if (currency !== own)
    return { reason: phrase`it is in ${currency}, and the books are in ${own}`, subscriberId };
  if ("reason" in who) return { reason: who.reason, subscriberId };
  try {
    const note = `by ${provider}`;
    const booking = { subscriberId: who.id, ispId, amount, method, reference: externalId, note };
    return { booked: write(tx, () => bookIncoming(tx, by, booking, now)) };
  } catch (error) {
    if (error instanceof DomainError) return { reason: error.phrases.message, subscriberId };
    throw error;
  }
}

function storedVariants({ $client }: Tx, { ispId, provider, externalId }: PaymentNotice): Stored[] {
  return $client
    .query<Stored, [number, string, string]>(
      `SELECT id, state, reason, subscriber_id AS subscriberId, amount, currency, body_hash AS bodyHash, answer,
         reference, ended_at AS endedAt
       FROM incoming_payments WHERE isp_id = ? AND provider = ? AND external_id = ? ORDER BY variant`,
    )
    .all(ispId, provider, externalId);
}

/** Several events of one payment have the same sum. */
function isSame(stored: Stored, notice: PaymentNotice, onOther: OnOther): boolean {
  if (onOther === "refuse") return Buffer.from(stored.bodyHash).equals(notice.bodyHash);
  return stored.amount === notice.amount && stored.currency === notice.currency;
}

/** A later event may name the subscriber. */
function isNamedNow(
  { state, reference, endedAt }: Stored,
  { sourceId, named, reason, back }: PaymentNotice,
): boolean {
  const isWaiting = state === "unmatched" && reference === null && endedAt === null;
  return isWaiting && sourceId !== null && named.by !== "nothing" && !reason && !back;
}

/** Books one that lacked a name. */
function nameLater(
  tx: Tx,
  by: Actor,
  notice: PaymentNotice,
  { same, now }: { same: Stored; now: Seconds },
): Arrived {
  const tried = tryToBook(tx, by, notice, now);
  const booked = "booked" in tried ? tried.booked : null;
  const reason = "reason" in tried ? tried.reason.toString() : null;
  const subscriberId = "reason" in tried ? tried.subscriberId : tried.booked.subscriberId;
  const state = booked ? "booked" : "unmatched";
  const { id } = same;
  update(
    tx,
    incomingPayments,
    {
      state,
      reason,
      subscriberId,
      reference: notice.named.text,
      ...(booked && { paymentId: booked.paymentId, endedAt: now }),
    },
    { id },
  );
  return { id, state, reason, subscriberId, booked, isRepeat: false, answer: same.answer };
}

function auditView({ id, state, reason, subscriberId, answer }: Stored) {
  return { id, state, reason, subscriberId, answer };
}

function tellUnmatched(
  tx: Tx,
  { id, notice, reason }: { id: number; notice: PaymentNotice; reason: string | null },
  now: Seconds,
): void {
  const { provider, externalId, amount, currency, named, ispId } = notice;
  const incoming = {
    id,
    provider,
    external_id: externalId,
    amount: formatMinor(amount),
    currency,
    reference: named.text,
    reason,
  };
  announceOther(tx, now, { type: "payment.unmatched", ispId, data: { incoming } });
}
