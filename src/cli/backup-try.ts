import { existsSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { storeFiles } from "../domain/core/files/files.ts";
import { backupFolder } from "../domain/machine/backup/schedule.ts";
import type { Counted, Trial } from "../domain/machine/backup/trial.ts";
import { storeTrial } from "../domain/machine/backup/trial-records.ts";
import { formatAmount } from "../domain/core/amounts/money.ts";
import { formatTime } from "../domain/core/time/time.ts";
import { trialInThread } from "../jobs/backup-thread.ts";
import { askPassphrase } from "./backup-passphrase.ts";
import type { Cli } from "./cli.ts";
import { CommandError, printJson, printLine, printTable } from "./io.ts";
import { Progress } from "./progress.ts";

interface TryOptions {
  passphrase?: boolean | undefined;
  passphraseStdin?: boolean | undefined;
  json?: boolean | undefined;
}

/** Restores a backup aside, and says whether it is whole and what is in it. Fails where it cannot be restored, or something in it is wrong. */
export async function tryFile(
  cli: Cli,
  name: string,
  { passphrase: ask, passphraseStdin, json }: TryOptions,
): Promise<void> {
  const { io } = cli;
  const folder = resolve(cli.config.dataDir);
  if (!existsSync(storeFiles(folder).database))
    throw new CommandError(
      `there is no store in ${folder} beside which to try it; gatehouse restore looks at all of it before it puts it there`,
    );
  const file = resolve(name);
  if (!existsSync(file)) throw new CommandError(`there is no file ${file}; check the path`);
  const passphrase = ask || passphraseStdin ? await askPassphrase(io, passphraseStdin) : undefined;
  const trial = await tryWithProgress(cli, { folder, file, now: cli.now(), passphrase });
  const { createdAt, program, restored, live, paymentsSince, faults } = trial;
  await noteProof(cli, folder, file, { trial, byPassphrase: passphrase !== undefined });
  if (json)
    printJson(io, {
      file,
      created_at: formatTime(createdAt),
      program,
      restored,
      live,
      payments_since: paymentsSince,
      faults,
    });
  else {
    printLine(io, `${file}: as of ${formatTime(createdAt)}, written by gatehouse ${program}`);
    printTable(io, ["", "in it", "here now"], compareRows(restored, live));
    if (paymentsSince > 0) printLine(io, `payments taken since, which are not in it: ${paymentsSince}`);
    for (const fault of faults) printLine(io, `wrong in it: ${fault}`);
  }
  if (faults.length > 0)
    throw new CommandError("what it holds can be restored, and is not right; take another one");
  if (!json) printLine(io, "it can be restored: every byte is as it was written, and its sums are right");
}

async function tryWithProgress({ io }: Cli, order: Parameters<typeof trialInThread>[0]): Promise<Trial> {
  using progress = new Progress(io);
  return await trialInThread(order, { step: (step) => progress.step(step) });
}

/** One of the scheduled backups counts as proven, or not, as one that the console tried. */
async function noteProof(
  cli: Cli,
  folder: string,
  file: string,
  { trial: { createdAt, faults }, byPassphrase }: { trial: Trial; byPassphrase: boolean },
): Promise<void> {
  const scheduled = await cli.readStore((db) => backupFolder(db, folder));
  if (dirname(file) !== resolve(scheduled)) return;
  storeTrial(folder, {
    name: basename(file),
    createdAt,
    at: cli.now(),
    fault: faults[0] ?? null,
    byPassphrase,
  });
}

function compareRows(restored: Counted, live: Counted): [string, number | string, number | string][] {
  const currencies = [...restored.balances, ...live.balances].map(({ currency }) => currency);
  const amountIn = ({ balances }: Counted, of: string) =>
    formatAmount(balances.find(({ currency }) => currency === of)?.amount ?? 0);
  return [
    ["subscribers", restored.subscribers, live.subscribers],
    ["payments", restored.payments, live.payments],
    ["invoices", restored.invoices, live.invoices],
    ["ledger entries", restored.entries, live.entries],
    ...[...new Set(currencies)].map((currency): [string, string, string] => [
      `balances, ${currency}`,
      amountIn(restored, currency),
      amountIn(live, currency),
    ]),
  ];
}
