import { type Static, type TObject, Type } from "@sinclair/typebox";
import type { Db } from "../../../db/open.ts";
import { formatMinor } from "../../domain/core/amounts/money.ts";
import { DomainError } from "../../domain/core/errors/errors.ts";
import { phrase } from "../../domain/core/errors/phrase.ts";
import { type Field, wholeNumber } from "../../domain/core/fields/fields.ts";
import { messageHistory } from "../../domain/around/messages/history.ts";
import { ownDevices } from "../../domain/desk/portal/devices.ts";
import {
  invoiceHistory,
  ownInvoice,
  type Part,
  paymentHistory,
  sessionHistory,
  unpaidInvoices,
  type Window,
} from "../../domain/desk/portal/history.ts";
import { readLine } from "../../domain/desk/portal/line.ts";
import { planRenewal, quoteOwnRenewal } from "../../domain/desk/portal/renewal.ts";
import { usageByDay } from "../../domain/desk/portal/usage-chart.ts";
import { hasRedeemableCards } from "../../domain/service/cards/redeem.ts";
import { topUpOffers } from "../../domain/service/activation/top-up.ts";
import { findService } from "../../domain/service/activation/plan.ts";
import { nullable, oneOf, profileStatus, text } from "../../wire/kinds.ts";
import {
  devicesSchema,
  devicesToJson,
  exampleDevices,
  exampleInvoiceItem,
  exampleMessageItem,
  exampleOffer,
  examplePaymentItem,
  exampleQuota,
  exampleRenewalQuote,
  exampleSessionItem,
  exampleUsageDay,
  invoiceItemSchema,
  invoiceItemToJson,
  messageItemSchema,
  messageItemToJson,
  offerSchema,
  offerToJson,
  paymentItemSchema,
  paymentItemToJson,
  quotaSchema,
  quotaToJson,
  renewalQuoteSchema,
  renewalQuoteToJson,
  sessionItemSchema,
  sessionItemToJson,
  tierSchema,
  tierToJson,
  usageDaySchema,
  usageDayToJson,
} from "../../wire/me.ts";
import { own, type OwnCall } from "../own.ts";
import { InvoicePaper } from "../portal/pages/invoice.tsx";
import { payHref } from "../portal/pay.tsx";
import { renewalWords, reworded } from "../portal/refusal-words.ts";
import { describeState, states } from "../portal/state.ts";
import { viewFor } from "../portal/view.ts";
import { pageResponse } from "../pages/respond.tsx";
import { writeTime, writeTimeOrNull } from "../../wire/time.ts";
import { money } from "../../wire/money.ts";

const ME = "/api/v1/me";
const whole = Type.Integer();

