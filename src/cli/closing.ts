import type { Command } from "commander";
import { listClosings } from "../domain/closings/find.ts";
import { formatTime } from "../domain/time.ts";
import { shownClosing } from "../wire/closing.ts";
import { money } from "./cells.ts";
import type { Cli } from "./cli.ts";
import { printJson, printTable } from "./io.ts";
import { firstPage } from "./wallet-names.ts";

export function addClosingCommands(program: Command, cli: Cli): void {
  program
    .command("closing")
    .description("the day's closes of who takes cash")
    .command("list")
    .description("print what was counted, the newest first")
    .option("--limit <number>", "at most so many", "100")
    .option("--json", "print JSON")
    .action(async ({ limit, json }: { limit: string; json?: boolean }) => {
      const found = await cli.withStore((db) => listClosings(db, cli.by, {}, firstPage(limit)));
      if (json) return printJson(cli.io, found.map(shownClosing));
      printTable(
        cli.io,
        ["ID", "TIME", "NAME", "EXPECTED", "COUNTED", "DIFFERENCE", "CONFIRMED BY", "NOTE"],
        found.map((one) => [
          one.id,
          formatTime(one.createdAt),
          one.name,
          money(one.expected),
          money(one.counted),
          money(one.counted - one.expected),
          one.confirmedName ?? (one.confirmedAt === null ? null : "command line"),
          one.note,
        ]),
      );
    });
}
