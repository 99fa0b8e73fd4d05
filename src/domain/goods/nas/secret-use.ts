import type { Db } from "../../../../db/open.ts";
import type { Seconds } from "../../core/time/time.ts";
import type { SeenRouter } from "./arrivals.ts";
import type { Nas } from "./find.ts";

export interface SecretSet {
  readonly at: Seconds;
  readonly isAnother: boolean;
}

export function secretSet({ $client }: Db, { id, createdAt }: Nas): SecretSet {
  const replaced = $client
    .query<{ at: Seconds }, [string]>(
      `SELECT at FROM audit_entries INDEXED BY audit_entries_entity
       WHERE entity = 'nas' AND entity_id = ? AND action = 'nas.set' AND json_extract(after, '$.secret_replaced') ORDER BY id DESC LIMIT 1`,
    )
    .get(String(id));
  return replaced ? { at: replaced.at, isAnother: true } : { at: createdAt, isAnother: false };
}

interface Proofs {
  readonly lastSeen: SeenRouter;
  readonly readAt: Seconds | null;
  readonly reportedAt: Seconds | null;
  readonly latchedAt: Seconds | null;
}

/** The time at which a signed login, a report, or a readable password proved the secret. */
export function secretProvenAt(
  { at, isAnother }: SecretSet,
  { lastSeen, readAt, reportedAt, latchedAt: latched }: Proofs,
): Seconds | null {
  const { kinds } = lastSeen;
  const begun = ["signed", "accounting", "status"] as const;
  const proofs = [
    ...begun.flatMap((kind) => {
      const seen = kinds.get(kind);
      return seen ? [seen.first, seen.last] : [];
    }),
    readAt,
    reportedAt,
    latched,
  ];
  // within the second of a change it is unclear
  const counts = (proof: Seconds) => (isAnother ? proof > at : proof >= at);
  const proven = proofs.filter((proof) => typeof proof === "number" && counts(proof));
  return proven.length === 0 ? null : Math.min(...proven.map(Number));
}

export function latchedAt({ $client }: Db, nasId: number): Seconds | null {
  const row = $client
    .query<{ at: Seconds | null }, [number]>(
      "SELECT min(authenticator_seen_at) AS at FROM nas_sources WHERE nas_id = ?",
    )
    .get(nasId);
  return row?.at ?? null;
}
