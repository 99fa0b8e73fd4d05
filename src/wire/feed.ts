import { Type } from "@sinclair/typebox";
import type { Feed } from "../domain/around/feeds/feeds.ts";
import { declareRecord } from "./record.ts";

/** A shaper that is told of sessions; its secret is nobody's to read. */
export const {
  schema: feedSchema,
  example: exampleFeed,
  toJson: feedToJson,
} = declareRecord<Feed>()({
  id: { meaning: "Number of the shaper.", kind: "whole", example: 1 },
  isp_id: { meaning: "The ISP whose sessions it is told of.", kind: "whole", example: 1 },
  name: {
    meaning: "What it is called; no other shaper of the ISP is called so.",
    kind: "words",
    example: "shaper",
  },
  address: { meaning: "Where it listens: an IP address.", kind: "words", example: "10.0.0.20" },
  port: { meaning: "The port of its listener.", kind: "whole", example: 1813 },
  all_routers: {
    meaning: "1: it is told of all routers of the ISP, those that come later too.",
    kind: "flag",
    example: 1,
  },
  routers: {
    meaning: "The names of those that it is told of, with commas between; empty where it is told of all.",
    kind: "words",
    example: "",
  },
  router_ids: {
    meaning: "The numbers of those that it is told of; as it is sent, with commas between, or `all`.",
    shape: Type.Array(Type.Integer()),
    of: ({ routerIds }) => JSON.parse(routerIds),
    example: [],
  },
  answered_at: {
    meaning: "When it answered last; null: not yet.",
    kind: "moment",
    isNullable: true,
    example: "2026-11-28 03:00:03",
  },
  silent_since: {
    meaning: "Since when it does not answer; null: it does.",
    kind: "moment",
    isNullable: true,
    example: null,
  },
  behind_since: {
    meaning: "Since when the oldest news waits, where that is more than a minute; null: it is not.",
    kind: "moment",
    isNullable: true,
    example: null,
  },
  waiting: {
    meaning: "Sessions of which there is news that it was not told yet.",
    kind: "whole",
    example: 0,
  },
  disabled_at: { kind: "moment", isNullable: true, example: null },
  created_at: { kind: "moment", example: "2026-11-28 03:00:00" },
});
