import { asc } from "drizzle-orm";
import type { Db } from "../../../../../db/open.ts";
import { branches, isps, nas, rolePermissions, roles, staff } from "../../../../../db/schema.ts";
import { formatAmount } from "../../../core/amounts/money.ts";
import { listSettings } from "../../settings/change.ts";
import type { Actor } from "../../../core/actor/actor.ts";
import { permit } from "../../../core/actor/permissions.ts";
import { poolRowFields } from "../../../goods/address-pools/fields.ts";
import { packageFields } from "../../../goods/packages/fields.ts";
import { exportCardBatches } from "./card-batches.ts";
import { exportCardTemplates } from "./card-templates.ts";
import { exportCards } from "./cards.ts";
import { exportRows } from "./export-rows.ts";
import { exportSubscribers } from "./export-subscribers.ts";
import { areaFields, cityFields, subareaFields } from "./places.ts";
import { flagNames } from "./roles.ts";
import { stamps } from "./stamps.ts";
import { wallets } from "./wallets.ts";

export interface ExportOptions {
  /** Also passwords (staff's as hashes) and secrets, in clear. */
  secrets: boolean;
}

export function exportDataSet(db: Db, by: Actor, options: ExportOptions) {
  permit(by, "exportDataSet");
  return db.$client.transaction(() => ({
    settings: Object.fromEntries(listSettings(db, by).map(({ key, value }) => [key, value])),
    isps: exportIsps(db),
    cities: exportRows(db, { table: "cities", fields: cityFields }),
    areas: exportRows(db, { table: "areas", fields: areaFields }),
    subareas: exportRows(db, { table: "subareas", fields: subareaFields }),
    permission_flags: flagNames(db),
    roles: exportRoles(db),
    staff: exportStaff(db, options),
    nas: exportNas(db, options),
    address_pools: exportRows(db, { table: "address_pools", fields: poolRowFields }),
    packages: exportRows(db, { table: "packages", fields: packageFields }),
    subscribers: exportSubscribers(db, options),
    card_templates: exportCardTemplates(db),
    card_batches: exportCardBatches(db),
    cards: exportCards(db, options),
  }))();
}

function exportIsps(db: Db) {
  const all = db.select().from(branches).orderBy(asc(branches.id)).all();
  const byIsp = Map.groupBy(all, ({ ispId }) => ispId);
  return db
    .select()
    .from(isps)
    .orderBy(asc(isps.id))
    .all()
    .map(({ id, name }) => ({
      id,
      name,
      branches: (byIsp.get(id) ?? []).map((branch) => ({ id: branch.id, name: branch.name })),
    }));
}

function exportRoles(db: Db) {
  const catalogue = flagNames(db);
  const set = Map.groupBy(db.select().from(rolePermissions).all(), ({ roleCode }) => roleCode);
  return db
    .select()
    .from(roles)
    .orderBy(asc(roles.code))
    .all()
    .map(({ code, ispId, name, permissionsSet, needsSecondFactor }) => {
      const values = new Map((set.get(code) ?? []).map(({ flag, value }) => [flag, value]));
      const permissions = Object.fromEntries(catalogue.map((flag) => [flag, values.get(flag) ?? 0]));
      const role = { code, isp_id: ispId, name, permissions: permissionsSet === 1 ? permissions : null };
      // only where set: older formats do not know it
      return needsSecondFactor === 1 ? Object.assign(role, { needs_second_factor: 1 }) : role;
    });
}

function exportStaff(db: Db, { secrets }: ExportOptions) {
  const readWallet = wallets(db, "staff_id");
  const readStamp = stamps(db, "staff");
  return db
    .select()
    .from(staff)
    .orderBy(asc(staff.id))
    .all()
    .map((row) => ({
      id: row.id,
      isp_id: row.ispId ?? 0,
      branch_id: row.branchId ?? 0,
      name: row.name,
      username: row.username,
      email: row.email,
      phone: row.phone,
      password_hash: secrets && row.isKey === 0 ? row.passwordHash : undefined,
      is_key: row.isKey === 1 ? 1 : undefined,
      profile_type: row.profileType,
      role_code: row.roleCode,
      status: row.status,
      credit_limit: formatAmount(row.creditLimit),
      balance: formatAmount(readWallet(row.id).balance),
      stamp: readStamp(row.id),
    }));
}

function exportNas(db: Db, { secrets }: ExportOptions) {
  return db
    .select()
    .from(nas)
    .orderBy(asc(nas.id))
    .all()
    .map((row) => ({
      id: row.id,
      isp_id: row.ispId,
      name: row.name,
      address: row.address,
      secret: secrets ? db.vault.openText(row.secretSealed) : undefined,
      require_message_authenticator: row.requireMessageAuthenticator,
      swap_octets: row.swapOctets === 1,
      coa_event_timestamp: row.coaEventTimestamp === 1,
      coa_port: row.coaPort,
      disconnect_method: row.disconnectMethod,
      mppe: row.mppe,
      kind: row.kind,
      radsec: row.radsec === 1,
      dhcp: row.dhcp === 1,
      shaper: row.shaper,
      shaper_leases: row.shaperLeases === 1,
      dual_stack: row.dualStack,
      routeros: row.routerosHost === null ? null : exportRouteros(db, row, secrets),
    }));
}

function exportRouteros(db: Db, row: typeof nas.$inferSelect, secrets: boolean) {
  return {
    host: row.routerosHost,
    port: row.routerosPort,
    username: row.routerosUsername,
    password:
      secrets && row.routerosPasswordSealed ? db.vault.openText(row.routerosPasswordSealed) : undefined,
    tls: row.routerosTls === 1,
    tls_fingerprint: row.routerosTlsFingerprint,
  };
}
