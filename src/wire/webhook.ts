import { type Static, Type } from "@sinclair/typebox";
import { timestamp } from "../domain/core/events/announce.ts";
import type { EventType } from "../domain/core/events/types.ts";
import type { ToldEvent } from "../domain/around/webhooks/events.ts";
import { deliveryStates } from "../../db/schema.ts";
import type { Attempt, Delivery } from "../domain/around/webhooks/deliveries.ts";
import type { Endpoint } from "../domain/around/webhooks/endpoints.ts";
import { oneOf } from "./kinds.ts";
import { declareRecord } from "./record.ts";

export const {
  schema: webhookSchema,
  example: exampleWebhook,
  toJson: webhookToJson,
} = declareRecord<Endpoint>()({
  id: { kind: "whole", example: 3 },
  isp_id: { kind: "whole", isNullable: true, example: 1 },
  url: { kind: "words", example: "https://books.example/hooks/gatehouse" },
  note: { kind: "words", isNullable: true, example: "the bookkeeping" },
  types: {
    shape: Type.Array(Type.String()),
    of: ({ types }) => JSON.parse(types),
    example: ["payment.received", "invoice.issued"],
  },
  allow_local: { kind: "flag", example: 0 },
  former_secret_until: { kind: "moment", isNullable: true, of: "formerUntil", example: null },
  slow_until: { kind: "moment", isNullable: true, example: null },
  disabled_at: { kind: "moment", isNullable: true, example: null },
  disabled_reason: { kind: "words", isNullable: true, example: null },
  created_at: { kind: "moment", example: "2030-01-15 12:00:00" },
});

export const {
  schema: deliverySchema,
  example: exampleDelivery,
  toJson: deliveryToJson,
} = declareRecord<Delivery>()({
  id: { kind: "whole", example: 812 },
  webhook_id: { kind: "whole", of: "endpointId", example: 3 },
  event_id: { kind: "words", of: "uid", example: "evt_6f1d0c6a4be8d07d3ab2e2f3b1d0c9aa" },
  type: { kind: "words", example: "payment.received" },
  event_at: { kind: "moment", of: "at", example: "2030-01-15 12:00:00" },
  user_id: { kind: "whole", isNullable: true, of: "subscriberId", example: 42 },
  state: { shape: oneOf(...deliveryStates), example: "delivered" },
  attempts: { kind: "whole", example: 1 },
  next_at: {
    kind: "moment",
    isNullable: true,
    of: ({ state, nextAt }) => (state === "waiting" ? nextAt : null),
    example: null,
  },
  ended_at: {
    kind: "moment",
    isNullable: true,
    of: ({ state, endedAt }) => (state === "waiting" ? null : endedAt),
    example: "2030-01-15 12:00:01",
  },
});

/** The event as a webhook's body, with the id that stands in `webhook-id` there. */
export const {
  schema: eventSchema,
  example: exampleEvent,
  toJson: eventToJson,
} = declareRecord<ToldEvent>()({
  id: { kind: "words", of: "uid", example: "evt_6f1d0c6a4be8d07d3ab2e2f3b1d0c9aa" },
  type: { shape: Type.Unsafe<EventType>(Type.String()), example: "payment.received" },
  timestamp: {
    shape: Type.String({ format: "date-time" }),
    of: ({ at }) => timestamp(at),
    example: "2030-01-15T12:00:00Z",
  },
  data: {
    shape: Type.Record(Type.String(), Type.Unknown()),
    of: ({ data }) => JSON.parse(data),
    example: { seq: 7, subscriber: { id: 42, username: "ann" }, payment: { id: 910, amount: 22 } },
  },
});

const attempt = declareRecord<Attempt>()({
  at: { kind: "moment", example: "2030-01-15 12:00:01" },
  milliseconds: { kind: "whole", example: 84 },
  status: { kind: "whole", isNullable: true, example: 200 },
  error: { kind: "words", isNullable: true, example: null },
  answer: { kind: "words", isNullable: true, example: "ok" },
});
export const tracedSchema = Type.Object({
  ...deliverySchema.properties,
  tries: Type.Array(attempt.schema),
  data: Type.Unknown(),
});

/** A delivery with its payload and the outcome of each attempt. */
export function tracedToJson(row: Delivery, attempts: readonly Attempt[], data: string) {
  const sent: unknown = JSON.parse(data);
  return { ...deliveryToJson(row), tries: attempts.map(attempt.toJson), data: sent };
}

export const exampleTraced: Static<typeof tracedSchema> = {
  ...exampleDelivery,
  tries: [attempt.example],
  data: { seq: 7, subscriber: { id: 42, username: "ann" }, payment: { id: 910, amount: 22 } },
};
