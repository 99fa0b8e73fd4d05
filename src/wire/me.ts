import { Type } from "@sinclair/typebox";
import type { MessageItem } from "../domain/around/messages/history.ts";
import { formatMinor } from "../domain/core/amounts/money.ts";
import type { Invoice, PaymentItem, SessionItem } from "../domain/desk/portal/history.ts";
import type { OwnDevices } from "../domain/desk/portal/devices.ts";
import type { Line } from "../domain/desk/portal/line.ts";
import type { OwnQuote } from "../domain/desk/portal/renewal.ts";
import type { UsageDay } from "../domain/desk/portal/usage-chart.ts";
import type { TopUpOffer } from "../domain/service/activation/top-up.ts";
import { errorCode } from "./error-code.ts";
import { nullable, oneOf, text } from "./kinds.ts";
import { declareRecord } from "./record.ts";
import { writeTime, writeTimeOrNull } from "./time.ts";
import { money } from "./money.ts";

const whole = Type.Integer();
/** Money in the currency's unit, and beside it in hundredths as programs count. */

export const quotaSchema = nullable(
  Type.Object({
    total_bytes: whole,
    used_bytes: whole,
    is_used_up: Type.Boolean(),
    slows_down: Type.Boolean(),
  }),
);
export const tierSchema = nullable(
  Type.Object({
    reached: whole,
    of: whole,
    rate_limit: text,
    next_rate_limit: text,
    left_bytes: nullable(whole),
    returns_at: Type.String(),
  }),
);
export const exampleQuota = { total_bytes: 100e9, used_bytes: 40e9, is_used_up: false, slows_down: true };

export const quotaToJson = (quota: Line["quota"]) =>
  quota && {
    total_bytes: quota.total,
    used_bytes: quota.used,
    is_used_up: quota.isUsedUp,
    slows_down: quota.slowsDown,
  };

export const tierToJson = (fair: Line["fair"]) =>
  fair && {
    reached: fair.tier,
    of: fair.tiers,
    rate_limit: fair.rate,
    next_rate_limit: fair.nextRate,
    left_bytes: fair.left,
    returns_at: writeTime(fair.returnsAt),
  };

export const {
  schema: offerSchema,
  example: exampleOffer,
  toJson: offerToJson,
} = declareRecord<TopUpOffer>()({
  package_id: { kind: "whole", example: 12 },
  name: { kind: "words", example: "10 GB more" },
  price: { kind: "money", example: 5 },
  price_minor: { kind: "whole", of: "price", example: 500 },
  bytes: { kind: "whole", example: 10e9 },
  days: { meaning: "Days that it adds; 0: none.", kind: "whole", example: 0 },
});

export const {
  schema: sessionItemSchema,
  example: exampleSessionItem,
  toJson: sessionItemToJson,
} = declareRecord<SessionItem>()({
  started_at: { kind: "moment", example: "2030-01-31 12:00:00" },
  stopped_at: { kind: "moment", isNullable: true, example: null },
  address: { kind: "words", isNullable: true, example: "10.0.0.7" },
  ipv6_prefix: { kind: "words", isNullable: true, of: "prefix", example: null },
  down_bytes: { kind: "whole", of: "down", example: 1_200_000_000 },
  up_bytes: { kind: "whole", of: "up", example: 90_000_000 },
  terminate_cause: { kind: "words", isNullable: true, of: "cause", example: null },
});

export const {
  schema: invoiceItemSchema,
  example: exampleInvoiceItem,
  toJson: invoiceItemToJson,
} = declareRecord<Invoice>()({
  id: { kind: "whole", example: 118 },
  number: { kind: "words", isNullable: true, example: "I-2030-000118" },
  created_at: { kind: "moment", example: "2030-01-31 12:00:00" },
  package_name: { kind: "words", example: "Home 10" },
  period_start: { kind: "moment", example: "2030-01-31 12:00:00" },
  period_end: { kind: "moment", example: "2030-02-28 12:00:00" },
  amount: { kind: "money", example: 22 },
  amount_minor: { kind: "whole", of: "amount", example: 2200 },
  open: { kind: "money", example: 0 },
  open_minor: { kind: "whole", of: "open", example: 0 },
  currency: { kind: "words", example: "USD" },
  state: {
    shape: oneOf("paid", "unpaid", "void"),
    of: ({ voidedAt, paidAt }) => (voidedAt === null ? (paidAt === null ? "unpaid" : "paid") : "void"),
    example: "paid",
  },
});

