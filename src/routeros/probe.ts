import { parseClock } from "../domain/goods/router-setup/clock.ts";
import { type Phrase, phrases, verbatim } from "../domain/core/errors/phrase.ts";
import { isMissing } from "./active.ts";
import type { RouterosClient } from "./client.ts";
import { RouterosError } from "./fault.ts";

const WITHIN = 5000;

/** Whether the user may read the active lists and remove entries; else what the router says. */
export async function probePermissions(client: RouterosClient): Promise<Phrase | undefined> {
  const orders: [path: string, word: string][] = [
    ["/ppp/active/print", "?name=gatehouse-test"],
    ["/ppp/active/remove", "=.id=*FFFFFFFF"],
  ];
  for (const [path, word] of orders) {
    try {
      await client.command(path, [word], WITHIN);
    } catch (error) {
      if (!(error instanceof RouterosError)) throw error;
      // no such entry, so the permission to remove is there
      if (!isMissing(error)) return phrases([verbatim(path), error.phrase], ": ");
    }
  }
  return undefined;
}

/** The router's clock in UTC seconds; undefined when refused or unreadable. */
export async function readClock(client: RouterosClient): Promise<number | undefined> {
  try {
    const [row] = await client.command("/system/clock/print", [], WITHIN);
    return row && parseClock(row);
  } catch (error) {
    if (error instanceof RouterosError && error.code === "trap") return undefined;
    throw error;
  }
}
