import type { Tx } from "../../../db/open.ts";
import { services } from "../../../db/schema.ts";
import { update } from "../../../db/update.ts";
import { giveByService } from "../address-pools/give.ts";
import type { Seconds } from "../time.ts";
import type { Service } from "./plan.ts";
import type { GivenBack } from "./unused.ts";

/** What an activation changed, for its undoing: the service and the package of the profile as they were, and what was given back. */
export interface Before {
  readonly service: Service | undefined;
  readonly packageId: number;
  readonly unused: readonly GivenBack[];
}

/** As an invoice keeps it. */
export function writeBefore({ service, packageId, unused }: Before): string {
  return JSON.stringify({ service: service ?? null, packageId, unused });
}

/** What an invoice keeps. */
export function readBefore(json: string): Before {
  const { service, packageId, unused } = JSON.parse(json) as Omit<Before, "service"> & {
    service: Service | null;
  };
  return { service: service ?? undefined, packageId, unused };
}

/** The service is as it was, with its present password; the profile has its package again unless it has another one by now. */
export function restoreBefore(
  tx: Tx,
  { service, packageId }: Before,
  { subscriberId, soldId }: { subscriberId: number; soldId: number },
  now: Seconds,
): void {
  if (service) update(tx, services, service, { subscriberId });
  else tx.$client.query("DELETE FROM services WHERE subscriber_id = ?").run(subscriberId);
  tx.$client
    .query("UPDATE subscribers SET package_id = ?, updated_at = ? WHERE id = ? AND package_id = ?")
    .run(packageId, now, subscriberId, soldId);
  giveByService(tx, subscriberId);
}
