import { readFileSync } from "node:fs";
import { type Db, writePatiently } from "../../../../db/open.ts";
import { audit } from "../../core/audit/audit.ts";
import { DomainError, type Faults } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { dataFolderOf, storeFiles } from "../../core/files/files.ts";
import { keyName, sealKeyAside, SHORTEST_PASSPHRASE } from "./sealed-key.ts";
import { writeSeal } from "./stored-seal.ts";

/** Seals the key into all further scheduled backups. The passphrase is not stored. Throws `invalid`. */
export async function setBackupPassphrase(
  db: Db,
  by: Actor,
  { passphrase, again }: { passphrase: string; again: string },
  { now }: { now: Seconds },
): Promise<void> {
  permit(by, "setBackupPassphrase");
  const fields: Faults = {};
  if (passphrase.trim().length < SHORTEST_PASSPHRASE)
    fields["passphrase"] = [
      phrase`must be ${SHORTEST_PASSPHRASE} characters or more, blanks at the ends not counted`,
    ];
  else if (passphrase !== again) fields["again"] = [phrase`is not the same; type what you wrote down`];
  if (Object.keys(fields).length > 0)
    throw new DomainError("invalid", phrase`check the passphrase`, { fields });
  const folder = dataFolderOf(db);
  const key = readFileSync(storeFiles(folder).key, "utf8");
  writeSeal(folder, keyName(key), await sealKeyAside(key, passphrase));
  await writePatiently(db, (tx) =>
    audit(tx, by, now, { action: "backup.passphrase", entity: "backup", entityId: "key", ispId: null }),
  );
}
