import { all, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { type Outage, openOutages } from "../outages/find.ts";
import { byNumber } from "../outages/suspects.ts";
import { type Actor, type Scope, scopeCondition } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { type ProfileStatus, profileStatus } from "../../goods/subscribers/record.ts";
import type { Seconds } from "../../core/time/time.ts";

/** State of a line: online, refused, dark (was online before), or not allowed online or never was. */
export type PortState = "online" | "refused" | "dark" | "off";

/** A line of a distribution box, for the technician in front of it. */
export interface BoxLine {
  readonly subscriberId: number;
  readonly name: string;
  readonly username: string;
  readonly mobile: string | null;
  readonly address: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly port: string | null;
  readonly fiberColor: string | null;
  readonly status: ProfileStatus;
  readonly state: PortState;
  /** When its session started or ended, or it was last refused; null: never. */
  readonly since: Seconds | null;
  /** Downstream bit/s; null: unknown or offline. */
  readonly rate: number | null;
  /** Why it was refused, and which device. */
  readonly reason: string | null;
  readonly mac: string | null;
}

export interface BoxPage {
  readonly boxNumber: string;
  readonly boxAddress: string | null;
  readonly nasName: string | null;
  /** Location, from the first line that has one. */
  readonly place: { readonly latitude: number; readonly longitude: number } | null;
  readonly lines: readonly BoxLine[];
  /** A current outage of the box, or of an area or router of its lines. */
  readonly outage: Outage | undefined;
  readonly note: { readonly text: string; readonly by: string; readonly at: Seconds } | undefined;
}

interface Row {
  readonly subscriberId: number;
  readonly name: string;
  readonly username: string;
  readonly mobile: string | null;
  readonly address: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly boxAddress: string | null;
  readonly areaId: number | null;
  readonly ispId: number;
  readonly port: string | null;
  readonly fiberColor: string | null;
  readonly enabled: number;
  readonly expiresAt: Seconds | null;
  readonly frozenAt: Seconds | null;
  readonly startedAt: Seconds | null;
  readonly stoppedAt: Seconds | null;
  readonly rate: number | null;
  readonly nasId: number | null;
  readonly nasName: string | null;
  readonly refusedAt: Seconds | null;
  readonly reason: string | null;
  readonly mac: string | null;
}

/** Seconds after which a reject is no longer shown. */
const LATELY = 86_400;

/** A box and its lines in scope, by port. Throws not_found. */
export function boxPage(
  db: Db,
  by: Actor,
  { boxNumber }: { boxNumber: string },
  { now }: { now: Seconds },
): BoxPage {
  permit(by, "boxPage");
  const rows = listRows(db, by.scope, boxNumber);
  if (rows.length === 0)
    throw new DomainError("not_found", phrase`no line that you see hangs on ${boxNumber}`);
  const lines = rows.map((row) => toBoxLine(row, now));
  const placed = lines.find(({ latitude, longitude }) => latitude !== null && longitude !== null);
  const { latitude, longitude } = placed ?? { latitude: null, longitude: null };
  return {
    boxNumber,
    boxAddress: rows.find((row) => row.boxAddress !== null)?.boxAddress ?? null,
    nasName: rows.find((row) => row.nasName !== null)?.nasName ?? null,
    place: latitude === null || longitude === null ? null : { latitude, longitude },
    lines: lines.sort(byPort),
    outage: findOutage(db, by, rows, boxNumber),
    note: lastNote(db, rows),
  };
}

function listRows({ $client }: Db, scope: Scope, boxNumber: string): Row[] {
  const { text, values } = all({ text: "s.box_number = ?", values: [boxNumber] }, scopeCondition(scope));
  return $client
    .query<Row, Value[]>(
      `SELECT s.id AS subscriberId, s.name, s.username, s.mobile_number AS mobile, s.address, s.latitude, s.longitude,
         s.box_address AS boxAddress, s.area_id AS areaId, s.isp_id AS ispId, coalesce(s.uplink_port, s.switch_port) AS port,
         s.fiber_color AS fiberColor, s.status AS enabled, v.expires_at AS expiresAt, v.frozen_at AS frozenAt,
         o.started_at AS startedAt, o.stopped_at AS stoppedAt, o.rate_output AS rate, o.nas_id AS nasId, nas.name AS nasName,
         iif(a.accepted = 0, a.at, NULL) AS refusedAt, a.reason, a.mac
       FROM subscribers s INDEXED BY subscribers_box LEFT JOIN services v ON v.subscriber_id = s.id
         LEFT JOIN sessions o ON o.id = (SELECT n.id FROM sessions n WHERE n.subscriber_id = s.id
           ORDER BY n.stopped_at IS NOT NULL, n.started_at DESC LIMIT 1)
         LEFT JOIN auth_log a ON a.id = (SELECT max(id) FROM auth_log WHERE subscriber_id = s.id)
         LEFT JOIN nas ON nas.id = o.nas_id
       WHERE ${text}`,
    )
    .all(...values);
}

function toBoxLine(row: Row, now: Seconds): BoxLine {
  const { subscriberId, name, username, mobile, address, latitude, longitude, port, fiberColor } = row;
  const { startedAt, stoppedAt, refusedAt } = row;
  const status = profileStatus(row.enabled, row.expiresAt, now, row.frozenAt);
  const isOnline = startedAt !== null && stoppedAt === null;
  const isRefused = !isOnline && refusedAt !== null && refusedAt > Math.max(stoppedAt ?? 0, now - LATELY);
  const state = isOnline
    ? "online"
    : isRefused
      ? "refused"
      : status === "active" && stoppedAt !== null
        ? "dark"
        : "off";
  return {
    subscriberId,
    name,
    username,
    mobile,
    address,
    latitude,
    longitude,
    port,
    fiberColor,
    status,
    state,
    since: isOnline ? startedAt : isRefused ? refusedAt : stoppedAt,
    rate: isOnline ? row.rate : null,
    reason: isRefused ? row.reason : null,
    mac: isRefused ? row.mac : null,
  };
}

function byPort(a: BoxLine, b: BoxLine): number {
  if (a.port === null || b.port === null) return Number(a.port === null) - Number(b.port === null);
  return byNumber.compare(a.port, b.port) || a.subscriberId - b.subscriberId;
}

/** The most specific outage: the box's before that of what it depends on. */
function findOutage(db: Db, by: Actor, rows: readonly Row[], boxNumber: string): Outage | undefined {
  const open = openOutages(db, by);
  const has = (key: "areaId" | "nasId", id: number | null) =>
    id !== null && rows.some((row) => row[key] === id);
  return (
    open.find((one) => one.boxNumber === boxNumber && rows.some(({ ispId }) => ispId === one.ispId)) ??
    open.find(({ areaId, nasId }) => has("areaId", areaId) || has("nasId", nasId))
  );
}

function lastNote({ $client }: Db, rows: readonly Row[]): BoxPage["note"] {
  const found = $client
    .query<{ text: string; by: string; at: Seconds }, [string]>(
      `SELECT n.note AS text, a.name AS by, n.created_at AS at FROM staff_notes n JOIN staff a ON a.id = n.added_by
       WHERE n.subscriber_id IN (SELECT value FROM json_each(?)) ORDER BY n.created_at DESC, n.id DESC LIMIT 1`,
    )
    .get(JSON.stringify(rows.map(({ subscriberId }) => subscriberId)));
  return found ?? undefined;
}
