import { deleteChannel, setChannelEnabled } from "../../../../domain/around/messages/channels.ts";
import { usesOfChannel } from "../../../../domain/around/messages/set-up.ts";
import { addPushRules } from "../../../../domain/around/messages/usual.ts";
import { flash } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { form } from "../../parts/form.tsx";
import { channelHref, channelOf, CHANNELS } from "./words.ts";

export function enable(visit: StaffVisit): Response {
  const { db, by, now, view } = visit;
  const channel = setChannelEnabled(db, by, { id: channelOf(visit).id, enabled: true }, { now });
  return flash(visit, { kind: "good", title: view.words.messageChannels.enabled }, channelHref(channel));
}

export function beginRules(visit: StaffVisit): Response {
  const { db, by, now, view } = visit;
  const { pushRuleNames: names, pushRulesDone } = view.words.messageChannels;
  const channel = channelOf(visit);
  addPushRules(db, by, { channelId: channel.id, names }, { now });
  return flash(visit, { kind: "good", title: pushRulesDone }, channelHref(channel));
}

const disabling = form({
  path: `${CHANNELS}/:id/disable`,
  permit: "setChannelEnabled",
  of: channelOf,
  content: ({ view }, channel) => {
    const words = view.words.messageChannels;
    return {
      title: words.disableTitle(view.format.name(channel.name)),
      back: channelHref(channel),
      submit: words.disable,
      danger: true,
      place: "messages",
      text: <p>{words.disableText}</p>,
    };
  },
  save: ({ db, by, now }, { id }) => setChannelEnabled(db, by, { id, enabled: false }, { now }),
  done: ({ view: { words } }) => words.messageChannels.disabled,
});

const removal = form({
  path: `${CHANNELS}/:id/delete`,
  permit: "deleteChannel",
  of: channelOf,
  content: ({ db, by, view }, channel) => {
    const words = view.words.messageChannels;
    const { rules, waiting, sent } = usesOfChannel(db, by, channel);
    const question = {
      title: words.deleteTitle(view.format.name(channel.name)),
      back: channelHref(channel),
      danger: true,
      leaves: true,
      place: "messages" as const,
    };
    if (rules.length === 0 && !sent)
      return { ...question, submit: words.delete, text: <p>{words.deleteText}</p> };
    const kept = (
      <>
        <p>{words.keptText}</p>
        {rules.length > 0 && <p>{words.keptRules}</p>}
        <ul>
          {rules.map(({ name }) => (
            <li>
              <bdi>{name}</bdi>
            </li>
          ))}
        </ul>
        {waiting > 0 && <p>{words.keptWaiting(waiting)}</p>}
      </>
    );
    return { ...question, text: kept };
  },
  save: ({ db, by, now }, { id }) => deleteChannel(db, by, { id }, { now }),
  done: ({ view: { words } }) => ({ title: words.messageChannels.deleted, to: CHANNELS }),
});

export const channelConfirmations = [...disabling, ...removal];
