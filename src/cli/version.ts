import type { Command } from "commander";
import { version } from "../../package.json";
import { packed } from "../os/packed.ts";
import type { Cli } from "./cli.ts";
import { CommandError, printJson, printLine } from "./io.ts";

declare const GATEHOUSE_COMMIT: string | undefined;

export const commit = typeof GATEHOUSE_COMMIT === "string" ? GATEHOUSE_COMMIT : "unknown";
export { version };

export const program = `${version} (${commit})`;

export function addVersionCommand(gatehouse: Command, { io }: Cli): void {
  gatehouse
    .command("version")
    .description("print the version, the commit and the version of Bun")
    .option("--licenses", "print the notices of what is by others in this program")
    .option("--json", "print JSON")
    .action(({ licenses, json }: { licenses?: boolean; json?: boolean }) => {
      if (licenses) io.stdout.write(notices());
      else if (json) printJson(io, { version, commit, bun: Bun.version });
      else printLine(io, `gatehouse ${version}, commit ${commit}, Bun ${Bun.version}`);
    });
}

export function notices(): string {
  return packed("notices", () => {
    throw new CommandError("only the executable has them; make it with: scripts/build");
  });
}
