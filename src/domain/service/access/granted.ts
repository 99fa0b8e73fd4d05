import { isFair } from "../fair-use/terms.ts";
import type { Granted } from "../sessions/session-class.ts";
import type { Decision, Grant } from "./decide.ts";
import type { Candidate } from "./reader.ts";

export type Acceptance = Extract<Decision, { accept: true }>;

/** What a login was granted, with the reason; everything except time and bytes left follows from that, and under fair use the rate too. */
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

/** The granted attributes that only a new login can change. Timeouts and bytes left are excluded: they differ each time. */
export function loginTerms(grant: Grant): [name: string, value: unknown][] {
  return Object.entries(grant)
    .filter(([name, value]) => value !== undefined && !OTHERS.has(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/** A 48-bit hash that is the same in every version and on every access box: names and values in a fixed order. */
function fingerprint(value: unknown): number {
  return Number(Bun.hash.xxHash64(JSON.stringify(value)) & 0xffff_ffff_ffffn);
}
