import { type Channel, listChannels } from "../../../../domain/around/messages/channels.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Chip } from "../../../pages/parts/chip.tsx";
import { page } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { list } from "../../parts/list.tsx";
import { MessagesFrame } from "../../parts/messages-frame.tsx";
import { WithoutSms } from "../../parts/without-sms.tsx";
import { channelHref, CHANNELS } from "./words.ts";

export function showChannels(visit: StaffVisit): Response {
  const { db, by, view } = visit;
  const channels = listChannels(db, by);
  const isAny = channels.length > 0;
  return page(
    visit,
    <MessagesFrame visit={visit} current="channels" actions={isAny ? newButton(visit) : undefined}>
      <Channels visit={visit} rows={channels}>
        {isAny && (
          <>
            <p class="sentence">{view.words.messageChannels.lead}</p>
            <WithoutSms visit={visit} />
          </>
        )}
      </Channels>
    </MessagesFrame>,
  );
}

const newButton = ({ by, view }: StaffVisit) =>
  may(by, "message_manage") ? (
    <Button href={`${CHANNELS}/new`} kind="solid" icon="plus" dataKey="n" showKey="N">
      {view.words.messageChannels.new}
    </Button>
  ) : undefined;

export const Channels = list<Channel>((visit) => {
  const { words: all } = visit.view;
  const words = all.messageChannels;
  return {
    name: all.messages.titles.channels,
    call: "listChannels",
    columns: [
      {
        title: words.name,
        cell: (channel) => (
          <a href={channelHref(channel)}>
            <bdi>{channel.name}</bdi>
          </a>
        ),
        narrow: "lead",
      },
      {
        title: words.reaches,
        cell: ({ address, isSms }) => (
          <>
            {words.addresses[address]} {isSms === 1 && <Chip>{words.sms}</Chip>}
          </>
        ),
      },
      {
        title: words.rate,
        cell: ({ perMinute }) => words.perMinute(perMinute),
        narrow: "low",
      },
      { title: words.goes, cell: (channel) => <Goes visit={visit} channel={channel} /> },
    ],
    empty: { icon: "chat", title: words.none, text: words.noneText, first: newButton(visit) },
  };
});

function Goes({ visit: { view, now }, channel }: { visit: StaffVisit; channel: Channel }) {
  const words = view.words.messageChannels;
  if (channel.disabledAt !== null) return <Chip>{words.off}</Chip>;
  if (channel.missing.length > 0) return <Chip tone="bad">{words.lacks}</Chip>;
  if (channel.downSince !== null)
    return <Chip tone="bad">{words.failing(view.format.timeNear(channel.downSince, now))}</Chip>;
  return <Chip tone="good">{words.works}</Chip>;
}
