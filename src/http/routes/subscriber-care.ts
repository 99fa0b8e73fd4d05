import { usageNow } from "../../domain/service/control/usage-router.ts";
import { id, mac } from "../../domain/core/fields/fields.ts";
import { seeingArchived } from "../../domain/core/actor/actor.ts";
import { globalNote, newPassword } from "../../domain/goods/subscribers/fields.ts";
import { changeMac, lockMac, unlockMac } from "../../domain/goods/subscribers/mac.ts";
import { notesRecord, setGlobalNote } from "../../domain/goods/subscribers/notes.ts";
import { resetPassword } from "../../domain/goods/subscribers/reset-password.ts";
import { exampleNotes, notesSchema, notesToJson } from "../../wire/notes.ts";
import { exampleUsage, usageToJson, usageSchema } from "../../wire/usage.ts";
import { done } from "../describe.ts";
import { archivedToo, managementForm } from "../form.ts";
import { managed } from "../operation.ts";

const PREFIX = "/api/v1/subscriber";
const tags: [string] = ["Subscribers"];
const ids = { id: "subscriber" };
const refusals = { 404: "There is no such subscriber." };
const macForm = managementForm({ user_id: id, mac_address: mac }, ["user_id", "mac_address"], {
  user_id: 42,
  mac_address: "AA:BB:CC:DD:EE:FF",
});
const usage = managed({
  method: "GET",
  path: `${PREFIX}/usage/:id`,
  operation: "usageNow",
  operationId: "getUsage",
  tags,
  summary: "Get the online status and the usage of a subscriber",
  form: archivedToo,
  ids,
  success: {
    description: "The snapshot; used_bytes counts up plus down since the last activation.",
    schema: usageSchema,
    example: exampleUsage,
  },
  refusals: { ...refusals, 502: "The router of a subscriber of type 3 or 4 does not say." },
  run: async ({ db, by, ids: { id: subscriberId }, values: { archived }, clock, routers }) =>
    usageToJson(await usageNow(db, seeingArchived(by, archived), subscriberId, { clock, routers })),
});

const notes = managed({
  method: "GET",
  path: `${PREFIX}/notes/:id`,
  operation: "notesRecord",
  operationId: "getNotes",
  tags,
  summary: "Get the notes of a subscriber",
  form: archivedToo,
  ids,
  success: {
    description: "The notes; those of staff in the order they were written.",
    schema: notesSchema,
    example: exampleNotes,
  },
  refusals,
  run: ({ db, by, ids: { id: subscriberId }, values: { archived } }) =>
    notesToJson(notesRecord(db, seeingArchived(by, archived), subscriberId)),
});

const note = managed({
  method: "POST",
  path: `${PREFIX}/note`,
  operation: "setGlobalNote",
  operationId: "setNote",
  tags,
  summary: "Replace the global note; empty clears it",
  form: managementForm({ user_id: id, note: globalNote }, ["user_id", "note"], {
    user_id: 42,
    note: "Prefers calls in the evening",
  }),
  success: done("Note saved."),
  refusals,
  run: ({ db, by, values: { user_id: subscriberId, note: text }, now }) => {
    setGlobalNote(db, by, { subscriberId, note: text }, { now });
    return { success: "Note saved." };
  },
});

const passwordReset = managed({
  method: "POST",
  path: `${PREFIX}/reset_password`,
  operation: "resetPassword",
  operationId: "resetPassword",
  tags,
  summary: "Give a subscriber a new password",
  description:
    "Of the profile and, while the subscriber is active, of RADIUS; ends its tokens and a separate portal password. A disconnect moves the live session to it.",
  form: managementForm({ user_id: id, new_password: newPassword }, ["user_id", "new_password"], {
    user_id: 42,
    new_password: "sunny-day-7",
  }),
  success: done("Password reset."),
  refusals,
  run: ({ db, by, values: { user_id: subscriberId, new_password: password }, now }) => {
    resetPassword(db, by, { subscriberId, password }, { now });
    return { success: "Password reset." };
  },
});

const macLock = managed({
  method: "POST",
  path: `${PREFIX}/mac_lock`,
  operation: "lockMac",
  operationId: "lockMac",
  tags,
  summary: "Store a MAC address and lock the subscriber to it",
  description: "From its next login on, the subscriber is rejected from any other address.",
  form: macForm,
  success: done("MAC address locked to AA:BB:CC:DD:EE:FF."),
  refusals,
  run: ({ db, by, values: { user_id: subscriberId, mac_address: macAddress }, now }) => {
    lockMac(db, by, { subscriberId, macAddress }, { now });
    return { success: `MAC address locked to ${macAddress}.` };
  },
});

const macUnlock = managed({
  method: "POST",
  path: `${PREFIX}/mac_unlock`,
  operation: "unlockMac",
  operationId: "unlockMac",
  tags,
  summary: "End the MAC lock and keep the address",
  form: managementForm({ user_id: id }, ["user_id"], { user_id: 42 }),
  success: done("MAC address unlocked."),
  refusals,
  run: ({ db, by, values: { user_id: subscriberId }, now }) => {
    unlockMac(db, by, { subscriberId }, { now });
    return { success: "MAC address unlocked." };
  },
});

const macChange = managed({
  method: "POST",
  path: `${PREFIX}/change_mac`,
  operation: "changeMac",
  operationId: "changeMac",
  tags,
  summary: "Replace the MAC address and leave the lock as it is",
  form: macForm,
  success: done("MAC address updated to AA:BB:CC:DD:EE:FF."),
  refusals,
  run: ({ db, by, values: { user_id: subscriberId, mac_address: macAddress }, now }) => {
    changeMac(db, by, { subscriberId, macAddress }, { now });
    return { success: `MAC address updated to ${macAddress}.` };
  },
});

export const subscriberCareOperations = [usage, notes, note, passwordReset, macLock, macUnlock, macChange];
