import { Type } from "@sinclair/typebox";
import type { Feed } from "../domain/around/feeds/feeds.ts";
import { recordOf } from "./record.ts";

/** A shaper that is told of sessions; its secret is nobody's to read. */
export const {
  schema: feedSchema,
  example: exampleFeed,
  toJson: feedToJson,
} = recordOf<Feed>()({
  id: { kind: "whole", example: 1 },
  isp_id: { kind: "whole", example: 1 },
  name: { kind: "words", example: "shaper" },
  address: { kind: "words", example: "10.0.0.20" },
  port: { kind: "whole", example: 1813 },
  all_routers: { kind: "flag", example: 1 },
  routers: { kind: "words", example: "" },
  router_ids: {
    shape: Type.Array(Type.Integer()),
    of: ({ routerIds }) => JSON.parse(routerIds),
    example: [],
  },
  answered_at: { kind: "moment", isNullable: true, example: "2026-11-28 03:00:03" },
  silent_since: { kind: "moment", isNullable: true, example: null },
  behind_since: { kind: "moment", isNullable: true, example: null },
  waiting: { kind: "whole", example: 0 },
  disabled_at: { kind: "moment", isNullable: true, example: null },
  created_at: { kind: "moment", example: "2026-11-28 03:00:00" },
});
