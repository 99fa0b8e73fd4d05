import type { Command } from "commander";
import { MOVING_COMMAND } from "../jobs/import-process.ts";
import type { Cli } from "./cli.ts";

type Add = (program: Command, cli: Cli) => void;
type Load = () => Promise<Add>;

const backup: Load = async () => (await import("./backup.ts")).addBackupCommands;

/** Commands in the order of the help. A module is loaded only when its command is asked for. */
export const commands: ReadonlyMap<string, Load> = new Map([
  ["serve", async () => (await import("./serve-command.ts")).addServeCommand],
  ["init", async () => (await import("./init.ts")).addInitCommand],
  ["import", async () => (await import("./data-set.ts")).addImportCommand],
  ["export", async () => (await import("./export.ts")).addExportCommand],
  ["migrate", async () => (await import("./migrate.ts")).addMigrateCommand],
  ["staff", async () => (await import("./staff.ts")).addStaffCommands],
  ["key", async () => (await import("./key.ts")).addKeyCommands],
  ["nas", async () => (await import("./nas.ts")).addNasCommands],
  ["feed", async () => (await import("./feed.ts")).addFeedCommands],
  ["box", async () => (await import("./box.ts")).addBoxCommands],
  [MOVING_COMMAND, async () => (await import("./import-process.ts")).addImportProcess],
  ["hotspot", async () => (await import("./hotspot.ts")).addHotspotCommands],
  ["words", async () => (await import("./words.ts")).addWordsCommands],
  ["role", async () => (await import("./role.ts")).addRoleCommands],
  ["place", async () => (await import("./place.ts")).addPlaceCommands],
  ["package", async () => (await import("./package.ts")).addPackageCommands],
  ["pool", async () => (await import("./pool.ts")).addPoolCommands],
  ["subscriber", async () => (await import("./subscriber.ts")).addSubscriberCommands],
  ["payment", async () => (await import("./payment.ts")).addPaymentCommands],
  ["card", async () => (await import("./card.ts")).addCardCommands],
  ["wallet", async () => (await import("./wallet.ts")).addWalletCommands],
  ["invoice", async () => (await import("./invoice.ts")).addInvoiceCommands],
  ["closing", async () => (await import("./closing.ts")).addClosingCommands],
  ["sessions", async () => (await import("./sessions.ts")).addSessionsCommands],
  ["report", async () => (await import("./report.ts")).addReportCommands],
  ["why", async () => (await import("./why.ts")).addWhyCommand],
  ["logins", async () => (await import("./logins.ts")).addLoginsCommand],
  ["outages", async () => (await import("./outages.ts")).addOutagesCommand],
  ["radtest", async () => (await import("./radtest.ts")).addRadtestCommand],
  ["settings", async () => (await import("./settings.ts")).addSettingsCommands],
  ["audit", async () => (await import("./audit.ts")).addAuditCommand],
  ["backup", backup],
  ["backup-passphrase", backup],
  ["restore", async () => (await import("./restore.ts")).addRestoreCommand],
  ["recover", async () => (await import("./recover.ts")).addRecoverCommand],
  ["tls", async () => (await import("./tls.ts")).addTlsCommands],
  ["check", async () => (await import("./check.ts")).addCheckCommand],
  ["mcp", async () => (await import("./mcp.ts")).addMcpCommand],
  ["openapi", async () => (await import("./openapi.ts")).addOpenapiCommand],
  ["help", async () => (await import("./help.ts")).addHelpCommand],
  ["version", async () => (await import("./version.ts")).addVersionCommand],
]);

/** The module of a command; for help and for an unknown name, all of them. */
export async function commandModules(name: string | undefined): Promise<readonly Add[]> {
  const load = commands.get(name ?? "");
  return Promise.all(load ? [load()] : [...new Set(commands.values())].map((one) => one()));
}
