import { isFair } from "../fair-use/terms.ts";
import type { Granted } from "../sessions/session-class.ts";
import type { Decision, Grant } from "./decide.ts";
import type { Candidate } from "./reader.ts";

export type Acceptance = Extract<Decision, { accept: true }>;

/**
 * What a login is granted, kept with what it is decided from: everything but the time and the bytes left follows from that. Of fair use the
 * rate follows from the time too.
 */
export function grantedTo(candidate: Candidate, acceptance: Acceptance): Granted {
  const { granted, service } = candidate;
  if (service && isFair(service)) return grantedBy(acceptance);
  if (granted?.acceptedAs === acceptance.reason) return granted;
  return (candidate.granted = grantedBy(acceptance));
}

export function grantedBy({ reason, grant }: Acceptance): Granted {
  const isConfined = reason === "accepted_expired" || reason === "accepted_quota_used_up";
  return {
    acceptedAs: reason,
    grantedTerms: fingerprint([...loginTerms(grant), ...(isConfined ? ["confined"] : [])]),
    grantedRate: rateFingerprint(grant.rateLimit ?? null),
  };
}

export function rateFingerprint(rateLimit: string | null): number {
  return fingerprint(rateLimit);
}

const OTHERS = new Set(["rateLimit", "isRateFirm", "sessionTimeout", "idleTimeout", "totalLimit"]);

/**
 * What an Accept grants that only another login can change, by name. Timeouts and the bytes left are not among it: they
 * differ from login to login.
 */
export function loginTerms(grant: Grant): [name: string, value: unknown][] {
  return Object.entries(grant)
    .filter(([name, value]) => value !== undefined && !OTHERS.has(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/** The same in every version, and at every box: of names and values in one order, of 48 bits. */
function fingerprint(value: unknown): number {
  return Number(Bun.hash.xxHash64(JSON.stringify(value)) & 0xffff_ffff_ffffn);
}
