import { id, text, time, type Values, wholeNumber } from "../../../core/fields/fields.ts";
import { requiredProfileFields, columnFields } from "../../../goods/subscribers/fields.ts";
import { moneyFields, stampField } from "./stamps.ts";

/** Columns, wallet and service of a subscriber. */
export const subscriberFields = {
  ...columnFields,
  ...moneyFields,
  stamp: stampField,
};

export const pastFields = {
  /** New ones only. */
  created_at: time,
  quota_used: wholeNumber(0, Number.MAX_SAFE_INTEGER),
};

const nullable = ["salesperson_id", "nas_id", "nic_number", "mobile_number"];

/** Salesperson and router may follow later. */
export const requiredSubscriberFields = requiredProfileFields.filter(
  (name) => !nullable.some((other) => other === name),
);

/** Fields that are required, but nullable. */
export const statedFields = ["nic_number", "mobile_number"] as const;

export const noteFields = { note: text(10_000, { lines: true }), added_by: id };

export interface Note {
  readonly note: string;
  readonly added_by: number;
}

/** Bytes of a local month, 202611; `up` is from the subscriber. */
export interface MonthOfUsage {
  readonly month: number;
  readonly up: number;
  readonly down: number;
}

/** A foreign entry without money. */
export interface PastEntry {
  readonly at: number;
  readonly text: string;
}

export type SubscriberValues = Values<typeof subscriberFields & typeof pastFields> & {
  staff_notes: readonly Note[] | null | undefined;
  usage: readonly MonthOfUsage[];
  history: readonly PastEntry[];
};
