import {
  type Channel,
  setChannelSecret,
  updateChannel,
} from "../../../../domain/around/messages/channels.ts";
import { secretsNeeded } from "../../../../domain/around/messages/channel-settings.ts";
import { setUpChannel } from "../../../../domain/around/messages/set-up.ts";
import { channelKinds } from "../../../../domain/around/messages/channel-fields.ts";
import { permit } from "../../../../domain/core/actor/permissions.ts";
import { DomainError } from "../../../../domain/core/errors/errors.ts";
import { phrase, verbatim } from "../../../../domain/core/errors/phrase.ts";
import { Card } from "../../../pages/parts/card.tsx";
import { seeOther } from "../../../pages/respond.tsx";
import { page } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { ispFields } from "../../isp-field.tsx";
import type { FormField, Values } from "../../parts/field.tsx";
import { form } from "../../parts/form.tsx";
import { MessagesFrame } from "../../parts/messages-frame.tsx";
import { commonFields, fixedFields, settingFields, toStored } from "./fields.tsx";
import {
  channelHref,
  CHANNELS,
  filledIn,
  findPlaceholders,
  listPresets,
  readChannel,
  readPreset,
  type Start,
} from "./words.ts";

const SECRET = "secret_";
const FILL = "fill_";

export function chooseChannel(visit: StaffVisit): Response {
  permit(visit.by, "createChannel");
  const words = visit.view.words.messageChannels;
  return page(
    visit,
    <MessagesFrame visit={visit} current="channels" title={words.choose}>
      <p class="sentence">{words.chooseLead}</p>
      <div class="grid card-links">
        {listPresets(visit).map(({ key, name, says: text }) => (
          <Card title={<a href={`${CHANNELS}/new/${key}`}>{name}</a>}>
            <p class="soft-text">{text}</p>
          </Card>
        ))}
      </div>
    </MessagesFrame>,
  );
}

/** Values whose names begin so. */
const begunWith = (start: string, values: Values) =>
  Object.entries(values).flatMap(([name, value]) =>
    name.startsWith(start) ? [[name.slice(start.length), value.trim()] as const] : [],
  );

/** Values that an operation reads. */
const pickOwn = (values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).filter(([name]) => !name.startsWith(SECRET) && !name.startsWith(FILL)),
  );

const presetKind = ({ channel }: Start) => channelKinds.find((kind) => kind === channel["kind"]) ?? "http";

function secretFields({ view }: StaffVisit, { key, secrets }: Start): FormField[] {
  const words = view.words.messageChannels;
  const named = key === "smtp" ? { password: "" } : secrets;
  return Object.entries(named).map(([name, help]) => ({
    name: SECRET + name,
    as: "password",
    attributes: { autocomplete: "new-password" },
    label: key === "smtp" ? words.password : words.secret(name),
    help: help === "" ? undefined : help,
  }));
}

