import { type Static, Type } from "@sinclair/typebox";
import type { Quote } from "../domain/service/activation/activate.ts";
import type { Extended } from "../domain/service/activation/extend.ts";
import type { DueRenewal } from "../domain/service/activation/renewals.ts";
import type { Voided } from "../domain/desk/void/void.ts";
import type { Frozen, Thawed } from "../domain/desk/subscriber-page/freeze-service.ts";
import { declareRecord, constant } from "./record.ts";

const share = declareRecord<Quote["paid"][number]>()({
  staff_id: { kind: "whole", example: 2 },
  name: { kind: "words", example: "Rex" },
  amount: { kind: "money", example: -3.33 },
  when: {
    shape: Type.String({ enum: ["now", "settled"] }),
    of: ({ isNow }) => (isNow ? "now" : "settled"),
    example: "now",
  },
});

export const {
  schema: quoteSchema,
  example: exampleQuote,
  toJson: quoteToJson,
} = declareRecord<Quote>()({
  user_id: { kind: "whole", of: ({ subscriber }) => subscriber.id, example: 42 },
  package_id: { kind: "whole", of: ({ sold }) => sold.id, example: 7 },
  package_name: { kind: "words", of: ({ sold }) => sold.name, example: "Home 12" },
  period_start: { kind: "moment", of: "start", example: "2030-01-15 12:00:00" },
  new_expiration: { kind: "moment", of: "expiresAt", example: "2030-02-15 12:00:00" },
  amount_charged: { kind: "money", of: ({ sold }) => sold.price, example: 12 },
  credited: { kind: "money", example: 18.33 },
  balance: { kind: "money", example: 0 },
  balance_after: { kind: "money", example: 6.33 },
  paid: {
    shape: Type.Array(share.schema),
    of: ({ paid }) => paid.map(share.toJson),
    example: [share.example],
  },
});

const session = Type.Optional(Type.String());

const extension = declareRecord<Extended>()({
  success: constant("Subscriber extended."),
  user_id: { kind: "whole", of: "subscriberId", example: 42 },
  new_expiration: { kind: "moment", of: "expiresAt", example: "2030-02-02 12:00:00" },
  paid_until: { kind: "moment", example: "2030-01-31 12:00:00" },
});
export const extensionToJson = extension.toJson;
export const extensionSchema = Type.Object({ ...extension.schema.properties, session });
export const exampleExtension: Static<typeof extensionSchema> = {
  ...extension.example,
  session: "The subscriber is offline; the next login gets the current service.",
};

export const {
  schema: freezeSchema,
  example: exampleFreeze,
  toJson: freezeToJson,
} = declareRecord<Frozen & { ended: number; failures: string[] }>()({
  success: constant("Subscriber frozen."),
  user_id: { kind: "whole", of: "subscriberId", example: 42 },
  frozen_since: { kind: "moment", of: "frozenAt", example: "2030-01-15 12:00:00" },
  thaws_at: { kind: "moment", of: "until", example: "2030-04-15 12:00:00" },
  sessions_ended: { kind: "whole", of: "ended", example: 1 },
  failures: { shape: Type.Array(Type.String()), example: [] },
});

export const {
  schema: thawSchema,
  example: exampleThaw,
  toJson: thawToJson,
} = declareRecord<Thawed>()({
  success: constant("Subscriber thawed."),
  user_id: { kind: "whole", of: "subscriberId", example: 42 },
  new_expiration: { kind: "moment", of: "expiresAt", example: "2030-02-10 12:00:00" },
});

export const {
  schema: dueRenewalSchema,
  example: exampleDueRenewal,
  toJson: dueRenewalToJson,
} = declareRecord<DueRenewal>()({
  user_id: { kind: "whole", of: "id", example: 42 },
  username: { kind: "words", example: "sam" },
  name: { kind: "words", example: "Sam" },
  package_id: { kind: "whole", example: 7 },
  package_name: { kind: "words", example: "Home 12" },
  price: { kind: "money", example: 12 },
  current_expiration_date: { kind: "moment", of: "expiresAt", example: "2030-01-31 12:00:00" },
  renews_at: { kind: "moment", example: "2030-01-31 11:00:00" },
  reason: {
    kind: "words",
    isNullable: true,
    example:
      "insufficient balance: the package costs 12.00, the wallet holds 6.33; credit the subscriber first",
  },
});

const voided = declareRecord<Voided>()({
  success: constant("Invoice void."),
  invoice_id: { kind: "whole", example: 123 },
  number: { kind: "words", example: "I-2030-000123" },
  user_id: { kind: "whole", of: "subscriberId", example: 42 },
  given_back: { kind: "money", of: "amount", example: 12 },
});
export const voidToJson = voided.toJson;
export const voidSchema = Type.Object({ ...voided.schema.properties, session });
export const exampleVoid: Static<typeof voidSchema> = {
  ...voided.example,
  session: "The session was ended, so that the next login gets the current service.",
};
