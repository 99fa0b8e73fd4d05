import { configurationGeneration } from "../../../../db/generations.ts";
import type { Db } from "../../../../db/open.ts";
import type { Seconds } from "../../core/time/time.ts";

export interface Identity {
  readonly nasId: number;
  readonly notAfter: Seconds;
}

/** Identities by SHA-256 of certificates that name the router's present address. */
export function listIdentities({ $client }: Db): ReadonlyMap<string, Identity> {
  const rows = $client
    .query<Identity & { fingerprint: string }, []>(
      `SELECT c.fingerprint, c.nas_id AS nasId, c.not_after AS notAfter FROM radsec_certificates c
       JOIN nas n ON n.id = c.nas_id WHERE n.radsec = 1 AND c.revoked_at IS NULL AND c.address = n.address`,
    )
    .all();
  return new Map(rows.map(({ fingerprint, ...identity }) => [fingerprint, identity]));
}

export const configurationNumber = (db: Db): number => configurationGeneration(db)();
