import { type Static, Type } from "@sinclair/typebox";
import { deliveryStates } from "../../db/schema.ts";
import { formatTime, type Seconds } from "../domain/core/time/time.ts";
import type { Attempt, Delivery } from "../domain/around/webhooks/deliveries.ts";
import type { Endpoint } from "../domain/around/webhooks/endpoints.ts";
import { nullable, text } from "./kinds.ts";

const timeOf = (at: Seconds | null) => (at === null ? null : formatTime(at));

export const webhookSchema = Type.Object({
  id: Type.Integer(),
  isp_id: nullable(Type.Integer()),
  url: Type.String(),
  note: text,
  types: Type.Array(Type.String()),
  allow_local: Type.Integer(),
  former_secret_until: text,
  slow_until: text,
  disabled_at: text,
  disabled_reason: text,
  created_at: Type.String(),
});
type ShownWebhook = Static<typeof webhookSchema>;

export function shownWebhook(row: Endpoint): ShownWebhook {
  const types: string[] = JSON.parse(row.types);
  return {
    ...{ id: row.id, isp_id: row.ispId, url: row.url, note: row.note, types, allow_local: row.allowLocal },
    ...{ former_secret_until: timeOf(row.formerUntil), slow_until: timeOf(row.slowUntil) },
    ...{ disabled_at: timeOf(row.disabledAt), disabled_reason: row.disabledReason },
    created_at: formatTime(row.createdAt),
  };
}

export const exampleWebhook: ShownWebhook = {
  ...{ id: 3, isp_id: 1, url: "https://books.example/hooks/gatehouse", note: "the bookkeeping" },
  ...{ types: ["payment.received", "invoice.issued"], allow_local: 0, former_secret_until: null },
  ...{ slow_until: null, disabled_at: null, disabled_reason: null, created_at: "2030-01-15 12:00:00" },
};

const delivery = {
  id: Type.Integer(),
  webhook_id: Type.Integer(),
  event_id: Type.String(),
  type: Type.String(),
  event_at: Type.String(),
  user_id: nullable(Type.Integer()),
  state: Type.Union(deliveryStates.map((state) => Type.Literal(state))),
  attempts: Type.Integer(),
  next_at: text,
  ended_at: text,
};
export const deliverySchema = Type.Object(delivery);
type ShownDelivery = Static<typeof deliverySchema>;

export function shownDelivery(row: Delivery): ShownDelivery {
  return {
    ...{ id: row.id, webhook_id: row.endpointId, event_id: row.uid, type: row.type, state: row.state },
    ...{ event_at: formatTime(row.at), user_id: row.subscriberId, attempts: row.attempts },
    next_at: row.state === "waiting" ? formatTime(row.nextAt) : null,
    ended_at: row.state === "waiting" ? null : timeOf(row.endedAt),
  };
}

export const exampleDelivery: ShownDelivery = {
  ...{ id: 812, webhook_id: 3, event_id: "evt_6f1d0c6a4be8d07d3ab2e2f3b1d0c9aa", type: "payment.received" },
  ...{ event_at: "2030-01-15 12:00:00", user_id: 42, state: "delivered", attempts: 1 },
  ...{ next_at: null, ended_at: "2030-01-15 12:00:01" },
};

const attempt = Type.Object({
  at: Type.String(),
  milliseconds: Type.Integer(),
  status: nullable(Type.Integer()),
  error: text,
  answer: text,
});
export const tracedSchema = Type.Object({ ...delivery, tries: Type.Array(attempt), data: Type.Unknown() });

/** A delivery with what was sent and what came of each attempt. */
export function shownTraced(row: Delivery, attempts: readonly Attempt[], data: string) {
  const tries = attempts.map(({ at, milliseconds, status, error, answer }) => {
    return { at: formatTime(at), milliseconds, status, error, answer };
  });
  const sent: unknown = JSON.parse(data);
  return { ...shownDelivery(row), tries, data: sent };
}

export const exampleTraced: Static<typeof tracedSchema> = {
  ...exampleDelivery,
  tries: [{ at: "2030-01-15 12:00:01", milliseconds: 84, status: 200, error: null, answer: "ok" }],
  data: { seq: 7, subscriber: { id: 42, username: "ann" }, payment: { id: 910, amount: 22 } },
};
