import { type Db, write } from "../../../../db/open.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permitSelf } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import type { Subscriber } from "../../goods/subscribers/find.ts";
import { type DeviceChange, refusedDevice, taken } from "../subscriber-page/take-device.ts";

/** The only refusal after which a subscriber may say that the device is its own: it has the password. */
const LOCKED_OUT = "mac_locked";

export interface OwnDevices {
  /** AA:BB:CC:DD:EE:FF; null: none is known. */
  readonly mac: string | null;
  /** Whether no other device gets in. */
  readonly isLocked: boolean;
  /** Those that are online. */
  readonly online: readonly {
    readonly mac: string | null;
    readonly address: string | null;
    readonly since: Seconds;
  }[];
  /** The last one that had the right password and was not let in; null: none was lately. */
  readonly refused: { readonly mac: string; readonly at: Seconds } | null;
}

/** The devices of a subscriber's line, as itself may see them. */
export function ownDevices(db: Db, by: Actor, { id, macAddress, macLock }: Subscriber): OwnDevices {
  permitSelf(by, "ownDevices", id);
  const online = db.$client
    .query<OwnDevices["online"][number], [number]>(
      `SELECT mac, ifnull(framed_ip, framed_ipv6_prefix) AS address, started_at AS since
       FROM sessions WHERE subscriber_id = ? AND stopped_at IS NULL ORDER BY started_at DESC, id DESC`,
    )
    .all(id);
  const refused = refusedDevice(db, id, { reason: LOCKED_OUT });
  const isNew = refused !== undefined && refused.mac !== macAddress;
  return {
    mac: macAddress,
    isLocked: macLock === 1,
    online,
    refused: isNew ? { mac: refused.mac, at: refused.at } : null,
  };
}

/**
 * Locks the line to the device that was refused, as the subscriber's new one. Throws `refused` where none was for the lock alone.
 */
export function takeOwnDevice(
  db: Db,
  by: Actor,
  { subscriberId, mac }: { subscriberId: number; mac: string | undefined },
  { now }: { now: Seconds },
): DeviceChange {
  permitSelf(by, "takeOwnDevice", subscriberId);
  return write(db, (tx) => taken(tx, by, { subscriberId, mac }, { now, reason: LOCKED_OUT }));
}
