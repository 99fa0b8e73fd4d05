import { Database } from "bun:sqlite";
import { chmodSync, copyFileSync, existsSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { makeFolder, sync } from "../../../../db/durable.ts";
import { pendingMigrations } from "../../../../db/migrate.ts";
import { claimServing } from "../../../../db/serving.ts";
import { isLocked } from "../../../../db/sqlite-error.ts";
import { readKey } from "../../../../db/vault.ts";
import { checkKey } from "../check/check.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase, verbatim } from "../../core/errors/phrase.ts";
import { removeChecksum } from "./checksum.ts";
import { beginBooks } from "./begin-books.ts";
import { continueEvents } from "./continue-events.ts";
import { continueNumbers } from "./continue-numbers.ts";
import { takeHandedOver } from "./handed-over.ts";
import {
  fileSize,
  keepOld,
  requireSpace,
  storeFiles,
  unfinishedFile,
  writePrivate,
} from "../../core/files/files.ts";
import { inspectCopy } from "./inspect.ts";
import { type Label, removeLabel } from "./label.ts";
import { keyName, unsealKey } from "./sealed-key.ts";
import { waitForRecovery } from "./wait-recovery.ts";
import { writeSeal } from "./stored-seal.ts";

export interface RestoreOrder {
  readonly folder: string;
  readonly file: string;
  readonly now: number;
  /** Asked for where only the backup has the key. */
  readonly passphrase: () => Promise<string>;
  /** A key file that was kept apart. */
  readonly keyFile?: string | undefined;
  /** Called with each step that begins. */
  readonly progress?: (step: string) => void;
}

export interface Restored {
  readonly createdAt: number;
  readonly program: string;
  /** Where the former store went; null: there was none. */
  readonly replaced: string | null;
  /** With access boxes nothing is served before recovery or its refusal. */
  readonly isWaiting: boolean;
}

/**
 * Restores a backup. It is verified beside the store before anything is touched; the former store is set aside. Throws
 * `refused` while the store is in use, and for a bad backup.
 */
export async function restoreBackup(order: RestoreOrder): Promise<Restored> {
  const { folder, file, progress = () => {} } = order;
  if (!existsSync(file))
    throw new DomainError(
      "not_found",
      phrase`there is no file ${file} that whoever runs this may see (an installed gatehouse runs as the user gatehouse); check the path and who owns it`,
    );
  if (statSync(file).isDirectory())
    throw new DomainError(
      "refused",
      phrase`${file} is a folder; name a file that \`gatehouse backup\` wrote`,
    );
  makeFolder(folder);
  const incoming = unfinishedFile(storeFiles(folder).database);
  requireSpace(folder, fileSize(file));
  try {
    progress("copying");
    rmSync(incoming, { force: true });
    copyFileSync(file, incoming);
    chmodSync(incoming, 0o600);
    progress("verifying");
    const label = inspectCopy(incoming);
    const key = await findKey(order, label);
    verify(incoming, key);
    if (label.hasChecksum) removeChecksum(incoming);
    removeLabel(incoming);
    sync(incoming);
    progress("replacing");
    return replace(order, { incoming, key, label });
  } finally {
    rmSync(incoming, { force: true });
  }
}

/** The key from the folder, a key file, or the backup. Throws `refused`. */
export async function findKey(
  { folder, keyFile, passphrase }: Omit<RestoreOrder, "file">,
  label: Pick<Label, "keyName" | "keySealed">,
): Promise<string> {
  if (keyFile !== undefined) {
    const key = readFileSync(keyFile, "utf8");
    if (keyName(key) === label.keyName) return key;
    throw new DomainError(
      "refused",
      phrase`${keyFile} is not the key of this backup; look for another secret.key`,
    );
  }
  const { key: file } = storeFiles(folder);
  const present = existsSync(file) ? readFileSync(file, "utf8") : undefined;
  if (present !== undefined && keyName(present) === label.keyName) return present;
  if (!label.keySealed)
    throw new DomainError(
      "refused",
      phrase`this backup does not hold its key, and the key is not here; name the secret.key that was kept apart with --key`,
    );
  return unsealKey(label.keySealed, await passphrase());
}

/** A known version, and the key fits. */
function verify(copy: string, key: string): void {
  const keyFile = `${copy}.key`;
  rmSync(keyFile, { force: true });
  writePrivate(keyFile, key);
  using client = new Database(copy, { readonly: true, strict: true });
  try {
    pendingMigrations(client);
    const { severity, message } = checkKey({ $client: client, vault: readKey(keyFile) });
    if (severity !== "ok") throw new DomainError("refused", verbatim(message));
  } finally {
    rmSync(keyFile, { force: true });
  }
}

/** The short, last step: one rename. A second run completes an interrupted one. */
function replace(
  { folder, now }: RestoreOrder,
  { incoming, key, label }: { incoming: string; key: string; label: Label },
): Restored {
  const files = storeFiles(folder);
  const { createdAt, program } = label;
  const isThere = existsSync(files.database);
  using claimed = claimServing(folder); // a server that serves a damaged database
  using held = isThere ? holdAlone(files.database) : undefined;
  // of an unreadable store nobody knows what was booked
  const isHandedOver = takeHandedOver(incoming, now) && (!isThere || held !== undefined);
  const isWaiting = waitForRecovery(incoming, now);
  if (!isWaiting) {
    continueNumbers(incoming, { replaced: held, folder, now, isHandedOver });
    continueEvents(incoming, { replaced: held });
  }
  beginBooks(incoming);
  sync(incoming);
  const replaced = isThere || existsSync(files.key) ? keepOld(folder, now) : null;
  // journals of a damaged store that could not be checkpointed
  for (const end of ["-shm", "-wal"]) rmSync(`${files.database}${end}`, { force: true });
  const incomingKey = unfinishedFile(files.key);
  rmSync(incomingKey, { force: true });
  writePrivate(incomingKey, key);
  renameSync(incomingKey, files.key);
  sync(folder); // the old log must not come back beside the new database
  renameSync(incoming, files.database);
  if (label.keySealed) writeSeal(folder, label.keyName, label.keySealed);
  sync(folder);
  void [held, claimed]; // the locks last until here; one is on the old file
  return { createdAt, program, replaced, isWaiting };
}

/** An exclusive lock; none for a damaged store. */
function holdAlone(database: string): Database | undefined {
  const client = new Database(database, { readwrite: true, strict: true });
  try {
    client.run("PRAGMA locking_mode = EXCLUSIVE");
    client.run("BEGIN EXCLUSIVE");
    client.run("COMMIT"); // the lock stays
    rmSync(`${database}-shm`, { force: true }); // before the log, as SQLite does
    client.run("PRAGMA journal_mode = DELETE"); // brings everything into the one file
    client.run("BEGIN EXCLUSIVE");
    return client;
  } catch (error) {
    client.close();
    if (isLocked(error))
      throw new DomainError(
        "refused",
        phrase`a server or another command works on this data folder; stop it first: systemctl stop gatehouse`,
      );
    return undefined;
  }
}
