import type { Tx } from "../../../../db/open.ts";
import { services } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import { giveByService } from "../../goods/address-pools/give.ts";
import { beginWindow } from "../fair-use/begin-windows.ts";
import type { Seconds } from "../../core/time/time.ts";
import type { Service } from "./plan.ts";
import type { AddedByTopUp, GivenBack } from "./unused.ts";

/** State before an activation, for undoing it: service, package, and credits. */
export interface Before {
  readonly service: Service | undefined;
  readonly packageId: number;
  readonly unused: readonly GivenBack[];
  /** For a top-up: what it added, which is subtracted instead of restoring the service. */
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

/** Restores the service with its present password, and the profile's package unless changed since. */
export function restoreBefore(
  tx: Tx,
  { service, packageId, topUp }: Before,
  { subscriberId, soldId }: { subscriberId: number; soldId: number },
  now: Seconds,
): void {
  if (service && topUp) {
    beginWindow(tx, subscriberId, now);
    return takeBackTopUp(tx, service, topUp, { subscriberId });
  }
  if (service) update(tx, services, service, { subscriberId });
  else tx.$client.query("DELETE FROM services WHERE subscriber_id = ?").run(subscriberId);
  tx.$client
    .query("UPDATE subscribers SET package_id = ?, updated_at = ? WHERE id = ? AND package_id = ?")
    .run(packageId, now, subscriberId, soldId);
  giveByService(tx, subscriberId, now);
}

/** Subtracts a top-up: bytes as far as they are left, time as a whole. Bytes that expired with their window are not taken from others. */
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
