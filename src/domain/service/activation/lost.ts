import type { Db } from "../../../../db/open.ts";
import type { Seconds } from "../../core/time/time.ts";
import type { Service } from "./plan.ts";
import { type Unused, unusedOf } from "./unused.ts";

/**
 * Why nothing is given back of what a change of package ends: `over`, nothing was left; `unpaid`, no invoice is for the time that is left (it
 * was given, or brought in); `free`, it cost nothing; `given`, all of it was before; `volume`, that is used up; `little`, less than can be paid.
 */
export type NothingBack = "over" | "unpaid" | "free" | "given" | "volume" | "little";

export interface Lost {
  readonly packageName: string;
  readonly until: Seconds;
  /** Of its volume; null: it has none. */
  readonly bytes: number | null;
  /** Minor units that can be given back of it. */
  readonly amount: number;
  /** Why that is 0; null: it is not. */
  readonly nothing: NothingBack | null;
}

/** What a subscriber with a service loses who gets another package now; undefined: nothing runs that this ends. Who calls it has checked the scope. */
export function lostBy(
  db: Db,
  { service, packageId }: { service: Service | null; packageId: number },
  { now }: { now: Seconds },
): Lost | undefined {
  if (!service || service.packageId === packageId) return undefined;
  const unused = unusedOf(db, service, now);
  const amount = unused.reduce((sum, one) => sum + one.amount, 0);
  const { expiresAt: until, quotaTotal, quotaUsed } = service;
  const bytes = quotaTotal > 0 ? Math.max(0, quotaTotal - quotaUsed) : null;
  const nothing = amount > 0 ? null : until <= now ? "over" : whyNothing(unused, bytes);
  return { packageName: nameOf(db, service.packageId), until, bytes, amount, nothing };
}

function whyNothing(unused: readonly Unused[], bytes: number | null): NothingBack {
  if (unused.length === 0) return "unpaid";
  if (unused.every(({ invoice }) => invoice.amount === 0)) return "free";
  if (unused.every(({ invoice }) => invoice.amount === invoice.credited)) return "given";
  return bytes === 0 ? "volume" : "little";
}

function nameOf({ $client }: Db, packageId: number): string {
  return (
    $client.query<{ name: string }, [number]>("SELECT name FROM packages WHERE id = ?").get(packageId)
      ?.name ?? ""
  );
}
