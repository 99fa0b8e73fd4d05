import { DomainError } from "../errors.ts";
import type { Actor } from "../staff/actor.ts";
import { fold } from "../text.ts";
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
