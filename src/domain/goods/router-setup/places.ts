import { isIP } from "node:net";
import { DomainError } from "../../core/errors/errors.ts";
import type { Nas } from "../nas/find.ts";
import type { ScriptPlace } from "./script.ts";
import type { RadiusPlace } from "./parts.ts";

export interface NamedPlace extends RadiusPlace {
  readonly hasPort: boolean;
}

/**
 * `10.0.0.2,10.0.0.1:1822`: where a router asks, the nearest first; the port of accounting is the one above that of authentication.
 * Returns the text that is no address where one is none.
 */
export function placesNamed(text: string): NamedPlace[] | string {
  const named = text
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");
  const places = named.map(placeNamed);
  const wrong = places.findIndex((place) => place === undefined);
  return wrong < 0 ? places.filter((place) => place !== undefined) : (named[wrong] ?? "");
}

function placeNamed(text: string): NamedPlace | undefined {
  if (isIP(text) !== 0) return { server: text, authPort: 1812, acctPort: 1813, hasPort: false };
  const [, six, four = "", port = ""] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  const server = six ?? four;
  const authPort = Number(port);
  if (isIP(server) === 0 || authPort < 1 || authPort > 65_534) return undefined;
  return { server, authPort, acctPort: authPort + 1, hasPort: true };
}

/** Says where we are as a router reaches it; at `server` where it is named. */
export type PlaceOf = (
  router: Nas,
  expiredLists: readonly string[],
  server: string | undefined,
) => Promise<ScriptPlace>;

/** Where the books are: the way to the router may begin at its box alone, and then they do not ask it anything themselves. */
async function primaryTowards(
  placeOf: PlaceOf,
  router: Nas,
  { lists, first }: { lists: readonly string[]; first: NamedPlace },
): Promise<Pick<ScriptPlace, "walled" | "apiFrom">> {
  try {
    return await placeOf(router, lists, undefined);
  } catch (error) {
    if (lists.length > 0 || !(error instanceof DomainError)) throw error;
    const { walled } = await placeOf(router, lists, first.server);
    return { walled };
  }
}

/** Where we are as a router reaches us, or where it was said that it is to ask. */
export function placeAt(
  placeOf: PlaceOf,
  [first, ...others]: readonly NamedPlace[],
): (router: Nas, expiredLists: readonly string[]) => Promise<ScriptPlace> {
  return async (router, lists) => {
    if (!first) return placeOf(router, lists, undefined);
    if (others.length === 0 && !first.hasPort) return placeOf(router, lists, first.server);
    // boxes have no pages: who has expired is sent to the books
    const own = await primaryTowards(placeOf, router, { lists, first });
    return { ...first, others, walled: own.walled, apiFrom: own.apiFrom ?? [] };
  };
}
