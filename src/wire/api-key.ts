import { Type } from "@sinclair/typebox";
import type { ApiKey } from "../domain/people/api-keys/api-keys.ts";
import type { LoggedCall } from "../domain/people/api-keys/calls.ts";
import { nullable } from "./kinds.ts";
import { declareRecord } from "./record.ts";

/** A key of a program; its secret is answered once, beside it. */
export const {
  schema: apiKeySchema,
  example: exampleApiKey,
  toJson: apiKeyToJson,
} = declareRecord<ApiKey>()({
  id: { kind: "whole", example: 7 },
  key: { kind: "words", example: "key_3f9c2b7d10ae4c58" },
  isp_id: { kind: "whole", example: 1 },
  branch_id: { kind: "whole", of: ({ branchId }) => branchId ?? 0, example: 0 },
  name: { kind: "words", example: "bookkeeping" },
  role_code: { kind: "whole", isNullable: true, example: 3 },
  flags: {
    shape: nullable(Type.Array(Type.String())),
    of: ({ flags }) => flags?.split(",") ?? null,
    example: ["payment_view", "invoice_view"],
  },
  addresses: {
    shape: nullable(Type.Array(Type.String())),
    of: ({ addresses }) => addresses?.split(",") ?? null,
    example: ["192.0.2.0/24"],
  },
  ends_at: { kind: "moment", isNullable: true, example: null },
  former_secret_until: { kind: "moment", isNullable: true, of: "formerUntil", example: null },
  used_at: { kind: "moment", isNullable: true, example: "2030-01-15 11:59:00" },
  used_from: { kind: "words", isNullable: true, example: "192.0.2.7" },
  created_at: { kind: "moment", example: "2030-01-15 12:00:00" },
  created_by: { kind: "whole", isNullable: true, example: 1 },
  revoked_at: { kind: "moment", isNullable: true, example: null },
});

/** A call of a key. */
export const {
  schema: keyCallSchema,
  example: exampleKeyCall,
  toJson: keyCallToJson,
} = declareRecord<LoggedCall>()({
  id: { kind: "whole", example: 4711 },
  at: { kind: "moment", example: "2030-01-15 11:59:00" },
  method: { kind: "words", example: "GET" },
  path: { kind: "words", example: "/api/v1/payment/list" },
  status: { kind: "whole", example: 200 },
  milliseconds: { kind: "whole", example: 4 },
  address: { kind: "words", example: "192.0.2.7" },
});
