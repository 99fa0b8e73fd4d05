import { Command, CommanderError } from "commander";
import type { Environment } from "../config/env.ts";
import { addAuditCommand } from "./audit.ts";
import { addBackupCommands } from "./backup.ts";
import { addBoxCommands } from "./box.ts";
import { addBringInCommand } from "./bring-in.ts";
import { addCheckCommand } from "./check.ts";
import { Cli } from "./cli.ts";
import { addClosingCommands } from "./closing.ts";
import { addDataSetCommands } from "./data-set.ts";
import { printable } from "../domain/core/fields/text.ts";
import { explain } from "./explain.ts";
import { addHotspotCommands } from "./hotspot.ts";
import { addInitCommand } from "./init.ts";
import { addInvoiceCommands } from "./invoice.ts";
import { addMigrateCommand } from "./migrate.ts";
import { addNasCommands } from "./nas.ts";
import { Output } from "./output.ts";
import { addPackageCommands } from "./package.ts";
import { addPoolCommands } from "./pool.ts";
import { addPlaceCommands } from "./place.ts";
import { addReportCommands } from "./report.ts";
import { addCardCommands } from "./card.ts";
import { addPaymentCommands } from "./payment.ts";
import { addRecoverCommand } from "./recover.ts";
import { addRestoreCommand } from "./restore.ts";
import { addRoleCommands } from "./role.ts";
import { addServeCommand } from "./serve-command.ts";
import { addRadtestCommand } from "./radtest.ts";
import { addSessionsCommands } from "./sessions.ts";
import { addSettingsCommands } from "./settings.ts";
import { addStaffCommands } from "./staff.ts";
import { addSubscriberCommands } from "./subscriber.ts";
import { addTlsCommands } from "./tls.ts";
import { addVersionCommand } from "./version.ts";
import { addLoginsCommand } from "./logins.ts";
import { addOutagesCommand } from "./outages.ts";
import { addWalletCommands } from "./wallet.ts";
import { addWhyCommand } from "./why.ts";
import type { Io } from "./io.ts";

/** Exit codes. */
const FAILED = 1;
const WRONG_USAGE = 2;

/** Runs one command and returns its exit code: 0 done, 1 failed, 2 wrong usage, 141 when the output was not wanted whole. */
export async function run(argv: readonly string[], env: Environment, io: Io): Promise<number> {
  const output = new Output(io);
  const code = await perform(argv, env, io);
  return argv[0] === "serve" ? code : output.codeOf(code); // the server outlives who reads its log
}

async function perform(argv: readonly string[], env: Environment, io: Io): Promise<number> {
  const cli = new Cli(env, io);
  try {
    await program(cli).parseAsync([...argv], { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_USAGE; // commander has printed why
    for (const line of explain(error, () => cli.config)) io.stderr.write(`gatehouse: ${printable(line)}\n`);
    if (env["GATEHOUSE_LOG_LEVEL"] === "debug" && error instanceof Error)
      for (const line of (error.stack ?? "").split("\n")) io.stderr.write(`${printable(line)}\n`);
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
            .replace(/\n+/g, " ")
            .replace(/\.$/, "")}; see --help\n`,
        ),
      getOutHelpWidth: () => 100,
      getErrHelpWidth: () => 100,
    });
  addServeCommand(gatehouse, cli);
  addInitCommand(gatehouse, cli);
  addDataSetCommands(gatehouse, cli);
  addMigrateCommand(gatehouse, cli);
  addStaffCommands(gatehouse, cli);
  addNasCommands(gatehouse, cli);
  addBoxCommands(gatehouse, cli);
  addBringInCommand(gatehouse, cli);
  addHotspotCommands(gatehouse, cli);
  addRoleCommands(gatehouse, cli);
  addPlaceCommands(gatehouse, cli);
  addPackageCommands(gatehouse, cli);
  addPoolCommands(gatehouse, cli);
  addSubscriberCommands(gatehouse, cli);
  addPaymentCommands(gatehouse, cli);
  addCardCommands(gatehouse, cli);
  addWalletCommands(gatehouse, cli);
  addInvoiceCommands(gatehouse, cli);
  addClosingCommands(gatehouse, cli);
  addSessionsCommands(gatehouse, cli);
  addReportCommands(gatehouse, cli);
  addWhyCommand(gatehouse, cli);
  addLoginsCommand(gatehouse, cli);
  addOutagesCommand(gatehouse, cli);
  addRadtestCommand(gatehouse, cli);
  addSettingsCommands(gatehouse, cli);
  addAuditCommand(gatehouse, cli);
  addBackupCommands(gatehouse, cli);
  addRestoreCommand(gatehouse, cli);
  addRecoverCommand(gatehouse, cli);
  addTlsCommands(gatehouse, cli);
  addCheckCommand(gatehouse, cli);
  addVersionCommand(gatehouse, cli);
  return gatehouse;
}
