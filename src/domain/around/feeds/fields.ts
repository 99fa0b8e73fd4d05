import { phrase } from "../../core/errors/phrase.ts";
import { isIP } from "node:net";
import { Type } from "@sinclair/typebox";
import { field, id, text, wholeNumber } from "../../core/fields/fields.ts";

export const feedFields = {
  name: text(64),
  address: field(
    Type.String({ maxLength: 45 }),
    phrase`must be an IP address such as 10.0.0.20`,
    (value): string | undefined => (isIP(value) === 0 ? undefined : value),
  ),
  port: wholeNumber(1, 65_535),
  secret: text(128),
  /** Which routers it is told of. */
  router_ids: field(
    Type.String({ maxLength: 2000, pattern: "^(?:all|\\d{1,9}(?:, ?\\d{1,9})*)$" }),
    phrase`must be all, or numbers of routers with commas between`,
    (value): "all" | readonly number[] => (value === "all" ? value : value.split(",").map(Number)),
  ),
};

/** Fields of a new shaper, whose ISP is said. */
export const newFeedFields = { isp_id: id, ...feedFields };
