import { incomingStates } from "../../db/schema.ts";
import type { Incoming } from "../domain/desk/incoming/list.ts";
import type { Arrived } from "../domain/desk/incoming/receive.ts";
import type { Static } from "@sinclair/typebox";
import { oneOf } from "./kinds.ts";
import { declareRecord } from "./record.ts";

const state = oneOf(...incomingStates);

export const {
  schema: incomingSchema,
  example: exampleIncoming,
  toJson: incomingToJson,
} = declareRecord<Incoming>()({
  id: { kind: "whole", example: 31 },
  isp_id: { kind: "whole", example: 1 },
  source_id: { kind: "whole", isNullable: true, example: 2 },
  provider: { kind: "words", example: "Stripe" },
  external_id: { kind: "words", example: "pi_3Nk" },
  state: { shape: state, example: "unmatched" },
  reason: { kind: "words", isNullable: true, example: "nobody here is 5725" },
  amount: { kind: "money", example: 22 },
  currency: { kind: "words", example: "USD" },
  paid_at: { kind: "moment", isNullable: true, example: null },
  reference: { kind: "words", isNullable: true, example: "5725" },
  payer: { kind: "words", isNullable: true, example: "Ann Lee" },
  user_id: { kind: "whole", isNullable: true, of: "subscriberId", example: null },
  username: { kind: "words", isNullable: true, example: null },
  payment_id: { kind: "whole", isNullable: true, example: null },
  receipt_number: { kind: "words", isNullable: true, of: "number", example: null },
  received_at: { kind: "moment", example: "2030-01-15 12:00:00" },
  ended_at: { kind: "moment", isNullable: true, example: null },
  ended_by: { kind: "whole", isNullable: true, example: null },
});

const bookedRenewal = ({ booked }: Omit<Arrived, "answer">) => booked?.renewal ?? null;

export const {
  schema: arrivedSchema,
  example: exampleArrived,
  toJson: arrivedToJson,
} = declareRecord<Omit<Arrived, "answer">>()({
  success: {
    kind: "words",
    of: ({ booked }) =>
      booked
        ? `Booked: receipt ${booked.number}.`
        : "Kept for staff to look at; nothing was booked. Do not send it again.",
    example: "Booked: receipt R-2030-000096.",
  },
  id: { kind: "whole", example: 32 },
  state: { shape: state, example: "booked" },
  reason: { kind: "words", isNullable: true, example: null },
  user_id: { kind: "whole", isNullable: true, of: "subscriberId", example: 42 },
  receipt_number: {
    kind: "words",
    isNullable: true,
    of: ({ booked }) => booked?.number ?? null,
    example: "R-2030-000096",
  },
  balance: { kind: "money", isNullable: true, of: ({ booked }) => booked?.balance ?? null, example: 0 },
  renewed_until: {
    kind: "moment",
    isNullable: true,
    of: (arrived) => {
      const renewal = bookedRenewal(arrived);
      return typeof renewal === "object" ? (renewal?.expiresAt ?? null) : null;
    },
    example: "2030-02-15 12:00:00",
  },
  not_renewed: {
    kind: "words",
    isNullable: true,
    of: ({ booked, reason }) => (booked ? booked.notRenewed : reason),
    example: null,
  },
});
export type ArrivedJson = Static<typeof arrivedSchema>;
