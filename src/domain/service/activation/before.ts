import type { Tx } from "../../../../db/open.ts";
import { services } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import { giveByService } from "../../goods/address-pools/give.ts";
import { beginWindowOf } from "../fair-use/begin-windows.ts";
import type { Seconds } from "../../core/time/time.ts";
import type { Service } from "./plan.ts";
import type { AddedByTopUp, GivenBack } from "./unused.ts";

/** What an activation changed, for its undoing: the service and the package of the profile as they were, and what was given back. */
export interface Before {
  readonly service: Service | undefined;
  readonly packageId: number;
  readonly unused: readonly GivenBack[];
  /** It was a top-up: what it has added, for it goes back by that and not to what the service was. */
  readonly topUp?: AddedByTopUp | undefined;
}

export function writeBefore({ service, packageId, unused, topUp }: Before): string {
  return JSON.stringify({ service: service ?? null, packageId, unused, ...(topUp && { topUp }) });
}

export function readBefore(json: string): Before {
  const { service, packageId, unused, topUp } = JSON.parse(json) as Omit<Before, "service"> & {
    service: Service | null;
  };
  return { service: service ?? undefined, packageId, unused, topUp };
}

/** The service is as it was, with its present password; the profile has its package again unless it has another one by now. */
export function restoreBefore(
  tx: Tx,
  { service, packageId, topUp }: Before,
  { subscriberId, soldId }: { subscriberId: number; soldId: number },
  now: Seconds,
): void {
  if (service && topUp) {
    beginWindowOf(tx, subscriberId, now);
    return takeBackTopUp(tx, service, topUp, { subscriberId });
  }
  if (service) update(tx, services, service, { subscriberId });
  else tx.$client.query("DELETE FROM services WHERE subscriber_id = ?").run(subscriberId);
  tx.$client
    .query("UPDATE subscribers SET package_id = ?, updated_at = ? WHERE id = ? AND package_id = ?")
    .run(packageId, now, subscriberId, soldId);
  giveByService(tx, subscriberId, now);
}

/**
 * What a top-up added is taken off again: bytes as far as they are there, time as a whole. Bytes that went with their window are not taken
 * from others that have stayed.
 */
function takeBackTopUp(
  tx: Tx,
  before: Service,
  { bytes, rolls, expiresAt }: AddedByTopUp,
  { subscriberId }: { subscriberId: number },
): void {
  const { extraBytes, rollingBytes, quotaTotal } = serviceNow(tx, subscriberId);
  const taken = Math.min(bytes, rolls ? rollingBytes : extraBytes - rollingBytes);
  const { anchorDay, anchorTime, paidUntil, renewsFrom } = before;
  update(
    tx,
    services,
    {
      extraBytes: extraBytes - taken,
      rollingBytes: rollingBytes - (rolls ? taken : 0),
      ...(quotaTotal > 0 && { quotaTotal: quotaTotal - taken }),
      ...(expiresAt !== before.expiresAt && {
        expiresAt: before.expiresAt,
        anchorDay,
        anchorTime,
        paidUntil,
        renewsFrom,
      }),
    },
    { subscriberId },
  );
}

type Extra = Pick<Service, "extraBytes" | "rollingBytes" | "quotaTotal">;

function serviceNow({ $client }: Tx, subscriberId: number): Extra {
  const found = $client
    .query<Extra, [number]>(
      "SELECT extra_bytes AS extraBytes, rolling_bytes AS rollingBytes, quota_total AS quotaTotal FROM services WHERE subscriber_id = ?",
    )
    .get(subscriberId);
  if (!found) throw new Error(`subscriber ${subscriberId} has no service`);
  return found;
}
