import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Db } from "../../../db/open.ts";
import { type Fields, id, mac } from "../../domain/fields.ts";
import type { Routers } from "../../domain/control/routers.ts";
import { usageNow } from "../../domain/control/usage-router.ts";
import { globalNote, newPassword } from "../../domain/subscribers/fields.ts";
import { changeMac, lockMac, unlockMac } from "../../domain/subscribers/mac.ts";
import { notesRecord, setGlobalNote } from "../../domain/subscribers/notes.ts";
import { resetPassword } from "../../domain/subscribers/reset-password.ts";
import type { StaffOperation } from "../../domain/staff/permissions.ts";
import type { Clock } from "../../domain/time.ts";
import { describeManaged } from "../describe.ts";
import { type Form, managementForm, pathId, read, within } from "../form.ts";
import type { basicGuard } from "../guards.ts";
import { nullable, text } from "./subscriber-record.ts";

/** What staff look up and do for one subscriber. */
export function subscriberCareRoutes({
  db,
  clock,
  guard,
  routers,
}: {
  db: Db;
  clock: Clock;
  guard: ReturnType<typeof basicGuard>;
  routers: Routers;
}) {
  return new Elysia({ prefix: "/api/v1/subscriber" })
    .use(guard)
    .get(
      "/usage/:id",
      ({ staff, input, params }) =>
        usageNow(db, within(staff, read(noForm, input)), pathId("subscriber", params.id), { clock, routers }),
      describeUsage,
    )
    .get(
      "/notes/:id",
      ({ staff, input, params }) =>
        notesRecord(db, within(staff, read(noForm, input)), pathId("subscriber", params.id)),
      describeNotes,
    )
    .post(
      "/note",
      ({ staff, input }) => {
        const { user_id: subscriberId, note, ...place } = read(noteForm, input);
        setGlobalNote(db, within(staff, place), { subscriberId, note }, { now: clock() });
        return { success: "Note saved." };
      },
      describeNote,
    )
    .post(
      "/reset_password",
      ({ staff, input }) => {
        const { user_id: subscriberId, new_password: password, ...place } = read(passwordForm, input);
        resetPassword(db, within(staff, place), { subscriberId, password }, { now: clock() });
        return { success: "Password reset." };
      },
      describeResetPassword,
    )
    .post(
      "/mac_lock",
      ({ staff, input }) => {
        const { user_id: subscriberId, mac_address: macAddress, ...place } = read(macForm, input);
        lockMac(db, within(staff, place), { subscriberId, macAddress }, { now: clock() });
        return { success: `MAC address locked to ${macAddress}.` };
      },
      describeMacLock,
    )
    .post(
      "/mac_unlock",
      ({ staff, input }) => {
        const { user_id: subscriberId, ...place } = read(unlockForm, input);
        unlockMac(db, within(staff, place), { subscriberId }, { now: clock() });
        return { success: "MAC address unlocked." };
      },
      describeMacUnlock,
    )
    .post(
      "/change_mac",
      ({ staff, input }) => {
        const { user_id: subscriberId, mac_address: macAddress, ...place } = read(macForm, input);
        changeMac(db, within(staff, place), { subscriberId, macAddress }, { now: clock() });
        return { success: `MAC address updated to ${macAddress}.` };
      },
      describeChangeMac,
    );
}

const noForm = managementForm({}, [], {});
const noteForm = managementForm({ user_id: id, note: globalNote }, ["user_id", "note"], {
  user_id: 42,
  note: "Prefers calls in the evening",
});
const passwordForm = managementForm({ user_id: id, new_password: newPassword }, ["user_id", "new_password"], {
  user_id: 42,
  new_password: "sunny-day-7",
});
const macForm = managementForm({ user_id: id, mac_address: mac }, ["user_id", "mac_address"], {
  user_id: 42,
  mac_address: "AA:BB:CC:DD:EE:FF",
});
const unlockForm = managementForm({ user_id: id }, ["user_id"], { user_id: 42 });

const tags: [string] = ["Subscribers"];
const path = { id };
const unknown = { 404: "There is no such subscriber." };

/** A call that answers what it did. */
function describeAction(
  described: { operationId: string; summary: string; description?: string; operation: StaffOperation },
  form: Form<Fields, string>,
  success: string,
) {
  return describeManaged({
    ...described,
    tags,
    form,
    success: {
      description: "Done.",
      schema: Type.Object({ success: Type.String() }),
      example: { success },
    },
    refusals: unknown,
  });
}

const describeNote = describeAction(
  { operationId: "setNote", summary: "Replace the global note; empty clears it", operation: "setGlobalNote" },
  noteForm,
  "Note saved.",
);

const describeResetPassword = describeAction(
  {
    operationId: "resetPassword",
    summary: "Give a subscriber a new password",
    description:
      "Of the profile and, while the subscriber is active, of RADIUS; ends its tokens and a separate portal password. A disconnect moves the live session to it.",
    operation: "resetPassword",
  },
  passwordForm,
  "Password reset.",
);

const describeMacLock = describeAction(
  {
    operationId: "lockMac",
    summary: "Store a MAC address and lock the subscriber to it",
    description: "From its next login on, the subscriber is rejected from any other address.",
    operation: "lockMac",
  },
  macForm,
  "MAC address locked to AA:BB:CC:DD:EE:FF.",
);

const describeMacUnlock = describeAction(
  { operationId: "unlockMac", summary: "End the MAC lock and keep the address", operation: "unlockMac" },
  unlockForm,
  "MAC address unlocked.",
);

const describeChangeMac = describeAction(
  {
    operationId: "changeMac",
    summary: "Replace the MAC address and leave the lock as it is",
    operation: "changeMac",
  },
  macForm,
  "MAC address updated to AA:BB:CC:DD:EE:FF.",
);

const describeNotes = describeManaged({
  operationId: "getNotes",
  tags,
  summary: "Get the notes of a subscriber",
  operation: "notesRecord",
  form: noForm,
  path,
  success: {
    description: "The notes; those of staff in the order they were written.",
    schema: Type.Object({
      user_id: Type.Integer(),
      global_note: Type.String(),
      staff_notes: Type.Array(
        Type.Object({ id: Type.Integer(), note: Type.String(), added_by: Type.Integer() }),
      ),
    }),
    example: {
      user_id: 42,
      global_note: "Prefers calls in the evening",
      staff_notes: [{ id: 3, note: "Called about the speed", added_by: 1 }],
    },
  },
  refusals: unknown,
});

const describeUsage = describeManaged({
  operationId: "getUsage",
  tags,
  summary: "Get the online status and the usage of a subscriber",
  operation: "usageNow",
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
  refusals: { ...unknown, 502: "The router of a subscriber of type 3 or 4 does not say." },
});
