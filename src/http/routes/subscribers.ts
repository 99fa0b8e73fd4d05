import { type TSchema, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Db } from "../../../db/open.ts";
import { id } from "../../domain/fields.ts";
import { usageSnapshot } from "../../domain/sessions/usage.ts";
import { subscriberRecord } from "../../domain/subscribers/record.ts";
import type { Clock } from "../../domain/time.ts";
import { describeManaged } from "../describe.ts";
import { managementForm, pathId, read, within } from "../form.ts";
import type { basicGuard } from "../guards.ts";

/** Subscribers (interface.md E). */
export function subscriberRoutes({
  db,
  clock,
  guard,
}: {
  db: Db;
  clock: Clock;
  guard: ReturnType<typeof basicGuard>;
}) {
  return new Elysia({ prefix: "/api/v1/subscriber" })
    .use(guard)
    .get(
      "/get/:id",
      ({ staff, input, params }) =>
        subscriberRecord(db, within(staff, read(noForm, input)), pathId("subscriber", params.id), clock()),
      describeGet,
    )
    .get(
      "/usage/:id",
      ({ staff, input, params }) =>
        usageSnapshot(db, within(staff, read(noForm, input)), pathId("subscriber", params.id)),
      describeUsage,
    );
}

const noForm = managementForm({}, [], {});
const tags: [string] = ["Subscribers"];
const path = { id };
const unknown = { 404: "There is no such subscriber." };
const nullable = (schema: TSchema) => Type.Union([schema, Type.Null()]);
const text = nullable(Type.String());
const place = nullable(Type.Object({ id: Type.Integer(), name: Type.String() }));

const recordSchema = Type.Object({
  id: Type.Integer(),
  isp_id: Type.Integer(),
  branch_id: Type.Integer({ description: "0: the whole ISP" }),
  name: Type.String(),
  username: Type.String(),
  password: { ...text, description: "null without the permission `subscriber_password`" },
  package_id: Type.Integer(),
  connection_type_id: Type.Integer({ minimum: 1, maximum: 5 }),
  salesperson_id: nullable(Type.Integer()),
  nas_id: nullable(Type.Integer()),
  nic_number: Type.String(),
  mobile_number: Type.String(),
  phone_number: text,
  email: text,
  address: text,
  city_id: nullable(Type.Integer()),
  area_id: nullable(Type.Integer()),
  subarea_id: nullable(Type.Integer()),
  area_data: Type.Object({ area: place, subarea: place, city: place }),
  latitude: nullable(Type.Number()),
  longitude: nullable(Type.Number()),
  box_number: text,
  box_address: text,
  uplink_port: text,
  fiber_code: text,
  fiber_color: text,
  switch_board: text,
  switch_port: text,
  backup_connection: text,
  electricity_socket: text,
  cable_type: text,
  static_ip: text,
  framed_ipv6_prefix: text,
  delegated_ipv6_prefix: text,
  mac_address: text,
  mac_lock: Type.Integer({ minimum: 0, maximum: 1 }),
  mac_login: Type.Integer({ minimum: 0, maximum: 1 }),
  sms_status: Type.Integer({ minimum: 0, maximum: 1 }),
  balance: Type.Number(),
  billing_type: Type.String(),
  profile_status: Type.String({ enum: ["disabled", "inactive", "expired", "active"] }),
  connection_status: Type.String({ enum: ["online", "offline"] }),
  current_expiration_date: text,
  created_at: Type.String(),
  updated_at: Type.String(),
});

const exampleRecord = {
  id: 42,
  isp_id: 1,
  branch_id: 0,
  name: "Sam",
  username: "sam",
  password: "pw-sam",
  package_id: 7,
  connection_type_id: 1,
  salesperson_id: 1,
  nas_id: 1,
  nic_number: "N1",
  mobile_number: "M1",
  phone_number: null,
  email: null,
  address: null,
  city_id: 1,
  area_id: null,
  subarea_id: null,
  area_data: { area: null, subarea: null, city: { id: 1, name: "Riverton" } },
  latitude: null,
  longitude: null,
  box_number: null,
  box_address: null,
  uplink_port: null,
  fiber_code: null,
  fiber_color: null,
  switch_board: null,
  switch_port: null,
  backup_connection: null,
  electricity_socket: null,
  cable_type: null,
  static_ip: null,
  framed_ipv6_prefix: null,
  delegated_ipv6_prefix: null,
  mac_address: "AA:BB:CC:DD:EE:FF",
  mac_lock: 1,
  mac_login: 0,
  sms_status: 0,
  balance: 85,
  billing_type: "prepaid",
  profile_status: "active",
  connection_status: "online",
  current_expiration_date: "2030-01-31 12:00:00",
  created_at: "2029-12-31 12:00:00",
  updated_at: "2029-12-31 12:00:00",
};

const describeGet = describeManaged({
  operationId: "getSubscriber",
  tags,
  summary: "Get a subscriber",
  flag: "subscriber_view",
  form: noForm,
  path,
  success: { description: "The record.", schema: recordSchema, example: exampleRecord },
  refusals: unknown,
});

const describeUsage = describeManaged({
  operationId: "getUsage",
  tags,
  summary: "Get the online status and the usage of a subscriber",
  flag: "subscriber_view",
  form: noForm,
  path,
  success: {
    description: "The snapshot; used_bytes counts up plus down since the last activation.",
    schema: Type.Object({
      user_id: Type.Integer(),
      username: Type.String(),
      online: Type.Boolean(),
      session: nullable(
        Type.Object({
          ip: text,
          nas_ip: Type.String(),
          session_id: Type.String(),
          mac: text,
          start_time: Type.String(),
          last_update: Type.String(),
        }),
      ),
      data_quota: Type.Object({
        enabled: Type.Boolean(),
        total_bytes: Type.Integer(),
        used_bytes: Type.Integer(),
      }),
    }),
    example: {
      user_id: 42,
      username: "sam",
      online: true,
      session: {
        ip: "10.0.0.7",
        nas_ip: "192.0.2.1",
        session_id: "80a00001",
        mac: "AA:BB:CC:DD:EE:FF",
        start_time: "2030-01-15 12:00:00",
        last_update: "2030-01-15 12:05:00",
      },
      data_quota: { enabled: true, total_bytes: 10_000_000_000, used_bytes: 1_234_567 },
    },
  },
  refusals: unknown,
});
