import { type Db, write } from "../../../../db/open.ts";
import { audit } from "../../core/audit/audit.ts";
import { type Actor, requireWholeIsp } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { type Nas, nasById } from "./find.ts";

export interface HotspotSource {
  readonly url: string;
  readonly names: readonly string[];
}

export type SendHotspot = (router: Nas, source: HotspotSource) => Promise<string[]>;

/** A terminal line (RouterOS 6.49 and 7) that fetches the files into every hotspot folder. */
export function hotspotCommand({ url, names }: HotspotSource): string {
  const list = names.map((name) => `"${name}"`).join(";");
  // RouterOS 7 serves the override of a profile where it has one; 6 knows none, and an element that is not there has no length
  return `:foreach p in=[/ip hotspot profile find] do={ :local a [/ip hotspot profile get $p]; :local d ($a->"html-directory-override"); :if ([:len $d] = 0) do={ :set d ($a->"html-directory") }; :foreach f in={${list}} do={ /tool fetch url=("${url}" . $f) dst-path=($d . "/" . $f) } }`;
}

/** Has a router fetch its hotspot's pages; returns the folders that have them now. Throws `not_found`, and what `send` does. */
export async function sendHotspotPages(
  db: Db,
  by: Actor,
  { nasId, source }: { nasId: number; source: HotspotSource },
  { now, send }: { now: Seconds; send: SendHotspot },
): Promise<string[]> {
  permit(by, "sendHotspotPages");
  requireWholeIsp(by, "routers");
  const router = nasById(db, by.scope, nasId);
  const folders = await send(router, source);
  write(db, (tx) => {
    audit(tx, by, now, {
      action: "nas.hotspot_pages",
      entity: "nas",
      entityId: nasId,
      ispId: router.ispId,
      after: { folders: folders.join(", ") },
    });
  });
  return folders;
}
