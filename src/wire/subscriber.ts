import { type TSchema, Type } from "@sinclair/typebox";
import { formatMinor } from "../domain/core/amounts/money.ts";
import { RADIUS_PPPOE, STATIC_ADDRESS } from "../domain/goods/subscribers/connection-types.ts";
import { recordFields, requiredProfileFields } from "../domain/goods/subscribers/fields.ts";
import { recordNames, type SubscriberRecord } from "../domain/goods/subscribers/record.ts";
import { makeReference } from "../domain/desk/incoming/reference.ts";
import { nullable, profileStatus, text } from "./kinds.ts";
import { toExample, toSchema, type JsonOf } from "./record.ts";
import { writeTime, writeTimeOrNull } from "./time.ts";
import { money } from "./money.ts";

const place = nullable(Type.Object({ id: Type.Integer(), name: Type.String() }));

const flagSchema = Type.Integer({ minimum: 0, maximum: 1 });

/** Fields formatted otherwise than their kind, or not columns. */
const derived = {
  password: {
    ...text,
    description:
      "Password of the line; null without the permission `subscriber_password`, and where what is stored was damaged.",
  },
  connection_type_id: Type.Integer({ minimum: RADIUS_PPPOE, maximum: STATIC_ADDRESS }),
  area_data: Type.Object({ area: place, subarea: place, city: place }),
  id: Type.Integer(),
  balance: money,
  billing_type: Type.String(),
  profile_status: profileStatus,
  connection_status: Type.String({ enum: ["online", "offline"] }),
  current_expiration_date: text,
  frozen_since: text,
  created_at: Type.String(),
  updated_at: Type.String(),
  payment_reference: Type.String(),
};

export const listedNames: readonly string[] = [...recordNames, "payment_reference"];

const schemas: Readonly<Record<string, TSchema>> = {
  ...Object.fromEntries(
    Object.entries(recordFields).map(([name, field]) => [
      name,
      field.kind === "flag" ? flagSchema : toSchema(field),
    ]),
  ),
  ...derived,
};

export function subscriberToJson(record: SubscriberRecord) {
  const { balance, credit_limit, current_expiration_date: expiresAt, frozen_since } = record;
  const { created_at, updated_at } = record;
  const { archived_at: archivedAt } = record;
  return {
    ...record,
    balance: formatMinor(balance),
    credit_limit: credit_limit === null ? null : formatMinor(credit_limit),
    current_expiration_date: writeTimeOrNull(expiresAt),
    archived_at: writeTimeOrNull(archivedAt),
    frozen_since: writeTimeOrNull(frozen_since),
    created_at: writeTime(created_at),
    updated_at: writeTime(updated_at),
    payment_reference: makeReference(record.id),
  } satisfies JsonOf<typeof recordFields> & Record<string, unknown>;
}

type SubscriberJson = ReturnType<typeof subscriberToJson>;

export const recordSchema = Type.Unsafe<SubscriberJson>(
  Type.Object(Object.fromEntries(listedNames.map((name) => [name, schemas[name] ?? Type.Null()]))),
);

const columns = toExample(recordFields);

/** Defaults to null. */
const values: Partial<SubscriberJson> = {
  ...columns,
  id: 42,
  area_data: { area: null, subarea: null, city: { id: 1, name: "Riverton" } },
  balance: 85,
  billing_type: "prepaid",
  profile_status: "active",
  connection_status: "online",
  current_expiration_date: "2030-01-31 12:00:00",
  created_at: "2029-12-31 12:00:00",
  updated_at: "2029-12-31 12:00:00",
  payment_reference: "0427",
};

const nulls = Object.fromEntries(listedNames.map((name) => [name, null]));
export const exampleRecord = { ...nulls, ...values } as SubscriberJson; // it has every name of a record

export const exampleProfile = {
  ...Object.fromEntries(requiredProfileFields.map((name) => [name, columns[name]])),
  email: "sam@customers.example",
  address: "1 Harbour Road",
};
