import { fold } from "./text.ts";

/** How ids of API keys begin, and no username. */
export const KEY_PREFIX = "key_";

/** Unchanged ones pass, of accounts from before there were keys. */
export function keyNameFault(username: string): string | undefined {
  return fold(username).startsWith(KEY_PREFIX)
    ? `must not begin with ${KEY_PREFIX}, as ids of API keys do; take another one`
    : undefined;
}
