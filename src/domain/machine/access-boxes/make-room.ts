import { existsSync, rmSync } from "node:fs";
import { openReadOnly } from "../../../../db/read-only.ts";
import { claimServing } from "../../../../db/serving.ts";
import { keepOld, storeFiles } from "../../core/files/files.ts";
import type { Seconds } from "../../core/time/time.ts";

/**
 * Moves a store with nothing but its first Admin to `replaced-...`, whose name it returns, so that a box can join there.
 * Undefined without a store, or with one that has more. Throws `refused` while a server runs.
 */
export function makeRoom(folder: string, now: Seconds): string | undefined {
  const files = storeFiles(folder);
  if (!existsSync(files.database) || !hasOnlyFirstAdmin(folder)) return undefined;
  using claimed = claimServing(folder);
  const kept = keepOld(folder, now);
  for (const file of [
    `${files.database}-shm`,
    `${files.database}-wal`,
    files.database,
    files.key,
    files.sealedKey,
  ])
    rmSync(file, { force: true });
  void claimed; // the lock lasts until here
  return kept;
}

function hasOnlyFirstAdmin(folder: string): boolean {
  const { $client } = openReadOnly(folder);
  try {
    const count = (text: string) => $client.query<{ n: number }, []>(`SELECT ${text} AS n`).get()?.n ?? 0;
    return (
      count("(SELECT count(*) FROM staff)") === 1 &&
      count("EXISTS (SELECT 1 FROM isps) OR EXISTS (SELECT 1 FROM access_boxes)") === 0
    );
  } finally {
    $client.close();
  }
}
