import { type TSchema, Type } from "@sinclair/typebox";
import { kindsOf } from "../../db/columns.ts";
import { subscribers } from "../../db/schema.ts";
import { shownAmount } from "../domain/core/amounts/money.ts";
import { RADIUS_PPPOE, STATIC_ADDRESS } from "../domain/goods/subscribers/connection-types.ts";
import { recordNames, type SubscriberRecord } from "../domain/goods/subscribers/record.ts";
import { formatTime } from "../domain/core/time/time.ts";
import { nullable, text } from "./kinds.ts";

const place = nullable(Type.Object({ id: Type.Integer(), name: Type.String() }));

const ofKind = { text: Type.String(), integer: Type.Integer(), real: Type.Number(), blob: Type.String() };
const flagSchema = Type.Integer({ minimum: 0, maximum: 1 });

/** What is shown otherwise than the store has it, or beside its columns. */
const derived = {
  branch_id: Type.Integer(),
  password: {
    ...text,
    description:
      "Password of the line; null without the permission `subscriber_password`, and where what is stored was damaged.",
  },
  connection_type_id: Type.Integer({ minimum: RADIUS_PPPOE, maximum: STATIC_ADDRESS }),
  area_data: Type.Object({ area: place, subarea: place, city: place }),
  mac_lock: flagSchema,
  mac_login: flagSchema,
  sms_status: flagSchema,
  auto_renew: flagSchema,
  any_connection: flagSchema,
  messages_off: flagSchema,
  credit_limit: nullable(Type.Number()),
  balance: Type.Number(),
  billing_type: Type.String(),
  profile_status: Type.String({ enum: ["disabled", "inactive", "expired", "active"] }),
  connection_status: Type.String({ enum: ["online", "offline"] }),
  current_expiration_date: text,
  archived_at: text,
  frozen_since: text,
  created_at: Type.String(),
  updated_at: Type.String(),
};

const schemas: Readonly<Record<string, TSchema>> = {
  ...Object.fromEntries(
    kindsOf(subscribers).map(({ name, kind, isNullable }) => {
      return [name, isNullable ? nullable(ofKind[kind]) : ofKind[kind]];
    }),
  ),
  ...derived,
};

/** A record as the store has it but for times and amounts. */
export function shownSubscriber(record: SubscriberRecord) {
  const { balance, credit_limit, current_expiration_date: expiresAt, frozen_since } = record;
  const { created_at, updated_at } = record;
  const { archived_at: archivedAt } = record;
  return {
    ...record,
    balance: shownAmount(balance),
    credit_limit: credit_limit === null ? null : shownAmount(credit_limit),
    current_expiration_date: expiresAt === null ? null : formatTime(expiresAt),
    archived_at: archivedAt === null ? null : formatTime(archivedAt),
    frozen_since: frozen_since === null ? null : formatTime(frozen_since),
    created_at: formatTime(created_at),
    updated_at: formatTime(updated_at),
  };
}

type ShownSubscriber = ReturnType<typeof shownSubscriber>;

/** Subscriber record: the columns of the subscriber as the store has them, and what is derived. */
export const recordSchema = Type.Unsafe<ShownSubscriber>(
  Type.Object(Object.fromEntries(recordNames.map((name) => [name, schemas[name] ?? Type.Null()]))),
);

const profile = {
  isp_id: 1,
  name: "Sam",
  username: "sam",
  password: "pw-sam",
  package_id: 7,
  connection_type_id: 1,
  salesperson_id: 1,
  nas_id: 1,
  nic_number: "N1",
  mobile_number: "M1",
};

/** What is not given here is null. */
const given: Partial<ShownSubscriber> = {
  id: 42,
  ...profile,
  branch_id: 0,
  city_id: 1,
  area_data: { area: null, subarea: null, city: { id: 1, name: "Riverton" } },
  mac_address: "AA:BB:CC:DD:EE:FF",
  mac_lock: 1,
  mac_login: 0,
  sms_status: 0,
  auto_renew: 0,
  any_connection: 0,
  language: "en",
  messages_off: 0,
  balance: 85,
  billing_type: "prepaid",
  profile_status: "active",
  connection_status: "online",
  current_expiration_date: "2030-01-31 12:00:00",
  created_at: "2029-12-31 12:00:00",
  updated_at: "2029-12-31 12:00:00",
};

const nulls = Object.fromEntries(recordNames.map((name) => [name, null]));
export const exampleRecord = { ...nulls, ...given } as ShownSubscriber; // it has every name of a record

/** What a client sends to create one. */
export const exampleProfile = { ...profile, email: "sam@customers.example", address: "1 Harbour Road" };
