import { createHmac } from "node:crypto";
import type { PresetName } from "../../../../src/domain/desk/incoming/presets.ts";

type Json = Record<string, unknown>;

/** What a provider sends by its own documentation, and what of it is what here. */
export interface Documented {
  readonly preset: PresetName;
  readonly secret?: string;
  readonly addresses?: string;
  /** Of the example. */
  readonly currency: string;
  /** Hundredths. */
  readonly amount: number;
  readonly id: string;
  /** The example, with a reference where a payer's stands, and other values where a test asks for them. */
  readonly body: (changes: Changes) => Json;
  readonly headers: (body: string, now: number, secret: string) => Record<string, string>;
  readonly answer: string;
}
export interface Changes {
  readonly reference: string;
  /** Not paid yet. */
  readonly isPending?: boolean;
  readonly currency?: string;
  /** As the provider writes it. */
  readonly amount?: number | string;
  /** Another event of the same payment. */
  readonly isSecond?: boolean;
}

const hmac = (algorithm: string, secret: string, text: string, encoding: "hex" | "base64" = "hex") =>
  createHmac(algorithm, secret).update(text).digest(encoding);
const received = '{"received":true}';

const stripe: Documented = {
  preset: "stripe",
  secret: "whsec_test_secret",
  currency: "USD",
  amount: 2198,
  answer: received,
  id: "pi_1GszsK2eZvKYlo2CfhZyoMLp",
  body: ({ reference, isPending = false, currency = "usd", amount = 2198, isSecond = false }) => ({
    id: isSecond ? "evt_2" : "evt_1",
    object: "event",
    api_version: "2019-02-19",
    created: 1686089970,
    data: {
      object: {
        id: "cs_test_a11YYufWQzNY63zpQ6QSNRQhkUpVph4WRmzW0zWJO2znZKdVujZ0N0S22u",
        object: "checkout.session",
        amount_subtotal: 2198,
        amount_total: amount,
        client_reference_id: reference,
        currency,
        customer: null,
        customer_details: { email: "example@example.com", name: null },
        livemode: false,
        metadata: {},
        mode: "payment",
        payment_intent: "pi_1GszsK2eZvKYlo2CfhZyoMLp",
        payment_status: isPending ? "unpaid" : "paid",
        status: "complete",
      },
    },
    type: isSecond ? "checkout.session.async_payment_succeeded" : "checkout.session.completed",
  }),
  headers: (body, now, secret) => ({
    "stripe-signature": `t=${now},v1=${"0".repeat(64)},v1=${hmac("sha256", secret, `${now}.${body}`)},v0=6ffbb59b2300aae63f272406069a9788598b792a944a07aba816edb039989a39`,
  }),
};

const paystack: Documented = {
  preset: "paystack",
  secret: "sk_test_xxxxxxxx",
  currency: "NGN",
  amount: 10_000,
  id: "qTPrJoy9Bx",
  answer: received,
  body: ({ reference, isPending = false, currency = "NGN", amount = 10_000, isSecond = false }) => ({
    event: "charge.success",
    data: {
      id: 302961,
      domain: "live",
      status: isPending ? "pending" : "success",
      reference: "qTPrJoy9Bx",
      amount,
      message: null,
      gateway_response: "Approved by Financial Institution",
      paid_at: isSecond ? "2016-09-30T21:10:20.000Z" : "2016-09-30T21:10:19.000Z",
      channel: "card",
      currency,
      ip_address: "41.242.49.37",
      metadata: { custom_fields: [{ display_name: "Account", variable_name: "account", value: reference }] },
      fees: null,
      customer: { id: 68324, email: "bojack@horseman.com", customer_code: "CUS_qo38as2hpsgk2r0" },
    },
  }),
  headers: (body, _now, secret) => ({ "x-paystack-signature": hmac("sha512", secret, body) }),
};

const razorpay: Documented = {
  preset: "razorpay",
  secret: "webhook-secret",
  currency: "SGD",
  amount: 100,
  id: "pay_DESp9bgForNoUd",
  answer: received,
  body: ({ reference, isPending = false, currency = "SGD", amount = 100, isSecond = false }) => ({
    account_id: "acc_BFQ7uQEaa7j2z7",
    contains: ["payment"],
    created_at: 1691735748,
    entity: "event",
    event: isSecond ? "order.paid" : "payment.captured",
    payload: {
      payment: {
        entity: {
          id: "pay_DESp9bgForNoUd",
          entity: "payment",
          amount,
          amount_refunded: 0,
          captured: !isPending,
          contact: "+11234567890",
          created_at: 1567674797,
          currency,
          email: "john.smith@example.com",
          fee: null,
          international: false,
          notes: { reference },
          status: isPending ? "authorized" : "captured",
        },
      },
    },
  }),
  headers: (body, _now, secret) => ({ "x-razorpay-signature": hmac("sha256", secret, body) }),
};

