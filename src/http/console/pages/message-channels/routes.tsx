import { type ConsoleRoute, staffForm, staffPage } from "../../guard.ts";
import { askDisabling, askRemoval, disable, enable, remove, setSecret } from "./actions.tsx";
import { showChannel, test } from "./channel.tsx";
import { chooseChannel, create, editChannel, newChannel, save } from "./form.tsx";
import { showChannels } from "./list.tsx";
import { CHANNELS } from "./shown.ts";

const CHANNEL = `${CHANNELS}/:id`;

/** Ways to reach people. */
export const messageChannelRoutes: readonly ConsoleRoute[] = [
  staffPage(CHANNELS, showChannels),
  staffPage(`${CHANNELS}/new`, chooseChannel),
  staffPage(`${CHANNELS}/new/:preset`, newChannel),
  staffForm(`${CHANNELS}/new/:preset`, create),
  staffPage(CHANNEL, showChannel),
  staffPage(`${CHANNEL}/edit`, editChannel),
  staffForm(`${CHANNEL}/edit`, save),
  staffForm(`${CHANNEL}/test`, test),
  staffForm(`${CHANNEL}/secret`, setSecret),
  staffForm(`${CHANNEL}/enable`, enable),
  staffPage(`${CHANNEL}/disable`, askDisabling),
  staffForm(`${CHANNEL}/disable`, disable),
  staffPage(`${CHANNEL}/delete`, askRemoval),
  staffForm(`${CHANNEL}/delete`, remove),
];
