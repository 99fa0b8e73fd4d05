import { Command, CommanderError } from "commander";
import { ConfigError } from "../config/config.ts";
import type { Environment } from "../config/env.ts";
import { DomainError } from "../domain/errors.ts";
import { addBackupCommands } from "./backup.ts";
import { addCheckCommand } from "./check.ts";
import { Cli } from "./cli.ts";
import { addDataSetCommands } from "./data-set.ts";
import { addInitCommand } from "./init.ts";
import { addNasCommands } from "./nas.ts";
import { addRestoreCommand } from "./restore.ts";
import { addServeCommand } from "./serve-command.ts";
import { addRadtestCommand } from "./radtest.ts";
import { addSessionsCommands } from "./sessions.ts";
import { addSettingsCommands } from "./settings.ts";
import { addStaffCommands } from "./staff.ts";
import { addSubscriberCommands } from "./subscriber.ts";
import { addTlsCommands } from "./tls.ts";
import { addVersionCommand } from "./version.ts";
import { addWhyCommand } from "./why.ts";
import type { Io } from "./io.ts";

/** Exit codes (appliance.md, Command line). */
const FAILED = 1;
const WRONG_USAGE = 2;

/** Runs one command and returns its exit code: 0 done, 1 failed, 2 wrong usage. */
export async function run(argv: readonly string[], env: Environment, io: Io): Promise<number> {
  try {
    await program(new Cli(env, io)).parseAsync([...argv], { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_USAGE; // commander has said why
    for (const line of explain(error)) io.stderr.write(`gatehouse: ${line}\n`);
    if (env["GATEHOUSE_LOG_LEVEL"] === "debug" && error instanceof Error)
      io.stderr.write(`${error.stack ?? ""}\n`);
    return FAILED;
  }
}

function program(cli: Cli): Command {
  const { stdout, stderr } = cli.io;
  const gatehouse = new Command("gatehouse")
    .description("Subscribers, billing and RADIUS of a small internet service provider")
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      outputError: (text, writeError) =>
        writeError(
          `gatehouse: ${text
            .trim()
            .replace(/^error: /, "")
            .replace(/\n+/g, " ")}; see --help\n`,
        ),
      getOutHelpWidth: () => 100,
      getErrHelpWidth: () => 100,
    });
  addServeCommand(gatehouse, cli);
  addInitCommand(gatehouse, cli);
  addDataSetCommands(gatehouse, cli);
  addStaffCommands(gatehouse, cli);
  addNasCommands(gatehouse, cli);
  addSubscriberCommands(gatehouse, cli);
  addSessionsCommands(gatehouse, cli);
  addWhyCommand(gatehouse, cli);
  addRadtestCommand(gatehouse, cli);
  addSettingsCommands(gatehouse, cli);
  addBackupCommands(gatehouse, cli);
  addRestoreCommand(gatehouse, cli);
  addTlsCommands(gatehouse, cli);
  addCheckCommand(gatehouse, cli);
  addVersionCommand(gatehouse, cli);
  return gatehouse;
}

/** One line that says what and what to do; one per fault where a configuration or a file has several. */
function explain(error: unknown): readonly string[] {
  if (error instanceof ConfigError) return error.faults;
  if (error instanceof DomainError) return explainRefusal(error);
  if (!(error instanceof Error)) return [String(error)];
  if ("code" in error && typeof error.code === "string" && error.code.startsWith("SQLITE_BUSY"))
    return ["the database is busy with another long write; try again"];
  if ("code" in error && (error.code === "SQLITE_NOTADB" || String(error.code).startsWith("SQLITE_CORRUPT")))
    return [
      `the database is damaged (${error.message}); bring the last backup back with: gatehouse restore FILE`,
    ];
  return [error.message.replace(/\s*\n\s*/g, " ")];
}

function explainRefusal({ message, fields = {} }: DomainError): string[] {
  const names = Object.keys(fields);
  const faults = names.flatMap((name) => (fields[name] ?? []).map((text) => `${name} ${text}`.trimStart()));
  if (names.some((name) => name === "" || name.startsWith("/"))) return [...faults, message]; // places in a file
  const saysAll = faults.every((fault) => message.includes(fault));
  if (saysAll) return [message];
  return [message === `check ${names.join(", ")}` ? faults.join("; ") : `${message}: ${faults.join("; ")}`];
}
