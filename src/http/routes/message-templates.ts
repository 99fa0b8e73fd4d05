import { Type } from "@sinclair/typebox";
import { scopeId } from "../../domain/core/fields/fields.ts";
import { templateFields, templateFieldsFor } from "../../domain/around/messages/fields.ts";
import { previewForm, previewTemplate } from "../../domain/around/messages/trial.ts";
import {
  addReadyTemplates,
  deleteTemplate,
  listTemplates,
  saveTemplate,
  templateById,
  templateForm,
} from "../../domain/around/messages/templates.ts";
import { exampleTemplate, templateToJson, templateSchema } from "../../wire/message.ts";
import { managementForm } from "../form.ts";
import { managed } from "../operation.ts";
import { declareNoun, deleteCall, doneWith, getCall, listCall } from "../plain.ts";

const PREFIX = "/api/v1/message_template";
const tags: [string] = ["Messages"];
const text = declareNoun({
  prefix: PREFIX,
  tags,
  name: "MessageTemplate",
  one: "text",
  key: "template",
  record: templateSchema,
  example: exampleTemplate,
  toJson: templateToJson,
});

const list = listCall(text, {
  operation: "listTemplates",
  answer: "The texts of messages, by name and language.",
  run: listTemplates,
});

const get = getCall(text, { operation: "templateById", run: templateById });

const {
  isp_id: _,
  language: _language,
  subject: _subject,
  body: _body,
  user_id: _user,
  ...trigger
} = {
  isp_id: scopeId,
  ...previewForm,
};

const fields = managed({
  method: "GET",
  path: `${PREFIX}/fields`,
  operation: "listTemplates",
  operationId: "listMessageFields",
  tags,
  summary: "List the fields of texts",
  description: "All that there are, or with `on` and `event_type` those that a rule on it has.",
  form: managementForm(trigger, [], { on: "event", event_type: "payment.received" }),
  success: {
    description: "What `{{name}}` is filled in with.",
    schema: Type.Array(Type.Object({ field: Type.String(), says: Type.String(), example: Type.String() })),
    example: [{ field: "name", ...templateFields.name }],
  },
  run: ({ values: { on, event_type: eventType } }) => {
    const isNarrowed = on || eventType;
    const offered = isNarrowed
      ? new Set<string>(templateFieldsFor({ on: on ?? "event", eventType }))
      : undefined;
    return Object.entries(templateFields)
      .filter(([name]) => !offered || offered.has(name))
      .map(([name, { says: text, example }]) => ({ field: name, says: text, example }));
  },
});

const stored = doneWith(text, "Stored.", "The text is stored.");
const save = managed({
  method: "POST",
  path: `${PREFIX}/save`,
  operation: "saveTemplate",
  operationId: "saveMessageTemplate",
  tags,
  summary: "Store a text in a language",
  description:
    "In place of the one of the same name and language, if there is one. A field that there is none of, or that a rule with this text does not have, is refused. A line whose fields are all empty is left out when it is sent.",
  form: {
    ...managementForm(templateForm, ["name", "language", "body"], {
      isp_id: 1,
      name: "expires_soon",
      language: "en",
      subject: "Your package ends on {{date}}",
      body: "{{isp}}: {{name}}, your package {{package}} ends on {{expiration}}.",
    }),
    narrowedBy: [],
  },
  clears: true,
  success: stored.success,
  run: ({ db, by, input, now }) => stored.done(saveTemplate(db, by, input, { now })),
});

const remove = deleteCall(text, {
  operation: "deleteTemplate",
  summary: "Delete a text in a language",
  refusals: { 409: "It is the last language of a text that a rule sends." },
  run: deleteTemplate,
});

const ready = managed({
  method: "POST",
  path: `${PREFIX}/ready`,
  operation: "addReadyTemplates",
  operationId: "addReadyMessageTemplates",
  tags,
  summary: "Add the ready texts",
  description:
    "welcome, payment_receipt, expires_soon, expired, quota_80 and password_changed in every language of the portal; what is there stays as it is.",
  form: { ...managementForm({ isp_id: scopeId }, [], { isp_id: 1 }), narrowedBy: [] },
  success: {
    description: "Added.",
    schema: Type.Object({ success: Type.String(), added: Type.Integer() }),
    example: { success: "The ready texts are there.", added: 66 },
  },
  run: ({ db, by, values: { isp_id: ispId }, now }) => ({
    success: "The ready texts are there.",
    added: addReadyTemplates(db, by, { ispId }, { now }),
  }),
});

const preview = managed({
  method: "POST",
  path: `${PREFIX}/preview`,
  takesKey: false,
  operation: "previewTemplate",
  operationId: "previewMessageTemplate",
  tags,
  summary: "See a text as a subscriber would get it",
  description: "What is the subscriber's is as it is now; of what an event would say it shows an example.",
  form: managementForm(previewForm, ["language", "body", "user_id"], {
    language: "en",
    body: "{{name}}, your package ends on {{expiration}}.",
    user_id: 42,
    on: "expiry",
  }),
  success: {
    description: "The words.",
    schema: Type.Object({ subject: Type.String(), body: Type.String(), characters: Type.Integer() }),
    example: { subject: "", body: "Ann Green, your package ends on 31 Jan 2030, 12:00.", characters: 51 },
  },
  refusals: { 404: "There is no such subscriber." },
  run: ({ db, by, input, now }) => previewTemplate(db, by, input, { now }),
});

export const messageTemplateOperations = [list, get, fields, save, remove, ready, preview];
