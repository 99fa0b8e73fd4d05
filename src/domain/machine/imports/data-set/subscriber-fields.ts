import { id, text, time, type Values, wholeNumber } from "../../../core/fields/fields.ts";
import { requiredProfileFields, columnFields } from "../../../goods/subscribers/fields.ts";
import { moneyFields, stampField } from "./stamps.ts";

/** A subscriber of the file: its columns and, beside them, its wallet and its service. */
export const subscriberFields = {
  ...columnFields,
  ...moneyFields,
  stamp: stampField,
};

/** What a file may say of a subscriber from another system, and an export does not, because it is in the files of CSV. */
export const pastFields = {
  /** Since when it is a customer; of new ones. */
  created_at: time,
  /** Bytes used of the quota of the period; never lowers what was counted here. */
  quota_used: wholeNumber(0, Number.MAX_SAFE_INTEGER),
};

const nullable = ["salesperson_id", "nas_id", "nic_number", "mobile_number"];

/** A new subscriber needs these; its salesperson and its router may come later. */
export const requiredSubscriberFields = requiredProfileFields.filter(
  (name) => !nullable.some((other) => other === name),
);

/** Those that a new subscriber has to say, null where they are not known. */
export const statedFields = ["nic_number", "mobile_number"] as const;

export const noteFields = { note: text(10_000, { lines: true }), added_by: id };

export interface Note {
  readonly note: string;
  readonly added_by: number;
}

/** Bytes of a local month, 202611, that the system before counted; `up` is what the subscriber sent. */
export interface MonthOfUsage {
  readonly month: number;
  readonly up: number;
  readonly down: number;
}

/** What was booked in the system before, which moves no money here. */
export interface PastEntry {
  readonly at: number;
  readonly text: string;
}

export type SubscriberValues = Values<typeof subscriberFields & typeof pastFields> & {
  staff_notes: readonly Note[] | null | undefined;
  usage: readonly MonthOfUsage[];
  history: readonly PastEntry[];
};
