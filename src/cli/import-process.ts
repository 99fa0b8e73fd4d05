import type { Command } from "commander";
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { doMove } from "../domain/machine/imports/runs/work.ts";
import { MOVING_COMMAND, unpackOrder } from "../jobs/import-process.ts";
import type { Cli } from "./cli.ts";

/** The server starts this for an upload: the order is a line of standard input, the progress lines of standard output. */
export function addImportProcess(program: Command, cli: Cli): void {
  program.command(MOVING_COMMAND, { hidden: true }).action(async () => {
    // where memory runs out it is this process that ends, and not the one that lets people in
    try {
      writeFileSync("/proc/self/oom_score_adj", "1000");
    } catch {
      // not every kernel has it
    }
    let isStopped = false;
    const lines = createInterface({ input: process.stdin });
    const { promise, resolve } = Promise.withResolvers<string>();
    lines.once("line", (order) => {
      resolve(order);
      lines.once("line", () => (isStopped = true));
    });
    lines.once("close", () => {
      isStopped = true; // the server has ended
      resolve("");
    });
    const order = await promise;
    if (order === "") return;
    await doMove(unpackOrder(order), (notice) => cli.io.stdout.write(`${JSON.stringify(notice)}\n`), {
      isStopped: () => isStopped,
    });
    lines.close();
    process.stdin.destroy();
  });
}
