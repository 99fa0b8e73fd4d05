import type { Provider } from "./provider.ts";

/*
 * From the providers' documentation: docs.stripe.com/webhooks, paystack.com/docs/payments/webhooks, razorpay.com/docs/webhooks,
 * developer.flutterwave.com/docs/webhooks (v3 and v4), docs.xendit.co, developer.safaricom.co.ke (C2B).
 */

const ok = { type: "application/json", body: '{"received":true}' } as const;

/** Stripe differs from ISO 4217: ISK and UGX in hundredths, MGA in whole units. */
const stripeDigits = { ISK: 2, UGX: 2, MGA: 0 };

const stripe: Provider = {
  format: "json",
  proof: {
    kind: "hmac",
    algorithm: "sha256",
    encoding: "hex",
    header: "stripe-signature",
    over: "time.body",
    parts: { time: "t", signature: "v1" },
    tolerance: 300,
  },
  type: ["type"],
  events: [
    {
      types: ["checkout.session.completed", "checkout.session.async_payment_succeeded"],
      id: ["data.object.payment_intent", "data.object.id"],
      amount: ["data.object.amount_total"],
      unit: "iso",
      digits: stripeDigits,
      currency: ["data.object.currency"],
      reference: ["data.object.client_reference_id", "data.object.metadata.reference"],
      payer: ["data.object.customer_details.name", "data.object.customer_details.email"],
      state: { at: ["data.object.payment_status"], paid: ["paid"] },
    },
    {
      types: ["charge.refunded"],
      id: ["data.object.id"],
      amount: ["data.object.amount_refunded"],
      unit: "iso",
      digits: stripeDigits,
      currency: ["data.object.currency"],
      reference: ["data.object.metadata.reference"],
      is_back: true,
      of: ["data.object.payment_intent"],
    },
    {
      types: ["charge.dispute.created"],
      id: ["data.object.id"],
      amount: ["data.object.amount"],
      unit: "iso",
      digits: stripeDigits,
      currency: ["data.object.currency"],
      reference: ["data.object.metadata.reference"],
      is_back: true,
      of: ["data.object.payment_intent"],
    },
  ],
  answer: ok,
};

const paystack: Provider = {
  format: "json",
  proof: {
    kind: "hmac",
    algorithm: "sha512",
    encoding: "hex",
    header: "x-paystack-signature",
    over: "body",
  },
  type: ["event"],
  events: [
    {
      types: ["charge.success"],
      id: ["data.reference"],
      amount: ["data.amount"],
      unit: "minor",
      currency: ["data.currency"],
      reference: ["data.metadata.reference", "data.metadata.custom_fields.0.value"],
      payer: ["data.customer.email"],
      state: { at: ["data.status"], paid: ["success"] },
    },
    {
      types: ["refund.processed"],
      id: ["data.refund_reference", "data.id", "data.transaction_reference"],
      amount: ["data.amount"],
      unit: "minor",
      currency: ["data.currency"],
      reference: ["data.metadata.reference"],
      is_back: true,
      of: ["data.transaction_reference"],
    },
    {
      types: ["charge.dispute.create"],
      id: ["data.id"],
      amount: ["data.refund_amount", "data.transaction.amount"],
      unit: "minor",
      currency: ["data.currency", "data.transaction.currency"],
      reference: ["data.transaction.metadata.reference"],
      is_back: true,
      of: ["data.transaction.reference"],
    },
  ],
  answer: ok,
};

const razorpay: Provider = {
  format: "json",
  proof: {
    kind: "hmac",
    algorithm: "sha256",
    encoding: "hex",
    header: "x-razorpay-signature",
    over: "body",
  },
  type: ["event"],
  events: [
    {
      types: ["payment.captured", "order.paid", "payment_link.paid"],
      id: ["payload.payment.entity.id"],
      amount: ["payload.payment.entity.amount"],
      unit: "iso",
      currency: ["payload.payment.entity.currency"],
      // links and orders have notes of their own
      reference: [
        "payload.payment.entity.notes.reference",
        "payload.payment_link.entity.reference_id",
        "payload.payment_link.entity.notes.reference",
        "payload.order.entity.notes.reference",
        "payload.order.entity.receipt",
      ],
      payer: ["payload.payment.entity.email", "payload.payment.entity.contact"],
      state: { at: ["payload.payment.entity.status"], paid: ["captured"] },
    },
    {
      types: ["refund.processed"],
      id: ["payload.refund.entity.id"],
      amount: ["payload.refund.entity.amount"],
      unit: "iso",
      currency: ["payload.refund.entity.currency"],
      reference: ["payload.payment.entity.notes.reference"],
      is_back: true,
      of: ["payload.refund.entity.payment_id"],
    },
    {
      types: ["payment.dispute.created"],
      id: ["payload.dispute.entity.id"],
      amount: ["payload.dispute.entity.amount"],
      unit: "iso",
      currency: ["payload.dispute.entity.currency"],
      reference: ["payload.payment.entity.notes.reference"],
      is_back: true,
      of: ["payload.dispute.entity.payment_id"],
    },
  ],
  answer: ok,
};

