import { Type } from "@sinclair/typebox";
import type { Closing } from "../domain/money/closings/find.ts";
import type { Till, TillLine } from "../domain/money/closings/till.ts";
import { declareRecord } from "./record.ts";

const method = declareRecord<TillLine>()({
  method: { kind: "words", example: "cash" },
  payments: { kind: "whole", example: 15 },
  taken: { kind: "money", example: 330 },
  returned: { kind: "money", example: 22 },
});

export const {
  schema: tillSchema,
  example: exampleTill,
  toJson: tillToJson,
} = declareRecord<Till>()({
  staff_id: { kind: "whole", example: 4 },
  name: { kind: "words", example: "Mia" },
  isp_id: { kind: "whole", example: 1 },
  since: { kind: "moment", isNullable: true, example: "2030-01-30 18:05:00" },
  taken: { kind: "money", example: 330 },
  returned: { kind: "money", example: 22 },
  expected: { kind: "money", example: 308 },
  methods: {
    shape: Type.Array(method.schema),
    of: ({ lines }) => lines.map(method.toJson),
    example: [method.example, { method: "bank", payments: 2, taken: 44, returned: 0 }],
  },
});

export const {
  schema: closingSchema,
  example: exampleClosing,
  toJson: closingToJson,
} = declareRecord<Closing>()({
  id: { kind: "whole", example: 31 },
  isp_id: { kind: "whole", example: 1 },
  staff_id: { kind: "whole", example: 4 },
  name: { kind: "words", example: "Mia" },
  created_at: { kind: "moment", example: "2030-01-31 18:00:00" },
  taken: { kind: "money", example: 330 },
  returned: { kind: "money", example: 22 },
  expected: { kind: "money", example: 308 },
  counted: { kind: "money", example: 307.5 },
  difference: { kind: "money", of: ({ counted, expected }) => counted - expected, example: -0.5 },
  note: { kind: "words", isNullable: true, example: null },
  confirmed_at: { kind: "moment", isNullable: true, example: null },
  confirmed_by: { kind: "whole", isNullable: true, example: null },
});
