import type { Child } from "hono/jsx";
import type { Channel } from "../../../../domain/around/messages/channels.ts";
import { channelUses, secretTimes } from "../../../../domain/around/messages/set-up.ts";
import { testChannel } from "../../../../domain/around/messages/trial.ts";
import { originOf } from "../../../../domain/around/messages/channel-settings.ts";
import { may, seesIsp } from "../../../../domain/core/actor/actor.ts";
import { sendMessage } from "../../../../outgoing/send-message.ts";
import { Action, Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Facts } from "../../../pages/parts/facts.tsx";
import { Verdict } from "../../../pages/parts/verdict.tsx";
import { RowButtons } from "../../parts/plain.tsx";
import type { StaffVisit } from "../../guard.ts";
import { form } from "../../parts/form.tsx";
import { timed, trialText } from "../../parts/trial.ts";
import { messagePages, MessagesFrame } from "../../parts/messages-frame.tsx";
import { WithoutSms } from "../../parts/without-sms.tsx";
import { sentence } from "../../parts/phrases.ts";
import { AuditLogLink } from "../../parts/audit-log-link.tsx";
import { secretNames } from "./form.tsx";
import { channelHref, CHANNELS, readChannel } from "./words.ts";

export const trial = form({
  path: `${CHANNELS}/:id/test`,
  on: `${CHANNELS}/:id`,
  of: readChannel,
  content: (visit, channel) => {
    const { try: submit, tryPlace, tryDevices, tryTo, notDone } = visit.view.words.messageChannels;
    const { address } = channel;
    return {
      title: visit.view.format.name(channel.name),
      back: channelHref(channel),
      submit,
      ...(address === "none" || address === "device"
        ? { text: <p class="soft-text">{address === "none" ? tryPlace : tryDevices}</p> }
        : { fields: [{ name: "to", label: tryTo[address], required: true, max: 200 }] }),
      notDone: (why) => `${notDone} ${why}`,
      frame: (children) => (
        <ChannelPage visit={visit} channel={channel}>
          {children}
        </ChannelPage>
      ),
    };
  },
  save: ({ db, by, now }, { id }, { to = "" }) =>
    timed(() => testChannel(db, by, { id, input: { to } }, { now, send: sendMessage })),
  done: ({ view }, tried) => trialText(view, tried),
});

function ChannelPage({ visit, channel, children }: Props & { children: Child }) {
  // one of the whole appliance is its operator's
  const mayChange = may(visit.by, "message_manage") && seesIsp(visit.by.scope, channel);
  const { try: title, tryLead: lead } = visit.view.words.messageChannels;
  return (
    <MessagesFrame
      visit={visit}
      current="channels"
      title={visit.view.format.name(channel.name)}
      actions={mayChange ? <Buttons visit={visit} channel={channel} /> : undefined}
    >
      <Goes visit={visit} channel={channel} />
      {channel.isSms === 1 && <WithoutSms visit={visit} />}
      <div class="split">
        <div class="stack">
          {mayChange && (
            <Card title={title} lead={lead} id="test">
              {children}
            </Card>
          )}
          <Uses visit={visit} channel={channel} mayChange={mayChange} />
        </div>
        <div class="stack">
          <Secrets visit={visit} channel={channel} mayChange={mayChange} />
          <About visit={visit} channel={channel} />
        </div>
      </div>
    </MessagesFrame>
  );
}

type Words = StaffVisit["view"]["words"]["messageChannels"];

interface Props {
  visit: StaffVisit;
  channel: Channel;
}

function Buttons({ visit: { view, formToken }, channel }: Props) {
  const words = view.words.messageChannels;
  const href = channelHref(channel);
  return (
    <RowButtons href={href} words={words} isOff={channel.disabledAt !== null}>
      {channel.disabledAt !== null && (
        <Action action={`${href}/enable`} formToken={formToken} icon="power">
          {words.enable}
        </Action>
      )}
    </RowButtons>
  );
}

interface Going {
  readonly tone: "good" | "bad" | "quiet";
  readonly title: string;
  readonly text: string;
}

function describeGoing({ view: { words, format }, now }: StaffVisit, channel: Channel): Going {
  const { state } = words.messageChannels;
  const { disabledAt, missing, downSince, downReason } = channel;
  if (disabledAt !== null)
    return { tone: "quiet", title: state.off, text: state.offText(format.timeNear(disabledAt, now)) };
  if (missing.length > 0)
    return { tone: "bad", title: state.lacks, text: state.lacksText(missing.join(words.list.comma)) };
  if (downSince === null) return { tone: "good", title: state.works, text: state.worksText };
  const since = format.timeNear(downSince, now);
  return { tone: "bad", title: state.down, text: state.downText(sentence(downReason ?? ""), since) };
}

function Goes({ visit, channel }: Props) {
  const going = describeGoing(visit, channel);
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

function Secrets({ visit, channel, mayChange }: Props & { mayChange: boolean }) {
  const { db, by, view, now } = visit;
  const words = view.words.messageChannels;
  const names = secretNames(channel);
  const times = secretTimes(db, by, channel);
  const secretState = (name: string) => {
    const at = times.get(name);
    if (!channel.secrets.includes(name)) return words.secretMissing;
    return at === undefined ? words.secretIsSet : words.secretSet(view.format.timeNear(at, now));
  };
  return (
    <Card title={words.secrets} lead={words.secretsLead}>
      {names.length === 0 && <p class="soft-text">{words.noSecrets}</p>}
      <Facts
        facts={names.map((name) => [
          name,
          <>
            {secretState(name)}{" "}
            {mayChange && (
              <Button href={`${channelHref(channel)}/secret?name=${name}`} size="small" drawer>
                {words.secretSave}
              </Button>
            )}
          </>,
        ])}
      />
    </Card>
  );
}

function Uses({ visit: { db, by, view, formToken }, channel, mayChange }: Props & { mayChange: boolean }) {
  const words = view.words.messageChannels;
  const { rules } = channelUses(db, by, channel);
  const mayBegin = mayChange && channel.settings.kind === "push" && channel.ispId !== null;
  return (
    <Card title={words.rules}>
      {rules.length === 0 ? (
        <div class="stack">
          <p class="soft-text">{words.noRules}</p>
          {mayBegin && (
            <>
              <p>{words.pushRulesText}</p>
              <Action action={`${channelHref(channel)}/rules`} formToken={formToken}>
                {words.pushRules}
              </Action>
            </>
          )}
        </div>
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

function kindName({ smtp, addresses }: Words, { settings }: Channel): string {
  if (settings.kind === "http") return `HTTP ${settings.method}`;
  return settings.kind === "smtp" ? smtp.name : addresses.device;
}

function About({ visit, channel }: Props) {
  const { view } = visit;
  const words = view.words.messageChannels;
  const { settings } = channel;
  return (
    <Card title={words.about} aside={<AuditLogLink visit={visit} entity="channel" entityId={channel.id} />}>
      <Facts
        facts={[
          [words.kind, kindName(words, channel)],
          [words.url, originOf(settings) === "" ? null : <bdi class="breaks">{originOf(settings)}</bdi>],
          [words.reaches, words.addresses[channel.address]],
          [words.rate, words.perMinute(channel.perMinute)],
          [view.words.frame.ofIsp, channel.ispId === null ? words.ofBox : null],
        ]}
      />
    </Card>
  );
}
