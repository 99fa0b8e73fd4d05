import type { Command } from "commander";
import { onlineSessions } from "../domain/sessions/online.ts";
import type { Cli } from "./cli.ts";
import { printJson, printTable } from "./io.ts";

export function addSessionsCommands(program: Command, cli: Cli): void {
  program
    .command("sessions")
    .description("the accounting sessions")
    .command("list")
    .description("print who is online")
    .option("--json", "print JSON")
    .action(async ({ json }: { json?: boolean }) => {
      const online = await cli.withStore(onlineSessions);
      if (json) return printJson(cli.io, online);
      printTable(
        cli.io,
        ["USERNAME", "ADDRESS", "MAC", "NAS", "SINCE", "UP", "DOWN"],
        online.map((session) => [
          session.username,
          session.ip,
          session.mac,
          session.nas ?? session.nas_ip,
          session.start_time,
          megabytes(session.input_octets),
          megabytes(session.output_octets),
        ]),
      );
    });
}

function megabytes(octets: number): string {
  return `${(octets / 1e6).toFixed(1)} MB`;
}
