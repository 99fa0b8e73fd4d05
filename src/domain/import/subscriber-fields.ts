import {
  amount,
  coordinate,
  email,
  flag,
  id,
  ipv4,
  ipv6Prefix,
  mac,
  scopeId,
  text,
  time,
  username,
  type Values,
  wholeNumber,
} from "../fields.ts";
import { passwordHash } from "./staff.ts";

const short = text(100);
const line = text(255);

/** The columns of a subscriber that the file gives as they are. */
export const subscriberFields = {
  isp_id: id,
  branch_id: scopeId,
  name: text(120),
  username,
  password: text(64),
  portal_pass: passwordHash,
  package_id: id,
  connection_type_id: wholeNumber(1, 5),
  salesperson_id: id,
  nas_id: id,
  nic_number: short,
  mobile_number: short,
  phone_number: short,
  email,
  address: text(500, { lines: true }),
  city_id: id,
  area_id: id,
  subarea_id: id,
  latitude: coordinate(90),
  longitude: coordinate(180),
  box_number: short,
  box_address: line,
  uplink_port: short,
  fiber_code: short,
  fiber_color: short,
  switch_board: short,
  switch_port: short,
  backup_connection: line,
  electricity_socket: short,
  cable_type: short,
  static_ip: ipv4,
  framed_ipv6_prefix: ipv6Prefix,
  delegated_ipv6_prefix: ipv6Prefix,
  mac_address: mac,
  mac_lock: flag,
  mac_login: flag,
  sms_status: flag,
  status: flag,
  global_note: text(10_000, { lines: true }),
  /** Beside the profile: the wallet, and the service. */
  balance: amount,
  current_expiration_date: time,
};

/** A new subscriber needs these, and a nas_id that may be null. */
export const requiredSubscriberFields = [
  "isp_id",
  "name",
  "username",
  "password",
  "package_id",
  "connection_type_id",
  "nic_number",
  "mobile_number",
] as const;

export const noteFields = { note: text(10_000, { lines: true }), added_by: id };

export interface Note {
  readonly note: string;
  readonly added_by: number;
}

export type SubscriberValues = Values<typeof subscriberFields> & {
  staff_notes: readonly Note[] | null | undefined;
};
