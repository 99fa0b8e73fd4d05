import { asc, eq } from "drizzle-orm";
import type { Db } from "../../../db/open.ts";
import { services, staffNotes, subscribers } from "../../../db/schema.ts";
import { formatAmount } from "../money.ts";
import { formatTime } from "../time.ts";
import { stamps } from "./stamps.ts";
import { wallets } from "./wallets.ts";

/** Every subscriber with its wallet, its expiration and the staff's notes, as importDataSet takes them. */
export function exportSubscribers(db: Db, { secrets }: { secrets: boolean }) {
  const walletOf = wallets(db, "subscriber_id");
  const stampOf = stamps(db, "subscribers");
  const notes = Map.groupBy(
    db.select().from(staffNotes).orderBy(asc(staffNotes.id)).all(),
    ({ subscriberId }) => subscriberId,
  );
  return db
    .select({ row: subscribers, expiresAt: services.expiresAt })
    .from(subscribers)
    .leftJoin(services, eq(services.subscriberId, subscribers.id))
    .orderBy(asc(subscribers.id))
    .all()
    .map(({ row, expiresAt }) => ({
      id: row.id,
      isp_id: row.ispId,
      branch_id: row.branchId ?? 0,
      name: row.name,
      username: row.username,
      password: secrets ? db.vault.openText(row.passwordSealed) : undefined,
      portal_pass: secrets ? row.portalPass : undefined,
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
      status: row.status,
      global_note: row.globalNote,
      balance: formatAmount(walletOf(row.id).balance),
      current_expiration_date: expiresAt === null ? null : formatTime(expiresAt),
      stamp: stampOf(row.id),
      staff_notes: (notes.get(row.id) ?? []).map(({ note, addedBy }) => ({ note, added_by: addedBy })),
    }));
}
