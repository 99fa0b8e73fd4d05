import { type Channel, listChannels } from "../../../../domain/around/messages/channels.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Chip } from "../../../pages/parts/chip.tsx";
import { Empty } from "../../../pages/parts/empty.tsx";
import { Table } from "../../../pages/parts/table.tsx";
import { page } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { MessagesFrame } from "../messages/head.tsx";
import { WithoutSms } from "../messages/without-sms.tsx";
import { channelHref, CHANNELS } from "./shown.ts";

/** The ways to reach people, and how each goes. */
export function showChannels(visit: StaffVisit): Response {
  const { db, by, view } = visit;
  const words = view.words.messageChannels;
  const channels = listChannels(db, by);
  const button = may(by, "message_manage") ? (
    <Button href={`${CHANNELS}/new`} kind="solid" icon="plus" dataKey="n" showKey="N">
      {words.new}
    </Button>
  ) : undefined;
  return page(
    visit,
    <MessagesFrame visit={visit} current="channels" actions={channels.length > 0 ? button : undefined}>
      {channels.length === 0 ? (
        <section class="card">
          <Empty icon="chat" title={words.none} text={words.noneText}>
            {button}
          </Empty>
        </section>
      ) : (
        <>
          <p class="sentence">{words.lead}</p>
          <WithoutSms visit={visit} />
          <Table
            caption={view.words.messages.titles.channels}
            columns={[
              { title: words.name },
              { title: words.reaches },
              { title: words.rate, low: true },
              { title: words.goes },
            ]}
            kind="short-rows"
          >
            {channels.map((channel) => (
              <tr>
                <td class="lead">
                  <a href={channelHref(channel)}>
                    <bdi>{channel.name}</bdi>
                  </a>
                </td>
                <td>
                  {words.addresses[channel.address]} {channel.isSms === 1 && <Chip>{words.sms}</Chip>}
                </td>
                <td class="low">{words.perMinute(view.format.number(channel.perMinute))}</td>
                <td>
                  <Goes visit={visit} channel={channel} />
                </td>
              </tr>
            ))}
          </Table>
        </>
      )}
    </MessagesFrame>,
  );
}

function Goes({ visit: { view, now }, channel }: { visit: StaffVisit; channel: Channel }) {
  const words = view.words.messageChannels;
  if (channel.disabledAt !== null) return <Chip>{words.off}</Chip>;
  if (channel.missing.length > 0) return <Chip tone="bad">{words.lacks}</Chip>;
  if (channel.downSince !== null)
    return <Chip tone="bad">{words.failing(view.format.timeNear(channel.downSince, now))}</Chip>;
  return <Chip tone="good">{words.works}</Chip>;
}
