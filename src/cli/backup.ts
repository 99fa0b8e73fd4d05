import { resolve } from "node:path";
import type { Command } from "commander";
import { fileSize, unfinishedFile } from "../domain/core/files/files.ts";
import { storeSeal } from "../domain/machine/backup/stored-seal.ts";
import { type BackupOrder, expectedBytes } from "../domain/machine/backup/write-backup.ts";
import { volume } from "../domain/core/fields/volume.ts";
import { backupInThread } from "../jobs/backup-thread.ts";
import { passphraseFromStdin } from "./backup-passphrase.ts";
import { tryFile } from "./backup-try.ts";
import type { Cli } from "./cli.ts";
import { printJson, printLine } from "./io.ts";
import { Progress } from "./progress.ts";
import { newPassphrase } from "./secrets.ts";
import { program as programName } from "./version.ts";

interface BackupOptions {
  try?: boolean;
  passphrase?: boolean;
  move?: boolean;
  passphraseStdin?: boolean;
  json?: boolean;
}

export function addBackupCommands(program: Command, cli: Cli): void {
  const { io } = cli;
  program
    .command("backup")
    .description(
      "write a consistent, verified copy of the store to one file, while the server runs, or try one",
    )
    .argument("<file>", "must not exist yet; with --try, a backup")
    .option(
      "--try",
      "restore the file aside, look at every byte, check and count what is in it; nothing is changed",
    )
    .option(
      "--passphrase",
      "ask for a passphrase, and put the key under it into the file; with --try, open it so",
    )
    .addOption(passphraseFromStdin())
    .option("--move", "the books go on at another box, within a day: the server has to be stopped, for good")
    .option("--json", "print JSON")
    .action(async (name: string, options: BackupOptions) => {
      if (options.try) return tryFile(cli, name, options);
      const { passphrase: ask, passphraseStdin, move = false, json } = options;
      const passphrase = ask || passphraseStdin ? await newPassphrase(io, passphraseStdin) : undefined;
      const folder = resolve(cli.config.dataDir);
      const order = { folder, file: resolve(name), now: cli.now(), program: programName, passphrase, move };
      const { file, bytes, hasKey } = await backupWithProgress(cli, order);
      if (json) return printJson(io, { file, bytes, has_key: hasKey });
      printLine(io, `${file}: ${volume(bytes)}, verified`);
      if (move)
        printLine(io, "restore it at the other box within a day, and do not start the server here again");
      printLine(
        io,
        hasKey
          ? "the key is in it, under the passphrase; without the passphrase it logs nobody in"
          : `the key is NOT in it: keep a copy of ${folder}/secret.key apart, or use --passphrase`,
      );
    });

  program
    .command("backup-passphrase")
    .description("put the key into every scheduled backup from now on, under a passphrase")
    .addOption(passphraseFromStdin())
    .action(async ({ passphraseStdin }: BackupOptions) => {
      const folder = cli.config.dataDir;
      storeSeal(folder, await newPassphrase(io, passphraseStdin));
      printLine(io, "backups hold the key from now on; write the passphrase down, it is stored nowhere");
    });
}

async function backupWithProgress({ io }: Cli, order: BackupOrder) {
  using progress = new Progress(io);
  const total = expectedBytes(order.folder);
  const unfinished = unfinishedFile(order.file);
  progress.step("copying and verifying", () => (total === 0 ? 0 : fileSize(unfinished) / total));
  return backupInThread(order);
}
