import { deleteChannel, setChannelEnabled } from "../../../../domain/around/messages/channels.ts";
import { channelUses } from "../../../../domain/around/messages/set-up.ts";
import { addPushRules } from "../../../../domain/around/messages/usual.ts";
import { flash } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { form } from "../../parts/form.tsx";
import { switching } from "../../parts/plain.tsx";
import { channelHref, CHANNELS, readChannel } from "./words.ts";

export function beginRules(visit: StaffVisit): Response {
  const { db, by, now, view } = visit;
  const { pushRuleNames: names, pushRulesDone } = view.words.messageChannels;
  const channel = readChannel(visit);
  addPushRules(db, by, { channelId: channel.id, names }, { now });
  return flash(visit, { kind: "good", title: pushRulesDone }, channelHref(channel));
}

const switches = switching(
  {
    path: CHANNELS,
    place: "messages",
    of: readChannel,
    name: ({ name }) => name,
    words: ({ messageChannels }) => messageChannels,
  },
  { permit: "setChannelEnabled", run: setChannelEnabled },
);

const removal = form({
  path: `${CHANNELS}/:id/delete`,
  permit: "deleteChannel",
  of: readChannel,
  content: ({ db, by, view }, channel) => {
    const words = view.words.messageChannels;
    const { rules, waiting, sent } = channelUses(db, by, channel);
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

export const channelConfirmations = [...switches, ...removal];
