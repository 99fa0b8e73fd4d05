import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../../db/open.ts";
import { areas, cities, packages, services, subareas, subscribers } from "../../../db/schema.ts";
import { DomainError } from "../errors.ts";
import { shownAmount } from "../money.ts";
import { type Actor, may, subscriberInScope } from "../staff/actor.ts";
import { formatTime, type Seconds } from "../time.ts";

export type ProfileStatus = "disabled" | "inactive" | "expired" | "active";
export type ConnectionStatus = "online" | "offline";

/** The status of a profile, derived (decisions.md, Values). */
export function profileStatus(status: number, expiresAt: Seconds | null, now: Seconds): ProfileStatus {
  if (status !== 1) return "disabled";
  if (expiresAt === null) return "inactive";
  return expiresAt <= now ? "expired" : "active";
}

/** SQL: whether the subscriber of the row has an open accounting session. */
export const isOnline = sql<number>`EXISTS (SELECT 1 FROM sessions WHERE sessions.subscriber_id = ${subscribers.id} AND sessions.stopped_at IS NULL)`;

const balance = sql<number>`COALESCE((SELECT balance_after FROM ledger_entries WHERE ledger_entries.subscriber_id = ${subscribers.id} ORDER BY ledger_entries.id DESC LIMIT 1), 0)`;

/** The records that match within the actor's scope, in the order of their ids: every create field and the derived ones. */
export function subscriberRecords(
  db: Db,
  actor: Actor,
  where: SQL | undefined,
  { limit, offset, now }: { limit: number; offset: number; now: Seconds },
) {
  const showPassword = may(actor, "subscriber_password");
  return db
    .select({
      subscriber: subscribers,
      expiresAt: services.expiresAt,
      billingType: packages.billingType,
      area: { id: areas.id, name: areas.name },
      subarea: { id: subareas.id, name: subareas.name },
      city: { id: cities.id, name: cities.name },
      online: isOnline,
      balance,
    })
    .from(subscribers)
    .innerJoin(packages, eq(packages.id, subscribers.packageId))
    .leftJoin(services, eq(services.subscriberId, subscribers.id))
    .leftJoin(areas, eq(areas.id, subscribers.areaId))
    .leftJoin(subareas, eq(subareas.id, subscribers.subareaId))
    .leftJoin(cities, eq(cities.id, subscribers.cityId))
    .where(and(subscriberInScope(actor.scope), where))
    .orderBy(asc(subscribers.id))
    .limit(limit)
    .offset(offset)
    .all()
    .map(({ subscriber: row, expiresAt, billingType, area, subarea, city, online, balance }) => ({
      id: row.id,
      isp_id: row.ispId,
      branch_id: row.branchId ?? 0,
      name: row.name,
      username: row.username,
      password: showPassword ? db.vault.openText(row.passwordSealed) : null,
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
      area_data: { area, subarea, city },
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
      balance: shownAmount(balance),
      billing_type: billingType,
      profile_status: profileStatus(row.status, expiresAt, now),
      connection_status: (online ? "online" : "offline") satisfies ConnectionStatus,
      current_expiration_date: expiresAt === null ? null : formatTime(expiresAt),
      created_at: formatTime(row.createdAt),
      updated_at: formatTime(row.updatedAt),
    }));
}

export type SubscriberRecord = ReturnType<typeof subscriberRecords>[number];

/** The record of one subscriber (interface.md E). Throws not_found. */
export function subscriberRecord(db: Db, actor: Actor, id: number, now: Seconds): SubscriberRecord {
  const [record] = subscriberRecords(db, actor, eq(subscribers.id, id), { limit: 1, offset: 0, now });
  if (!record) throw new DomainError("not_found", `there is no subscriber ${id}`);
  return record;
}
