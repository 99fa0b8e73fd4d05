import { setTimeout as pause } from "node:timers/promises";
import { lastOutcome } from "../domain/machine/backup/folder.ts";
import type { Seconds } from "../domain/core/time/time.ts";
import { isServing } from "./check.ts";
import type { Cli } from "./cli.ts";
import { CommandError } from "./io.ts";

/** Milliseconds that a running server has to try the folder of the backups: it looks every second, again every five. */
const ANSWER_TIMEOUT = 10_000;

/** What a running server, whose unit lets it write to fewer places than this command, says to a folder that was set. */
export async function awaitTry(
  { config, io }: Cli,
  { key, value, since }: { key: string; value: unknown; since: Seconds },
): Promise<void> {
  if (key !== "backup_folder" || value === "") return;
  if (!(await isServing(config))) {
    io.stderr.write("gatehouse: the service tries it when it starts: gatehouse check\n");
    return;
  }
  const fault = await faultOf(config.dataDir, value, since);
  if (fault === undefined)
    throw new CommandError("backup_folder is set, but the server has not tried it yet; see: gatehouse check");
  if (fault !== null) throw new CommandError(`backup_folder is set, but no backup can be made: ${fault}`);
}

/** What came of the server's try; a fault that it found before may be gone. Undefined where it does not try. */
async function faultOf(dataDir: string, folder: unknown, since: Seconds): Promise<string | null | undefined> {
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
