import { resolve } from "node:path";
import type { Command } from "commander";
import { restoreBackup } from "../domain/backup/restore.ts";
import { formatTime } from "../domain/time.ts";
import { passphraseFromStdin } from "./backup.ts";
import type { Cli } from "./cli.ts";
import { printJson, printLine } from "./io.ts";
import { Progress } from "./progress.ts";
import { askSecrets, readSecretFromStdin } from "./secrets.ts";

interface RestoreOptions {
  passphraseStdin?: boolean;
  key?: string;
  json?: boolean;
}

export function addRestoreCommand(program: Command, cli: Cli): void {
  const { io } = cli;
  program
    .command("restore")
    .description("put a backup in the place of the store; verifies it before, keeps what was there")
    .argument("<file>", "what `gatehouse backup` wrote")
    .option("--key <file>", "the secret.key of the backup, where it was kept apart")
    .addOption(passphraseFromStdin())
    .option("--json", "print JSON")
    .action(async (file: string, { passphraseStdin, key, json }: RestoreOptions) => {
      const passphrase = async () => {
        if (passphraseStdin) return readSecretFromStdin(io, "passphrase");
        const [typed = ""] = await askSecrets(io, ["Passphrase of the backup: "], "--passphrase-stdin");
        return typed;
      };
      const { createdAt, program, replaced, isWaiting } = await restoreWithProgress(cli, {
        folder: resolve(cli.config.dataDir),
        file: resolve(file),
        now: cli.now(),
        passphrase,
        keyFile: key,
      });
      if (json) return printJson(io, { created_at: formatTime(createdAt), program, replaced });
      printLine(io, `restored the store as of ${formatTime(createdAt)}, written by gatehouse ${program}`);
      if (replaced !== null) printLine(io, `what was there before is in ${replaced}`);
      if (isWaiting)
        printLine(
          io,
          "these books have access boxes: what was done since is put back by `gatehouse box promote`, then `gatehouse recover`; until then nothing is served",
        );
      printLine(io, "now run: gatehouse check");
    });
}

async function restoreWithProgress({ io }: Cli, order: Parameters<typeof restoreBackup>[0]) {
  using progress = new Progress(io);
  return await restoreBackup({ ...order, progress: (step) => progress.step(step) });
}
