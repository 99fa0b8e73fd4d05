import type { Feed } from "../domain/around/feeds/feeds.ts";
import { recordOf } from "./record.ts";

/** A shaper that is told about sessions; its secret is write-only. */
export const { toJson: feedToJson } = recordOf<Feed>()({
  id: { kind: "whole", example: 1 },
  isp_id: { kind: "whole", example: 1 },
  name: { kind: "words", example: "shaper" },
  address: { kind: "words", example: "10.0.0.20" },
  port: { kind: "whole", example: 1813 },
  all_routers: { kind: "flag", example: 1 },
  routers: { kind: "words", example: "" },
  answered_at: { kind: "moment", isNullable: true, example: "2026-11-28 03:00:03" },
  silent_since: { kind: "moment", isNullable: true, example: null },
  behind_since: { kind: "moment", isNullable: true, example: null },
  waiting: { kind: "whole", example: 0 },
});
