import type { Command } from "commander";
import { nasNamed } from "../domain/goods/nas/nas.ts";
import { testNas, type TestStep } from "../domain/goods/nas/test.ts";
import type { Cli } from "./cli.ts";
import { printState } from "./cells.ts";
import { CommandError, printJson } from "./io.ts";
import { nasTools } from "./nas-tools.ts";

export function addNasTest(nas: Command, cli: Cli): void {
  nas
    .command("test")
    .description(
      "ask a router for what a disconnect needs, and print the RouterOS command that adds what is missing",
    )
    .argument("<nas>", "its name, address or id")
    .option("--address <address>", "the router to ask, where the NAS is a network")
    .option("--json", "print JSON")
    .action(async (named: string, { address, json }: { address?: string; json?: boolean }) => {
      const findings = await cli.withStore(async (db) => {
        const { id: nasId } = nasNamed(db, cli.by, named);
        const { ask } = nasTools(db, { config: cli.config, clock: cli.now });
        return testNas(db, cli.by, { nasId, address }, { ask });
      });
      // mend is the name that remedy had in 0.1, for programs that read it; it goes after 0.2
      if (json)
        printJson(
          cli.io,
          findings.map((finding) => ({ ...finding, mend: finding.remedy })),
        );
      else for (const finding of findings) printState(cli.io, finding.status, 7, stepText(finding));
      const failed = findings.filter(({ status }) => status === "failed").map(({ check }) => check);
      if (failed.length > 0) throw new CommandError(`${named} failed: ${failed.join(", ")}`);
    });
}

function stepText({ check, detail, remedy }: TestStep): string {
  const line = `${check.padEnd(11)}  ${detail}`;
  return remedy === null ? line : `${line}; remedy: ${remedy}`;
}
