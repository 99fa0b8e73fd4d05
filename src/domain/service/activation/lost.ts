import type { Db } from "../../../../db/open.ts";
import type { Seconds } from "../../core/time/time.ts";
import type { Service } from "./plan.ts";
import { listUnused, type Unused } from "./unused.ts";

/**
 * Why a change of package credits nothing: `over`, no time left; `unpaid`, no invoice for the remaining time (given or
 * imported); `free`, it cost nothing; `given`, all credited before; `volume`, the quota is used up; `little`, less than the
 * smallest amount.
 */
export type NothingBack = "over" | "unpaid" | "free" | "given" | "volume" | "little";

export interface Lost {
  readonly packageName: string;
  readonly until: Seconds;
  /** Of the quota; null: none. */
  readonly bytes: number | null;
  readonly amount: number;
  readonly nothing: NothingBack | null;
}

/** What a subscriber loses by a change of package now; undefined: nothing. The caller has checked the scope. */
export function lostBy(
  db: Db,
  { service, packageId }: { service: Service | null; packageId: number },
  { now }: { now: Seconds },
): Lost | undefined {
  if (!service || service.packageId === packageId) return undefined;
  const unused = listUnused(db, service, now);
  const amount = unused.reduce((sum, one) => sum + one.amount, 0);
  const { expiresAt: until, quotaTotal, quotaUsed } = service;
  const bytes = quotaTotal > 0 ? Math.max(0, quotaTotal - quotaUsed) : null;
  const nothing = amount > 0 ? null : until <= now ? "over" : whyNothing(unused, bytes);
  return { packageName: findPackageName(db, service.packageId), until, bytes, amount, nothing };
}

function whyNothing(unused: readonly Unused[], bytes: number | null): NothingBack {
  if (unused.length === 0) return "unpaid";
  if (unused.every(({ invoice }) => invoice.amount === 0)) return "free";
  if (unused.every(({ invoice }) => invoice.amount === invoice.credited)) return "given";
  return bytes === 0 ? "volume" : "little";
}

function findPackageName({ $client }: Db, packageId: number): string {
  return (
    $client.query<{ name: string }, [number]>("SELECT name FROM packages WHERE id = ?").get(packageId)
      ?.name ?? ""
  );
}
