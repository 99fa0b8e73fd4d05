import {
  channelById,
  createChannel,
  deleteChannel,
  listChannels,
  setChannelEnabled,
  setChannelSecret,
  updateChannel,
} from "../../../../../src/domain/around/messages/channels.ts";
import {
  cancelMessage,
  listMessages,
  messageById,
  sendAgain,
} from "../../../../../src/domain/around/messages/outbox.ts";
import { messageChoices } from "../../../../../src/domain/around/messages/by-which.ts";
import { previewMessage, writeMessage } from "../../../../../src/domain/around/messages/write.ts";
import { messageInFull } from "../../../../../src/domain/around/messages/in-full.ts";
import {
  cancelMany,
  countMany,
  sendManyAgain,
} from "../../../../../src/domain/around/messages/outbox-many.ts";
import { outboxState } from "../../../../../src/domain/around/messages/outbox-state.ts";
import { messagesTo } from "../../../../../src/domain/desk/subscriber-page/to-subscriber.ts";
import { planMessages } from "../../../../../src/domain/around/messages/plan.ts";
import {
  createRule,
  deleteRule,
  listRules,
  ruleById,
  updateRule,
} from "../../../../../src/domain/around/messages/rules.ts";
import { bookMessage, recoverMessages } from "../../../../../src/domain/around/messages/booking.ts";
import { takeNext } from "../../../../../src/domain/around/messages/sending.ts";
import {
  addReadyTemplates,
  deleteTemplate,
  listTemplates,
  saveTemplate,
  templateById,
} from "../../../../../src/domain/around/messages/templates.ts";
import { momentsAhead, withoutSms } from "../../../../../src/domain/around/messages/ahead.ts";
import { channelUses, secretTimes, setUpChannel } from "../../../../../src/domain/around/messages/set-up.ts";
import { addPushRules, addUsualRules } from "../../../../../src/domain/around/messages/usual.ts";
import {
  previewTemplate,
  someoneToShow,
  testChannel,
} from "../../../../../src/domain/around/messages/trial.ts";
import { webChannel } from "../../../../support/messages.ts";
import { act, type Call, done, forOperator, nowhere, through, world, written } from "./call.ts";

const first = { id: 1 };
/** Of the first ISP, as it was read. */
const ofOne = { id: 1, ispId: 1 };
const newest = { before: Number.MAX_SAFE_INTEGER, limit: 10 };

const ofFirst = (work: Call["call"]): Call => ({ call: through(work), operator: done, ...written });
const making = (work: Call["call"]): Call => ({ call: through(work), operator: done, ...nowhere });
const listing = (call: Call["call"], rows: readonly number[] = [1]): Call => ({
  call,
  operator: rows,
  otherIsp: [],
  otherBranch: "forbidden",
  otherReseller: "forbidden",
});
const text = { isp_id: 1, name: "hello", language: "en", body: "Hello {{name}}" };
const rule = {
  isp_id: 1,
  name: "Ends",
  on: "expiry",
  offset: 0,
  audience: "subscriber",
  channel_id: 1,
  template: "thanks",
};
const failed = { messageId: 1, channelId: 1, attempts: 1 };
const leaves = { came: { kind: "sent" }, failures: 0 } as const;

const pushNames = {
  expires_soon: "Tomorrow",
  payment_receipt: "Paid",
  online_again: "Online",
  router_silent: "Silent",
  router_back: "Back",
  payment_unmatched: "Someone",
};
const usualNames = {
  welcome: "Welcome",
  payment_receipt: "Receipts",
  expires_soon: "Soon",
  expired: "Ended",
  quota_80: "Data",
};
const toFirst = { user_id: 1, channel_id: 2, body: "Hello {{name}}" };

