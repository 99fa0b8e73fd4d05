import { id, text, type Values } from "../fields.ts";
import { requiredProfileFields, columnFields } from "../subscribers/fields.ts";
import { moneyFields, stampField } from "./stamps.ts";

/** A subscriber of the file: its columns and, beside them, its wallet and its service. */
export const subscriberFields = {
  ...columnFields,
  ...moneyFields,
  stamp: stampField,
};

/** A new subscriber needs these; its salesperson and its router may come later. */
export const requiredSubscriberFields = requiredProfileFields.filter(
  (name) => name !== "salesperson_id" && name !== "nas_id",
);

export const noteFields = { note: text(10_000, { lines: true }), added_by: id };

export interface Note {
  readonly note: string;
  readonly added_by: number;
}

export type SubscriberValues = Values<typeof subscriberFields> & {
  staff_notes: readonly Note[] | null | undefined;
};
