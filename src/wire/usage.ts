import { Type } from "@sinclair/typebox";
import type { Usage } from "../domain/service/sessions/usage.ts";
import { nullable } from "./kinds.ts";
import { declareRecord } from "./record.ts";

const session = declareRecord<NonNullable<Usage["session"]>>()({
  ip: { kind: "words", isNullable: true, example: "10.0.0.7" },
  nas_ip: { kind: "words", example: "192.0.2.1" },
  session_id: { kind: "words", example: "80a00001" },
  mac: { kind: "words", isNullable: true, example: "AA:BB:CC:DD:EE:FF" },
  start_time: { kind: "moment", of: "startedAt", example: "2030-01-15 12:00:00" },
  last_update: { kind: "moment", of: "updatedAt", example: "2030-01-15 12:05:00" },
});

const quota = declareRecord<Usage["quota"]>()({
  enabled: { shape: Type.Boolean(), of: ({ total }) => total > 0, example: true },
  total_bytes: { kind: "whole", of: "total", example: 10_000_000_000 },
  used_bytes: { kind: "whole", of: "used", example: 1_234_567 },
});

export const {
  schema: usageSchema,
  example: exampleUsage,
  toJson: usageToJson,
} = declareRecord<Usage>()({
  user_id: { kind: "whole", of: "subscriberId", example: 42 },
  username: { kind: "words", example: "sam" },
  online: { shape: Type.Boolean(), of: (row) => row.session !== null, example: true },
  session: {
    shape: nullable(session.schema),
    of: (row) => row.session && session.toJson(row.session),
    example: session.example,
  },
  data_quota: { shape: quota.schema, of: (row) => quota.toJson(row.quota), example: quota.example },
});
