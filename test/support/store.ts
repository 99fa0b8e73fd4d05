import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Db, openStore } from "../../db/open.ts";

export const NOW = Date.UTC(2030, 0, 15, 12) / 1000;

/** A migrated, empty store in a folder of its own; gone at the end of `using`. */
export function temporaryStore(): { db: Db; folder: string } & Disposable {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-"));
  const db = openStore(folder, { create: true, now: NOW });
  return {
    db,
    folder,
    [Symbol.dispose]() {
      db.$client.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
