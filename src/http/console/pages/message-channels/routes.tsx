import { type ConsoleRoute, staffForm, staffPage } from "../../guard.ts";
import { beginRules, channelConfirmations } from "./actions.tsx";
import { trial } from "./channel.tsx";
import { channelForms, chooseChannel } from "./form.tsx";
import { showChannels } from "./list.tsx";
import { CHANNELS } from "./words.ts";

export const messageChannelRoutes: readonly ConsoleRoute[] = [
  staffPage(CHANNELS, showChannels),
  staffPage(`${CHANNELS}/new`, chooseChannel),
  ...channelForms,
  ...trial,
  staffForm(`${CHANNELS}/:id/rules`, beginRules),
  ...channelConfirmations,
];
