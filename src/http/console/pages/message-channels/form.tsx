import { DomainError } from "../../../../domain/core/errors/errors.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import { type Channel, updateChannel } from "../../../../domain/around/messages/channels.ts";
import { secretsNeeded } from "../../../../domain/around/messages/channel-settings.ts";
import { setUpChannel } from "../../../../domain/around/messages/set-up.ts";
import { permit } from "../../../../domain/core/actor/permissions.ts";
import { attempt } from "../../attempt.ts";
import { FormToken } from "../../../pages/document.tsx";
import { Note } from "../../../pages/note.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Field } from "../../../pages/parts/field.tsx";
import { page, said } from "../../answers.tsx";
import { Fold } from "../../../pages/parts/fold.tsx";
import type { StaffVisit } from "../../guard.ts";
import { IspField } from "../../isp-field.tsx";
import { MessagesFrame } from "../messages/head.tsx";
import { faultOf } from "../team/form.tsx";
import { Body, CommonFields, type FieldsProps, HttpFields, SmtpFields, Url } from "./fields.tsx";
import {
  channelHref,
  channelOf,
  CHANNELS,
  filledIn,
  fillsOf,
  type Start,
  startOf,
  startsOf,
} from "./shown.ts";

const common = ["name", "address", "per_minute"];
const ofKind = {
  smtp: ["host", "port", "tls", "user", "from", "reply_to"],
  http: ["method", "url", "headers", "body_kind", "body", "success", "match"],
};
const ticks = ["is_sms", "passes_id"];
const SECRET = "secret_";
const FILL = "fill_";

type Typed = Readonly<Record<string, string>>;

/** What a channel may begin with. */
export function chooseChannel(visit: StaffVisit): Response {
  permit(visit.by, "createChannel");
  const words = visit.view.words.messageChannels;
  return page(
    visit,
    <MessagesFrame visit={visit} current="channels" title={words.choose}>
      <p class="sentence">{words.chooseLead}</p>
      <div class="channel-choices">
        {startsOf(visit).map(({ key, name, says }) => (
          <Card title={<a href={`${CHANNELS}/new/${key}`}>{name}</a>}>
            <p class="soft-text">{says}</p>
          </Card>
        ))}
      </div>
    </MessagesFrame>,
  );
}

export function newChannel(visit: StaffVisit): Response {
  permit(visit.by, "createChannel");
  const { channel } = startOf(visit);
  return newForm(visit, asText(channel));
}

const asText = (input: Input): Typed =>
  Object.fromEntries(Object.entries(input).map(([name, value]) => [name, String(value ?? "")]));

function typedOf(input: Input): Typed {
  return Object.fromEntries(
    Object.entries(input).flatMap(([name, value]) =>
      typeof value === "string" ? [[name, value.slice(0, 8000).replaceAll("\r\n", "\n")]] : [],
    ),
  );
}

/** The fields of a channel of a kind, as the domain reads them. */
function channelInput({ by }: StaffVisit, kind: "smtp" | "http", typed: Typed): Input {
  return {
    ...Object.fromEntries([...common, ...ofKind[kind]].map((name) => [name, typed[name] ?? ""])),
    ...Object.fromEntries(ticks.map((name) => [name, typed[name] === "1" ? 1 : 0])),
    ...(by.admin && { allow_local: typed["allow_local"] === "1" ? 1 : 0 }),
  };
}

export async function create(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, view } = visit;
  const words = view.words.messageChannels;
  permit(by, "createChannel");
  const start = startOf(visit);
  const typed = typedOf(input);
  const kind = kindOf(start);
  const fills = fillsOf(start, words.fills).map((name) => [name, typed[FILL + name]?.trim() ?? ""] as const);
  const empty = fills.filter(
    ([name, value]) => value === "" && fillsOf({ ...start, channel: typed }, { [name]: "" }).length > 0,
  );
  if (empty.length > 0) {
    const fields = Object.fromEntries(
      empty.map(([name]) => [FILL + name, [words.required.replace(/\.$/, "")]]),
    );
    return newForm(visit, typed, new DomainError("invalid", "check what stands below", { fields }));
  }
  const sent = {
    ...filledIn({ ...channelInput(visit, kind, typed) }, fills),
    ...{ kind, isp_id: typed["isp_id"] ?? "" },
  };
  const secrets = Object.fromEntries(
    Object.entries(typed).flatMap(([name, value]) =>
      name.startsWith(SECRET) ? [[name.slice(SECRET.length), value.trim()] as const] : [],
    ),
  );
  const done = await attempt(visit, async () => setUpChannel(db, by, { input: sent, secrets }, { now }));
  if (done instanceof DomainError) return newForm(visit, typed, done);
  return said(visit, { kind: "good", title: words.made, text: words.madeText }, channelHref(done));
}

const kindOf = ({ channel }: Start) => (channel["kind"] === "smtp" ? "smtp" : "http");

