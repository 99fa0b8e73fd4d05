import { type Static, type TProperties, Type } from "@sinclair/typebox";

/* Event types with the stored data that receivers get. API ids, UTC times of RFC 3339, amounts with at most two decimals, no secrets. */

const id = Type.Integer({ minimum: 1 });
const optionalId = Type.Union([Type.Integer(), Type.Null()]);
const text = Type.String();
const optionalText = Type.Union([Type.String(), Type.Null()]);
const time = Type.String({ format: "date-time" });
const optionalTime = Type.Union([time, Type.Null()]);
const amount = Type.Number();

const subscriber = Type.Object({
  id,
  username: text,
  name: text,
  isp_id: id,
  branch_id: optionalId,
  package_id: id,
  package: text,
  expiration: optionalTime,
  balance: amount,
  currency: text,
});

const payment = Type.Object({
  id,
  number: text,
  amount,
  currency: text,
  method: text,
  reference: optionalText,
});
const invoice = Type.Object({
  id,
  number: text,
  amount,
  open: amount,
  currency: text,
  package: text,
  period_start: time,
  period_end: time,
});
const incoming = Type.Object({
  id,
  provider: text,
  external_id: text,
  amount,
  currency: text,
  reference: optionalText,
  reason: optionalText,
});
const router = Type.Object({ id, name: text, address: text });
const finding = Type.Object({
  kind: text,
  key: text,
  level: Type.Union([Type.Literal("error"), Type.Literal("warning")]),
});
const box = Type.Object({ id, name: text });
const session = Type.Object({
  id,
  session_id: text,
  nas_id: optionalId,
  ip_address: optionalText,
  mac_address: optionalText,
  started: time,
  stopped: optionalTime,
  seconds: Type.Integer(),
  octets_up: Type.Integer(),
  octets_down: Type.Integer(),
  cause: optionalText,
});

/** `seq` orders a subscriber's events. */
const ofSubscriber = <P extends TProperties>(more: P) =>
  Type.Object({ seq: Type.Integer({ minimum: 1 }), subscriber, ...more });
const quota = ofSubscriber({ quota: Type.Object({ total: Type.Integer(), used: Type.Integer() }) });

export const eventTypes = {
  "subscriber.created": { says: "A subscriber was made.", data: ofSubscriber({}) },
  "subscriber.updated": {
    says: "Fields of a subscriber were changed.",
    data: ofSubscriber({ changed: Type.Array(text) }),
  },
  "subscriber.password_changed": {
    says: "A password of a subscriber was changed: that of the line, or that of the portal.",
    data: ofSubscriber({ which: Type.Union([Type.Literal("line"), Type.Literal("portal")]) }),
  },
  "subscriber.activated": {
    says: "A package was activated: the first time, again, or another one.",
    data: ofSubscriber({ charged: amount }),
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
        number: Type.Integer({ minimum: 1 }),
        after: Type.Integer(),
        used: Type.Integer(),
        rate_limit: text,
      }),
    }),
  },
  "card.batch_made": {
    says: "Cards were made.",
    data: Type.Object({
      batch: Type.Object({ id, isp_id: id, kind: text, quantity: Type.Integer(), package_id: optionalId }),
    }),
  },
  "card.first_used": {
    says: "A card was used for the first time.",
    data: Type.Object({
      card: Type.Object({
        id,
        number: text,
        batch_id: id,
        isp_id: id,
        used_at: time,
        /** null: an access card. */
        subscriber_id: optionalId,
      }),
    }),
  },
  "session.started": { says: "A session began.", data: ofSubscriber({ session }) },
  "session.stopped": { says: "A session ended.", data: ofSubscriber({ session }) },
  "router.silent": {
    says: "Nothing comes from a router any more.",
    data: Type.Object({ router, since: time }),
  },
  "router.back": {
    says: "Something came from a router that was silent.",
    data: Type.Object({ router, since: time }),
  },
  "router.drifted": {
    says: "Something at a router is not as it should be any more.",
    data: Type.Object({ router, finding, since: time }),
  },
  "router.mended": {
    says: "Something at a router that was not as it should be is mended.",
    data: Type.Object({ router, finding, since: time }),
  },
  "box.cut_off": {
    says: "Nothing is heard of an access box any more; it goes on by itself.",
    data: Type.Object({ box, since: time }),
  },
  "box.back": {
    says: "An access box that was cut off is heard again.",
    data: Type.Object({ box, since: time }),
  },
  "backup.failed": {
    says: "A backup could not be made, or one that was made could not be restored on trial.",
    data: Type.Object({ reason: text }),
  },
  "login.locked": {
    says: "An account has to wait, because there were so many sign-ins or wrong codes from an address; once in ten minutes for both together.",
    data: Type.Object({ account: text, source: text, until: time }),
  },
  "staff.signed_in": {
    says: "A member of staff signed in to the console.",
    data: Type.Object({ staff_id: id, name: text, source: text }),
  },
  "webhook.test": {
    says: "Somebody tries a webhook; that one alone is called.",
    data: Type.Object({ webhook_id: id }),
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
