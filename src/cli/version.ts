import type { Command } from "commander";
import { version } from "../../package.json";
import type { Cli } from "./cli.ts";
import { CommandError, printJson, printLine } from "./io.ts";

declare const GATEHOUSE_COMMIT: string | undefined;

/** The commit that scripts/build embedded. */
export const commit = typeof GATEHOUSE_COMMIT === "string" ? GATEHOUSE_COMMIT : "unknown";
export { version };
const NOTICES = "THIRD-PARTY-NOTICES";

/** How this program is named in what it writes. */
export const program = `${version} (${commit})`;

export function addVersionCommand(gatehouse: Command, { io }: Cli): void {
  gatehouse
    .command("version")
    .description("print the version, the commit and the version of Bun")
    .option("--licenses", "print the notices of what is by others in this program")
    .option("--json", "print JSON")
    .action(async ({ licenses, json }: { licenses?: boolean; json?: boolean }) => {
      if (licenses) io.stdout.write(await notices());
      else if (json) printJson(io, { version, commit, bun: Bun.version });
      else printLine(io, `gatehouse ${version}, commit ${commit}, Bun ${Bun.version}`);
    });
}

/** What scripts/build has embedded. Throws CommandError where nothing is. */
export async function notices(): Promise<string> {
  const file = Bun.embeddedFiles.find((blob) => "name" in blob && String(blob.name).endsWith(NOTICES));
  if (!file) throw new CommandError("only the executable has them; make it with: scripts/build");
  return file.text();
}
