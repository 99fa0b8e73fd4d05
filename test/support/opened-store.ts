import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { TemporaryStore } from "./store.ts";

export function openedAsText({ db, folder }: TemporaryStore): string {
  db.$client.run("PRAGMA wal_checkpoint(TRUNCATE)");
  return readFileSync(join(folder, "gatehouse.db")).toString("latin1");
}
