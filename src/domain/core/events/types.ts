import { type Static, type TProperties, type TSchema, Type } from "@sinclair/typebox";

/* Event types with the stored data that receivers get. API ids, UTC times of RFC 3339, amounts with at most two decimals, no secrets. */

const id = Type.Integer({ minimum: 1 });
const optionalId = Type.Union([Type.Integer(), Type.Null()]);
const text = Type.String();
const optionalText = Type.Union([Type.String(), Type.Null()]);
const time = Type.String({ format: "date-time" });
const optionalTime = Type.Union([time, Type.Null()]);
const amount = Type.Number();

/** A field with what it means, where its name does not say all of it. */
const said = <S extends TSchema>(schema: S, description: string): S => ({ ...schema, description });

const currency = said(text, "ISO 4217 code of the money.");
const packageName = said(text, "Name of the package.");
const subscriberId = said(id, "Number of the subscriber: `user_id` of calls.");
const bytes = (description: string) => Type.Integer({ description });

const subscriber = Type.Object({
  id: subscriberId,
  username: said(text, "Name to sign in with."),
  name: said(text, "Name as people read it."),
  isp_id: said(id, "The ISP that it belongs to."),
  branch_id: said(optionalId, "Its branch; null: the whole ISP."),
  package_id: said(id, "Number of the package that it has."),
  package: packageName,
  expiration: said(optionalTime, "When the service ends; null before the first activation."),
  balance: said(amount, "What the wallet held then; below zero it was owed."),
  currency,
});

const payment = Type.Object({
  id: said(id, "Number of the row: of payment/get."),
  number: said(text, "Number of the receipt."),
  amount: said(amount, "How much."),
  currency,
  method: said(text, "How it was paid: one of the setting payment_methods."),
  reference: said(optionalText, "What a bank calls it."),
});
const invoice = Type.Object({
  id: said(id, "Number of the row: of invoice/get."),
  number: said(text, "Number of the paper."),
  amount: said(amount, "What it comes to, tax included."),
  open: said(amount, "What was still to pay of it."),
  currency,
  package: packageName,
  period_start: said(time, "When what it pays begins."),
  period_end: said(time, "When that ends."),
});
const incoming = Type.Object({
  id: said(id, "Number of the row: of incoming_payment/list."),
  provider: said(text, "Where it was made."),
  external_id: said(text, "What it is called there."),
  amount: said(amount, "How much."),
  currency,
  reference: said(optionalText, "What was sent to say whose it is."),
  reason: said(optionalText, "Why it was not booked, in words."),
});
const router = Type.Object({
  id: said(id, "Number of the router: `nas_id` of calls."),
  name: said(text, "Its name."),
  address: said(text, "Its address, or network."),
});
const since = said(time, "Since when.");
const finding = Type.Object({
  kind: said(text, "What is not as it should be, in a word that does not change."),
  key: said(text, "Which one of those it is at the router."),
  level: said(
    Type.Union([Type.Literal("error"), Type.Literal("warning")]),
    "Whether it does harm, or may do some.",
  ),
});
const box = Type.Object({ id: said(id, "Number of the access box."), name: said(text, "Its name.") });
const session = Type.Object({
  id: said(id, "Number of the row: of session/list."),
  session_id: said(text, "What the router calls it (Acct-Session-Id)."),
  nas_id: said(optionalId, "The router that it is at; null: it is gone."),
  ip_address: said(optionalText, "Address that the line had."),
  mac_address: said(optionalText, "Device that the router reported."),
  started: said(time, "When it began."),
  stopped: said(optionalTime, "When it ended; null: it is open."),
  seconds: Type.Integer({ description: "How long it was, as the router counts." }),
  octets_up: bytes("Bytes from the subscriber."),
  octets_down: bytes("Bytes to the subscriber."),
  cause: said(optionalText, "Why it ended, as the router says."),
});

const ofSubscriber = <P extends TProperties>(more: P) =>
  Type.Object({
    seq: Type.Integer({
      minimum: 1,
      description: "Counts the events of the subscriber, those that are not sent to you too.",
    }),
    subscriber,
    ...more,
  });
const quota = ofSubscriber({
  quota: Type.Object({
    total: bytes("Bytes of the volume."),
    used: bytes("Bytes that were used of it."),
  }),
});

