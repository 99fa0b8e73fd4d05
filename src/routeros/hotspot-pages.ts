import type { RouterosClient } from "./client.ts";

/** Milliseconds for one file, which a router on a thin link takes over its own connection. */
const FILE = 15_000;
const LIST = 5000;

/**
 * Has a router fetch files from `url` into every folder that the profiles of its hotspots name, and returns these. Rejects with a
 * RouterosError.
 */
export async function fetchHotspotPages(
  client: RouterosClient,
  { url, names }: { url: string; names: readonly string[] },
): Promise<string[]> {
  const profiles = await client.command("/ip/hotspot/profile/print", [], LIST);
  const named = profiles.flatMap((row) => row["html-directory-override"] || row["html-directory"] || []);
  const folders = [...new Set(named)];
  for (const folder of folders)
    for (const name of names)
      await client.command("/tool/fetch", [`=url=${url}${name}`, `=dst-path=${folder}/${name}`], FILE);
  return folders;
}
