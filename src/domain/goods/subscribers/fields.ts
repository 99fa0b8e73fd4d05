import { Type } from "@sinclair/typebox";
import type { Named } from "../../../../db/columns.ts";
import type { subscribers } from "../../../../db/schema.ts";
import type { FieldErrors } from "../../core/errors/errors.ts";
import { replyAttributesField } from "../attributes/reply.ts";
import {
  coordinate,
  email,
  type Field,
  flag,
  id,
  type Input,
  ipv4,
  ipv6Prefix,
  mac,
  oneOf,
  price,
  scopeId,
  text,
  time,
  username,
  type Values,
  without,
} from "../../core/fields/fields.ts";
import { languageTags } from "../../core/fields/languages.ts";
import { passwordHash } from "../../people/staff/passwords.ts";
import { connectionType } from "./connection-types.ts";
import { lineId } from "./line-id.ts";

const passwordText = text(64);
const passwordMessage = `${passwordText.message}, at most 128 bytes in UTF-8`;

/** What a subscriber logs in with. PAP carries 128 bytes (RFC 2865 5.2), which 64 characters can exceed. */
const password: Field<string> = {
  schema: { ...passwordText.schema, description: passwordMessage },
  message: passwordMessage,
  read: (value) => {
    const read = passwordText.read(value);
    return read !== undefined && Buffer.byteLength(read) <= 128 ? read : undefined;
  },
};

const short = text(100);
const line = text(255);

/** What staff write about a subscriber. */
export const noteText = text(10_000, { lines: true });

/** Sent empty, it is an empty note. */
export const globalNote: Field<string> = {
  ...noteText,
  schema: Type.Union([Type.String({ maxLength: 10_000 }), Type.Null()], {
    description: "Text of at most 10,000 characters; empty clears.",
  }),
  message: "must be text of at most 10000 characters, without control characters",
  empty: "",
};

/** Columns that nobody gives. */
type Kept =
  | "id"
  | "username_key"
  | "email_key"
  | "password_sealed"
  | "created_at"
  | "updated_at"
  | "pool_ip_from"
  | "pool_prefix_from";

/**
 * Every column of a subscriber that people see, by the name that it has everywhere and in the order in which it is shown: create
 * and update take them, the record of the API shows them, and an import and an export of the data set have them, except as said below.
 */
export const columnFields = {
  isp_id: id,
  branch_id: scopeId,
  name: text(120),
  username,
  password,
  portal_pass: passwordHash,
  package_id: id,
  connection_type_id: connectionType,
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
  global_note: globalNote,
  auto_renew: flag,
  credit_limit: price,
  archived_at: time,
  any_connection: flag,
  language: oneOf(...languageTags),
  messages_off: flag,
  reply_attributes: replyAttributesField,
  circuit_id: lineId,
  remote_id: lineId,
  pool_ip: ipv4,
  pool_prefix: ipv6Prefix,
} satisfies Record<Exclude<keyof Named<typeof subscribers>, Kept> | "password", Field<unknown>>;

/** What the record shows: all but what only the data set has. */
export const recordFields = without(columnFields, ["portal_pass", "status", "global_note"]);

/** What create and update take: all of the record but what is changed by operations of its own. */
export const profileFields = without(recordFields, [
  ...["mac_address", "mac_lock", "archived_at"],
  ...["pool_ip", "pool_prefix"],
] as const);

export const requiredProfileFields = [
  "isp_id",
  "name",
  "username",
  "password",
  "package_id",
  "connection_type_id",
  "salesperson_id",
  "nas_id",
  "nic_number",
  "mobile_number",
] as const;

export type RequiredField = (typeof requiredProfileFields)[number];

/** What staff at their pages have to say: not everybody at the counter has an identity card with them. */
export const requiredAtPages = requiredProfileFields.filter((name) => name !== "nic_number");

/** Adds a fault for a mobile number without a digit, which staff at their pages cannot mean: it reaches nobody. */
export function findMobileFault({ mobile_number: mobile }: Input, faults: FieldErrors): void {
  if (typeof mobile === "string" && mobile !== "" && !/\p{Nd}/u.test(mobile))
    faults["mobile_number"] = ["must have the digits of a number, such as 0712 345 678"];
}

export type ProfileValues = Values<typeof profileFields>;

/** Characters of a password that reset_password takes. */
export const newPassword = text(20);
