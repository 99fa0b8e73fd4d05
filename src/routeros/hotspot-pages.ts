import type { RouterosClient } from "./client.ts";
import { phrase } from "../domain/core/errors/phrase.ts";
import { RouterosError } from "./fault.ts";

/** Milliseconds for one file, which a router on a slow link downloads itself. */
const FILE = 15_000;
const LIST = 5000;

/** Makes a router fetch files from `url` into the folders of all its hotspot profiles, and returns these. Rejects with a RouterosError. */
export async function fetchHotspotPages(
  client: RouterosClient,
  { url, names }: { url: string; names: readonly string[] },
): Promise<string[]> {
  const profiles = await client.command("/ip/hotspot/profile/print", [], LIST);
  const named = profiles.flatMap((row) => row["html-directory-override"] || row["html-directory"] || []);
  const folders = [...new Set(named)];
  for (const folder of folders)
    for (const name of names) await fetchFile(client, `${url}${name}`, `${folder}/${name}`);
  return folders;
}

async function fetchFile(client: RouterosClient, url: string, path: string): Promise<void> {
  const rows = await client.command("/tool/fetch", [`=url=${url}`, `=dst-path=${path}`], FILE);
  // some versions report a failure in a row and end with success
  if (rows.some(({ status }) => status === "failed"))
    throw new RouterosError("trap", phrase`it could not fetch ${url} to ${path}`);
}
