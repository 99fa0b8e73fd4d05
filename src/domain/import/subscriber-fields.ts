import { amount, flag, id, mac, text, time, type Values } from "../fields.ts";
import { globalNote, profileFields, requiredProfileFields } from "../subscribers/fields.ts";
import { passwordHash } from "./staff.ts";
import { stampField } from "./stamps.ts";

/** What create takes, and what a subscriber that comes from elsewhere brings along. */
export const subscriberFields = {
  ...profileFields,
  portal_pass: passwordHash,
  mac_address: mac,
  mac_lock: flag,
  status: flag,
  global_note: globalNote,
  /** Beside the profile: the wallet, and the service. */
  balance: amount,
  current_expiration_date: time,
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
