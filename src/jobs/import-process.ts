import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { MoveListener, MoveProcess, SpawnMove } from "../domain/machine/imports/runs/process.ts";
import type { MoveNotice, MoveOrder } from "../domain/machine/imports/runs/work.ts";

/** The command of the process, which no help lists. */
export const MOVING_COMMAND = "bring-in";

/** Bytes that it may have in memory: with the server itself well below what the unit of the service allows. */
const MEMORY = 512 * 1024 * 1024;
/** What it takes the machine to have: so that it lets go of what it needs no more long before that limit. */
const MACHINE = 128 * 1024 * 1024;
/** Milliseconds between two looks at that. */
const LOOK_EVERY = 50;

/** An order as one line of JSON: flags are a set. */
const packOrder = (order: MoveOrder): string =>
  JSON.stringify({ ...order, by: { ...order.by, flags: [...order.by.flags] } });

export function unpackOrder(line: string): MoveOrder {
  const order = JSON.parse(line) as MoveOrder & { by: { flags: string[] } }; // of this very program
  return { ...order, by: { ...order.by, flags: new Set(order.by.flags) } };
}

/** This program, for another process of it. */
const ownProgram = (): readonly string[] =>
  Bun.isStandaloneExecutable ? [process.execPath] : [process.execPath, join(import.meta.dir, "../main.ts")];

/** Reads and brings in what comes from other systems in processes of their own, each with a limit of memory. */
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
    // what it books and writes has the days and times of the server's zone
    env: {
      NODE_ENV: "production",
      GATEHOUSE_DATA_DIR: order.folder,
      TZ: order.zone,
      BUN_JSC_forceRAMSize: String(MACHINE),
    },
  });
  const watch = setInterval(() => {
    if (residentOf(child.pid) <= memory) return;
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

/** Bytes resident of a process; 0 where it has ended. */
function residentOf(pid: number): number {
  try {
    // in kB whatever the kernel's pages are, which statm counts in
    const [, kilobytes = 0] = /^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Number(kilobytes) * 1024;
  } catch {
    return 0;
  }
}
