import { rm } from "node:fs/promises";
import { withDescendants } from "./processes.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** Milliseconds between two looks whether what was begun has ended, and looks before it is ended for good. */
const LOOK = 100;
const PATIENT_LOOKS = 30;

/** Until the program ends: whatever signal ends it, the processes that it began end first, and its folder goes with them. */
export function endWithAll(folder: string): { readonly isEnding: () => boolean } {
  let ending: Promise<void> | undefined;
  for (const signal of SIGNALS)
    process.on(signal, () => {
      ending ??= endAll(folder).finally(() => {
        process.removeAllListeners(signal);
        process.kill(process.pid, signal);
      });
    });
  return { isEnding: () => ending !== undefined };
}

async function endAll(folder: string): Promise<void> {
  for (let looks = 0; ; looks++) {
    // what is measured at this moment may begin another one
    const begun = withDescendants([process.pid]).filter((pid) => pid !== process.pid);
    if (begun.length === 0) break;
    for (const pid of begun) kill(pid, looks < PATIENT_LOOKS ? "SIGTERM" : "SIGKILL");
    await Bun.sleep(LOOK);
  }
  await rm(folder, { recursive: true, force: true });
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // it has ended by itself
  }
}

/** A command that is killed when this program is: SIGKILL says nothing to it. */
export function mortal(command: readonly string[]): string[] {
  return Bun.which("setpriv") ? ["setpriv", "--pdeathsig", "KILL", ...command] : [...command];
}
