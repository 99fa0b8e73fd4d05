import { feedFields, newFeedFields } from "../../domain/around/feeds/fields.ts";
import {
  createFeed,
  deleteFeed,
  feedById,
  listFeeds,
  setFeedEnabled,
  updateFeed,
} from "../../domain/around/feeds/feeds.ts";
import { exampleFeed, feedSchema, feedToJson } from "../../wire/feed.ts";
import { managementForm } from "../form.ts";
import { createCall, declareNoun, deleteCall, enableCall, getCall, listCall, updateCall } from "../plain.ts";

const feed = declareNoun({
  prefix: "/api/v1/feed",
  tags: ["Shapers"],
  name: "Feed",
  one: "shaper",
  key: "feed",
  record: feedSchema,
  example: exampleFeed,
  toJson: feedToJson,
});

const meanings = {
  secret: "The one that its listener has for this box. It is kept sealed and answered by no call.",
};

const list = listCall(feed, {
  operation: "listFeeds",
  summary: "List shapers that are told of sessions",
  answer: "The shapers of the ISP, and how each one is told.",
  run: listFeeds,
});

const get = getCall(feed, { operation: "feedById", run: feedById });

const create = createCall(feed, {
  operation: "createFeed",
  description:
    "From then on it is told of each session as LibreQoS 2.2 takes it: an Accounting-Request with the rate in force. `secret` is the one of its RADIUS listener, which takes this box as a client; nobody reads it again. Without `router_ids` it is told of all routers, those that come later too.",
  form: {
    ...managementForm(newFeedFields, ["name", "address", "secret"], {
      isp_id: 1,
      name: "shaper",
      address: "10.0.0.20",
      secret: "9f2c-b0d1-73ae",
    }),
    meanings,
  },
  run: createFeed,
});

const update = updateCall(feed, {
  operation: "updateFeed",
  description: "What is left out stays. Another address or secret has it told of every open session anew.",
  form: { ...managementForm(feedFields, [], { router_ids: "1, 2" }), meanings },
  run: updateFeed,
});

const enable = enableCall(feed, {
  operation: "setFeedEnabled",
  description: "While it is off it is told nothing, and forgets what it was told by itself.",
  run: setFeedEnabled,
});

const remove = deleteCall(feed, { operation: "deleteFeed", run: deleteFeed });

export const feedOperations = [list, get, create, update, enable, remove];