export const eventTypes = {
  "subscriber.created": { says: "A subscriber was made.", data: ofSubscriber({}) },
  "subscriber.updated": {
    says: "Fields of a subscriber were changed.",
    data: ofSubscriber({ changed: said(Type.Array(text), "Names of the fields, as calls have them.") }),
  },
  "subscriber.password_changed": {
    says: "A password of a subscriber was changed: that of the line, or that of the portal.",
    data: ofSubscriber({
      which: said(Type.Union([Type.Literal("line"), Type.Literal("portal")]), "Which one it was."),
    }),
  },
  "subscriber.activated": {
    says: "A package was activated: the first time, again, or another one.",
    data: ofSubscriber({ charged: said(amount, "What was taken from the wallet.") }),
  },
  "subscriber.extended": { says: "The service was extended beside a sale.", data: ofSubscriber({}) },
  "subscriber.expiring": {
    says: "The service will end soon: as many days before as the settings say.",
    data: ofSubscriber({}),
  },
  "subscriber.expired": { says: "The service has ended.", data: ofSubscriber({}) },
  "subscriber.disabled": { says: "Staff disabled a subscriber.", data: ofSubscriber({}) },
  "subscriber.enabled": { says: "Staff enabled a subscriber.", data: ofSubscriber({}) },
  "subscriber.archived": { says: "A subscriber left.", data: ofSubscriber({}) },
  "payment.received": { says: "Money came into a subscriber's wallet.", data: ofSubscriber({ payment }) },
  "payment.reversed": { says: "A payment was taken back.", data: ofSubscriber({ payment }) },
  "payment.refunded": { says: "Money was handed back to a subscriber.", data: ofSubscriber({ payment }) },
  "payment.unmatched": {
    says: "Money arrived of which nobody knows whose it is, or that needs staff for another reason.",
    data: Type.Object({ incoming }),
  },
  "invoice.issued": { says: "An invoice was written.", data: ofSubscriber({ invoice }) },
  "invoice.paid": { says: "Nothing of an invoice is open any more.", data: ofSubscriber({ invoice }) },
  "invoice.void": { says: "An invoice was made void.", data: ofSubscriber({ invoice }) },
  "invoice.overdue": {
    says: "The period of an invoice is over, and some of it is still to pay.",
    data: ofSubscriber({ invoice }),
  },
  "balance.low": {
    says: "A wallet fell below what the settings call low.",
    data: ofSubscriber({}),
  },
  "quota.80": { says: "Four fifths of the data of a period are used.", data: quota },
  "quota.100": { says: "All data of a period is used.", data: quota },
  "tier.reached": {
    says: "A tier of fair use is reached: the line has its slower rate until the window ends.",
    data: ofSubscriber({
      tier: Type.Object({
        number: Type.Integer({ minimum: 1, description: "Which one, counted from the first." }),
        after: bytes("Bytes after which it begins."),
        used: bytes("Bytes that were used in the window."),
        rate_limit: said(text, "The rate from now on, in RouterOS syntax."),
      }),
    }),
  },
  "card.batch_made": {
    says: "Cards were made.",
    data: Type.Object({
      batch: Type.Object({
        id: said(id, "Number of the batch."),
        isp_id: said(id, "The ISP whose cards they are."),
        kind: said(text, "`access`, `refill` or `package`."),
        quantity: Type.Integer({ description: "How many." }),
        package_id: said(optionalId, "Number of the package; null: a refill."),
      }),
    }),
  },
  "card.first_used": {
    says: "A card was used for the first time.",
    data: Type.Object({
      card: Type.Object({
        id: said(id, "Number of the row."),
        number: said(text, "Number on the card, such as C-051234."),
        batch_id: said(id, "Number of the batch."),
        isp_id: said(id, "The ISP whose card it is."),
        used_at: said(time, "When it was."),
        subscriber_id: said(optionalId, "Who redeemed it; null: an access card."),
      }),
    }),
  },
  "session.started": { says: "A session began.", data: ofSubscriber({ session }) },
  "session.stopped": { says: "A session ended.", data: ofSubscriber({ session }) },
  "router.silent": {
    says: "Nothing comes from a router any more.",
    data: Type.Object({ router, since }),
  },
  "router.back": {
    says: "Something came from a router that was silent.",
    data: Type.Object({ router, since }),
  },
  "router.drifted": {
    says: "Something at a router is not as it should be any more.",
    data: Type.Object({ router, finding, since }),
  },
  "router.mended": {
    says: "Something at a router that was not as it should be is mended.",
    data: Type.Object({ router, finding, since }),
  },
  "box.cut_off": {
    says: "Nothing is heard of an access box any more; it goes on by itself.",
    data: Type.Object({ box, since }),
  },
  "box.back": {
    says: "An access box that was cut off is heard again.",
    data: Type.Object({ box, since }),
  },
  "backup.failed": {
    says: "A backup could not be made, or one that was made could not be restored on trial.",
    data: Type.Object({ reason: said(text, "Why, in words.") }),
  },
  "login.locked": {
    says: "An account has to wait, because there were so many sign-ins or wrong codes from an address; once in ten minutes for both together.",
    data: Type.Object({
      account: said(text, "The name that was signed in with."),
      source: said(text, "The address from which."),
      until: said(time, "When it may try again."),
    }),
  },
  "staff.signed_in": {
    says: "A member of staff signed in to the console.",
    data: Type.Object({
      staff_id: said(id, "Number of the account."),
      name: said(text, "Whose it is."),
      source: said(text, "The address from which."),
    }),
  },
  "webhook.test": {
    says: "Somebody tries a webhook; that one alone is called.",
    data: Type.Object({ webhook_id: said(id, "The webhook that is tried.") }),
  },
} as const;

export type EventType = keyof typeof eventTypes;
export type EventData<T extends EventType> = Static<(typeof eventTypes)[T]["data"]>;

/** Events written only while an endpoint names them: there are as many as sessions. */
export const sessionTypes = ["session.started", "session.stopped"] as const satisfies readonly EventType[];

/** Events that "all" does not include. */
export const byNameOnly: ReadonlySet<EventType> = new Set([...sessionTypes, "webhook.test"]);

/** Events that `seq` counts. */
export type SubscriberEvent = {
  [T in EventType]: EventData<T> extends { subscriber: unknown } ? T : never;
}[EventType];
export type OtherEvent = Exclude<EventType, SubscriberEvent>;

export function isEventType(type: string): type is EventType {
  return Object.hasOwn(eventTypes, type);
}
