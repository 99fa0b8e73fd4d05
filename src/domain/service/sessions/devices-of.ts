import type { Db } from "../../../../db/open.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { subscriberById } from "../../goods/subscribers/find.ts";
import type { Seconds } from "../../core/time/time.ts";

export interface Device {
  readonly mac: string;
  readonly sessions: number;
  readonly firstAt: Seconds;
  readonly lastAt: Seconds;
}

/** Days looked back, and most devices returned. */
const DEVICE_DAYS = 30;
const DEVICES = 20;

/** MAC addresses of a subscriber's sessions in 30 days, newest first. Throws `not_found`. */
export function listDevices(
  db: Db,
  by: Actor,
  { subscriberId }: { subscriberId: number },
  { now }: { now: Seconds },
): Device[] {
  permit(by, "listDevices");
  subscriberById(db, { ...by.scope, archived: true }, subscriberId);
  return db.$client
    .query<Device, [number, Seconds]>(
      `SELECT mac, count(*) AS sessions, min(started_at) AS firstAt, max(started_at) AS lastAt
       FROM sessions INDEXED BY sessions_subscriber
       WHERE subscriber_id = ? AND started_at >= ? AND mac IS NOT NULL GROUP BY mac ORDER BY lastAt DESC LIMIT ${DEVICES}`,
    )
    .all(subscriberId, now - DEVICE_DAYS * 86_400);
}
