import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { MoveListener, MoveProcess, SpawnMove } from "../domain/machine/imports/runs/process.ts";
import type { MoveNotice, MoveOrder } from "../domain/machine/imports/runs/work.ts";

/** The command that the process runs; no help lists it. */
export const MOVING_COMMAND = "bring-in";

/** Memory limit of the process in bytes: together with the server it stays well below the limit of the service unit. */
const MEMORY = 512 * 1024 * 1024;
/** Memory size reported to the garbage collector, so that it frees memory long before that limit. */
const MACHINE = 128 * 1024 * 1024;
/** Milliseconds between two checks of the memory in use. */
const LOOK_EVERY = 50;

/** An order as one line of JSON; flags are a set. */
const packOrder = (order: MoveOrder): string =>
  JSON.stringify({ ...order, by: { ...order.by, flags: [...order.by.flags] } });

export function unpackOrder(line: string): MoveOrder {
  const order = JSON.parse(line) as MoveOrder & { by: { flags: string[] } }; // of this very program
  return { ...order, by: { ...order.by, flags: new Set(order.by.flags) } };
}

/** The command line that starts this program. */
const ownProgram = (): readonly string[] =>
  Bun.isStandaloneExecutable ? [process.execPath] : [process.execPath, join(import.meta.dir, "../main.ts")];

/** Reads and applies imports in processes of their own, each with a memory limit. */
export function movingProcesses(program = ownProgram(), { memory = MEMORY } = {}): SpawnMove {
  return (order, listener) => begin(program, order, listener, memory);
}

function begin(
  program: readonly string[],
  order: MoveOrder,
  listener: MoveListener,
  memory: number,
): MoveProcess {
  let isTooLarge = false;
  const child = Bun.spawn([...program, MOVING_COMMAND], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "ignore",
    // its dates and times are in the server's time zone
    env: {
      NODE_ENV: "production",
      GATEHOUSE_DATA_DIR: order.folder,
      TZ: order.zone,
      BUN_JSC_forceRAMSize: String(MACHINE),
    },
  });
  const watch = setInterval(() => {
    if (readResident(child.pid) <= memory) return;
    isTooLarge = true;
    child.kill("SIGKILL");
  }, LOOK_EVERY);
  const write = (line: string) => {
    try {
      child.stdin.write(`${line}\n`);
      void child.stdin.flush();
    } catch {
      // it has ended, which `ended` says
    }
  };
  write(packOrder(order));
  void hear(child.stdout, listener.notice)
    .catch(() => child.kill("SIGKILL")) // it says what it never does
    .then(() => child.exited)
    .finally(() => {
      clearInterval(watch);
      listener.ended(isTooLarge ? "too_large" : "ended");
    });
  return { stop: () => write("stop"), kill: () => child.kill("SIGKILL") };
}

async function hear(output: ReadableStream<Uint8Array>, notice: (notice: MoveNotice) => void): Promise<void> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of output) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) notice(JSON.parse(line) as MoveNotice); // of this very program
  }
}

/** Resident bytes of a process; 0 when it has ended. */
function readResident(pid: number): number {
  try {
    // VmRSS is in kB whatever the page size; statm counts pages
    const [, kilobytes = 0] = /^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Number(kilobytes) * 1024;
  } catch {
    return 0;
  }
}
