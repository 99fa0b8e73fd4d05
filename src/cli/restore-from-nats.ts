import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { NatsConnection } from "@nats-io/transport-node";
import { makeFolder } from "../../db/durable.ts";
import { findKey, type RestoreOrder } from "../domain/machine/backup/restore.ts";
import type { Nkey } from "../domain/machine/access-boxes/boxes.ts";
import { deriveCopyKey } from "../domain/machine/backup/sealed-copy.ts";
import { formatTime } from "../domain/core/time/time.ts";
import { volume } from "../domain/core/fields/volume.ts";
import type { StoredBackup } from "../nats/backup-store.ts";
import type { Cli } from "./cli.ts";
import { CommandError, printJson, printLine, printTable } from "./io.ts";

/** Milliseconds between two tries to be let in, while somebody writes our line into nats-server.conf. */
const TRY_AGAIN = 2000;

export async function listInNats(cli: Cli, { json }: { json?: boolean | undefined }): Promise<void> {
  await withReader(cli, async (nc) => {
    const { storedBackups } = await import("../nats/backup-store.ts");
    const backups = await storedBackups(nc);
    if (json)
      return printJson(
        cli.io,
        backups.map(({ name, createdAt, bytes, program, keySealed }) => {
          return { name, created_at: formatTime(createdAt), bytes, program, has_key: keySealed !== null };
        }),
      );
    printTable(
      cli.io,
      ["name", "as of", "size", "written by", "key"],
      backups.map(({ name, createdAt, bytes, program, keySealed }) => [
        name,
        formatTime(createdAt),
        volume(bytes),
        program,
        keySealed === null ? "kept apart" : "in it, under the passphrase",
      ]),
    );
    const [newest] = backups;
    if (newest)
      printLine(
        cli.io,
        `to put the newest in place: gatehouse restore --from-nats; another one by its name: gatehouse restore --from-nats ${newest.name}. nats-server lets this machine in as it did now`,
      );
  });
}

/** Hands a backup of the object store to `body` as a temporary file: the named one, else the newest. */
export async function withBackupFromNats<T>(
  cli: Cli,
  { name, order }: { name: string | undefined; order: Omit<RestoreOrder, "file"> },
  body: (file: string) => Promise<T>,
): Promise<T> {
  const folder = resolve(cli.config.dataDir);
  const file = join(folder, "backup-from-nats.db");
  try {
    await withReader(cli, async (nc) => {
      const { fetchBackup, storedBackups } = await import("../nats/backup-store.ts");
      const chosen = choose(await storedBackups(nc), name);
      const { createdAt, bytes, program } = chosen;
      cli.io.stderr.write(
        `fetching ${chosen.name}, as of ${formatTime(createdAt)}, ${volume(bytes)}, written by gatehouse ${program}\n`,
      );
      const key = deriveCopyKey(await findKey(order, chosen));
      makeFolder(folder);
      rmSync(file, { force: true }); // of a command that was killed
      await fetchBackup(nc, { ...chosen, key, to: file });
    });
    const done = await body(file);
    if (existsSync(nkeyFile(cli))) {
      rmSync(nkeyFile(cli));
      cli.io.stderr.write(
        "take this machine's line out of /etc/nats-server.conf again, and run there: systemctl reload nats-server\n",
      );
    }
    return done;
  } finally {
    rmSync(file, { force: true });
  }
}

function choose(backups: readonly StoredBackup[], name: string | undefined): StoredBackup {
  const [newest] = backups;
  if (!newest)
    throw new CommandError(
      "nats-server has no backup: they are put there where the setting backup_to_nats is on; take one from a file",
    );
  const chosen = name === undefined ? newest : backups.find((one) => one.name === name);
  if (chosen) return chosen;
  throw new CommandError(
    `nats-server has no backup ${name}; there are ${backups.map((one) => one.name).join(", ")}`,
  );
}

const nkeyFile = (cli: Cli) => join(resolve(cli.config.dataDir), "restore-from-nats.nkey");

/** The nkey of this machine until it has restored one; nats-server.conf has its line from the first run on. */
async function keptNkey(cli: Cli): Promise<Nkey> {
  const { makeNkey, publicKeyOf } = await import("../nats/nkeys.ts");
  const file = nkeyFile(cli);
  const kept = existsSync(file) ? readFileSync(file, "utf8").trim() : "";
  if (kept !== "") return { publicKey: publicKeyOf(kept), seed: kept };
  const made = makeNkey();
  makeFolder(resolve(cli.config.dataDir));
  writeFileSync(file, `${made.seed}\n`, { mode: 0o600, flush: true });
  return made;
}

/** Signs in with a new key, for the lost machine's is lost too. */
async function withReader<T>(cli: Cli, body: (nc: NatsConnection) => Promise<T>): Promise<T> {
  const { config, io } = cli;
  if (config.nats === null)
    throw new CommandError(
      "GATEHOUSE_NATS_URL is empty; set it, and GATEHOUSE_NATS_CA, in gatehouse.env as on the machine that was lost",
    );
  const { connectOnce } = await import("../nats/connection.ts");
  const { RESTORE_INBOX } = await import("../nats/subjects.ts");
  const { readerUser } = await import("../nats/server-config.ts");
  const { publicKey, seed } = await keptNkey(cli);
  const options = { ...config.nats, seed, name: "gatehouse restore" };
  const tryOnce = () =>
    connectOnce(options, RESTORE_INBOX).catch((cause: unknown) => {
      if (cause instanceof Error && cause.name === "AuthorizationError") return undefined;
      throw new CommandError(
        `nats-server cannot be reached at ${options.url} (${cause instanceof Error ? cause.message : String(cause)}); start it, and try again`,
      );
    });
  let nc = await tryOnce();
  if (!nc) {
    io.stderr.write(
      `on the machine of nats-server, add this line to the users in /etc/nats-server.conf, and run: systemctl reload nats-server\n`,
    );
    printLine({ ...io, stdout: io.stderr }, readerUser(publicKey));
    io.stderr.write("waiting until it lets this machine in; after the restore the line is taken out again\n");
  }
  while (!nc) {
    await Bun.sleep(TRY_AGAIN);
    nc = await tryOnce();
  }
  try {
    return await body(nc);
  } finally {
    await nc.close();
  }
}
