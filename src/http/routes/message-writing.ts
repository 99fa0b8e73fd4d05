import { subscriberById } from "../../domain/goods/subscribers/find.ts";
import { messageChoices } from "../../domain/around/messages/by-which.ts";
import { writeForm } from "../../domain/around/messages/by-hand.ts";
import { previewMessage, writeMessage } from "../../domain/around/messages/write.ts";
import { permit } from "../../domain/core/actor/permissions.ts";
import {
  choicesSchema,
  exampleChoices,
  examplePreview,
  exampleWritten,
  previewSchema,
  choicesToJson,
  previewToJson,
  writtenToJson,
  writtenSchema,
} from "../../wire/message-writing.ts";
import { managementForm, noForm } from "../form.ts";
import { managed } from "../operation.ts";

const MESSAGE = "/api/v1/message";
const tags: [string] = ["Messages"];
const example = {
  user_id: 42,
  channel_id: 2,
  subject: "Our visit",
  body: "{{name}}, we come on Tuesday at three. {{isp}}",
};
const refusals = {
  404: "There is no such subscriber.",
  400: "There is no address to send it to, the channel is off, or the subscriber wants no such messages.",
};

const choices = managed({
  method: "GET",
  path: `${MESSAGE}/choices`,
  operation: "messageChoices",
  operationId: "messageChoices",
  tags,
  summary: "List the channels and the texts that one may write to subscribers by",
  description:
    "Channels by their names, without how they send; of the texts those whose fields are known of every subscriber.",
  form: noForm,
  success: { description: "What there is to choose from.", schema: choicesSchema, example: exampleChoices },
  run: ({ db, by }) => choicesToJson(messageChoices(db, by)),
});

const preview = managed({
  method: "POST",
  path: `${MESSAGE}/preview`,
  takesKey: false,
  operation: "previewMessage",
  operationId: "previewMessage",
  tags,
  summary: "See a message as a subscriber would get it",
  description:
    "Takes what `message/send` takes, fills in what is known of the subscriber now, and writes nothing.",
  form: managementForm(writeForm, ["user_id", "channel_id"], example),
  success: { description: "As it would be now.", schema: previewSchema, example: examplePreview },
  refusals,
  run: ({ db, by, input, now }) => previewToJson(previewMessage(db, by, { input }, { now })),
});

const send = managed({
  method: "POST",
  path: `${MESSAGE}/send`,
  operation: "writeMessage",
  operationId: "sendMessage",
  tags,
  summary: "Write a message to a subscriber",
  description:
    "Puts it into the outbox, from which it leaves at the rate of its channel: a kept text by its `template`, in the language of the subscriber, or a `body` of your own, perhaps with a `subject`, in which fields such as `{{name}}` are filled in when it leaves. Who wants no messages, or no text messages, is refused; `anyway` sends one that has to be read. Quiet hours are those of rules: this leaves at any hour. One that could not leave for three days is skipped. With an Idempotency-Key it is written once. To many: the bulk operation `message`.",
  form: managementForm(writeForm, ["user_id", "channel_id"], example),
  success: { description: "It is in the outbox.", schema: writtenSchema, example: exampleWritten },
  refusals,
  once: ({ db, by, values: { user_id } }) => {
    permit(by, "writeMessage");
    subscriberById(db, by.scope, user_id);
  },
  run: ({ db, by, input, now }) => writtenToJson(writeMessage(db, by, { input }, { now })),
});

export const writingOperations = [choices, preview, send];
