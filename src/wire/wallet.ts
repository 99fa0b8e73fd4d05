import { visibleKind, visibleKinds, type WalletEntry } from "../domain/money/wallets/entries.ts";
import { oneOf } from "./kinds.ts";
import { declareRecord } from "./record.ts";

export const {
  schema: entrySchema,
  example: exampleEntry,
  toJson: entryToJson,
} = declareRecord<WalletEntry>()({
  id: { kind: "whole", example: 301 },
  created_at: { kind: "moment", example: "2030-01-31 12:00:00" },
  kind: { shape: oneOf(...visibleKinds), of: visibleKind, example: "payment" },
  amount: { kind: "money", example: 22 },
  balance_after: { kind: "money", example: 22 },
  user_id: { kind: "whole", isNullable: true, of: "subscriberId", example: 42 },
  staff_id: { kind: "whole", isNullable: true, example: null },
  invoice_id: { kind: "whole", isNullable: true, example: null },
  invoice_number: { kind: "words", isNullable: true, example: null },
  payment_id: { kind: "whole", isNullable: true, example: 96 },
  receipt_number: { kind: "words", isNullable: true, of: "paymentNumber", example: "R-2030-000096" },
  about_id: { kind: "whole", isNullable: true, example: null },
  reason: { kind: "words", isNullable: true, example: null },
  acting_staff_id: { kind: "whole", isNullable: true, example: 4 },
  acting_name: { kind: "words", of: ({ actingName, actor }) => actingName ?? actor ?? "", example: "Mia" },
});
