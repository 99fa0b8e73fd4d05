import type { Command } from "commander";
import { version } from "../../package.json";
import type { Cli } from "./cli.ts";
import { printJson, printLine } from "./io.ts";

declare const GATEHOUSE_COMMIT: string | undefined;

/** The commit that scripts/build embedded. */
export const commit = typeof GATEHOUSE_COMMIT === "string" ? GATEHOUSE_COMMIT : "unknown";
export { version };
/** How this program is named in what it writes. */
export const program = `${version} (${commit})`;

export function addVersionCommand(gatehouse: Command, { io }: Cli): void {
  gatehouse
    .command("version")
    .description("print the version, the commit and the version of Bun")
    .option("--json", "print JSON")
    .action(({ json }: { json?: boolean }) => {
      if (json) printJson(io, { version, commit, bun: Bun.version });
      else printLine(io, `gatehouse ${version}, commit ${commit}, Bun ${Bun.version}`);
    });
}