const profile = own({
  method: "GET",
  path: ME,
  operationId: "getMe",
  summary: "Get all that the first page of the portal shows",
  description: "`matter` is in the language of Accept-Language.",
  success: {
    description: "The subscriber whose token it is.",
    schema: Type.Object({
      id: whole,
      username: Type.String(),
      name: Type.String(),
      email: Type.String(),
      phone: Type.String(),
      isp_name: Type.String(),
      status: profileStatus,
      matter: Type.Object({ code: oneOf(...states), title: Type.String(), text: Type.String() }),
      package_id: whole,
      package_name: Type.String(),
      rate_limit: text,
      expires_at: text,
      currency: Type.String(),
      balance: money,
      balance_minor: whole,
      price: { ...money, description: "What the next period of the package costs." },
      price_minor: whole,
      due: money,
      due_minor: whole,
      owed: money,
      owed_minor: whole,
      unpaid_invoices: whole,
      payment_reference: Type.String(),
      pay_text: Type.Array(Type.String()),
      pay_link: text,
      can_renew: Type.Boolean(),
      renews_itself: Type.Boolean(),
      takes_cards: Type.Boolean(),
      top_ups: Type.Array(offerSchema),
      quota: quotaSchema,
      tier: tierSchema,
      session: nullable(Type.Object({ address: text, since: Type.String() })),
      language: text,
      messages_off: whole,
    }),
    example: {
      id: 42,
      username: "sam",
      name: "Sam Doe",
      email: "",
      phone: "+15550100",
      isp_name: "North Net",
      status: "active",
      matter: { code: "online", title: "You are online", text: "" },
      package_id: 7,
      package_name: "Home 10",
      rate_limit: "10M/10M",
      expires_at: "2030-01-31 12:00:00",
      currency: "USD",
      balance: 30,
      balance_minor: 3000,
      price: 22,
      price_minor: 2200,
      due: 0,
      due_minor: 0,
      owed: 0,
      owed_minor: 0,
      unpaid_invoices: 0,
      payment_reference: "5724",
      pay_text: [],
      pay_link: null,
      can_renew: true,
      renews_itself: false,
      takes_cards: true,
      top_ups: [exampleOffer],
      quota: exampleQuota,
      tier: null,
      session: { address: "10.0.0.7", since: "2030-01-15 08:00:00" },
      language: null,
      messages_off: 0,
    },
  },
  run: ({ db, by, subscriber, now, request }) => {
    const line = readLine(db, by, subscriber, { now });
    const renewal = planRenewal(db, by, { subscriber, line });
    const owed = unpaidInvoices(db, by, subscriber.id);
    const view = viewFor(db, { request, now, ispId: subscriber.ispId });
    const { code, title, text: words } = describeState(view, line);
    const { brand } = view;
    return {
      id: subscriber.id,
      username: subscriber.username,
      name: subscriber.name,
      email: subscriber.email ?? "",
      phone: subscriber.mobileNumber ?? "",
      isp_name: brand.name,
      status: line.status,
      matter: { code, title, text: words },
      package_id: line.packageId,
      package_name: line.packageName,
      rate_limit: line.fair ? line.fair.rate : line.rateLimit,
      expires_at: writeTimeOrNull(line.expiresAt),
      currency: brand.currency,
      balance: formatMinor(renewal.balance),
      balance_minor: renewal.balance,
      price: formatMinor(renewal.price),
      price_minor: renewal.price,
      due: formatMinor(renewal.due),
      due_minor: renewal.due,
      owed: formatMinor(owed.amount),
      owed_minor: owed.amount,
      unpaid_invoices: owed.count,
      payment_reference: renewal.reference,
      pay_text: [...brand.payText],
      pay_link: payHref(brand, renewal) ?? null,
      can_renew: renewal.isCovered,
      renews_itself: renewal.renewsItself,
      takes_cards: hasRedeemableCards(db, subscriber.ispId),
      top_ups: topUpOffers(db, subscriber, findService(db, subscriber.id), now).map(offerToJson),
      quota: quotaToJson(line.quota),
      tier: tierToJson(line.fair),
      session: line.online && { address: line.online.address, since: writeTime(line.online.since) },
      language: subscriber.language,
      messages_off: subscriber.messagesOff,
    };
  },
});

const limit = wholeNumber(1, 100);
const offset = wholeNumber(0, Number.MAX_SAFE_INTEGER);

type Json = Static<TObject>;

/** A list of what is the subscriber's, the newest first. */
function ownList<T>({
  name,
  noun,
  record,
  example,
  read,
  toJson,
}: {
  name: string;
  noun: string;
  record: TObject;
  example: Json;
  read: (db: Db, by: OwnCall<unknown>["by"], of: Window & { subscriberId: number }) => Part<T>;
  toJson: (row: T) => Json;
}) {
  return own({
    method: "GET",
    path: `${ME}/${noun}`,
    operationId: `listMy${name}`,
    summary: `List the own ${noun}, the newest first`,
    form: { fields: { limit, offset }, required: [], example: {} },
    success: {
      description: "Those that were asked for.",
      headers: { "X-Total-Count": { description: "How many match in all.", schema: Type.Integer() } },
      schema: Type.Array(record),
      example: [example],
    },
    run: ({ db, by, subscriber, values, headers }) => {
      const window = { limit: values.limit ?? 20, offset: values.offset ?? 0 };
      const { items, total } = read(db, by, { subscriberId: subscriber.id, ...window });
      headers["x-total-count"] = total;
      return items.map(toJson);
    },
  });
}

