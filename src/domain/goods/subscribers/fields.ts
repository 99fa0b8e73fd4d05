import { Type } from "@sinclair/typebox";
import type { Named } from "../../../../db/columns.ts";
import type { subscribers } from "../../../../db/schema.ts";
import type { Faults } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
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
import type { Reading, RecordOf } from "../../core/fields/record.ts";
import { languageTags } from "../../core/fields/languages.ts";
import { passwordHash } from "../../people/staff/passwords.ts";
import { connectionType } from "./connection-types.ts";
import { lineId } from "./line-id.ts";

const passwordText = text(64);
const passwordMessage = phrase`${passwordText.message}, at most 128 bytes in UTF-8`;

/** PAP carries 128 bytes (RFC 2865 5.2). */
const password: Field<string> = {
  schema: { ...passwordText.schema, description: passwordMessage.toString() },
  message: passwordMessage,
  read: (value) => {
    const read = passwordText.read(value);
    return read !== undefined && Buffer.byteLength(read) <= 128 ? read : undefined;
  },
};

const short = text(100);
const line = text(255);

export const noteText = text(10_000, { lines: true });

/** The note, of which empty is a value. */
export const globalNote: Field<string> = {
  ...noteText,
  schema: Type.Union([Type.String({ maxLength: 10_000 }), Type.Null()], {
    description: "Text of at most 10,000 characters; empty clears.",
  }),
  message: phrase`must be text of at most 10000 characters, without control characters`,
  empty: "",
};

type Kept =
  | "id"
  | "username_key"
  | "email_key"
  | "password_sealed"
  | "created_at"
  | "updated_at"
  | "pool_ip_from"
  | "pool_prefix_from";

type Unshown = "portal_pass" | "status" | "global_note";

