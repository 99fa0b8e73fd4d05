import type { Db } from "../../db/open.ts";
import { toApiNas } from "../domain/service/control/routers.ts";
import { DomainError } from "../domain/core/errors/errors.ts";
import { type Phrase, phrase, phrases, verbatim } from "../domain/core/errors/phrase.ts";
import type { Nas } from "../domain/goods/nas/find.ts";
import type { HotspotSource } from "../domain/goods/nas/hotspot.ts";
import { RouterosClient } from "../routeros/client.ts";
import { RouterosError } from "../routeros/fault.ts";
import { fetchHotspotPages } from "../routeros/hotspot-pages.ts";

const CONNECT = 5000;

export async function sendHotspot(db: Db, router: Nas, source: HotspotSource): Promise<string[]> {
  const api = toApiNas(db, router);
  if (!api)
    throw new DomainError(
      "refused",
      phrase`the RouterOS API of ${router.name} is not set up; paste the line for its terminal instead`,
    );
  let client: RouterosClient | undefined;
  try {
    client = await RouterosClient.open(api, CONNECT);
    return await fetchHotspotPages(client, source);
  } catch (error) {
    if (!(error instanceof RouterosError)) throw error;
    const remedy = client
      ? fixFor(error, source)
      : phrase`it was sent nothing: paste the line for its terminal instead`;
    throw new DomainError(
      "router_failed",
      phrases([phrases([verbatim(router.name), error.phrase], ": "), remedy]),
    );
  } finally {
    client?.close();
  }
}

function fixFor({ code, message }: RouterosError, { url }: HotspotSource): Phrase {
  const found = remedies.find(([words]) => words.test(message))?.[1];
  if (found !== undefined) return found;
  if (code === "trap" || code === "silent")
    return phrase`try there what it says, for it has to reach that address: /tool fetch output=none url=${url}login.html`;
  return phrase`some of the files may be there already: send them again`;
}

const remedies: readonly (readonly [RegExp, Phrase])[] = [
  [
    /permission/i,
    phrase`its account may not fetch files: paste the line for its terminal instead, or allow it there with /user group set gatehouse policy=api,read,write,ftp,test`,
  ],
  [/space|disk|storage/i, phrase`make room there (/file print), and send them again`],
  [
    /certificate|ssl|tls/i,
    phrase`it does not trust the certificate of that address: import it there (/certificate import), or let the router reach this box by its name`,
  ],
];