const days: Field<number> = wholeNumber(1, 90);

const usage = own({
  method: "GET",
  path: `${ME}/usage`,
  operationId: "getMyUsage",
  summary: "Get what was used day by day, today last, and of the volume",
  form: { fields: { days }, required: [], example: { days: 30 } },
  success: {
    description: "30 days, or as many as were asked for.",
    schema: Type.Object({
      days: Type.Array(usageDaySchema, { description: "Each day, today last." }),
      quota: quotaSchema,
      tier: tierSchema,
    }),
    example: { days: [exampleUsageDay], quota: exampleQuota, tier: null },
  },
  run: ({ db, by, subscriber, values, now }) => {
    const { quota, fair } = readLine(db, by, subscriber, { now });
    const count = values.days ?? 30;
    const used = usageByDay(db, by, { subscriberId: subscriber.id, count }, { now });
    return { days: used.map(usageDayToJson), quota: quotaToJson(quota), tier: tierToJson(fair) };
  },
});

const invoice = own({
  method: "GET",
  path: `${ME}/invoices/:id`,
  noun: "invoice",
  operationId: "getMyInvoice",
  summary: "Get an invoice as a page to print or to make a PDF of",
  description: "In the language of Accept-Language, with its styles at `/portal/assets` of the same host.",
  success: { description: "A page of A4.", type: "text/html", schema: Type.String() },
  refusals: { 404: "There is no such invoice." },
  run: ({ db, by, subscriber, id: number, request, now }) => {
    const found = ownInvoice(db, by, { subscriberId: subscriber.id, id: number });
    if (!found) throw new DomainError("not_found", phrase`there is no invoice ${number}`);
    const view = viewFor(db, { request, now, ispId: subscriber.ispId });
    return pageResponse(InvoicePaper({ view, subscriber, invoice: found }));
  },
});

const devices = own({
  method: "GET",
  path: `${ME}/devices`,
  operationId: "getMyDevices",
  summary: "Get the devices of the line, and the one that was not let in",
  success: { description: "The devices.", schema: devicesSchema, example: exampleDevices },
  run: ({ db, by, subscriber }) => devicesToJson(ownDevices(db, by, subscriber)),
});

const quote = own({
  method: "GET",
  path: `${ME}/renew`,
  operationId: "quoteMyRenewal",
  summary: "Say what a renewal would do now",
  success: {
    description: "The renewal, or why it would be refused.",
    schema: renewalQuoteSchema,
    example: exampleRenewalQuote,
  },
  run: ({ db, by, subscriber, now, request }) => {
    const quoted = quoteOwnRenewal(db, by, { subscriber }, { now });
    if (quoted.refusal === null) return renewalQuoteToJson(quoted);
    const view = viewFor(db, { request, now, ispId: subscriber.ispId });
    const words = renewalWords(view, quoted.refusal, { ...quoted, seen: quoted.price });
    return renewalQuoteToJson({ ...quoted, refusal: reworded(quoted.refusal, words) });
  },
});

export const ownReads = [
  profile,
  usage,
  ownList({
    name: "Sessions",
    noun: "sessions",
    record: sessionItemSchema,
    example: exampleSessionItem,
    read: sessionHistory,
    toJson: sessionItemToJson,
  }),
  ownList({
    name: "Invoices",
    noun: "invoices",
    record: invoiceItemSchema,
    example: exampleInvoiceItem,
    read: invoiceHistory,
    toJson: invoiceItemToJson,
  }),
  invoice,
  ownList({
    name: "Payments",
    noun: "payments",
    record: paymentItemSchema,
    example: examplePaymentItem,
    read: paymentHistory,
    toJson: paymentItemToJson,
  }),
  ownList({
    name: "Messages",
    noun: "messages",
    record: messageItemSchema,
    example: exampleMessageItem,
    read: messageHistory,
    toJson: messageItemToJson,
  }),
  devices,
  quote,
];
