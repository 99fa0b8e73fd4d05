import { type Db, type Tx, write } from "../../../../db/open.ts";
import { reasonWords } from "../../service/access/outcomes.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { subscriberById } from "../../goods/subscribers/find.ts";
import { changeMacColumns } from "../../goods/subscribers/mac.ts";

export interface DeviceChange {
  readonly mac: string;
  readonly at: Seconds;
  readonly words: string;
}

export function takeDevice(
  db: Db,
  by: Actor,
  { subscriberId, mac: seen }: { subscriberId: number; mac?: string | undefined },
  { now }: { now: Seconds },
): DeviceChange {
  permit(by, "takeDevice");
  return write(db, (tx) => taken(tx, by, { subscriberId, mac: seen }, { now }));
}

/** The same within a transaction; who calls it has checked who may. */
export function taken(
  tx: Tx,
  by: Actor,
  { subscriberId, mac: seen }: { subscriberId: number; mac?: string | undefined },
  { now, reason }: { now: Seconds; /** Of logins that were refused for this alone. */ reason?: string },
): DeviceChange {
  const { username } = subscriberById(tx, by.scope, subscriberId);
  const refused = refusedDevice(tx, subscriberId, { mac: seen, reason });
  if (!refused)
    throw new DomainError(
      "refused",
      phrase`no login of ${username} was refused lately; let the device dial once, or send its address with change_mac`,
      { code: "no_device_seen" },
    );
  const { mac, at } = refused;
  changeMacColumns(tx, { subscriberId, now, by }, "subscriber.take_device", { macAddress: mac });
  return { mac, at, words: reasonWords(refused.reason) };
}

/** The device of the last login that was refused; undefined: none was, of those that are asked for. */
export function refusedDevice(
  { $client }: Db,
  subscriberId: number,
  { mac, reason }: { mac?: string | undefined; reason?: string | undefined },
): { mac: string; at: Seconds; reason: string } | undefined {
  return (
    $client
      .query<{ mac: string; at: Seconds; reason: string }, [number, string | null, string | null]>(
        `SELECT mac, at, reason FROM auth_log WHERE subscriber_id = ? AND accepted = 0 AND mac = coalesce(?, mac)
           AND reason = coalesce(?, reason) ORDER BY id DESC LIMIT 1`,
      )
      .get(subscriberId, mac ?? null, reason ?? null) ?? undefined
  );
}
