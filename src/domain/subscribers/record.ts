import { all, columnsOf, type Condition, equal, type Value } from "../../../db/condition.ts";
import type { Db } from "../../../db/open.ts";
import { subscribers } from "../../../db/schema.ts";
import { DomainError } from "../errors.ts";
import { shownAmount } from "../money.ts";
import { type Actor, may, scopeCondition } from "../staff/actor.ts";
import { formatTime, type Seconds } from "../time.ts";

export type ProfileStatus = "disabled" | "inactive" | "expired" | "active";
export type ConnectionStatus = "online" | "offline";

/** The status of a profile, derived. */
export function profileStatus(status: number, expiresAt: Seconds | null, now: Seconds): ProfileStatus {
  if (status !== 1) return "disabled";
  if (expiresAt === null) return "inactive";
  return expiresAt <= now ? "expired" : "active";
}

/** SQL: whether the subscriber `s` has an open accounting session. */
export const isOnline =
  "EXISTS (SELECT 1 FROM sessions WHERE sessions.subscriber_id = s.id AND sessions.stopped_at IS NULL)";

const NOT_SHOWN = ["usernameKey", "emailKey", "portalPass", "globalNote"] as const;

type Row = Omit<typeof subscribers.$inferSelect, (typeof NOT_SHOWN)[number]> & {
  expiresAt: Seconds | null;
  billingType: string;
  area: string | null;
  subarea: string | null;
  city: string | null;
  online: number;
  balance: number;
};

// NOT INDEXED: by id, which SQLite would else look up in the index of the scope's ISP first
const select = `
  SELECT ${columnsOf(subscribers, "s", NOT_SHOWN)}, v.expires_at AS expiresAt, p.billing_type AS billingType,
    areas.name AS area, subareas.name AS subarea, cities.name AS city, ${isOnline} AS online,
    COALESCE((SELECT balance_after FROM ledger_entries WHERE ledger_entries.subscriber_id = s.id
      ORDER BY ledger_entries.id DESC LIMIT 1), 0) AS balance
  FROM subscribers s NOT INDEXED
    JOIN packages p ON p.id = s.package_id
    LEFT JOIN services v ON v.subscriber_id = s.id
    LEFT JOIN areas ON areas.id = s.area_id
    LEFT JOIN subareas ON subareas.id = s.subarea_id
    LEFT JOIN cities ON cities.id = s.city_id`;

/**
 * The records that match within the actor's scope, in the order of their ids: every create field and the derived ones. The
 * password is null for who may not read it, and where what is stored was damaged.
 */
export function subscriberRecords(
  { $client, vault }: Db,
  actor: Actor,
  where: Condition | undefined,
  now: Seconds,
) {
  const showPassword = may(actor, "subscriber_password");
  const { text, values } = all(where, scopeCondition(actor.scope));
  return $client
    .query<Row, Value[]>(`${select} WHERE ${text} ORDER BY s.id`)
    .all(...values)
    .map((row) => ({
      id: row.id,
      isp_id: row.ispId,
      branch_id: row.branchId ?? 0,
      name: row.name,
      username: row.username,
      password: showPassword ? (vault.openTextIfWhole(row.passwordSealed) ?? null) : null,
      package_id: row.packageId,
      connection_type_id: row.connectionTypeId,
      salesperson_id: row.salespersonId,
      nas_id: row.nasId,
      nic_number: row.nicNumber,
      mobile_number: row.mobileNumber,
      phone_number: row.phoneNumber,
      email: row.email,
      address: row.address,
      city_id: row.cityId,
      area_id: row.areaId,
      subarea_id: row.subareaId,
      area_data: {
        area: place(row.areaId, row.area),
        subarea: place(row.subareaId, row.subarea),
        city: place(row.cityId, row.city),
      },
      latitude: row.latitude,
      longitude: row.longitude,
      box_number: row.boxNumber,
      box_address: row.boxAddress,
      uplink_port: row.uplinkPort,
      fiber_code: row.fiberCode,
      fiber_color: row.fiberColor,
      switch_board: row.switchBoard,
      switch_port: row.switchPort,
      backup_connection: row.backupConnection,
      electricity_socket: row.electricitySocket,
      cable_type: row.cableType,
      static_ip: row.staticIp,
      framed_ipv6_prefix: row.framedIpv6Prefix,
      delegated_ipv6_prefix: row.delegatedIpv6Prefix,
      mac_address: row.macAddress,
      mac_lock: row.macLock,
      mac_login: row.macLogin,
      sms_status: row.smsStatus,
      balance: shownAmount(row.balance),
      billing_type: row.billingType,
      profile_status: profileStatus(row.status, row.expiresAt, now),
      connection_status: (row.online ? "online" : "offline") satisfies ConnectionStatus,
      current_expiration_date: row.expiresAt === null ? null : formatTime(row.expiresAt),
      created_at: formatTime(row.createdAt),
      updated_at: formatTime(row.updatedAt),
    }));
}

function place(id: number | null, name: string | null): { id: number; name: string } | null {
  return id === null || name === null ? null : { id, name };
}

export type SubscriberRecord = ReturnType<typeof subscriberRecords>[number];

/** The record of one subscriber. Throws not_found. */
export function subscriberRecord(db: Db, actor: Actor, id: number, now: Seconds): SubscriberRecord {
  const [record] = subscriberRecords(db, actor, equal("s.id", id), now);
  if (!record) throw new DomainError("not_found", `there is no subscriber ${id}`);
  return record;
}
