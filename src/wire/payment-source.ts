import { presets } from "../domain/desk/incoming/presets.ts";
import { providerSchema } from "../domain/desk/incoming/provider.ts";
import { parseProvider, type Source } from "../domain/desk/incoming/sources.ts";
import { nullable, oneOf } from "./kinds.ts";
import { declareRecord } from "./record.ts";

export const {
  schema: sourceSchema,
  example: exampleSource,
  toJson: sourceToJson,
} = declareRecord<Source>()({
  id: { kind: "whole", example: 2 },
  isp_id: { kind: "whole", example: 1 },
  kind: { shape: oneOf("provider", "signed"), example: "provider" },
  name: { kind: "words", example: "Paystack" },
  method: { kind: "words", example: "online" },
  path: {
    kind: "words",
    isNullable: true,
    of: ({ key }) => (key === null ? null : `/pay/${key}`),
    example: "/pay/3f1c0a6a4be8d07d3ab2e2f3b1d0c9aa",
  },
  has_secret: { kind: "flag", of: ({ hasSecret }) => (hasSecret ? 1 : 0), example: 1 },
  settings: {
    shape: nullable(providerSchema),
    of: (row) => (row.kind === "signed" ? null : parseProvider(row)),
    example: presets.paystack,
  },
  disabled_at: { kind: "moment", isNullable: true, example: null },
  created_at: { kind: "moment", example: "2030-01-15 12:00:00" },
});
