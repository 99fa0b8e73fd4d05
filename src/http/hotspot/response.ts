import type { Db } from "../../../db/open.ts";
import { hotspotFiles } from "./files.ts";

/** The file for routers, not browsers: the variables are not filled in. undefined: no such file. */
export function hotspotResponse(
  db: Db,
  { isp, tag, file }: { isp: string; tag: string; file: string },
): Response | undefined {
  const files = /^\d{1,9}$/.test(isp) ? hotspotFiles(db, { ispId: Number(isp), tag }) : undefined;
  const found = files?.find(({ name }) => name === file);
  if (!found) return undefined;
  return new Response(Buffer.from(found.content), {
    headers: {
      "content-type": "application/octet-stream",
      "content-disposition": `attachment; filename="${found.name}"`,
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
    },
  });
}

/** The folder's URL for routers. */
export function hotspotUrl(origin: string, { ispId, tag }: { ispId: number; tag: string }): string {
  return `${origin}/portal/hotspot/${ispId}/${tag}/`;
}
