import { Argument, type Command } from "commander";
import { formatAmount, formatMinor } from "../domain/core/amounts/money.ts";
import { formatTime } from "../domain/core/time/time.ts";
import { adjustWallet } from "../domain/money/wallets/adjust.ts";
import { visibleKind, walletEntries } from "../domain/money/wallets/entries.ts";
import { entryToJson } from "../wire/wallet.ts";
import { money } from "./cells.ts";
import type { Cli } from "./cli.ts";
import { printJson, printLine, printTable } from "./io.ts";
import { firstPage, parseAmountOption, STAFF, walletNamed } from "./wallet-names.ts";

export function addWalletCommands(program: Command, cli: Cli): void {
  const wallet = program.command("wallet").description("what a subscriber or a Reseller has, and why");
  addEntries(wallet, cli);
  addAdjust(wallet, cli);
}

function addEntries(wallet: Command, cli: Cli): void {
  wallet
    .command("entries")
    .description("print what moved in a wallet, the newest first")
    .argument("<username>")
    .option("--staff", STAFF)
    .option("--limit <number>", "at most so many", "100")
    .option("--json", "print JSON")
    .action(async (username: string, options: { staff?: boolean; limit: string; json?: boolean }) => {
      const { by } = cli;
      const found = await cli.withStore((db) =>
        walletEntries(db, by, walletNamed(db, by, username, options.staff), firstPage(options.limit)),
      );
      if (options.json) return printJson(cli.io, found.map(entryToJson));
      printTable(
        cli.io,
        ["TIME", "KIND", "AMOUNT", "BALANCE", "PAPER", "BY", "REASON"],
        found.map((entry) => [
          formatTime(entry.createdAt),
          visibleKind(entry),
          money(entry.amount),
          money(entry.balanceAfter),
          entry.paymentNumber ?? entry.invoiceNumber,
          entry.actingName ?? entry.actor,
          entry.reason,
        ]),
      );
    });
}

interface AdjustOptions {
  staff?: boolean;
  reason: string;
  json?: boolean;
}

function addAdjust(wallet: Command, cli: Cli): void {
  wallet
    .command("adjust")
    .description("correct a wallet, where no money was handed over")
    .argument("<username>")
    .addArgument(new Argument("<direction>", "whether it gets or loses it").choices(["up", "down"]))
    .argument("<amount>", "such as 15.00")
    .requiredOption("--reason <text>", "why, for whoever reads the books later")
    .option("--staff", STAFF)
    .option("--json", "print JSON")
    .action(
      async (username: string, direction: string, value: string, { staff, reason, json }: AdjustOptions) => {
        const { by } = cli;
        const amount = direction === "down" ? -parseAmountOption(value) : parseAmountOption(value);
        const { balance, entryId } = await cli.withStore((db) =>
          adjustWallet(
            db,
            by,
            { ...walletNamed(db, by, username, staff), amount, reason },
            { now: cli.now() },
          ),
        );
        if (json) return printJson(cli.io, { id: entryId, balance: formatMinor(balance) });
        printLine(cli.io, `adjusted by ${formatAmount(amount)}; the balance is ${formatAmount(balance)}`);
      },
    );
}
