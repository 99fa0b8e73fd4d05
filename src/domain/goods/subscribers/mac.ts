import { type Db, write } from "../../../../db/open.ts";
import { subscribers } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import { audit } from "../../core/audit/audit.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { everything } from "../../core/actor/operator.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { differences } from "./differences.ts";
import { subscriberById } from "./find.ts";

interface Line {
  subscriberId: number;
}

interface World {
  now: Seconds;
}

/** AA:BB:CC:DD:EE:FF. Throws not_found. */
export function lockMac(
  db: Db,
  by: Actor,
  { subscriberId, macAddress }: Line & { macAddress: string },
  { now }: World,
): void {
  permit(by, "lockMac");
  changeMacColumns(db, { subscriberId, now, by }, "subscriber.mac_lock", { macAddress, macLock: 1 });
}

/** Keeps the address. Throws not_found. */
export function unlockMac(db: Db, by: Actor, { subscriberId }: Line, { now }: World): void {
  permit(by, "unlockMac");
  changeMacColumns(db, { subscriberId, now, by }, "subscriber.mac_unlock", { macLock: 0 });
}

/** Keeps the lock. Throws not_found. */
export function changeMac(
  db: Db,
  by: Actor,
  { subscriberId, macAddress }: Line & { macAddress: string },
  { now }: World,
): void {
  permit(by, "changeMac");
  changeMacColumns(db, { subscriberId, now, by }, "subscriber.change_mac", { macAddress });
}

export function changeMacColumns(
  db: Db,
  { subscriberId, now, by }: Line & World & { by: Actor },
  action: string,
  columns: { macAddress?: string; macLock?: 0 | 1 },
): void {
  write(db, (tx) => {
    const before = subscriberById(tx, by.scope, subscriberId);
    update(tx, subscribers, { ...columns, updatedAt: now }, { id: subscriberId });
    const after = subscriberById(tx, everything, subscriberId);
    const { ispId } = before;
    audit(tx, by, now, {
      action,
      entity: "subscriber",
      entityId: subscriberId,
      ispId,
      ...differences(before, after),
    });
  });
}
