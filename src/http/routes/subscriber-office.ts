import { Type } from "@sinclair/typebox";
import { write } from "../../../db/open.ts";
import { disableSubscriber } from "../../domain/service/control/disable.ts";
import type { Ended } from "../../domain/service/control/disconnect.ts";
import { DomainError } from "../../domain/core/errors/errors.ts";
import { phrase } from "../../domain/core/errors/phrase.ts";
import { id } from "../../domain/core/fields/fields.ts";
import { chosenPassword } from "../../domain/people/staff/passwords.ts";
import {
  archiveOne,
  archiveSubscriber,
  restoreSubscriber,
} from "../../domain/desk/subscriber-page/archive.ts";
import { subscriberById } from "../../domain/goods/subscribers/find.ts";
import { noteText } from "../../domain/goods/subscribers/fields.ts";
import { addNote } from "../../domain/goods/subscribers/notes.ts";
import { sharedPortNote } from "../../domain/service/boxes/port.ts";
import { plantFields, setPlant } from "../../domain/goods/subscribers/plant.ts";
import { setPortalPassword } from "../../domain/goods/subscribers/portal-password.ts";
import { setSubscriberStatus } from "../../domain/goods/subscribers/status.ts";
import { takeDevice } from "../../domain/desk/subscriber-page/take-device.ts";
import { formatTime } from "../../domain/core/time/time.ts";
import { done } from "../describe.ts";
import { managementForm } from "../form.ts";
import { withNote } from "./subscribers.ts";
import { managed } from "../operation.ts";

const PREFIX = "/api/v1/subscriber";
const tags: [string] = ["Subscribers"];
const refusals = { 404: "There is no such subscriber." };
const user = managementForm({ user_id: id }, ["user_id"], { user_id: 42 });
/** Outcome of open sessions, and of retries. */
function describeEnded(what: string, { ended, failures }: Ended) {
  const count = ended === 1 ? "1 session was ended" : `${ended} sessions were ended`;
  if (failures.length === 0) return { success: `${what} ${ended === 0 ? "No session was open" : count}.` };
  return { success: `${what} A session is still open, its router is asked again.`, failures };
}

const ending = (message: string) => ({
  description: "Done; `failures` says why a router did not end a session.",
  schema: Type.Object({
    success: Type.String(),
    failures: Type.Optional(Type.Array(Type.String())),
  }),
  example: { success: message },
});

const enable = managed({
  method: "POST",
  path: `${PREFIX}/enable`,
  operation: "setSubscriberStatus",
  operationId: "enableSubscriber",
  tags,
  summary: "Let a disabled subscriber in again",
  form: user,
  success: done("Subscriber enabled."),
  refusals,
  run: ({ db, by, values: { user_id: subscriberId }, now }) => {
    setSubscriberStatus(db, by, { subscriberId, enabled: true }, { now });
    return { success: "Subscriber enabled." };
  },
});

const disable = managed({
  method: "POST",
  path: `${PREFIX}/disable`,
  awaits: true,
  operation: "disableSubscriber",
  operationId: "disableSubscriber",
  tags,
  summary: "Keep a subscriber out",
  description:
    "Ends its open sessions, also where disconnecting is switched off in the settings, and revokes its tokens for good.",
  form: user,
  success: ending("Subscriber disabled. 1 session was ended."),
  refusals,
  first: ({ db, by, values: { user_id: subscriberId }, now }) =>
    setSubscriberStatus(db, by, { subscriberId, enabled: false }, { now }),
  run: async ({ db, by, values: { user_id: subscriberId }, clock, routers }) =>
    describeEnded(
      "Subscriber disabled.",
      await disableSubscriber(db, by, { subscriberId }, { clock, routers }),
    ),
});

const archive = managed({
  method: "POST",
  path: `${PREFIX}/archive`,
  awaits: true,
  operation: "archiveSubscriber",
  operationId: "archiveSubscriber",
  tags,
  summary: "Archive a subscriber who left",
  description:
    "It is let in no more, its sessions end, it does not renew by itself. Its username, numbers and addresses are free for others. It is in no list and 404 everywhere unless a call takes `archived` 1; its books and sessions stay.",
  form: user,
  success: ending("Subscriber archived. No session was open."),
  refusals: { ...refusals, 422: "Its wallet holds money, which is to be handed back first." },
  first: ({ db, by, values: { user_id: subscriberId }, now }) =>
    void write(db, (tx) => archiveOne(tx, by, { subscriberId }, { now })),
  run: async ({ db, by, values: { user_id: subscriberId }, clock, routers }) =>
    describeEnded(
      "Subscriber archived.",
      await archiveSubscriber(db, by, { subscriberId }, { clock, routers }),
    ),
});