/** First what is the office's alone; what the service is known by stands below. */
function newForm(visit: StaffVisit, typed: Typed, refused?: DomainError): Response {
  const start = startOf(visit);
  const { view, formToken } = visit;
  const words = view.words.messageChannels;
  const kind = kindOf(start);
  const own = start.key === "own" || start.key.startsWith("sms_");
  const props: FieldsProps = { visit, typed, refused };
  const isHidden = Object.keys(refused?.fields ?? {}).some((name) => !name.startsWith(FILL));
  return page(
    visit,
    <MessagesFrame visit={visit} current="channels" title={words.newTitle(start.name)}>
      <form class="channel-form" method="post" action={`${CHANNELS}/new/${start.key}`}>
        <FormToken value={formToken} />
        {refused && <Note kind="bad">{words.notSaved(refused.message)}</Note>}
        <Card title={words.account} lead={words.accountLead}>
          <p class="sentence">{start.says}</p>
          {kind === "smtp" && <SmtpFields {...props} />}
          <div class="channel-fields">
            {own && <Url {...props} />}
            {own && start.key !== "sms_get" && <Body {...props} />}
            {fillsOf(start, words.fills).map((name) => (
              <Field
                name={FILL + name}
                label={words.fills[name] ?? name}
                value={typed[FILL + name] ?? ""}
                fault={faultOf(refused, FILL + name)}
                attributes={{ autocomplete: "off", maxlength: 200 }}
              />
            ))}
            <SecretFields visit={visit} start={start} />
          </div>
        </Card>
        <Fold summary={words.more} kind="channel-more" open={isHidden || start.key === "own"}>
          <div class="stack">
            <Card title={words.how}>
              <CommonFields {...props} kind={kind} />
              {kind === "http" && (
                <HttpFields
                  {...props}
                  without={own ? ["url", ...(start.key === "sms_get" ? [] : ["body"])] : []}
                />
              )}
              <IspField
                visit={visit}
                typed={typed["isp_id"]}
                fault={faultOf(refused, "isp_id")}
                besides={{ label: words.everyIsp }}
              />
            </Card>
          </div>
        </Fold>
        <Buttons submit={words.make} back={`${CHANNELS}/new`} word={words.back} />
      </form>
    </MessagesFrame>,
    { status: refused ? 422 : 200 },
  );
}

function SecretFields({ visit: { view }, start }: { visit: StaffVisit; start: Start }) {
  const words = view.words.messageChannels;
  const named: readonly (readonly [string, string, string])[] =
    start.key === "smtp"
      ? [["password", words.password, ""]]
      : Object.entries(start.secrets).map(([name, help]) => [name, words.secret(name), help]);
  return (
    <>
      {named.map(([name, label, help]) => (
        <Field
          {...{ name: SECRET + name, label, type: "password", attributes: { autocomplete: "new-password" } }}
          {...(help !== "" && { help })}
        />
      ))}
    </>
  );
}

function Buttons({ submit, back, word }: { submit: string; back: string; word: string }) {
  return (
    <div class="actions">
      <Button kind="solid" size="large">
        {submit}
      </Button>
      <Button href={back} size="large">
        {word}
      </Button>
    </div>
  );
}

export function editChannel(visit: StaffVisit): Response {
  permit(visit.by, "updateChannel");
  const channel = channelOf(visit);
  return editForm(visit, channel, asText(inputOf(channel)));
}

/** A channel as its form has it. */
function inputOf({ settings, name, address, perMinute, isSms, passesId, allowLocal }: Channel): Input {
  const own = { name, address, per_minute: perMinute, is_sms: isSms, passes_id: passesId };
  const shared = { ...own, allow_local: allowLocal };
  if (settings.kind === "smtp") {
    const { host, port, tls, user, from, replyTo } = settings;
    return { ...shared, host, port, tls, user, from, reply_to: replyTo };
  }
  const { method, url, headers, bodyKind, body, success, match } = settings;
  return { ...shared, method, url, headers, body_kind: bodyKind, body, success, match };
}

export async function save(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, view } = visit;
  const channel = channelOf(visit);
  const typed = typedOf(input);
  const sent = channelInput(visit, channel.settings.kind, typed);
  const done = await attempt(visit, async () =>
    updateChannel(db, by, { id: channel.id, input: sent }, { now }),
  );
  if (done instanceof DomainError) return editForm(visit, channel, typed, done);
  return said(visit, { kind: "good", title: view.words.messageChannels.saved }, channelHref(done));
}

function editForm(visit: StaffVisit, channel: Channel, typed: Typed, refused?: DomainError): Response {
  const { view, formToken } = visit;
  const words = view.words.messageChannels;
  const props: FieldsProps = { visit, typed, refused };
  const { kind } = channel.settings;
  const href = channelHref(channel);
  return page(
    visit,
    <MessagesFrame visit={visit} current="channels" title={words.editTitle(view.format.name(channel.name))}>
      <form class="channel-form" method="post" action={`${href}/edit`}>
        <FormToken value={formToken} />
        {refused && <Note kind="bad">{words.notSaved(refused.message)}</Note>}
        <Card title={words.about}>
          <CommonFields {...props} kind={kind} />
        </Card>
        <Card title={words.how}>
          {kind === "smtp" ? <SmtpFields {...props} /> : <HttpFields {...props} />}
        </Card>
        <Buttons submit={words.save} back={href} word={words.back} />
      </form>
    </MessagesFrame>,
    { status: refused ? 422 : 200 },
  );
}

/** Names of the secrets that a channel has or needs. */
export const secretNames = ({ settings, secrets }: Channel) => [
  ...new Set([...secretsNeeded(settings), ...secrets]),
];
