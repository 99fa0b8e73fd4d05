import { type TSchema, Type } from "@sinclair/typebox";
import { shownAmount } from "../domain/core/amounts/money.ts";
import { RADIUS_PPPOE, STATIC_ADDRESS } from "../domain/goods/subscribers/connection-types.ts";
import { recordFields, requiredProfileFields } from "../domain/goods/subscribers/fields.ts";
import { recordNames, type SubscriberRecord } from "../domain/goods/subscribers/record.ts";
import { formatTime } from "../domain/core/time/time.ts";
import { nullable, text } from "./kinds.ts";
import { recordExample, recordSchemas, type Shown } from "./record.ts";

const place = nullable(Type.Object({ id: Type.Integer(), name: Type.String() }));

const flagSchema = Type.Integer({ minimum: 0, maximum: 1 });

/** What is shown otherwise than its kind says, or beside the columns. */
const derived = {
  password: {
    ...text,
    description:
      "Password of the line; null without the permission `subscriber_password`, and where what is stored was damaged.",
  },
  connection_type_id: Type.Integer({ minimum: RADIUS_PPPOE, maximum: STATIC_ADDRESS }),
  area_data: Type.Object({ area: place, subarea: place, city: place }),
  id: Type.Integer(),
  balance: Type.Number(),
  billing_type: Type.String(),
  profile_status: Type.String({ enum: ["disabled", "inactive", "expired", "active"] }),
  connection_status: Type.String({ enum: ["online", "offline"] }),
  current_expiration_date: text,
  frozen_since: text,
  created_at: Type.String(),
  updated_at: Type.String(),
};

const schemas: Readonly<Record<string, TSchema>> = {
  ...recordSchemas(recordFields, { flag: flagSchema }),
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
  } satisfies Shown<typeof recordFields> & Record<string, unknown>;
}

type ShownSubscriber = ReturnType<typeof shownSubscriber>;

/** Subscriber record: the columns of the subscriber as the store has them, and what is derived. */
export const recordSchema = Type.Unsafe<ShownSubscriber>(
  Type.Object(Object.fromEntries(recordNames.map((name) => [name, schemas[name] ?? Type.Null()]))),
);

const columns = recordExample(recordFields);

/** What is not given here is null. */
const given: Partial<ShownSubscriber> = {
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
};

const nulls = Object.fromEntries(recordNames.map((name) => [name, null]));
export const exampleRecord = { ...nulls, ...given } as ShownSubscriber; // it has every name of a record

/** What a client sends to create one. */
export const exampleProfile = {
  ...Object.fromEntries(requiredProfileFields.map((name) => [name, columns[name]])),
  email: "sam@customers.example",
  address: "1 Harbour Road",
};
