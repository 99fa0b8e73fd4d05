import type { Command } from "commander";
import { invoiceNamed } from "../domain/money/invoices/find-invoice.ts";
import { voidSoldInvoice } from "../domain/desk/void/void.ts";
import { applyChange } from "../domain/service/control/apply-change.ts";
import { voidToJson } from "../wire/term.ts";
import type { Cli } from "./cli.ts";
import { printJson, printLine } from "./io.ts";
import { withRouters } from "./with-routers.ts";

export function addInvoiceVoid(invoice: Command, cli: Cli): void {
  invoice
    .command("void")
    .description("give back what was charged by an invoice; its number stays")
    .argument("<invoice>", "its number, such as I-2030-000123, or id")
    .requiredOption("--reason <text>", "why; people read it later")
    .option("--end-service", "the service is as it was before the invoice, the newest that is not void")
    .option("--json", "print JSON")
    .action(async (named: string, options: { reason: string; endService?: boolean; json?: boolean }) => {
      const { by, now: clock } = cli;
      const { reason, endService = false, json } = options;
      const { done, session } = await withRouters(cli, async (db, routers) => {
        const { id: invoiceId } = invoiceNamed(db, by.scope, named);
        const voided = voidSoldInvoice(db, by, { invoiceId, reason, endService }, { now: clock() });
        const { subscriberId } = voided;
        const text = endService ? await applyChange(db, { subscriberId }, { clock, routers }) : undefined;
        return { done: voidToJson(voided), session: text };
      });
      if (json) return printJson(cli.io, { ...done, ...(session !== undefined && { session }) });
      printLine(cli.io, `${done.number} is void; ${done.given_back.toFixed(2)} went back to the wallet`);
      if (session !== undefined) printLine(cli.io, String(session));
    });
}