const flutterwaveV3: Provider = {
  format: "json",
  proof: { kind: "token", header: "verif-hash" },
  type: ["event"],
  events: [
    {
      types: ["charge.completed"],
      id: ["data.id"],
      amount: ["data.amount"],
      unit: "major",
      currency: ["data.currency"],
      reference: ["meta_data.reference", "data.meta.reference", "data.tx_ref"],
      payer: ["data.customer.name", "data.customer.email"],
      state: { at: ["data.status"], paid: ["successful"] },
    },
  ],
  answer: ok,
};

const flutterwaveV4: Provider = {
  format: "json",
  proof: {
    kind: "hmac",
    algorithm: "sha256",
    encoding: "base64",
    header: "flutterwave-signature",
    over: "body",
  },
  type: ["type"],
  events: [
    {
      types: ["charge.completed"],
      id: ["data.id"],
      amount: ["data.amount"],
      unit: "major",
      currency: ["data.currency"],
      reference: ["data.meta.reference", "data.reference"],
      payer: ["data.customer.email"],
      state: { at: ["data.status"], paid: ["succeeded"] },
    },
    {
      types: ["refund.completed", "chargeback.created"],
      id: ["data.id"],
      amount: ["data.amount_refunded", "data.amount"],
      unit: "major",
      currency: ["data.currency"],
      reference: ["data.meta.reference"],
      is_back: true,
      of: ["data.charge_id"],
    },
  ],
  answer: ok,
};

const xendit: Provider = {
  format: "json",
  proof: { kind: "token", header: "x-callback-token" },
  type: ["event"],
  events: [
    {
      types: ["refund.succeeded"],
      // nested once or twice, by page of the documentation
      id: ["data.id", "data.data.id"],
      amount: ["data.amount", "data.data.amount"],
      unit: "major",
      currency: ["data.currency", "data.data.currency"],
      reference: ["data.metadata.reference", "data.data.metadata.reference"],
      is_back: true,
      of: ["data.invoice_id", "data.payment_id", "data.data.invoice_id", "data.data.payment_id"],
    },
    // invoices have no event name
    {
      id: ["id"],
      amount: ["paid_amount", "amount"],
      unit: "major",
      currency: ["currency"],
      reference: ["external_id"],
      payer: ["payer_email"],
      state: { at: ["status"], paid: ["PAID", "SETTLED"] },
    },
  ],
  answer: ok,
};

const mpesaC2b: Provider = {
  format: "json",
  proof: { kind: "addresses" },
  events: [
    {
      id: ["TransID"],
      amount: ["TransAmount"],
      unit: "major",
      currency: { fixed: "KES" },
      reference: ["BillRefNumber"],
      payer: ["FirstName"],
    },
  ],
  answer: { type: "application/json", body: '{"ResultCode":0,"ResultDesc":"Accepted"}' },
  refusal: '{"ResultCode":"C2B00012","ResultDesc":"Rejected"}', // an account number that is none
};

/** Template for others. */
const own: Provider = {
  format: "json",
  proof: {
    kind: "hmac",
    algorithm: "sha256",
    encoding: "hex",
    header: "x-signature",
    over: "body",
  },
  events: [
    {
      id: ["id"],
      amount: ["amount"],
      unit: "major",
      currency: ["currency"],
      reference: ["reference"],
      state: { at: ["status"], paid: ["paid"] },
    },
  ],
  answer: ok,
};

/** M-Pesa also needs its addresses. */
export const presets = {
  stripe,
  paystack,
  razorpay,
  flutterwave_v3: flutterwaveV3,
  flutterwave_v4: flutterwaveV4,
  xendit,
  mpesa_c2b: mpesaC2b,
  own,
} as const satisfies Record<string, Provider>;

export type PresetName = keyof typeof presets;
export const presetNames = Object.keys(presets) as PresetName[];
