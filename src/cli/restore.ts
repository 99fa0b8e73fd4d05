import { resolve } from "node:path";
import type { Command } from "commander";
import { restoreBackup, type Restored } from "../domain/machine/backup/restore.ts";
import { formatTime } from "../domain/core/time/time.ts";
import { askPassphrase, passphraseFromStdin } from "./backup-passphrase.ts";
import type { Cli } from "./cli.ts";
import { CommandError, printJson, printLine } from "./io.ts";
import { Progress } from "./progress.ts";
import { listInNats, withBackupFromNats } from "./restore-from-nats.ts";

interface RestoreOptions {
  fromNats?: boolean | string;
  list?: boolean;
  passphraseStdin?: boolean;
  key?: string;
  json?: boolean;
}

export function addRestoreCommand(program: Command, cli: Cli): void {
  program
    .command("restore")
    .description("put a backup in the place of the store; verifies it before, keeps what was there")
    .argument("[file]", "what `gatehouse backup` wrote")
    .option("--from-nats [name]", "fetch the newest, or the one of that name, from nats-server instead")
    .option("--list", "with --from-nats: print which there are, and restore nothing")
    .option("--key <file>", "the secret.key of the backup, where it was kept apart")
    .addOption(passphraseFromStdin())
    .option("--json", "print JSON")
    .action(async (file: string | undefined, options: RestoreOptions) => {
      const { fromNats, list, key: keyFile } = options;
      if ((file === undefined) === (fromNats === undefined))
        throw new CommandError("name the file of a backup, or use --from-nats, and not both");
      if (list && fromNats === undefined) throw new CommandError("--list is for --from-nats alone");
      if (list) return listInNats(cli, options);
      const folder = resolve(cli.config.dataDir);
      const order = { folder, now: cli.now(), passphrase: askOnce(cli, options), keyFile };
      const restore = (from: string) => restoreWithProgress(cli, { ...order, file: resolve(from) });
      const name = typeof fromNats === "string" ? fromNats : undefined;
      const restored =
        file === undefined ? await withBackupFromNats(cli, { name, order }, restore) : await restore(file);
      tell(cli, restored, options);
    });
}

function askOnce({ io }: Cli, { passphraseStdin }: RestoreOptions): () => Promise<string> {
  let answer: Promise<string> | undefined;
  return () => (answer ??= askPassphrase(io, passphraseStdin));
}

function tell(
  { io }: Cli,
  { createdAt, program, replaced, isWaiting }: Restored,
  { json }: RestoreOptions,
): void {
  if (json) return printJson(io, { created_at: formatTime(createdAt), program, replaced });
  printLine(io, `restored the store as of ${formatTime(createdAt)}, written by gatehouse ${program}`);
  if (replaced !== null) printLine(io, `what was there before is in ${replaced}`);
  if (isWaiting)
    printLine(
      io,
      "these books have access boxes: what was done since is put back by `gatehouse box promote`, then `gatehouse recover`; until then nothing is served",
    );
  printLine(io, "now run: gatehouse check");
}

async function restoreWithProgress({ io }: Cli, order: Parameters<typeof restoreBackup>[0]) {
  using progress = new Progress(io);
  return await restoreBackup({ ...order, progress: (step) => progress.step(step) });
}
