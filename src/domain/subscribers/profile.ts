import { and, eq, isNull, or, type SQL } from "drizzle-orm";
import type { AnySQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Db } from "../../../db/open.ts";
import { areas, branches, cities, nas, packages, staff, subareas } from "../../../db/schema.ts";
import { DomainError, type FieldErrors } from "../errors.ts";
import { addFault } from "../fields.ts";
import type { Actor } from "../staff/actor.ts";
import { ADMIN, RESELLER } from "../staff/profile-types.ts";
import { fold } from "../text.ts";
import { addresses, unsharedContacts } from "./doubles.ts";
import type { ProfileValues } from "./fields.ts";

/** Throws `forbidden` when the values would put a subscriber where the actor may not. */
export function requireWithinScope(
  { scope }: Actor,
  { isp_id, branch_id, salesperson_id }: ProfileValues,
): void {
  if (scope.ispId !== null && isp_id && isp_id !== scope.ispId) {
    throw new DomainError("forbidden", `isp_id ${isp_id} is not your ISP; yours is ${scope.ispId}`);
  }
  if (scope.branchId !== null && branch_id !== undefined && branch_id !== scope.branchId) {
    throw new DomainError(
      "forbidden",
      `branch_id ${branch_id ?? 0} is not your branch; yours is ${scope.branchId}`,
    );
  }
  if (scope.salespersonId !== null && salesperson_id && salesperson_id !== scope.salespersonId) {
    throw new DomainError(
      "forbidden",
      `a reseller can only be its own salesperson; yours is ${scope.salespersonId}`,
    );
  }
}

/** Adds a fault for each reference that points nowhere within the ISP. */
export function findReferenceFaults(db: Db, ispId: number, values: ProfileValues, faults: FieldErrors): void {
  const check = (
    name: keyof ProfileValues,
    table: SQLiteTable,
    idColumn: AnySQLiteColumn,
    within: SQL | undefined,
    kind: string,
  ) => {
    const value = values[name];
    if (!value) return;
    const found = db
      .select({ id: idColumn })
      .from(table)
      .where(and(eq(idColumn, value), within))
      .get();
    if (!found) addFault(faults, name, `is not ${kind} of this ISP`);
  };
  check("branch_id", branches, branches.id, eq(branches.ispId, ispId), "a branch");
  check("package_id", packages, packages.id, eq(packages.ispId, ispId), "a package");
  check("nas_id", nas, nas.id, eq(nas.ispId, ispId), "a NAS");
  check("city_id", cities, cities.id, eq(cities.ispId, ispId), "a city");
  check("area_id", areas, areas.id, eq(areas.ispId, ispId), "an area");
  check("subarea_id", subareas, subareas.id, eq(subareas.ispId, ispId), "a subarea");
  const sells = and(
    or(eq(staff.ispId, ispId), isNull(staff.ispId)),
    or(eq(staff.profileType, ADMIN), eq(staff.profileType, RESELLER)),
  );
  check("salesperson_id", staff, staff.id, sells, "an Admin or Reseller");
}

/**
 * Adds a fault for each value that belongs to another subscriber already and is not to be shared: the username in the
 * appliance, contacts too while unique_contacts is 1, static addresses in the ISP. `self` is the one that is changed; what
 * it has already, sent as it stands, collides with nobody: `check` names what was shared before it was refused.
 */
export function findCollisions(
  db: Db,
  ispId: number | null | undefined,
  values: ProfileValues,
  faults: FieldErrors,
  self = 0,
): void {
  const check = (field: keyof ProfileValues, column: string, key: string | null | undefined, isp = 0) => {
    if (!key) return;
    const taken = db.$client
      .query(
        `SELECT 1 FROM subscribers WHERE ${column} = ?1 AND id <> ?2 AND ?3 IN (0, isp_id)
         AND NOT EXISTS (SELECT 1 FROM subscribers WHERE id = ?2 AND ${column} = ?1)`,
      )
      .get(key, self, isp);
    if (taken) addFault(faults, field, "is taken by another subscriber");
  };
  check("username", "username_key", values.username && fold(values.username));
  for (const { field, column } of unsharedContacts(db))
    check(field, column, field === "email" ? values.email && fold(values.email) : values[field]);
  if (ispId) for (const { field, column } of addresses) check(field, column, values[field], ispId);
}

/** The optional columns as the store takes them; undefined leaves a column as it is. */
export function optionalColumns(values: ProfileValues) {
  return {
    phoneNumber: values.phone_number,
    email: values.email,
    emailKey: values.email && fold(values.email),
    address: values.address,
    cityId: values.city_id,
    areaId: values.area_id,
    subareaId: values.subarea_id,
    latitude: values.latitude,
    longitude: values.longitude,
    boxNumber: values.box_number,
    boxAddress: values.box_address,
    uplinkPort: values.uplink_port,
    fiberCode: values.fiber_code,
    fiberColor: values.fiber_color,
    switchBoard: values.switch_board,
    switchPort: values.switch_port,
    backupConnection: values.backup_connection,
    electricitySocket: values.electricity_socket,
    cableType: values.cable_type,
    staticIp: values.static_ip,
    framedIpv6Prefix: values.framed_ipv6_prefix,
    delegatedIpv6Prefix: values.delegated_ipv6_prefix,
    // sent empty, a flag is off
    macLogin: values.mac_login === null ? 0 : values.mac_login,
    smsStatus: values.sms_status === null ? 0 : values.sms_status,
  };
}