/** The office's own values first; those of the known service below. */
const add = form({
  path: `${CHANNELS}/new/:preset`,
  permit: "createChannel",
  of: readPreset,
  content: (visit, start) => {
    const words = visit.view.words.messageChannels;
    const title = words.newTitle(start.name);
    const kind = presetKind(start);
    const settings = settingFields(visit, kind, start.channel);
    const own = officeFields(start);
    const isOwn = ({ name }: FormField) => own.includes(name);
    const fills = findPlaceholders(start, words.fills);
    return {
      title,
      back: `${CHANNELS}/new`,
      submit: words.make,
      groups: [
        {
          title: kind === "push" ? words.about : words.account,
          ...(kind !== "push" && { lead: words.accountLead }),
          text: <p class="sentence">{start.says}</p>,
          fields: [
            ...settings.filter(isOwn),
            ...fills.map((name) => ({ name: FILL + name, label: words.fills[name] ?? name, max: 200 })),
            ...secretFields(visit, start),
          ],
        },
        {
          title: words.more,
          fold: start.key === "own" ? "open" : "closed",
          fields: [
            ...commonFields(visit, kind, start.channel),
            ...settings.filter((field) => !isOwn(field)),
            ...ispFields(visit, { besides: { label: words.everyIsp } }),
          ],
        },
      ],
      frame: (children) => (
        <MessagesFrame visit={visit} current="channels" title={title} children={children} />
      ),
    };
  },
  once: ({ id }: Pick<Channel, "id">) => ({ id }),
  save: ({ db, by, now, view }, start, values): Pick<Channel, "id"> => {
    const kind = presetKind(start);
    const fills = begunWith(FILL, values);
    const own = pickOwn(values);
    const { required, fills: named } = view.words.messageChannels;
    const empty = fills.flatMap(([name, value]) =>
      value === "" && findPlaceholders({ ...start, channel: own }, named).includes(name) ? [FILL + name] : [],
    );
    if (empty.length > 0)
      throw new DomainError("invalid", phrase`check the fields`, {
        fields: Object.fromEntries(empty.map((name) => [name, [verbatim(required)]])),
      });
    const input = {
      kind,
      isp_id: "",
      ...fixedFields(kind),
      ...filledIn({ ...start.channel, ...own }, fills),
    };
    return setUpChannel(db, by, { input, secrets: Object.fromEntries(begunWith(SECRET, values)) }, { now });
  },
  done: ({ view: { words } }, channel) => ({
    title: words.messageChannels.made,
    text: words.messageChannels.madeText,
    to: channelHref(channel),
  }),
});

/** Values that only the office knows: all of a mail server, address and content of a gateway. */
function officeFields({ key, channel }: Start): readonly string[] {
  if (channel["kind"] === "smtp") return ["host", "port", "tls", "user", "from", "reply_to"];
  if (key === "sms_get") return ["url"];
  return key === "own" || key.startsWith("sms_") ? ["url", "body"] : [];
}

const edit = form({
  path: `${CHANNELS}/:id/edit`,
  permit: "updateChannel",
  of: readChannel,
  content: (visit, channel) => {
    const words = visit.view.words.messageChannels;
    const title = words.editTitle(visit.view.format.name(channel.name));
    const { kind } = channel.settings;
    const stored = toStored(channel);
    return {
      title,
      back: channelHref(channel),
      submit: words.save,
      groups: [
        { title: words.about, fields: commonFields(visit, kind, stored) },
        { title: words.how, fields: settingFields(visit, kind, stored) },
      ],
      frame: (children) => (
        <MessagesFrame visit={visit} current="channels" title={title} children={children} />
      ),
    };
  },
  save: ({ db, by, now }, { id, settings }, values) =>
    updateChannel(db, by, { id, input: { ...fixedFields(settings.kind), ...values } }, { now }),
  done: ({ view: { words } }) => words.messageChannels.saved,
});

/** Secrets that a channel has or needs. */
export const secretNames = ({ settings, secrets }: Channel) => [
  ...new Set([...secretsNeeded(settings), ...secrets]),
];

/** The named secret; the channel's page without one. Throws `not_found`. */
function secretIn(visit: StaffVisit) {
  const channel = readChannel(visit);
  if (!visit.query.has("name")) return seeOther(channelHref(channel));
  const name = secretNames(channel).find((one) => one === visit.query.get("name"));
  if (name === undefined) throw new DomainError("not_found", phrase`the channel has no such secret`);
  return { channel, name };
}

const secret = form({
  path: `${CHANNELS}/:id/secret`,
  permit: "setChannelSecret",
  of: secretIn,
  content: ({ view: { words } }, { channel, name }) => {
    const { secretNew, secretSave, secretsLead } = words.messageChannels;
    return {
      title: secretNew(name),
      lead: <bdi>{channel.name}</bdi>,
      back: channelHref(channel),
      place: "messages",
      submit: secretSave,
      text: <p>{secretsLead}.</p>,
      fields: [
        {
          name: "value",
          label: secretNew(name),
          as: "password",
          required: true,
          attributes: { autocomplete: "new-password" },
        },
      ],
    };
  },
  save: ({ db, by, now }, { channel: { id }, name }, { value = "" }) =>
    setChannelSecret(db, by, { id, input: { name, value } }, { now }),
  done: ({ view: { words } }) => words.messageChannels.secretSaved,
});

export const channelForms = [...add, ...edit, ...secret];
