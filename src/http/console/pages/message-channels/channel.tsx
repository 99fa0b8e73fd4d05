import { DomainError } from "../../../../domain/core/errors/errors.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import type { Came } from "../../../../domain/around/messages/booking.ts";
import type { Channel } from "../../../../domain/around/messages/channels.ts";
import { secretTimes, usesOfChannel } from "../../../../domain/around/messages/set-up.ts";
import { testChannel } from "../../../../domain/around/messages/trial.ts";
import { originOf } from "../../../../domain/around/messages/channel-settings.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { sendMessage } from "../../../../outgoing/send-message.ts";
import { attempt } from "../../attempt.ts";
import { FormToken } from "../../../pages/document.tsx";
import { Note } from "../../../pages/note.tsx";
import { Action, Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Facts } from "../../../pages/parts/facts.tsx";
import { Field } from "../../../pages/parts/field.tsx";
import { Verdict } from "../../../pages/parts/verdict.tsx";
import { page } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { messagePages, MessagesFrame } from "../messages/head.tsx";
import { WithoutSms } from "../messages/without-sms.tsx";
import { sentence } from "../subscriber/say.ts";
import { faultOf, typedIn } from "../team/form.tsx";
import { TrailLink } from "../trail/link.tsx";
import { secretNames } from "./form.tsx";
import { channelHref, channelOf, isOwn } from "./shown.ts";

interface Tried {
  readonly to: string;
  readonly came?: { readonly came: Came; readonly milliseconds: number };
  readonly refused?: DomainError;
}

/** One channel: how it goes, a test, its secrets and what uses it. */
export function showChannel(visit: StaffVisit): Response {
  return channelPage(visit, { to: "" });
}

/** Sends a test, and shows what the other side answered. */
export async function test(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now } = visit;
  const { id } = channelOf(visit);
  const to = typedIn(input, "to").trim();
  const began = performance.now();
  const done = await attempt(visit, async () =>
    testChannel(db, by, { id, input: { to } }, { now, send: sendMessage }),
  );
  if (done instanceof DomainError) return channelPage(visit, { to, refused: done });
  return channelPage(visit, {
    to,
    came: { came: done, milliseconds: Math.round(performance.now() - began) },
  });
}

function channelPage(visit: StaffVisit, tried: Tried): Response {
  const channel = channelOf(visit);
  const mayChange = may(visit.by, "message_manage") && isOwn(visit, channel);
  return page(
    visit,
    <MessagesFrame
      visit={visit}
      current="channels"
      title={visit.view.format.name(channel.name)}
      actions={mayChange ? <Buttons visit={visit} channel={channel} /> : undefined}
    >
      <Goes visit={visit} channel={channel} />
      {channel.isSms === 1 && <WithoutSms visit={visit} />}
      <div class="columns">
        <div class="stack">
          {mayChange && <Test visit={visit} channel={channel} tried={tried} />}
          <Uses visit={visit} channel={channel} />
        </div>
        <div class="stack">
          <Secrets visit={visit} channel={channel} mayChange={mayChange} />
          <About visit={visit} channel={channel} />
        </div>
      </div>
    </MessagesFrame>,
    { status: tried.refused ? 422 : 200 },
  );
}

interface Props {
  visit: StaffVisit;
  channel: Channel;
}

function Buttons({ visit: { view, formToken }, channel }: Props) {
  const words = view.words.messageChannels;
  const href = channelHref(channel);
  return (
    <>
      <Button href={`${href}/edit`} icon="edit">
        {words.edit}
      </Button>
      {channel.disabledAt === null ? (
        <Button href={`${href}/disable`} icon="power" kind="danger" drawer>
          {words.disable}
        </Button>
      ) : (
        <Action action={`${href}/enable`} formToken={formToken} icon="power">
          {words.enable}
        </Action>
      )}
      <Button href={`${href}/delete`} kind="danger" drawer>
        {words.delete}
      </Button>
    </>
  );
}

interface Going {
  readonly tone: "good" | "bad" | "quiet";
  readonly title: string;
  readonly text: string;
}

/** How it goes, in words. */
function goingOf({ view: { words, format }, now }: StaffVisit, channel: Channel): Going {
  const { state } = words.messageChannels;
  const { disabledAt, missing, downSince, downReason } = channel;
  if (disabledAt !== null)
    return { tone: "quiet", title: state.off, text: state.offText(format.timeNear(disabledAt, now)) };
  if (missing.length > 0)
    return { tone: "bad", title: state.lacks, text: state.lacksText(missing.join(", ")) };
  if (downSince === null) return { tone: "good", title: state.works, text: state.worksText };
  const since = format.timeNear(downSince, now);
  return { tone: "bad", title: state.down, text: state.downText(sentence(downReason ?? ""), since) };
}

