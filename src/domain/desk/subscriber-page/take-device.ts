import { type Db, write } from "../../../../db/open.ts";
import { wordsOf } from "../../service/access/outcomes.ts";
import { DomainError } from "../../core/errors/errors.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { subscriberById } from "../../goods/subscribers/find.ts";
import { changeMacColumns } from "../../goods/subscribers/mac.ts";

export interface DeviceChange {
  /** AA:BB:CC:DD:EE:FF. */
  readonly mac: string;
  readonly at: Seconds;
  /** Why it was refused, in words. */
  readonly words: string;
}

/**
 * Takes the MAC address of the last login that was refused, as of a new router of the subscriber; a lock stays as it is. `mac`:
 * the one that somebody has seen, whatever was refused since. Throws
 * not_found, refused where no login with an address was refused in the time that decisions are kept.
 */
export function takeDevice(
  db: Db,
  by: Actor,
  { subscriberId, mac: seen }: { subscriberId: number; mac?: string | undefined },
  { now }: { now: Seconds },
): DeviceChange {
  permit(by, "takeDevice");
  return write(db, (tx) => {
    const { username } = subscriberById(tx, by.scope, subscriberId);
    const refused = tx.$client
      .query<{ mac: string; at: Seconds; reason: string }, [number, string | null]>(
        `SELECT mac, at, reason FROM auth_log WHERE subscriber_id = ? AND accepted = 0 AND mac = coalesce(?, mac)
         ORDER BY id DESC LIMIT 1`,
      )
      .get(subscriberId, seen ?? null);
    if (!refused)
      throw new DomainError(
        "refused",
        `no login of ${username} was refused lately; let the device dial once, or send its address with change_mac`,
        { code: "no_device_seen" },
      );
    const { mac, at, reason } = refused;
    changeMacColumns(tx, { subscriberId, now, by }, "subscriber.take_device", { macAddress: mac });
    return { mac, at, words: wordsOf(reason) };
  });
}
