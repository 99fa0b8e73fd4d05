import { isIP } from "node:net";
import { Type } from "@sinclair/typebox";
import { field, text, wholeNumber } from "../../core/fields/fields.ts";

export const feedFields = {
  name: text(64),
  address: field(
    Type.String({ maxLength: 45 }),
    "must be an IP address such as 10.0.0.20",
    (value): string | undefined => (isIP(value) === 0 ? undefined : value),
  ),
  port: wholeNumber(1, 65_535),
  secret: text(128),
};
