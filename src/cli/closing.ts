import type { Command } from "commander";
import { confirmClosing } from "../domain/money/closings/confirm.ts";
import { listClosings } from "../domain/money/closings/find.ts";
import { openTill } from "../domain/money/closings/till.ts";
import { formatAmount } from "../domain/core/amounts/money.ts";
import { formatTime } from "../domain/core/time/time.ts";
import { closingToJson, tillToJson } from "../wire/closing.ts";
import { money } from "./cells.ts";
import type { Cli } from "./cli.ts";
import { CommandError, printJson, printLine, printTable } from "./io.ts";
import { firstPage, parseId, walletNamed } from "./wallet-names.ts";

export function addClosingCommands(program: Command, cli: Cli): void {
  const closing = program.command("closing").description("the day's closes of who takes cash");
  addList(closing, cli);
  addOpen(closing, cli);
  addConfirm(closing, cli);
}

function addList(closing: Command, cli: Cli): void {
  closing
    .command("list")
    .description("print what was counted, the newest first")
    .option("--limit <number>", "at most so many", "100")
    .option("--json", "print JSON")
    .action(async ({ limit, json }: { limit: string; json?: boolean }) => {
      const found = await cli.withStore((db) => listClosings(db, cli.by, {}, firstPage(limit)));
      if (json) return printJson(cli.io, found.map(closingToJson));
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

function addOpen(closing: Command, cli: Cli): void {
  closing
    .command("open")
    .description("print what somebody should have in the till now, and what it is made of")
    .argument("<username>")
    .option("--json", "print JSON")
    .action(async (username: string, { json }: { json?: boolean }) => {
      const till = await cli.readStore((db) => {
        const { staffId = 0 } = walletNamed(db, cli.by, username, true);
        return openTill(db, cli.by, { staffId });
      });
      if (json) return printJson(cli.io, tillToJson(till));
      printTable(
        cli.io,
        ["METHOD", "PAYMENTS", "TAKEN", "GIVEN BACK"],
        till.lines.map(({ method, payments, taken, returned }) => [
          method,
          payments,
          money(taken),
          money(returned),
        ]),
      );
      const since = till.since === null ? "" : ` since ${formatTime(till.since)}`;
      printLine(cli.io, "");
      printLine(cli.io, `${till.name} should have ${formatAmount(till.expected)} in cash${since}`);
    });
}

function addConfirm(closing: Command, cli: Cli): void {
  closing
    .command("confirm")
    .description("confirm a day's close: the cash was handed on as it was counted")
    .argument("<closing>", "its id in the list")
    .action(async (named: string) => {
      const closingId = parseId(named);
      if (closingId === undefined)
        throw new CommandError(`there is no day's close ${named}; see: gatehouse closing list`);
      await cli.withStore((db) => confirmClosing(db, cli.by, { closingId }, { now: cli.now() }));
      printLine(cli.io, `confirmed the day's close ${closingId}`);
    });
}
