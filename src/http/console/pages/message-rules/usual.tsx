import { listChannels } from "../../../../domain/around/messages/channels.ts";
import { addUsualRules, usualRules } from "../../../../domain/around/messages/usual.ts";
import { ispFields } from "../../isp-field.tsx";
import { ticks } from "../../parts/field.tsx";
import { form } from "../../parts/form.tsx";
import { MessagesFrame } from "../../parts/messages-frame.tsx";
import { RULES } from "./words.ts";

export const usualForm = form({
  path: `${RULES}/usual`,
  permit: "createRule",
  of: () => undefined,
  content: (visit) => {
    const { db, by, view } = visit;
    const words = view.words.messageRules;
    const { names } = view.words.messageTexts;
    const channels = listChannels(db, by).filter(({ address }) => address !== "none" && address !== "device");
    const options = channels.map(({ id, name }) => ({ value: id, label: name }));
    const title = words.usual;
    return {
      title,
      back: RULES,
      submit: words.usual,
      text: <p class="sentence">{words.usualLead}</p>,
      groups: [
        {
          title: words.usualOn,
          fields: ticks(
            "on",
            usualRules.map((value) => ({ value, label: names[value] })),
          ),
        },
        {
          title: words.usualChannel,
          fields: [
            { name: "channel_id", label: words.usualChannel, options },
            ...ispFields(visit),
            { name: "quiet_from", label: words.quietFrom, value: "21:00", help: words.quietHelp },
            { name: "quiet_to", label: words.quietTo, value: "08:00" },
          ],
        },
      ],
      frame: (children) => <MessagesFrame visit={visit} current="rules" title={title} children={children} />,
    };
  },
  save: ({ db, by, now, view }, _, values) => {
    const {
      on = "",
      isp_id: isp,
      channel_id: channel,
      quiet_from: quietFrom = "",
      quiet_to: quietTo = "",
    } = values;
    const input = { ispId: Number(isp) || null, channelId: Number(channel) || 0, quietFrom, quietTo };
    const { names } = view.words.messageTexts;
    return addUsualRules(db, by, { ...input, on: on.split(", "), names }, { now });
  },
  done: ({ view: { words } }) => words.messageRules.usualDone,
});