const restore = managed({
  method: "POST",
  path: `${PREFIX}/restore`,
  operation: "restoreSubscriber",
  operationId: "restoreSubscriber",
  tags,
  summary: "Bring an archived subscriber back, disabled",
  form: user,
  success: done("Subscriber restored. It is disabled until it is enabled."),
  refusals: { ...refusals, 409: "Another subscriber has its username, a number or an address by now." },
  run: ({ db, by, values: { user_id: subscriberId }, now }) => {
    restoreSubscriber(db, by, { subscriberId }, { now });
    return { success: "Subscriber restored. It is disabled until it is enabled." };
  },
});

const noteAdd = managed({
  method: "POST",
  path: `${PREFIX}/note_add`,
  operation: "addNote",
  operationId: "addNote",
  record: null,
  tags,
  summary: "Add a note of the staff",
  description:
    "With the time and who wrote it; it cannot be changed. The note that `note` sets is another one.",
  form: {
    ...managementForm({ user_id: id, note: noteText }, ["user_id", "note"], {
      user_id: 42,
      note: "Called about the speed",
    }),
    meanings: { note: "The note's text." },
  },
  success: {
    description: "Added.",
    schema: Type.Object({ success: Type.String(), id: Type.Integer() }),
    example: { success: "Note added.", id: 3 },
  },
  refusals,
  once: ({ db, by, values: { user_id } }) => void subscriberById(db, by.scope, user_id),
  run: ({ db, by, values: { user_id: subscriberId, note }, now }) => ({
    success: "Note added.",
    id: addNote(db, by, { subscriberId, note }, { now }),
  }),
});

const portalPassword = managed({
  method: "POST",
  path: `${PREFIX}/portal_password`,
  awaits: true,
  operation: "setPortalPassword",
  operationId: "setPortalPassword",
  tags,
  summary: "Give a subscriber a password of its own for portal and app; empty ends it",
  description: "The line keeps its password. The subscriber's tokens end.",
  form: managementForm({ user_id: id, portal_password: chosenPassword }, ["user_id"], {
    user_id: 42,
    portal_password: "sunny-day-7",
  }),
  clears: true,
  success: done("Portal password set."),
  refusals,
  run: async ({ db, by, values: { user_id: subscriberId, portal_password: password }, clock }) => {
    if (password === undefined) {
      const fields = { portal_password: [phrase`is required; sent empty it ends the one there is`] };
      throw new DomainError("invalid", phrase`check portal_password`, { fields });
    }
    await setPortalPassword(db, by, { subscriberId, password }, { clock });
    const what = password === null ? "ended: the password of the line opens the portal" : "set";
    return { success: `Portal password ${what}.` };
  },
});

const plant = managed({
  method: "POST",
  path: `${PREFIX}/plant`,
  operation: "setPlant",
  operationId: "setPlant",
  tags,
  summary: "Change where a subscriber's line ends and what it runs through",
  description:
    "Fields that are absent stay as they are, those sent empty are cleared. Where somebody else hangs on the port too, `success` says so.",
  form: managementForm({ user_id: id, ...plantFields }, ["user_id"], {
    user_id: 42,
    box_number: "B-12",
    uplink_port: "3",
    latitude: 51.507351,
    longitude: -0.127758,
  }),
  clears: true,
  success: done("Plant saved."),
  refusals,
  run: ({ db, by, values: { user_id: subscriberId, ...value }, now }) => {
    setPlant(db, by, { subscriberId, plant: value }, { now });
    return { success: withNote("Plant saved.", sharedPortNote(db, by.scope, subscriberId)) };
  },
});

const device = managed({
  method: "POST",
  path: `${PREFIX}/take_device`,
  operation: "takeDevice",
  operationId: "takeDevice",
  tags,
  summary: "Take the MAC address of the last login that was refused",
  description: "As change_mac: for a subscriber with a new router. A lock stays as it is.",
  form: user,
  success: {
    description: "Taken: which address, and what login it is from.",
    schema: Type.Object({ success: Type.String(), mac_address: Type.String() }),
    example: {
      success:
        "MAC address AA:BB:CC:DD:EE:FF taken, of the login at 2030-01-15 11:58:00 (rejected: locked to another MAC address; change the address or unlock it).",
      mac_address: "AA:BB:CC:DD:EE:FF",
    },
  },
  refusals: { ...refusals, 422: "No login of the subscriber was refused lately." },
  run: ({ db, by, values: { user_id: subscriberId }, now }) => {
    const { mac, at, words } = takeDevice(db, by, { subscriberId }, { now });
    return {
      success: `MAC address ${mac} taken, of the login at ${formatTime(at)} (${words}).`,
      mac_address: mac,
    };
  },
});

export const subscriberOfficeOperations = [
  enable,
  disable,
  archive,
  restore,
  noteAdd,
  portalPassword,
  plant,
  device,
];
