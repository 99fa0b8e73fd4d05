import { type Static, Type } from "@sinclair/typebox";
import type { Assigned } from "../domain/desk/incoming/assign.ts";
import type { ReadLine } from "../domain/desk/incoming/bank/files.ts";
import { shownAmount } from "../domain/core/amounts/money.ts";
import { formatTime } from "../domain/core/time/time.ts";
import { nullable, text } from "./kinds.ts";

const id = nullable(Type.Integer());

export const bankLineSchema = Type.Object({
  line: Type.Integer(),
  line_state: Type.Union([Type.Literal("new"), Type.Literal("known"), Type.Literal("left_out")]),
  fault: text,
  paid_at: text,
  amount: Type.Number(),
  text: Type.String(),
  payer: text,
  found_by: text,
  user_id: id,
  username: text,
  incoming_id: id,
});

/** A line of a bank's file, and whose it may be. */
export function shownBankLine(row: ReadLine): Static<typeof bankLineSchema> {
  return {
    ...{ line: row.line, line_state: row.state, fault: row.fault },
    paid_at: row.at === null ? null : formatTime(row.at),
    ...{ amount: shownAmount(row.amount), text: row.text, payer: row.payer },
    ...{ found_by: row.guess?.by ?? null, user_id: row.guess?.subscriberId ?? null },
    ...{ username: row.guess?.username ?? null, incoming_id: row.incomingId },
  };
}

export const exampleBankLine: Static<typeof bankLineSchema> = {
  ...{ line: 2, line_state: "new", fault: null, paid_at: "2030-01-15 00:00:00", amount: 22 },
  ...{ text: "Ref 5724", payer: "Ann Lee", found_by: "reference", user_id: 572, username: "ann" },
  incoming_id: null,
};

export const assignedSchema = Type.Object({
  id: Type.Integer(),
  user_id: id,
  receipt_number: text,
  refusal: text,
});

export function shownAssigned({ id: number, booked, refusal }: Assigned): Static<typeof assignedSchema> {
  return {
    id: number,
    user_id: booked?.subscriberId ?? null,
    receipt_number: booked?.number ?? null,
    refusal,
  };
}

export const exampleAssigned: Static<typeof assignedSchema> = {
  ...{ id: 31, user_id: 42, receipt_number: "R-2030-000096", refusal: null },
};
