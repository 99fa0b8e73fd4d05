import type { Command } from "commander";
import { nasNamed } from "../domain/goods/nas/nas.ts";
import { applyPackage, type PackageApplied } from "../domain/service/control/apply-package.ts";
import { packageNamed } from "../domain/goods/packages/terms.ts";
import type { Cli } from "./cli.ts";
import { type Io, printJson, printLine } from "./io.ts";
import { addPackageChanges } from "./package-set.ts";
import { withRouters } from "./with-routers.ts";

const MAX_PRINTED = 20;

interface ApplyOptions {
  nas?: string;
  dryRun?: boolean;
  json?: boolean;
}

export function addPackageCommands(program: Command, cli: Cli): void {
  const command = program.command("package").description("what is sold");
  addPackageChanges(command, cli);
  command
    .command("apply")
    .description(
      "give all who hold a package its present terms (rate, pools, lists, quota; not price, nor expiration), online ones by CoA",
    )
    .argument("<package>", "its name or id")
    .option("--nas <nas>", "only those of this router, by name, address or id")
    .option("--dry-run", "count them only")
    .option("--json", "print JSON")
    .action(async (named: string, { nas, dryRun, json }: ApplyOptions) => {
      const applied = await withRouters(cli, (db, routers) => {
        const { id: packageId } = packageNamed(db, cli.by, named);
        const nasId = nas === undefined ? undefined : nasNamed(db, cli.by, nas).id;
        return applyPackage(db, cli.by, { packageId, nasId, dryRun }, { clock: cli.now, routers });
      });
      if (json) return printJson(cli.io, applied);
      printApplied(cli.io, applied, dryRun === true);
    });
}

function printApplied(io: Io, { changed, sessions, failures }: PackageApplied, isDryRun: boolean): void {
  if (isDryRun) {
    printLine(io, `${changed} would get other terms; of their sessions ${sessions.left} are open`);
    return printLine(io, "nothing was changed");
  }
  const { changed: changedByCoa, ended, unchanged, left, refused } = sessions;
  printLine(io, `${changed} have the package's present terms now, and had other ones before`);
  printLine(
    io,
    `sessions: ${changedByCoa} changed by CoA, ${ended} ended to redial, ${left} must still redial, ${refused} refused, ${unchanged} had nothing to change`,
  );
  if (left > 0)
    printLine(
      io,
      "disconnecting is switched off (disconnect_enabled), so those that must redial were left online",
    );
  for (const failure of failures.slice(0, MAX_PRINTED)) printLine(io, failure);
  if (failures.length > MAX_PRINTED) printLine(io, `and ${failures.length - MAX_PRINTED} more like these`);
  if (refused > 0) printLine(io, "a session that refused has its new terms when it logs in again");
}
