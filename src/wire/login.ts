import type { Login } from "../domain/service/access/log.ts";
import { declareRecord } from "./record.ts";

/** A login decision for staff; `user_id` is null for an unknown name. */
export const {
  schema: loginSchema,
  example: exampleLogin,
  toJson: loginToJson,
} = declareRecord<Login>()({
  id: { kind: "whole", example: 88_120 },
  at: { kind: "moment", example: "2030-01-31 08:00:00" },
  username: { kind: "words", example: "user1" },
  user_id: { kind: "whole", isNullable: true, of: "subscriberId", example: 42 },
  name: { kind: "words", isNullable: true, of: "subscriberName", example: "Sam Miller" },
  accepted: { kind: "flag", example: 0 },
  reason: { kind: "words", example: "expired" },
  words: { kind: "words", example: "rejected: expired; activate a package" },
  method: { kind: "words", isNullable: true, example: "chap" },
  mac: { kind: "words", isNullable: true, example: "AA:BB:CC:DD:EE:FF" },
  nas_id: {
    kind: "whole",
    isNullable: true,
    of: ({ nasId, nasName }) => (nasName === null ? null : nasId),
    example: 1,
  },
  nas: { kind: "words", isNullable: true, of: "nasName", example: "core" },
  nas_ip: { kind: "words", of: "nasAddress", example: "10.0.0.1" },
});
