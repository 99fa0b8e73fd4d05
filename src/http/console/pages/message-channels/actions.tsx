import { DomainError } from "../../../../domain/core/errors/errors.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import {
  deleteChannel,
  setChannelEnabled,
  setChannelSecret,
} from "../../../../domain/around/messages/channels.ts";
import { usesOfChannel } from "../../../../domain/around/messages/set-up.ts";
import { permit } from "../../../../domain/core/actor/permissions.ts";
import { attempt } from "../../attempt.ts";
import { said } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { sentence } from "../subscriber/say.ts";
import { formDrawer, typedIn } from "../team/form.tsx";
import { channelHref, channelOf, CHANNELS } from "./shown.ts";

export async function setSecret(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, view } = visit;
  const channel = channelOf(visit);
  const sent = { name: typedIn(input, "name"), value: input["value"] ?? "" };
  const done = await attempt(visit, async () =>
    setChannelSecret(db, by, { id: channel.id, input: sent }, { now }),
  );
  const words = view.words.messageChannels;
  if (done instanceof DomainError)
    return said(
      visit,
      { kind: "bad", title: words.notDone, text: sentence(done.message) },
      channelHref(channel),
    );
  return said(visit, { kind: "good", title: words.secretSaved }, channelHref(channel));
}

export function enable(visit: StaffVisit): Response {
  const { db, by, now, view } = visit;
  const channel = setChannelEnabled(db, by, { id: channelOf(visit).id, enabled: true }, { now });
  return said(visit, { kind: "good", title: view.words.messageChannels.enabled }, channelHref(channel));
}

export function askDisabling(visit: StaffVisit): Response {
  permit(visit.by, "setChannelEnabled");
  const channel = channelOf(visit);
  const words = visit.view.words.messageChannels;
  const href = channelHref(channel);
  return formDrawer(visit, {
    title: words.disableTitle(visit.view.format.name(channel.name)),
    ...{ action: `${href}/disable`, back: href, danger: true, submit: words.disable, place: "messages" },
    children: <p>{words.disableText}</p>,
  });
}

export function disable(visit: StaffVisit): Response {
  const { db, by, now, view } = visit;
  const channel = setChannelEnabled(db, by, { id: channelOf(visit).id, enabled: false }, { now });
  return said(visit, { kind: "good", title: view.words.messageChannels.disabled }, channelHref(channel));
}

/** Asked once; where rules or messages keep it, what they are, and nothing to press. */
export function askRemoval(visit: StaffVisit): Response {
  const { db, by, view } = visit;
  permit(by, "deleteChannel");
  const channel = channelOf(visit);
  const words = view.words.messageChannels;
  const href = channelHref(channel);
  const { rules, waiting, sent } = usesOfChannel(db, by, channel);
  const isKept = rules.length > 0 || sent;
  return formDrawer(visit, {
    title: words.deleteTitle(view.format.name(channel.name)),
    ...{ action: `${href}/delete`, back: href, danger: true, leaves: true, place: "messages" },
    ...(!isKept && { submit: words.delete }),
    children: isKept ? (
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
        {waiting > 0 && <p>{words.keptWaiting(view.format.number(waiting))}</p>}
      </>
    ) : (
      <p>{words.deleteText}</p>
    ),
  });
}

export function remove(visit: StaffVisit): Response {
  const { db, by, now, view } = visit;
  deleteChannel(db, by, { id: channelOf(visit).id }, { now });
  return said(visit, { kind: "good", title: view.words.messageChannels.deleted }, CHANNELS);
}