function Goes({ visit, channel }: Props) {
  const going = goingOf(visit, channel);
  const href = channelHref(channel);
  const look = { "hx-get": href, "hx-trigger": "changed from:body", "hx-target": "#content" };
  return (
    <div id="channel-goes" {...look} hx-select="#content" hx-swap="outerMorph">
      <Verdict
        {...going}
        icon={going.tone === "good" ? "check" : "alert"}
        label={visit.view.words.messageChannels.state.label}
      />
    </div>
  );
}

function Test({ visit: { view, formToken }, channel, tried }: Props & { tried: Tried }) {
  const words = view.words.messageChannels;
  const { address } = channel;
  return (
    <Card title={words.try} lead={words.tryLead} id="test">
      <form class="stack-small" method="post" action={`${channelHref(channel)}/test`}>
        <FormToken value={formToken} />
        {tried.came && <Came view={view} {...tried.came} />}
        {tried.refused && tried.refused.fields === undefined && (
          <Note kind="bad">{sentence(tried.refused.message)}</Note>
        )}
        <div class="channel-row">
          {address === "none" ? (
            <p class="soft-text">{words.tryPlace}</p>
          ) : (
            <Field
              {...{ name: "to", label: words.tryTo[address], value: tried.to, required: true }}
              fault={faultOf(tried.refused, "to")}
              attributes={{ maxlength: 200, autocomplete: "off" }}
            />
          )}
          <Button kind="solid" icon="play">
            {words.try}
          </Button>
        </div>
      </form>
    </Card>
  );
}

/** What the other side answered, in its words. */
export function Came({
  view,
  came,
  milliseconds,
}: {
  view: StaffVisit["view"];
  came: Came;
  milliseconds: number;
}) {
  const words = view.words.messageChannels;
  const after = view.format.number(milliseconds);
  return (
    <div class="channel-said" role="status">
      {came.kind === "sent" ? (
        <Note kind="good">{words.tryOk(after)}</Note>
      ) : came.kind === "unknown" ? (
        <Note kind="wait">{words.tryUnknown(sentence(came.reason), after)}</Note>
      ) : (
        <Note kind="bad">{words.tryBad(sentence(came.reason), after)}</Note>
      )}
    </div>
  );
}

function Secrets({ visit, channel, mayChange }: Props & { mayChange: boolean }) {
  const { db, by, view, now, formToken } = visit;
  const words = view.words.messageChannels;
  const names = secretNames(channel);
  const times = secretTimes(db, by, channel);
  return (
    <Card title={words.secrets} lead={words.secretsLead}>
      {names.length === 0 && <p class="soft-text">{words.noSecrets}</p>}
      <div class="stack-small">
        {names.map((name) => {
          const at = times.get(name);
          const isSet = channel.secrets.includes(name);
          const set = at === undefined ? words.secretIsSet : words.secretSet(view.format.timeNear(at, now));
          return (
            <form method="post" action={`${channelHref(channel)}/secret`}>
              <FormToken value={formToken} />
              <input type="hidden" name="name" value={name} />
              <div class="channel-row">
                {mayChange ? (
                  <Field
                    {...{ name: "value", id: `secret-${name}`, label: words.secretNew(name) }}
                    {...{ type: "password", required: true, help: isSet ? set : words.secretMissing }}
                    attributes={{ autocomplete: "new-password" }}
                  />
                ) : (
                  <p>
                    {name}: {isSet ? set : words.secretMissing}
                  </p>
                )}
                {mayChange && <Button>{words.secretSave}</Button>}
              </div>
            </form>
          );
        })}
      </div>
    </Card>
  );
}

function Uses({ visit: { db, by, view }, channel }: Props) {
  const words = view.words.messageChannels;
  const { rules } = usesOfChannel(db, by, channel);
  return (
    <Card title={words.rules}>
      {rules.length === 0 ? (
        <p class="soft-text">{words.noRules}</p>
      ) : (
        <ul>
          {rules.map(({ id, name }) => (
            <li>
              <a href={`${messagePages.rules}/${id}/edit`}>
                <bdi>{name}</bdi>
              </a>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function About({ visit, channel }: Props) {
  const { view } = visit;
  const words = view.words.messageChannels;
  const { settings } = channel;
  return (
    <Card title={words.about} aside={<TrailLink visit={visit} entity="channel" entityId={channel.id} />}>
      <Facts
        facts={[
          [words.kind, settings.kind === "smtp" ? words.smtp.name : `HTTP ${settings.method}`],
          [words.url, <bdi class="channel-said">{originOf(settings)}</bdi>],
          [words.reaches, words.addresses[channel.address]],
          [words.rate, words.perMinute(view.format.number(channel.perMinute))],
          [view.words.frame.ofIsp, channel.ispId === null ? words.ofBox : null],
        ]}
      />
    </Card>
  );
}
