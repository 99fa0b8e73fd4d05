import { type Static, Type } from "@sinclair/typebox";
import { incomingStates } from "../../db/schema.ts";
import type { Incoming } from "../domain/desk/incoming/list.ts";
import type { Arrived } from "../domain/desk/incoming/receive.ts";
import { shownAmount } from "../domain/core/amounts/money.ts";
import { formatTime, type Seconds } from "../domain/core/time/time.ts";
import { nullable, text } from "./kinds.ts";

const timeOf = (at: Seconds | null) => (at === null ? null : formatTime(at));
const id = nullable(Type.Integer());
const state = Type.Union(incomingStates.map((one) => Type.Literal(one)));

export const incomingSchema = Type.Object({
  id: Type.Integer(),
  isp_id: Type.Integer(),
  source_id: id,
  provider: Type.String(),
  external_id: Type.String(),
  state,
  reason: text,
  amount: Type.Number(),
  currency: Type.String(),
  paid_at: text,
  reference: text,
  payer: text,
  user_id: id,
  username: text,
  payment_id: id,
  receipt_number: text,
  received_at: Type.String(),
  ended_at: text,
  ended_by: id,
});
type ShownIncoming = Static<typeof incomingSchema>;

export function shownIncoming(row: Incoming): ShownIncoming {
  return {
    ...{ id: row.id, isp_id: row.ispId, source_id: row.sourceId, provider: row.provider },
    ...{ external_id: row.externalId, state: row.state, reason: row.reason },
    ...{ amount: shownAmount(row.amount), currency: row.currency, paid_at: timeOf(row.paidAt) },
    ...{ reference: row.reference, payer: row.payer, user_id: row.subscriberId, username: row.username },
    ...{ payment_id: row.paymentId, receipt_number: row.number, received_at: formatTime(row.receivedAt) },
    ...{ ended_at: timeOf(row.endedAt), ended_by: row.endedBy },
  };
}

export const exampleIncoming: ShownIncoming = {
  ...{ id: 31, isp_id: 1, source_id: 2, provider: "Stripe", external_id: "pi_3Nk", state: "unmatched" },
  ...{ reason: "nobody here is 5725", amount: 22, currency: "USD", paid_at: null, reference: "5725" },
  ...{ payer: "Ann Lee", user_id: null, username: null, payment_id: null, receipt_number: null },
  ...{ received_at: "2030-01-15 12:00:00", ended_at: null, ended_by: null },
};

export const arrivedSchema = Type.Object({
  success: Type.String(),
  id: Type.Integer(),
  state,
  reason: text,
  user_id: id,
  receipt_number: text,
  balance: nullable(Type.Number()),
  renewed_until: text,
  not_renewed: text,
});
export type ShownArrived = Static<typeof arrivedSchema>;

/** What is answered to a program that told of a payment. */
export function shownArrived({
  id: arrivedId,
  state: now,
  reason,
  subscriberId,
  booked,
}: Omit<Arrived, "answer">): ShownArrived {
  const { renewal = null } = booked ?? {};
  return {
    success: booked
      ? `Booked: receipt ${booked.number}.`
      : "Kept for staff to look at; nothing was booked. Do not send it again.",
    ...{ id: arrivedId, state: now, reason, user_id: subscriberId },
    receipt_number: booked?.number ?? null,
    balance: booked ? shownAmount(booked.balance) : null,
    renewed_until: renewal !== null && typeof renewal === "object" ? formatTime(renewal.expiresAt) : null,
    not_renewed: typeof renewal === "string" ? renewal : null,
  };
}

export const exampleArrived: ShownArrived = {
  ...{ success: "Booked: receipt R-2030-000096.", id: 32, state: "booked", reason: null, user_id: 42 },
  ...{ receipt_number: "R-2030-000096", balance: 0, renewed_until: "2030-02-15 12:00:00", not_renewed: null },
};
