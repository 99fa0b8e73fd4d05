import type { Db } from "../../db/open.ts";
import { apiOf } from "../domain/control/routers.ts";
import { DomainError } from "../domain/errors.ts";
import type { Nas } from "../domain/nas/find.ts";
import type { HotspotSource } from "../domain/nas/hotspot.ts";
import { RouterosClient } from "../routeros/client.ts";
import { RouterosError } from "../routeros/fault.ts";
import { fetchHotspotPages } from "../routeros/hotspot-pages.ts";

const CONNECT = 5000;

/** Has a router fetch its hotspot's pages, by its API. */
export async function sendHotspot(db: Db, router: Nas, source: HotspotSource): Promise<string[]> {
  const api = apiOf(db, router);
  if (!api)
    throw new DomainError(
      "refused",
      `the RouterOS API of ${router.name} is not set up; paste the line for its terminal instead`,
    );
  let client: RouterosClient | undefined;
  try {
    client = await RouterosClient.open(api, CONNECT);
    return await fetchHotspotPages(client, source);
  } catch (error) {
    if (!(error instanceof RouterosError)) throw error;
    const remedy = /permission/i.test(error.message)
      ? "; its account may not fetch files: paste the line for its terminal instead, or allow it there with /user group set gatehouse policy=api,read,write,ftp,test"
      : "";
    throw new DomainError("router_failed", `${router.name}: ${error.message}${remedy}`);
  } finally {
    client?.close();
  }
}
