import { isIP } from "node:net";
import { DomainError } from "../../core/errors/errors.ts";
import type { Nas } from "../nas/find.ts";
import type { ScriptPlace } from "./script.ts";
import type { RadiusPlace } from "./parts.ts";

export interface NamedPlace extends RadiusPlace {
  readonly hasPort: boolean;
}

/** `10.0.0.2,10.0.0.1:1822`: nearest first; accounting is one port above. A text is the invalid part. */
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

/** Our address as a router reaches it; `server` overrides. */
export type FindPlace = (
  router: Nas,
  expiredLists: readonly string[],
  server: string | undefined,
) => Promise<ScriptPlace>;

/** null: the router may only be reachable from its box. */
async function primaryTowards(
  findPlace: FindPlace,
  router: Nas,
  { lists, first }: { lists: readonly string[]; first: NamedPlace },
): Promise<Pick<ScriptPlace, "walled" | "apiFrom">> {
  try {
    return await findPlace(router, lists, undefined);
  } catch (error) {
    if (lists.length > 0 || !(error instanceof DomainError)) throw error;
    const { walled } = await findPlace(router, lists, first.server);
    return { walled };
  }
}

/** Ours, or the router's stored places. */
export function placeAt(
  findPlace: FindPlace,
  [first, ...others]: readonly NamedPlace[],
): (router: Nas, expiredLists: readonly string[]) => Promise<ScriptPlace> {
  return async (router, lists) => {
    if (!first) return findPlace(router, lists, undefined);
    if (others.length === 0 && !first.hasPort) return findPlace(router, lists, first.server);
    // boxes have no pages
    const own = await primaryTowards(findPlace, router, { lists, first });
    return { ...first, others, walled: own.walled, apiFrom: own.apiFrom ?? [] };
  };
}