/** Columns with public names, in order: of profiles, records, import and export, with the exceptions below. */
export const columnFields = {
  isp_id: {
    ...id,
    kind: "whole",
    meaning:
      "The ISP that the subscriber belongs to. In calls by id it narrows: a subscriber of another ISP is not found.",
    example: 1,
  },
  branch_id: {
    ...scopeId,
    kind: "whole",
    meaning:
      "The branch that the subscriber belongs to; 0 is the whole ISP. In calls by id it narrows: a subscriber of another branch is not found.",
    example: 0,
  },
  name: {
    ...text(120),
    kind: "words",
    meaning: "Name of the person or company.",
    example: "Sam",
  },
  username: {
    ...username,
    kind: "words",
    meaning: "Name to sign in with, for RADIUS, app and portal; compared without case.",
    example: "sam",
  },
  password: {
    ...password,
    kind: "words",
    isNullable: true,
    meaning: "Password of the line: what the router of the subscriber sends.",
    example: "pw-sam",
  },
  portal_pass: passwordHash,
  package_id: {
    ...id,
    kind: "whole",
    meaning:
      "The package of the profile, which the next activation sells; the service that runs may have another one.",
    example: 7,
  },
  connection_type_id: {
    ...connectionType,
    kind: "whole",
    meaning:
      "How it connects: 1 RADIUS PPPoE, 2 RADIUS hotspot, 3 PPPoE, 4 hotspot and 5 static address by the router's API.",
    example: 1,
  },
  salesperson_id: {
    ...id,
    kind: "whole",
    isNullable: true,
    meaning: "The Admin or Reseller whose customer it is, by the number of the account.",
    example: 1,
  },
  nas_id: {
    ...id,
    kind: "whole",
    isNullable: true,
    meaning: "The router that it connects to.",
    example: 1,
  },
  nic_number: {
    ...short,
    kind: "words",
    isNullable: true,
    meaning:
      "Number of the identity card or company register; no other subscriber has it, unless the setting unique_contacts is 0.",
    example: "N1",
  },
  mobile_number: {
    ...short,
    kind: "words",
    isNullable: true,
    meaning: "Mobile number; no other subscriber has it, unless the setting unique_contacts is 0.",
    example: "M1",
  },
  phone_number: {
    ...short,
    kind: "words",
    isNullable: true,
    meaning: "Another telephone number; no other subscriber has it, unless the setting unique_contacts is 0.",
    example: null,
  },
  email: {
    ...email,
    kind: "words",
    isNullable: true,
    meaning: "E-mail address; no other subscriber has it, unless the setting unique_contacts is 0.",
    example: null,
  },
  address: {
    ...text(500, { lines: true }),
    kind: "words",
    isNullable: true,
    meaning: "Postal address.",
    example: null,
  },
  city_id: {
    ...id,
    kind: "whole",
    isNullable: true,
    meaning: "City, by its number in the data set of the ISP.",
    example: 1,
  },
  area_id: {
    ...id,
    kind: "whole",
    isNullable: true,
    meaning: "Area of the city, by its number.",
    example: null,
  },
  subarea_id: {
    ...id,
    kind: "whole",
    isNullable: true,
    meaning: "Part of the area, by its number.",
    example: null,
  },
  latitude: {
    ...coordinate(90),
    kind: "real",
    isNullable: true,
    meaning: "Where the line ends: degrees north of the equator.",
    example: null,
  },
  longitude: {
    ...coordinate(180),
    kind: "real",
    isNullable: true,
    meaning: "Where the line ends: degrees east of Greenwich.",
    example: null,
  },
  box_number: {
    ...short,
    kind: "words",
    isNullable: true,
    meaning: "Distribution box that the line comes from.",
    example: null,
  },
  box_address: {
    ...line,
    kind: "words",
    isNullable: true,
    meaning: "Where that box is.",
    example: null,
  },
  uplink_port: {
    ...short,
    kind: "words",
    isNullable: true,
    meaning: "Port of the box towards the ISP.",
    example: null,
  },
  fiber_code: {
    ...short,
    kind: "words",
    isNullable: true,
    meaning: "Code of the fibre.",
    example: null,
  },
  fiber_color: {
    ...short,
    kind: "words",
    isNullable: true,
    meaning: "Colour of the fibre.",
    example: null,
  },
  switch_board: {
    ...short,
    kind: "words",
    isNullable: true,
    meaning: "Switch that the line ends in.",
    example: null,
  },
  switch_port: {
    ...short,
    kind: "words",
    isNullable: true,
    meaning: "Port of that switch.",
    example: null,
  },
  backup_connection: {
    ...line,
    kind: "words",
    isNullable: true,
    meaning: "What the subscriber has when the line fails.",
    example: null,
  },
  electricity_socket: {
    ...short,
    kind: "words",
    isNullable: true,
    meaning: "Socket that feeds the equipment.",
    example: null,
  },
  cable_type: {
    ...short,
    kind: "words",
    isNullable: true,
    meaning: "Kind of cable.",
    example: null,
  },
  static_ip: {
    ...ipv4,
    kind: "words",
    isNullable: true,
    meaning: "IPv4 address that the subscriber always gets (Framed-IP-Address).",
    example: null,
    placeholder: "address",
  },
  framed_ipv6_prefix: {
    ...ipv6Prefix,
    kind: "words",
    isNullable: true,
    meaning: "IPv6 prefix of the link (Framed-IPv6-Prefix).",
    example: null,
    placeholder: "prefix",
  },
  delegated_ipv6_prefix: {
    ...ipv6Prefix,
    kind: "words",
    isNullable: true,
    meaning: "IPv6 prefix for the network behind it (Delegated-IPv6-Prefix).",
    example: null,
    placeholder: "prefix",
  },
  mac_address: {
    ...mac,
    kind: "words",
    isNullable: true,
    meaning: "MAC address of the subscriber's device; shown as AA:BB:CC:DD:EE:FF.",
    example: "AA:BB:CC:DD:EE:FF",
  },
  mac_lock: {
    ...flag,
    kind: "flag",
    meaning: "1: logins from another address than mac_address are rejected.",
    example: 1,
  },
  mac_login: {
    ...flag,
    kind: "flag",
    meaning: "1: the subscriber may log in by its MAC address alone.",
    example: 0,
    placeholder: "0|1",
  },
  sms_status: {
    ...flag,
    kind: "flag",
    meaning: "1: the subscriber gets text messages.",
    example: 0,
  },
  status: flag,
  global_note: globalNote,
  auto_renew: {
    ...flag,
    kind: "flag",
    meaning: "1: the service renews by itself shortly before its end, as far as the wallet holds the price.",
    example: 0,
  },
  credit_limit: {
    ...price,
    kind: "money",
    isNullable: true,
    meaning:
      "What a postpaid subscriber may owe before a renewal by itself, as an amount; null: one price of its package.",
    example: null,
  },
  archived_at: {
    ...time,
    kind: "moment",
    isNullable: true,
    meaning: "When the subscriber left and was archived; null for everybody else.",
    example: null,
  },
  any_connection: {
    ...flag,
    kind: "flag",
    meaning:
      "1: may log in over PPPoE and at a hotspot, whatever connection_type_id says, because the system it came from did not say which, until staff choose. An update to another connection_type_id makes it 0, unless it is sent too.",
    example: 0,
  },
  language: {
    ...oneOf(...languageTags),
    kind: "words",
    isNullable: true,
    meaning: "The language that the subscriber is written to in; null: that of the ISP.",
    example: "en",
  },
  messages_off: {
    ...flag,
    kind: "flag",
    meaning:
      "1: the subscriber does not want messages, and gets none but one that staff write to it alone and say that it has to be read.",
    example: 0,
  },
  reply_attributes: {
    ...replyAttributesField,
    kind: "words",
    isNullable: true,
    meaning:
      "Further RADIUS attributes of an Access-Accept of this subscriber, a `Name=value` on each line, which stand in place of the same of its package; null: none. To change them needs `package_manage`.",
    example: null,
    placeholder: "lines",
  },
  circuit_id: {
    ...lineId,
    kind: "words",
    isNullable: true,
    meaning: "Which line DHCP comes from: the Agent-Circuit-Id of option 82, as text or as 0x and its bytes.",
    example: null,
    placeholder: "id",
  },
  remote_id: {
    ...lineId,
    kind: "words",
    isNullable: true,
    meaning:
      "Which switch DHCP comes from: the Agent-Remote-Id of option 82, as text or as 0x and its bytes.",
    example: null,
    placeholder: "id",
  },
  pool_ip: {
    ...ipv4,
    kind: "words",
    isNullable: true,
    meaning: "IPv4 address that the pool of the package gave; it stays the subscriber's.",
    example: null,
  },
  pool_prefix: {
    ...ipv6Prefix,
    kind: "words",
    isNullable: true,
    meaning: "IPv6 prefix that the pool of the package gave; it stays the subscriber's.",
    example: null,
  },
} satisfies Record<
  Exclude<keyof Named<typeof subscribers>, Kept> | "password",
  Field<unknown> & Partial<Reading>
>;

type Columns = Omit<Named<typeof subscribers>, Kept | Unshown | "branch_id">;

export const recordFields = without(columnFields, [
  "portal_pass",
  "status",
  "global_note",
]) satisfies RecordOf<Columns & { branch_id: number; password: string | null }>;

/** Fields without those that other operations change. */
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

/** Counter staff may omit the ID number. */
export const requiredAtPages = requiredProfileFields.filter((name) => name !== "nic_number");

/** A number without digits is a slip. */
export function findMobileFault({ mobile_number: mobile }: Input, faults: Faults): void {
  if (typeof mobile === "string" && mobile !== "" && !/\p{Nd}/u.test(mobile))
    faults["mobile_number"] = [phrase`must have the digits of a number, such as 0712 345 678`];
}

export type ProfileValues = Values<typeof profileFields>;

/** The password of reset_password. */
export const newPassword = text(20);
