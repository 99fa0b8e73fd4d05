import { randomBytes } from "node:crypto";
import { all, equal, type Value } from "../../../../db/condition.ts";
import { type Db, writePatiently } from "../../../../db/open.ts";
import { audit } from "../../core/audit/audit.ts";
import { DomainError, type Faults, rejectFaults } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { addFault, id, type Input, oneOf, readFields } from "../../core/fields/fields.ts";
import { setting } from "../../core/settings/settings.ts";
import { type Actor, requireWholeIsp, scopeCondition, seesIsp } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { fold } from "../../core/fields/text.ts";
import type { Seconds } from "../../core/time/time.ts";
import { isAddress, testForm } from "./channel-fields.ts";
import { type Channel, channelToSend } from "./channels.ts";
import { isAboutSubscriber, isTemplateField, templateFields } from "./fields.ts";
import type { Outbound } from "./http-message.ts";
import { filled } from "./render.ts";
import { ruleTypes, triggerKinds } from "./rule-fields.ts";
import type { Came } from "./booking.ts";
import { forgetPushDevices } from "../../people/push/devices.ts";
import { readPushPart } from "./sending.ts";
import { fieldsIn, findOfferFaults, findWordFaults, templateForm } from "./templates.ts";
import { type Calls, type FieldValues, fieldValues } from "./values.ts";

type Send = (
  channel: { channel: Channel; secrets: Readonly<Record<string, string>> },
  message: Outbound,
) => Promise<Came>;

/** Bypasses the outbox. Throws `not_found`, `invalid`. */
export async function testChannel(
  db: Db,
  by: Actor,
  {
    id: channelId,
    input,
    words,
  }: {
    id: number;
    input: Input;
    words?: { readonly subject: string; readonly body: string; readonly language: string };
  },
  { now, send }: { now: Seconds; send: Send },
): Promise<Came> {
  permit(by, "testChannel");
  requireWholeIsp(by, "messages");
  const found = channelToSend(db, channelId);
  if (!found || !seesIsp(by.scope, found.channel))
    throw new DomainError("not_found", phrase`there is no channel ${channelId}`);
  const { ispId, address, name } = found.channel;
  const faults: Faults = {};
  const needsTo = address === "email" || address === "mobile";
  const { to } = readFields(testForm, input, faults, { required: needsTo ? ["to"] : [] });
  if (to && !isAddress(address, to))
    addFault(
      faults,
      "to",
      phrase`must be ${address === "email" ? phrase`an e-mail address` : phrase`a number`}`,
    );
  rejectFaults(faults);
  const holder = { subscriberId: null, staffId: by.staffId ?? 0 };
  const isp = setting(db, "portal_name", ispId ?? 0) || "Gatehouse";
  const came = await send(found, {
    id: `msg_${randomBytes(16).toString("hex")}`,
    to: to ?? "",
    subject: `${isp}: a test`,
    body: `${isp}: this is a test of the channel ${name}.`,
    language: "en",
    username: "",
    ...(address === "device" && { push: readPushPart(db, holder) }),
    ...words,
  });
  await writePatiently(db, (tx) => {
    forgetPushDevices(tx, came.gone ?? []);
    audit(tx, by, now, {
      action: "channel.test",
      entity: "channel",
      entityId: channelId,
      ispId,
      after: { to, sent: came.kind === "sent" ? 1 : 0 },
    });
  });
  return came;
}

export const previewForm = {
  language: templateForm.language,
  subject: templateForm.subject,
  body: templateForm.body,
  user_id: id,
  on: oneOf(...triggerKinds),
  event_type: oneOf(...ruleTypes),
};

/** The preview, with examples for event fields. Throws `invalid` with every fault, `not_found`. */
export function previewTemplate(
  db: Db,
  by: Actor,
  input: Input,
  { now, brand }: { now: Seconds; brand?: Calls },
): { subject: string; body: string; characters: number } {
  permit(by, "previewTemplate");
  requireWholeIsp(by, "messages");
  const faults: Faults = {};
  const sent = readFields(previewForm, input, faults, { required: ["language", "body", "user_id"] });
  const words = { subject: sent.subject ?? "", body: sent.body ?? "" };
  findWordFaults(words, faults);
  const trigger = { on: sent.on ?? "event", eventType: sent.event_type };
  if (sent.on || sent.event_type) findOfferFaults(words, trigger, faults);
  rejectFaults(faults);
  const { text, values } = all(equal("s.id", sent.user_id ?? 0), scopeCondition(by.scope));
  const row = db.$client
    .query<{ ispId: number }, Value[]>(`SELECT s.isp_id AS ispId FROM subscribers s WHERE ${text}`)
    .get(...values);
  if (!row) throw new DomainError("not_found", phrase`there is no subscriber ${sent.user_id}`);
  const language = sent.language ?? "en";
  const subscriberId = sent.event_type && !isAboutSubscriber(trigger) ? null : (sent.user_id ?? null);
  const known = fieldValues(db, { ispId: row.ispId, subscriberId, brand }, { language, now });
  const filledText = filled(
    words,
    { ...examples(`${words.subject} ${words.body}`, known), ...known },
    language,
  );
  return { ...filledText, characters: [...filledText.body].length };
}

function examples(words: string, known: FieldValues): FieldValues {
  const unknown = fieldsIn(words).filter((name) => isTemplateField(name) && known[name] === undefined);
  return Object.fromEntries(unknown.map((name) => [name, templateFields[name].example]));
}

/** A subscriber by the beginning of a username; undefined: none. */
export function someoneToShow(
  db: Db,
  by: Actor,
  { username }: { username: string },
): { id: number; username: string } | undefined {
  permit(by, "someoneToShow");
  requireWholeIsp(by, "messages");
  const { text, values } = all(scopeCondition(by.scope));
  const begins = fold(username);
  const row = db.$client
    .query<{ id: number; username: string }, Value[]>(
      `SELECT s.id, s.username FROM subscribers s INDEXED BY subscribers_username
       WHERE ${text} AND s.username_key >= ? AND s.username_key < ? ORDER BY s.username_key LIMIT 1`,
    )
    .get(...values, begins, `${begins}\u{10ffff}`);
  return row ?? undefined;
}
