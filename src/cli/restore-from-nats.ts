import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import type { NatsConnection } from "@nats-io/transport-node";
import { makeFolder } from "../../db/durable.ts";
import { findKey, type RestoreOrder } from "../domain/backup/restore.ts";
import { copyKeyOf } from "../domain/backup/sealed-copy.ts";
import { formatTime } from "../domain/time.ts";
import { volume } from "../domain/volume.ts";
import type { StoredBackup } from "../nats/backup-store.ts";
import type { Cli } from "./cli.ts";
import { CommandError, printJson, printLine, printTable } from "./io.ts";

/** Milliseconds between two tries to be let in, while somebody writes our line into nats-server.conf. */
const TRY_AGAIN = 2000;

/** Prints what backups the object store of nats-server has. */
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
  });
}

/** Hands a backup of the object store, the newest or the one of that name, to `body` as a file, which is gone afterwards. */
export async function withBackupOfNats<T>(
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
      const key = copyKeyOf(await findKey(order, chosen));
      makeFolder(folder);
      rmSync(file, { force: true }); // of a command that was killed
      await fetchBackup(nc, { name: chosen.name, key, to: file });
    });
    return await body(file);
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

/** Signs in with a key of its own for this once: what the lost machine signed in with is lost, too. */
async function withReader<T>({ config, io }: Cli, body: (nc: NatsConnection) => Promise<T>): Promise<T> {
  if (config.nats === null)
    throw new CommandError(
      "GATEHOUSE_NATS_URL is empty; set it, and GATEHOUSE_NATS_CA, in gatehouse.env as on the machine that was lost",
    );
  const { makeNkey } = await import("../nats/nkeys.ts");
  const { connectOnce } = await import("../nats/connection.ts");
  const { RESTORE_INBOX } = await import("../nats/subjects.ts");
  const { readerOf } = await import("../nats/server-config.ts");
  const { publicKey, seed } = makeNkey();
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
    printLine({ ...io, stdout: io.stderr }, readerOf(publicKey));
    io.stderr.write("waiting until it lets this machine in; take the line out again afterwards\n");
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