const flutterwaveV3: Documented = {
  preset: "flutterwave_v3",
  secret: "my-secret-hash",
  currency: "NGN",
  amount: 10_000,
  id: "285959875",
  answer: received,
  body: ({ reference, isPending = false, currency = "NGN", amount = 100, isSecond = false }) => ({
    event: "charge.completed",
    data: {
      id: 285959875,
      tx_ref: reference,
      flw_ref: "PeterEkene/FLW270177170",
      amount,
      currency,
      charged_amount: amount,
      app_fee: isSecond ? 1.5 : 1.4,
      merchant_fee: 0,
      processor_response: "Approved by Financial Institution",
      narration: "CARD Transaction ",
      status: isPending ? "pending" : "successful",
      payment_type: "card",
      created_at: "2020-07-06T19:17:04.000Z",
      account_id: 17321,
      customer: { id: 215604089, name: "Yemi Desola", email: "user@gmail.com" },
    },
  }),
  headers: (_body, _now, secret) => ({ "verif-hash": secret }),
};

const flutterwaveV4: Documented = {
  preset: "flutterwave_v4",
  secret: "my-secret-hash",
  currency: "NGN",
  amount: 2_500_000,
  id: "chg_e1f3a2b1",
  answer: received,
  body: ({ reference, isPending = false, currency = "NGN", amount = 25_000, isSecond = false }) => ({
    webhook_id: isSecond ? "wbk_2" : "wbk_1",
    timestamp: 1739456704200,
    type: "charge.completed",
    data: {
      id: "chg_e1f3a2b1",
      amount,
      currency,
      status: isPending ? "pending" : "succeeded",
      reference,
      customer: { id: "cus_4fa9c2b5", email: "ada.lovelace@example.com" },
      payment_method: { type: "mobile_money", mobile_money: { network: "MTN", country_code: "234" } },
      processor_response: { type: "approved", code: "00" },
    },
  }),
  headers: (body, _now, secret) => ({ "flutterwave-signature": hmac("sha256", secret, body, "base64") }),
};

const xendit: Documented = {
  preset: "xendit",
  secret: "sample-token-id==",
  currency: "IDR",
  amount: 5_000_000,
  id: "579c8d61f23fa4ca35e52da4",
  answer: received,
  body: ({ reference, isPending = false, currency = "IDR", amount = 50_000, isSecond = false }) => ({
    id: "579c8d61f23fa4ca35e52da4",
    external_id: reference,
    user_id: "5781d19b2e2385880609791c",
    payment_method: "BANK_TRANSFER",
    status: isPending ? "PENDING" : isSecond ? "SETTLED" : "PAID",
    merchant_name: "Xendit",
    amount,
    paid_amount: amount,
    bank_code: "PERMATA",
    paid_at: "2016-10-12T08:15:03.404Z",
    payer_email: "wildan@xendit.co",
    currency,
    payment_channel: "PERMATA",
    payment_destination: "888888888888",
  }),
  headers: (_body, _now, secret) => ({ "x-callback-token": secret }),
};

const mpesa: Documented = {
  preset: "mpesa_c2b",
  addresses: "196.201.214.200, 196.201.214.206",
  currency: "KES",
  amount: 1000,
  id: "RKTQDM7W6S",
  answer: '{"ResultCode":0,"ResultDesc":"Accepted"}',
  body: ({ reference, amount = "10", isSecond = false }) => ({
    TransactionType: "Pay Bill",
    TransID: "RKTQDM7W6S",
    TransTime: "20191122063845",
    TransAmount: amount,
    BusinessShortCode: "600638",
    BillRefNumber: reference,
    InvoiceNumber: "",
    OrgAccountBalance: isSecond ? "49197.00" : "",
    ThirdPartyTransID: "",
    MSISDN: "25470****149",
    FirstName: "John",
  }),
  headers: () => ({}),
};

/** One of each provider that is known here. */
export const documented = [stripe, paystack, razorpay, flutterwaveV3, flutterwaveV4, xendit, mpesa];
