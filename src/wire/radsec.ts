import { type Static, Type } from "@sinclair/typebox";
import type { RadsecCertificate } from "../domain/goods/radsec/list.ts";
import { formatTime } from "../domain/core/time/time.ts";
import { text } from "./kinds.ts";

export const radsecCertificateSchema = Type.Object({
  id: Type.Integer(),
  address: Type.String(),
  fingerprint: Type.String(),
  not_after: Type.String(),
  made_at: Type.String(),
  made_by: Type.String(),
  revoked_at: text,
});

export const exampleRadsecCertificate = {
  id: 1,
  address: "10.0.0.1",
  fingerprint: "131c8670f25b7592e8f63a066a4f2fb00961433b5647bcea85458a296e89bb4b",
  not_after: "2028-11-22 09:30:00",
  made_at: "2026-11-23 09:30:00",
  made_by: "ada",
  revoked_at: null,
};

/** A certificate of a router for RadSec; its key is nowhere. */
export function shownRadsecCertificate(one: RadsecCertificate): Static<typeof radsecCertificateSchema> {
  const { id, address, fingerprint, madeBy, notAfter, madeAt, revokedAt } = one;
  return {
    ...{ id, address, fingerprint },
    not_after: formatTime(notAfter),
    made_at: formatTime(madeAt),
    made_by: madeBy,
    revoked_at: revokedAt === null ? null : formatTime(revokedAt),
  };
}