/** Messages to people are the whole ISP's. */
export const ofMessages = {
  listChannels: listing((db, by) => listChannels(db, by).map(({ id }) => id), [1, 2]),
  channelById: ofFirst((db, by) => channelById(db, by, first)),
  createChannel: making((db, by) => createChannel(db, by, webChannel, world)),
  updateChannel: ofFirst((db, by) => updateChannel(db, by, { ...first, input: { name: "x" } }, world)),
  setChannelSecret: ofFirst((db, by) =>
    setChannelSecret(db, by, { ...first, input: { name: "token", value: "x" } }, world),
  ),
  setChannelEnabled: ofFirst((db, by) => setChannelEnabled(db, by, { ...first, enabled: false }, world)),
  deleteChannel: ofFirst((db, by) => deleteChannel(db, by, { id: 2 }, world)),
  testChannel: ofFirst((db, by) =>
    testChannel(
      db,
      by,
      { ...first, input: { to: "+44 20 7946 0000" } },
      {
        ...world,
        send: async () => ({ kind: "sent" }),
      },
    ),
  ),
  setUpChannel: {
    ...making((db, by) => setUpChannel(db, by, { input: webChannel, secrets: { token: "x" } }, world)),
    also: ["message_view"],
  },
  secretTimes: ofFirst((db, by) => secretTimes(db, by, ofOne)),
  channelUses: ofFirst((db, by) => channelUses(db, by, ofOne)),
  listTemplates: listing((db, by) => listTemplates(db, by).map(({ id }) => id), [1, 2]),
  templateById: ofFirst((db, by) => templateById(db, by, first)),
  saveTemplate: making((db, by) => saveTemplate(db, by, text, world)),
  deleteTemplate: ofFirst((db, by) => deleteTemplate(db, by, { id: 2 }, world)),
  addReadyTemplates: making((db, by) => addReadyTemplates(db, by, { ispId: 1 }, world)),
  previewTemplate: ofFirst((db, by) =>
    previewTemplate(db, by, { language: "en", body: "Hello {{name}}", user_id: 1 }, world),
  ),
  someoneToShow: {
    call: (db, by) => someoneToShow(db, by, { username: "" })?.id === 1,
    operator: true,
    otherIsp: false,
    otherBranch: "forbidden",
    otherReseller: "forbidden",
  },
  withoutSms: {
    call: (db, by) => withoutSms(db, by),
    operator: 2,
    otherIsp: 0,
    otherBranch: "forbidden",
    otherReseller: "forbidden",
  },
  momentsAhead: ofFirst((db, by) => momentsAhead(db, by, { ...ofOne, on: "event", offset: 0 }, world)),
  addUsualRules: {
    ...making((db, by) =>
      addUsualRules(
        db,
        by,
        { ispId: 1, channelId: 1, on: [], names: usualNames, quietFrom: "", quietTo: "" },
        world,
      ),
    ),
    also: ["message_view"],
  },
  addPushRules: {
    ...ofFirst((db, by) => addPushRules(db, by, { channelId: 1, names: pushNames }, world)),
    also: ["message_view"],
  },
  listRules: listing((db, by) => listRules(db, by).map(({ id }) => id)),
  ruleById: ofFirst((db, by) => ruleById(db, by, first)),
  createRule: making((db, by) => createRule(db, by, rule, world)),
  updateRule: ofFirst((db, by) => updateRule(db, by, { ...first, input: { name: "x" } }, world)),
  deleteRule: ofFirst((db, by) => deleteRule(db, by, first, world)),
  listMessages: listing((db, by) => listMessages(db, by, {}, newest).map(({ id }) => id)),
  messageById: ofFirst((db, by) => messageById(db, by, first)),
  sendAgain: ofFirst((db, by) => sendAgain(db, by, first, world)),
  cancelMessage: ofFirst((db, by) => cancelMessage(db, by, first, world)),
  messageChoices: {
    call: (db, by) => messageChoices(db, by).channels.map(({ id }) => id),
    operator: [1, 2],
    otherIsp: [],
  },
  previewMessage: act((db, by) => previewMessage(db, by, { input: toFirst }, world)),
  writeMessage: act((db, by) => writeMessage(db, by, { input: toFirst }, world)),
  outboxState: listing((db, by) => Array.from({ length: outboxState(db, by, world).waiting }, () => 1)),
  messageInFull: ofFirst((db, by) => messageInFull(db, by, { ...first, opens: true }, world)),
  messagesTo: {
    ...ofFirst((db, by) => messagesTo(db, by, { subscriber: 1, limit: 10 })),
    otherBranch: "not_found",
    otherReseller: "not_found",
  },
  countMany: ofFirst((db, by) => countMany(db, by, { state: "waiting", channelId: 1 }, world)),
  sendManyAgain: ofFirst((db, by) => sendManyAgain(db, by, { channelId: 1 }, world)),
  cancelMany: ofFirst((db, by) => cancelMany(db, by, { ruleId: 1 }, world)),
  planMessages: forOperator((db, by) => planMessages(db, by, world)),
  takeNext: forOperator((db, by) => takeNext(db, by, { channelId: 1 }, world)),
  bookMessage: forOperator((db, by) => bookMessage(db, by, failed, leaves, { ...world, random: 0 })),
  recoverMessages: forOperator((db, by) => recoverMessages(db, by, world)),
} satisfies Record<string, Call>;
