import { type ApiKey, keyById } from "../../../../domain/people/api-keys/api-keys.ts";
import { pathId } from "../../../form.ts";
import type { StaffVisit } from "../../guard.ts";

/** The key of the address. Throws `not_found`. */
export function keyIn({ db, by, params }: StaffVisit): ApiKey {
  return keyById(db, by, { id: pathId("API key", params["id"] ?? null) });
}

export type Standing = "valid" | "until" | "ended" | "revoked";

export function keyStanding({ revokedAt, endsAt }: ApiKey, now: number): { is: Standing; at: number } {
  if (revokedAt !== null) return { is: "revoked", at: revokedAt };
  if (endsAt === null) return { is: "valid", at: now };
  return { is: endsAt < now ? "ended" : "until", at: endsAt };
}
