import type { EventType } from "../../core/events/types.ts";

/** An event, an expiry, or a due date. */
export interface Trigger {
  readonly on: "event" | "expiry" | "due";
  readonly eventType?: EventType | null | undefined;
}

export const templateFields = {
  isp: { says: "the name of the ISP", example: "Northlink" },
  contact: { says: "how the ISP is reached", example: "Tel 020 7946 0000" },
  name: { says: "the name of the subscriber", example: "Ann Green" },
  username: { says: "the name of its login", example: "ann" },
  package: { says: "the package", example: "Home 20" },
  price: { says: "the price of the package", example: "22.00 USD" },
  expiration: {
    says: "the day and the time at which the service ends or ended",
    example: "31 Jan 2030, 12:00",
  },
  date: { says: "the day alone", example: "31 Jan 2030" },
  days: { says: "how many days that is from now on, or ago", example: "3" },
  balance: { says: "what is in the wallet", example: "4.00 USD" },
  reference: { says: "what to write on a payment so that it is known whose it is", example: "0420" },
  pay_link: {
    says: "the address at which it can be paid, as the settings have it",
    example: "https://pay.example/0420",
  },
  amount: {
    says: "of a payment or an invoice its amount, of an activation what was charged, else what the wallet lacks for the next period",
    example: "18.00 USD",
  },
  number: { says: "the number of the receipt or of the invoice", example: "R-000123" },
  method: { says: "how it was paid", example: "cash" },
  open: { says: "what is still to pay of the invoice", example: "22.00 USD" },
  due: { says: "the day on which the invoice is due", example: "31 Jan 2030" },
  quota_used: { says: "the data that was used", example: "80 GB" },
  quota_total: { says: "all data of the period", example: "100 GB" },
  percent: { says: "how much of it was used, in percent", example: "80" },
  rate: { says: "the rate that the line has from now on, upload first", example: "5M/5M" },
  router: { says: "the router", example: "core" },
  box: { says: "the access box", example: "tower-1" },
  provider: { says: "who told of the payment", example: "stripe" },
  reason: { says: "why", example: "it does not say whose it is" },
  account: { says: "the account of staff", example: "mia" },
  source: { says: "the address that it came from", example: "192.0.2.7" },
  quantity: { says: "how many cards", example: "500" },
  card: { says: "the number of the card", example: "C-000123" },
} as const;
export type TemplateField = keyof typeof templateFields;

export function isTemplateField(name: string): name is TemplateField {
  return Object.hasOwn(templateFields, name);
}

const always: readonly TemplateField[] = ["isp", "contact"];
const ofSubscriber: readonly TemplateField[] = [
  ...["name", "username", "package", "price", "expiration", "date", "days"],
  ...["balance", "reference", "pay_link", "amount"],
] as TemplateField[];
const ofInvoice: readonly TemplateField[] = ["number", "open", "due"];

/** Fields of event types without a subscriber. */
const beside: readonly (readonly [RegExp, readonly TemplateField[]])[] = [
  [/^payment\.(received|reversed|refunded)$/, ["number", "method"]],
  [/^invoice\./, ofInvoice],
  [/^quota\./, ["quota_used", "quota_total", "percent"]],
  [/^tier\./, ["quota_used", "rate"]],
];
const withoutSubscriber: Readonly<Record<string, readonly TemplateField[]>> = {
  "payment.unmatched": ["amount", "provider", "reference", "reason"],
  "card.batch_made": ["quantity"],
  "card.first_used": ["card"],
  "router.silent": ["router"],
  "router.back": ["router"],
  "router.drifted": ["router"],
  "router.mended": ["router"],
  "box.cut_off": ["box"],
  "box.back": ["box"],
  "backup.failed": ["reason"],
  "login.locked": ["account", "source"],
  "staff.signed_in": ["account", "source"],
  "webhook.test": [],
};

/** Others are for staff alone. */
export function isAboutSubscriber({ on, eventType }: Trigger): boolean {
  return on !== "event" || !Object.hasOwn(withoutSubscriber, eventType ?? "");
}

export function templateFieldsFor(trigger: Trigger): TemplateField[] {
  const { on, eventType } = trigger;
  if (!isAboutSubscriber(trigger)) return [...always, ...(withoutSubscriber[eventType ?? ""] ?? [])];
  const more = on === "due" ? ofInvoice : beside.find(([types]) => types.test(eventType ?? ""))?.[1];
  return [...always, ...ofSubscriber, ...((on === "expiry" ? undefined : more) ?? [])];
}
