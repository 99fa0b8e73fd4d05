import { type Phrase, phrase } from "../errors/phrase.ts";
import { fold } from "./text.ts";

/** How ids of API keys begin, and no username. */
export const KEY_PREFIX = "key_";

/** The fault of a username; unchanged ones pass, of accounts from before there were keys. */
export function keyNameFault(username: string): Phrase | undefined {
  return fold(username).startsWith(KEY_PREFIX)
    ? phrase`must not begin with ${KEY_PREFIX}, as ids of API keys do; take another one`
    : undefined;
}
