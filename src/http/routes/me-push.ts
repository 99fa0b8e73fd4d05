import { Type } from "@sinclair/typebox";
import { offersPush } from "../../domain/around/messages/push-offered.ts";
import { id } from "../../domain/core/fields/fields.ts";
import { addOwnPush, ownPushDevices, pushForm, removeOwnPush } from "../../domain/people/push/devices.ts";
import { vapidKeys } from "../../domain/people/push/vapid.ts";
import { text } from "../../wire/kinds.ts";
import { done } from "../describe.ts";
import { own } from "../own.ts";
import { pushSite } from "../push-site.ts";
import { writeTime } from "../../wire/time.ts";

const PUSH = "/api/v1/me/push";
const exampleKeys = {
  p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
  auth: "BTBZMqHH6r4Tts7J_aSIgg",
};

const list = own({
  method: "GET",
  path: PUSH,
  operationId: "listMyPush",
  summary: "Get the key to ask a browser for notifications with, and the devices that get them",
  success: {
    description: "The newest device first.",
    schema: Type.Object({
      public_key: Type.String(),
      is_offered: Type.Boolean(),
      devices: Type.Array(
        Type.Object({
          id: Type.Integer(),
          service: Type.String(),
          user_agent: text,
          created_at: Type.String({ description: "When it was added." }),
        }),
      ),
    }),
    example: {
      public_key: exampleKeys.p256dh,
      is_offered: true,
      devices: [
        {
          id: 3,
          service: "push.example",
          user_agent: "Mozilla/5.0 (Linux; Android 16) Chrome/142.0.0.0 Mobile",
          created_at: "2030-01-15 12:00:00",
        },
      ],
    },
  },
  run: ({ db, by, subscriber }) => ({
    public_key: vapidKeys(db).publicKey,
    is_offered: offersPush(db, subscriber.ispId),
    devices: ownPushDevices(db, by, { subscriberId: subscriber.id }).map(
      ({ id: number, endpoint, userAgent, createdAt }) => ({
        id: number,
        service: new URL(endpoint).host,
        user_agent: userAgent,
        created_at: writeTime(createdAt),
      }),
    ),
  }),
});

const add = own({
  method: "POST",
  path: PUSH,
  operationId: "addMyPush",
  summary: "Show notifications in this browser",
  description:
    "What `PushManager.subscribe` gave for `public_key`. A notification is JSON with `id`, `title`, `body`, `language` and `opens`; ten devices get them at the most, and an eleventh takes the place of the oldest. Logging out ends them.",
  form: {
    fields: pushForm,
    required: ["endpoint", "p256dh", "auth"],
    example: { endpoint: "https://push.example/v2/6f1d0c6a", ...exampleKeys },
  },
  success: {
    description: "Kept.",
    schema: Type.Object({ success: Type.String(), id: Type.Integer() }),
    example: { success: "This device gets notifications.", id: 3 },
  },
  run: ({ db, by, subscriber, values, request, tokenId, now }) => {
    const asked = {
      site: pushSite(db, request, subscriber.ispId),
      userAgent: request.headers.get("user-agent"),
      tokenId,
    };
    return {
      success: "This device gets notifications.",
      ...addOwnPush(db, by, { subscriberId: subscriber.id, input: values, ...asked }, { now }),
    };
  },
});

const remove = own({
  method: "POST",
  path: `${PUSH}/remove`,
  operationId: "removeMyPush",
  summary: "Show no more notifications on a device",
  form: { fields: { id }, required: ["id"], example: { id: 3 } },
  success: done("Removed."),
  run: ({ db, by, subscriber, values }) => {
    removeOwnPush(db, by, { subscriberId: subscriber.id, id: values.id });
    return { success: "Removed." };
  },
});

export const ownPush = [list, add, remove];
