import { phrase } from "../errors/phrase.ts";
import { isIPv4 } from "node:net";
import { Type } from "@sinclair/typebox";
import { field } from "../fields/fields.ts";
import { define, optional } from "./define.ts";

const RATE = "[1-9]\\d{0,8}[kM]?";

export const gardenSettings = {
  garden_rate: define(
    "512k/512k",
    "the most that a line in the walled garden gets, up/down as RouterOS writes it; a package that is slower keeps its own",
    field(
      Type.String({ pattern: `^${RATE}/${RATE}$` }),
      phrase`must be up/down such as 512k/512k or 1M/2M`,
      (rate): string => rate,
    ),
  ),
  garden_dns: define(
    "",
    "IPv4 addresses of the resolvers, two at the most, that lines in the walled garden ask whatever they want to ask; empty: their router. Routers are told when they are set up, or commands are pasted anew",
    optional(
      field(
        Type.String({ maxLength: 40 }),
        phrase`must be one or two IPv4 addresses such as 10.0.0.53,10.0.0.54, or empty`,
        (value): string | undefined => {
          const resolvers = readResolvers(value);
          return resolvers === null ? undefined : resolvers.join(",");
        },
      ),
    ),
  ),
};

/** Addresses of resolvers; null: none, or more than two. */
export function readResolvers(text: string): string[] | null {
  const resolvers = parseResolvers(text);
  return resolvers.length > 0 && resolvers.length <= 2 && resolvers.every(isIPv4) ? resolvers : null;
}

export function parseResolvers(text: string): string[] {
  return text
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");
}
