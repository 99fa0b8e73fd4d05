import type { Assigned } from "../domain/desk/incoming/assign.ts";
import type { ReadLine } from "../domain/desk/incoming/bank/files.ts";
import { oneOf } from "./kinds.ts";
import { declareRecord } from "./record.ts";

export const {
  schema: bankLineSchema,
  example: exampleBankLine,
  toJson: bankLineToJson,
} = declareRecord<ReadLine>()({
  line: { kind: "whole", example: 2 },
  line_state: { shape: oneOf("new", "known", "left_out"), of: "state", example: "new" },
  fault: { kind: "words", isNullable: true, example: null },
  paid_at: { kind: "moment", isNullable: true, of: "at", example: "2030-01-15 00:00:00" },
  amount: { kind: "money", example: 22 },
  text: { kind: "words", example: "Ref 5724" },
  payer: { kind: "words", isNullable: true, example: "Ann Lee" },
  found_by: { kind: "words", isNullable: true, of: ({ guess }) => guess?.by ?? null, example: "reference" },
  user_id: { kind: "whole", isNullable: true, of: ({ guess }) => guess?.subscriberId ?? null, example: 572 },
  username: { kind: "words", isNullable: true, of: ({ guess }) => guess?.username ?? null, example: "ann" },
  incoming_id: { kind: "whole", isNullable: true, example: null },
});

export const {
  schema: assignedSchema,
  example: exampleAssigned,
  toJson: assignedToJson,
} = declareRecord<Assigned>()({
  id: { kind: "whole", example: 31 },
  user_id: { kind: "whole", isNullable: true, of: ({ booked }) => booked?.subscriberId ?? null, example: 42 },
  receipt_number: {
    kind: "words",
    isNullable: true,
    of: ({ booked }) => booked?.number ?? null,
    example: "R-2030-000096",
  },
  refusal: { kind: "words", isNullable: true, example: null },
});
