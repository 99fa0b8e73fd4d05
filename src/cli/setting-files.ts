import { setTimeout as pause } from "node:timers/promises";
import { lastOutcome } from "../domain/machine/backup/folder.ts";
import type { Seconds } from "../domain/core/time/time.ts";
import { isServing } from "./check.ts";
import type { Cli } from "./cli.ts";
import { CommandError } from "./io.ts";

/** Milliseconds for the running server, which looks at the backup folder every second, to try it. */
const ANSWER_TIMEOUT = 10_000;

/** Waits for a running server to try a new backup folder: its unit may write to fewer places than this command. */
export async function awaitTry(
  { config, io }: Cli,
  { key, value, since }: { key: string; value: unknown; since: Seconds },
): Promise<void> {
  if (key !== "backup_folder" || value === "") return;
  if (!(await isServing(config))) {
    io.stderr.write("gatehouse: the service tries it when it starts: gatehouse check\n");
    return;
  }
  const fault = await awaitFault(config.dataDir, value, since);
  if (fault === undefined)
    throw new CommandError("backup_folder is set, but the server has not tried it yet; see: gatehouse check");
  if (fault !== null) throw new CommandError(`backup_folder is set, but no backup can be made: ${fault}`);
}

/** The fault of that try; undefined where the server does not try. */
async function awaitFault(
  dataDir: string,
  folder: unknown,
  since: Seconds,
): Promise<string | null | undefined> {
  const end = performance.now() + ANSWER_TIMEOUT;
  let fault: string | null | undefined;
  while (performance.now() < end) {
    const tried = lastOutcome(dataDir);
    if (tried && tried.folder === folder) {
      fault = tried.fault;
      if (fault === null || tried.at >= since) return fault;
    }
    await pause(50);
  }
  return fault;
}
