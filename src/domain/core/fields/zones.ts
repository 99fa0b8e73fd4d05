import { phrase } from "../errors/phrase.ts";
import { Type } from "@sinclair/typebox";
import { parseZone } from "../time/zones.ts";
import { type Field, field } from "./fields.ts";

export const zoneName: Field<string> = field(
  Type.String({ minLength: 1, maxLength: 64 }),
  phrase`must be the name of a time zone such as UTC or Europe/London`,
  parseZone,
);
