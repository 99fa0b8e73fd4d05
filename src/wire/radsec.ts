import type { RadsecCertificate } from "../domain/goods/radsec/list.ts";
import { declareRecord } from "./record.ts";

/** A router's RadSec certificate; its key is never returned. */
export const {
  schema: radsecCertificateSchema,
  example: exampleRadsecCertificate,
  toJson: radsecCertificateToJson,
} = declareRecord<RadsecCertificate>()({
  id: { kind: "whole", example: 1 },
  address: { kind: "words", example: "10.0.0.1" },
  fingerprint: {
    kind: "words",
    example: "131c8670f25b7592e8f63a066a4f2fb00961433b5647bcea85458a296e89bb4b",
  },
  not_after: { kind: "moment", example: "2028-11-22 09:30:00" },
  made_at: { kind: "moment", example: "2026-11-23 09:30:00" },
  made_by: { kind: "words", example: "ada" },
  revoked_at: { kind: "moment", isNullable: true, example: null },
});
