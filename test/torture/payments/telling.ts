import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { makeReference } from "../../../src/domain/desk/incoming/reference.ts";

/** By whom it is told: a provider at an address of its own, or a program that signs what it says. */
export type Via = "provider" | "program";

/** Something that is to be told until it is answered: a payment, the same under another amount, or a refund. */
export interface Sent {
  readonly via: Via;
  /** Of the payment, or of the refund. */
  readonly id: string;
  /** Whose it says that it is; null: a reference that nobody has. */
  readonly subscriber: number | null;
  /** Minor units. */
  readonly amount: number;
  readonly currency: string;
  /** `other`: the id was told before with another amount. `refund`: of a payment of `of`. */
  readonly kind: "payment" | "other" | "refund";
  readonly of?: string;
  /** The provider speaks of it while it is not paid yet. */
  isPending: boolean;
  /** What was answered 2xx; undefined: nothing yet. */
  answer?: string;
}

export const PROVIDER = "Paystack";
export const PROGRAM = "till";
const NOBODY = "99990";

/** Whether it is to be booked without staff. */
export const isBookable = ({ kind, subscriber, currency }: Sent): boolean =>
  kind === "payment" && subscriber !== null && currency === "USD";

/** What proves who tells. */
export interface Proofs {
  /** Path of the address of the provider. */
  readonly path: string;
  readonly providerSecret: string;
  readonly programSecret: string;
}

export interface Request {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** A call that tells it; `nth` is the number of the event, another one at each call. */
export function requestOf(telling: Sent, nth: number, proofs: Proofs): Request {
  return telling.via === "program"
    ? ofProgram(telling, nth, proofs)
    : ofProvider(eventOf(telling, nth), proofs);
}

const referenceIn = ({ subscriber }: Sent) => (subscriber === null ? NOBODY : makeReference(subscriber));

function ofProgram(telling: Sent, nth: number, { programSecret }: Proofs): Request {
  const body = JSON.stringify({
    external_id: telling.id,
    provider: PROGRAM,
    amount: telling.amount / 100,
    currency: telling.currency,
    paid_at: "2026-01-15 12:00:00",
    reference: referenceIn(telling),
  });
  const [id, at] = [`call-${nth}`, new Date()];
  const headers = {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": new Webhook(programSecret).sign(id, at, body),
    "content-type": "application/json",
  };
  return { path: "/api/v1/payment/receive", headers, body };
}

function eventOf(telling: Sent, nth: number): object {
  const { kind, id, amount, currency, of, isPending } = telling;
  const money = { amount, currency, metadata: { reference: referenceIn(telling) } };
  return kind === "refund"
    ? {
        event: "refund.processed",
        data: { id: nth, refund_reference: id, transaction_reference: of, ...money, status: "processed" },
      }
    : {
        event: "charge.success",
        data: { id: nth, reference: id, ...money, status: isPending ? "pending" : "success" },
      };
}

function ofProvider(event: object, { path, providerSecret }: Proofs): Request {
  const body = JSON.stringify(event);
  const signature = createHmac("sha512", providerSecret).update(body).digest("hex");
  return { path, headers: { "x-paystack-signature": signature, "content-type": "application/json" }, body };
}
