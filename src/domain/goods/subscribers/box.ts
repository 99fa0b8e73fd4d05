import { all, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { type Actor, scopeCondition } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { type ProfileStatus, profileStatus } from "./record.ts";

export interface BoxMember {
  readonly id: number;
  readonly name: string;
  readonly username: string;
  readonly mobile: string | null;
  readonly uplinkPort: string | null;
  readonly switchPort: string | null;
  readonly fiberCode: string | null;
  readonly fiberColor: string | null;
  readonly status: ProfileStatus;
  readonly online: boolean;
  readonly since: Seconds | null;
}

type Row = Omit<BoxMember, "status" | "online" | "since"> & {
  profile: number;
  expiresAt: Seconds | null;
  frozenAt: Seconds | null;
  onlineSince: Seconds | null;
  offlineSince: Seconds | null;
};

const session = "FROM sessions o WHERE o.subscriber_id = s.id";
const select = `
  SELECT s.id, s.name, s.username, s.mobile_number AS mobile, s.uplink_port AS uplinkPort, s.switch_port AS switchPort,
    s.fiber_code AS fiberCode, s.fiber_color AS fiberColor, s.status AS profile, v.expires_at AS expiresAt,
    v.frozen_at AS frozenAt,
    (SELECT o.started_at ${session} AND o.stopped_at IS NULL ORDER BY o.started_at DESC LIMIT 1) AS onlineSince,
    (SELECT o.stopped_at ${session} ORDER BY o.started_at DESC LIMIT 1) AS offlineSince
  FROM subscribers s INDEXED BY subscribers_box LEFT JOIN services v ON v.subscriber_id = s.id`;

/** Subscribers at a box by port: 2 before 10, unnumbered last. */
export function listBoxMembers(
  db: Db,
  by: Actor,
  { boxNumber }: { boxNumber: string },
  { now }: { now: Seconds },
): BoxMember[] {
  permit(by, "listBoxMembers");
  const { text, values } = all({ text: "s.box_number = ?", values: [boxNumber] }, scopeCondition(by.scope));
  return db.$client
    .query<Row, Value[]>(`${select} WHERE ${text}`)
    .all(...values)
    .map((row) => toBoxMember(row, now))
    .sort((a, b) => byPort(a.uplinkPort, b.uplinkPort) || byPort(a.switchPort, b.switchPort) || a.id - b.id);
}

function toBoxMember(row: Row, now: Seconds): BoxMember {
  const { id, name, username, mobile, uplinkPort, switchPort, fiberCode, fiberColor } = row;
  const { profile, expiresAt, frozenAt, onlineSince, offlineSince } = row;
  return {
    id,
    name,
    username,
    mobile,
    uplinkPort,
    switchPort,
    fiberCode,
    fiberColor,
    status: profileStatus(profile, expiresAt, now, frozenAt),
    online: onlineSince !== null,
    since: onlineSince ?? offlineSince,
  };
}

const natural = new Intl.Collator("en", { numeric: true });

function byPort(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return natural.compare(a, b);
}
