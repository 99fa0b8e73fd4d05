import type { Command } from "commander";
import type { Db } from "../../db/open.ts";
import { invoiceById, listInvoices } from "../domain/money/invoices/find.ts";
import { invoicePrintout } from "../domain/desk/printouts/printout.ts";
import type { Actor } from "../domain/core/actor/actor.ts";
import { formatTime } from "../domain/core/time/time.ts";
import { printedInvoice, invoiceToJson } from "../wire/invoice.ts";
import { money } from "./cells.ts";
import type { Cli } from "./cli.ts";
import { addInvoiceVoid } from "./invoice-void.ts";
import { printJson, printRecord, printTable } from "./io.ts";
import { firstPage, type Listing, onlyOne, parseId, walletNamed } from "./wallet-names.ts";

export function addInvoiceCommands(program: Command, cli: Cli): void {
  const invoice = program.command("invoice").description("what was sold");
  addList(invoice, cli);
  addShow(invoice, cli);
  addInvoiceVoid(invoice, cli);
}

function addList(invoice: Command, cli: Cli): void {
  invoice
    .command("list")
    .description("print invoices, the newest first")
    .option("--user <username>", "of this subscriber")
    .option("--limit <number>", "at most so many", "100")
    .option("--json", "print JSON")
    .action(async ({ user, limit, json }: Listing) => {
      const { by } = cli;
      const found = await cli.withStore((db) => {
        const wallet = user === undefined ? {} : walletNamed(db, by, user, false);
        return listInvoices(db, by, wallet, firstPage(limit));
      });
      if (json) return printJson(cli.io, found.map(invoiceToJson));
      printTable(
        cli.io,
        ["NUMBER", "TIME", "USERNAME", "PACKAGE", "UNTIL", "AMOUNT", "OPEN", "STATE"],
        found.map((one) => [
          one.number,
          formatTime(one.createdAt),
          one.username,
          one.packageName,
          formatTime(one.periodEnd),
          money(one.amount),
          money(one.open),
          invoiceToJson(one).state,
        ]),
      );
    });
}

function addShow(invoice: Command, cli: Cli): void {
  invoice
    .command("show")
    .description("print everything about an invoice; with --json all that its paper says")
    .argument("<invoice>", "its number, or its id")
    .option("--json", "print JSON")
    .action(async (named: string, { json }: { json?: boolean }) => {
      const { found, paper: printout } = await cli.withStore((db) => {
        const found = invoiceById(db, cli.by, invoiceNamed(db, cli.by, named));
        return { found, paper: invoicePrintout(db, found.invoice) };
      });
      if (json) printJson(cli.io, printedInvoice(found, printout));
      else printRecord(cli.io, invoiceToJson(found.invoice));
    });
}

function invoiceNamed(db: Db, by: Actor, named: string): number {
  const id = parseId(named);
  return id ?? onlyOne(listInvoices(db, by, { number: named }, firstPage("2")), "invoice", named).id;
}