export const {
  schema: paymentItemSchema,
  example: examplePaymentItem,
  toJson: paymentItemToJson,
} = declareRecord<PaymentItem>()({
  number: { kind: "words", example: "R-2030-000096" },
  kind: { shape: oneOf("payment", "refund"), example: "payment" },
  amount: { kind: "money", example: 22 },
  amount_minor: { kind: "whole", of: "amount", example: 2200 },
  currency: { kind: "words", example: "USD" },
  method: { kind: "words", example: "cash" },
  reference: { kind: "words", isNullable: true, example: null },
  created_at: { kind: "moment", example: "2030-01-31 12:00:00" },
  reversed_at: { kind: "moment", isNullable: true, example: null },
});

export const {
  schema: messageItemSchema,
  example: exampleMessageItem,
  toJson: messageItemToJson,
} = declareRecord<MessageItem>()({
  id: { kind: "whole", example: 31 },
  sent_at: { kind: "moment", example: "2030-01-31 12:00:00" },
  address: {
    meaning: "Where it went: a number or an e-mail address; null: to neither.",
    kind: "words",
    isNullable: true,
    example: "+15550100",
  },
  subject: { kind: "words", isNullable: true, example: null },
  body: { kind: "words", isNullable: true, example: "Thank you, Sam: 22.00 received." },
});

export const {
  schema: usageDaySchema,
  example: exampleUsageDay,
  toJson: usageDayToJson,
} = declareRecord<UsageDay>()({
  date: {
    kind: "words",
    of: ({ day }) => String(day).replace(/(....)(..)(..)/, "$1-$2-$3"),
    example: "2030-01-31",
  },
  down_bytes: { kind: "whole", of: "down", example: 1_200_000_000 },
  up_bytes: { kind: "whole", of: "up", example: 90_000_000 },
});

export const devicesSchema = Type.Object({
  mac_address: text,
  mac_lock: whole,
  online: Type.Array(Type.Object({ mac_address: text, address: text, since: Type.String() })),
  refused: nullable(Type.Object({ mac_address: Type.String(), at: Type.String() })),
});
export const exampleDevices = {
  mac_address: "AA:BB:CC:DD:EE:01",
  mac_lock: 1,
  online: [],
  refused: { mac_address: "AA:BB:CC:DD:EE:02", at: "2030-01-31 12:00:00" },
};

export const devicesToJson = ({ mac, isLocked, online, refused }: OwnDevices) => ({
  mac_address: mac,
  mac_lock: Number(isLocked),
  online: online.map((one) => ({ mac_address: one.mac, address: one.address, since: writeTime(one.since) })),
  refused: refused && { mac_address: refused.mac, at: writeTime(refused.at) },
});

export const renewalQuoteSchema = Type.Object({
  package_name: Type.String(),
  price: money,
  price_minor: whole,
  balance: money,
  balance_minor: whole,
  new_expiration: text,
  refusal: nullable(Type.Object({ code: errorCode, message: Type.String() })),
});
export const exampleRenewalQuote = {
  package_name: "Home 10",
  price: 22,
  price_minor: 2200,
  balance: 30,
  balance_minor: 3000,
  new_expiration: "2030-02-28 12:00:00",
  refusal: null,
};

export const renewalQuoteToJson = ({ packageName, price, balance, expiresAt, refusal }: OwnQuote) => ({
  package_name: packageName,
  price: formatMinor(price),
  price_minor: price,
  balance: formatMinor(balance),
  balance_minor: balance,
  new_expiration: writeTimeOrNull(expiresAt),
  refusal: refusal && { code: refusal.code, message: refusal.message },
});

/** What was bought. */
export const boughtSchema = Type.Object({
  success: Type.String(),
  invoice_id: whole,
  new_expiration: text,
  balance: money,
  balance_minor: whole,
});
export const exampleBought = {
  success: "The package is renewed.",
  invoice_id: 118,
  new_expiration: "2030-02-28 12:00:00",
  balance: 8,
  balance_minor: 800,
};
