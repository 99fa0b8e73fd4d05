import type { Command } from "commander";
import type { Db } from "../../db/open.ts";
import { applyChange, applySale } from "../domain/service/control/apply-change.ts";
import { DomainError } from "../domain/core/errors/errors.ts";
import { formatAmount, formatMinor } from "../domain/core/amounts/money.ts";
import { listPayments, type Payment, paymentById } from "../domain/money/payments/find.ts";
import { refundPayment } from "../domain/desk/payments/refund.ts";
import { reversePayment } from "../domain/desk/payments/reverse.ts";
import { takePayment } from "../domain/desk/payments/take.ts";
import type { Actor } from "../domain/core/actor/actor.ts";
import { formatTime } from "../domain/core/time/time.ts";
import { outcomeToJson, paymentToJson } from "../wire/payment.ts";
import { money } from "./cells.ts";
import type { Cli } from "./cli.ts";
import { printJson, printLine, printRecord, printTable } from "./io.ts";
import {
  firstPage,
  type Listing,
  onlyOne,
  parseAmountOption,
  parseId,
  STAFF,
  walletNamed,
} from "./wallet-names.ts";
import { withRouters } from "./with-routers.ts";

export function addPaymentCommands(program: Command, cli: Cli): void {
  const payment = program.command("payment").description("money that is handed over and back");
  addTake(payment, cli);
  addList(payment, cli);
  addShow(payment, cli);
  addReverse(payment, cli);
  addRefund(payment, cli);
}

interface HandedOptions {
  staff?: boolean;
  method: string;
  reference?: string;
  note?: string;
  json?: boolean;
}

interface TakeOptions extends HandedOptions {
  activate?: boolean;
  keep?: boolean;
}

const METHOD = "one of the setting payment_methods";

function addTake(payment: Command, cli: Cli): void {
  payment
    .command("take")
    .description("take a payment into a wallet; settles its oldest charges, and is in nobody's till")
    .argument("<username>")
    .argument("<amount>", "such as 15.00")
    .option("--method <method>", METHOD, "cash")
    .option("--reference <text>", "what a bank calls it; no method has one twice")
    .option("--note <text>", "a remark")
    .option("--activate", "activate the package of the profile in the same transaction")
    .option("--keep", "take the payment also where the activation is refused")
    .option("--staff", STAFF)
    .option("--json", "print JSON")
    .action(async (username: string, value: string, options: TakeOptions) => {
      const { by } = cli;
      const { method, reference, note, activate: activates, keep: keeps } = options;
      const amount = parseAmountOption(value);
      const { activation, payment, balance, session } = await withRouters(cli, async (db, routers) => {
        const payment = { amount, method, reference, note, activates, keeps };
        const named = walletNamed(db, by, username, options.staff);
        const taken = takePayment(db, by, { ...named, ...payment }, { now: cli.now() });
        const { subscriberId, invoiceId } = taken.payment;
        const isSold = subscriberId !== null && invoiceId !== null;
        const needs = { clock: cli.now, routers };
        return {
          ...taken,
          session: isSold ? await applySale(db, { subscriberId, invoiceId }, needs) : undefined,
        };
      });
      const refused = activation instanceof DomainError ? activation.message : undefined;
      const activated = activation instanceof DomainError || !activation ? null : outcomeToJson(activation);
      if (options.json) {
        const more = { activation: refused === undefined ? activated : { error: refused }, session };
        return printJson(cli.io, { payment: paymentToJson(payment), balance: formatMinor(balance), ...more });
      }
      printLine(
        cli.io,
        `took ${formatAmount(amount)}: receipt ${payment.number}; the balance is ${formatAmount(balance)}`,
      );
      if (activated) printLine(cli.io, `activated until ${activated.new_expiration}`);
      if (session !== undefined) printLine(cli.io, String(session));
      if (refused !== undefined) printLine(cli.io, `not activated: ${refused}`);
    });
}

function addRefund(payment: Command, cli: Cli): void {
  payment
    .command("refund")
    .description("hand money back from a wallet that holds it")
    .argument("<username>")
    .argument("<amount>", "such as 15.00")
    .option("--method <method>", METHOD, "cash")
    .option("--reference <text>", "what a bank calls it; no method has one twice")
    .option("--note <text>", "a remark")
    .option("--staff", STAFF)
    .option("--json", "print JSON")
    .action(async (username: string, value: string, options: HandedOptions) => {
      const { by } = cli;
      const { method, reference, note } = options;
      const amount = parseAmountOption(value);
      const { payment, balance } = await cli.withStore((db) => {
        const wallet = walletNamed(db, by, username, options.staff);
        return refundPayment(db, by, { ...wallet, amount, method, reference, note }, { now: cli.now() });
      });
      if (options.json)
        return printJson(cli.io, { payment: paymentToJson(payment), balance: formatMinor(balance) });
      printLine(
        cli.io,
        `handed back ${formatAmount(amount)}: receipt ${payment.number}; the balance is ${formatAmount(balance)}`,
      );
    });
}

function addList(payment: Command, cli: Cli): void {
  payment
    .command("list")
    .description("print payments and refunds, the newest first")
    .option("--user <username>", "of this subscriber")
    .option("--limit <number>", "at most so many", "100")
    .option("--json", "print JSON")
    .action(async ({ user, limit, json }: Listing) => {
      const { by } = cli;
      const found = await cli.withStore((db) => {
        const wallet = user === undefined ? {} : walletNamed(db, by, user, false);
        return listPayments(db, by, wallet, firstPage(limit));
      });
      if (json) return printJson(cli.io, found.map(paymentToJson));
      printTable(
        cli.io,
        ["RECEIPT", "TIME", "USERNAME", "AMOUNT", "METHOD", "REFERENCE", "TAKEN BY", "REVERSED"],
        found.map((one) => [
          one.number,
          formatTime(one.createdAt),
          one.payerUsername,
          money(one.kind === "payment" ? one.amount : -one.amount),
          one.method,
          one.reference,
          one.takerName ?? one.actor,
          one.reversedAt === null ? null : formatTime(one.reversedAt),
        ]),
      );
    });
}

function addShow(payment: Command, cli: Cli): void {
  payment
    .command("show")
    .description("print everything about a payment or refund")
    .argument("<receipt>", "its number, or its id")
    .option("--json", "print JSON")
    .action(async (receipt: string, { json }: { json?: boolean }) => {
      const record = paymentToJson(await cli.withStore((db) => paymentNamed(db, cli.by, receipt)));
      if (json) printJson(cli.io, record);
      else printRecord(cli.io, record);
    });
}

function addReverse(payment: Command, cli: Cli): void {
  payment
    .command("reverse")
    .description("take back a payment that was a mistake; what it had settled opens again")
    .argument("<receipt>", "its number, or its id")
    .requiredOption("--reason <text>", "why, for whoever reads the books later")
    .option("--void", "the invoice that came with it is void too, and its service ends")
    .option("--json", "print JSON")
    .action(async (receipt: string, options: { reason: string; void?: boolean; json?: boolean }) => {
      const { by } = cli;
      const { reason, void: voids } = options;
      const { payment, balance, session } = await withRouters(cli, async (db, routers) => {
        const { id: paymentId } = paymentNamed(db, by, receipt);
        const reversed = reversePayment(db, by, { paymentId, reason, voids }, { now: cli.now() });
        const { subscriberId } = reversed.payment;
        const isVoid = voids === true && subscriberId !== null;
        const needs = { clock: cli.now, routers };
        return { ...reversed, session: isVoid ? await applyChange(db, { subscriberId }, needs) : undefined };
      });
      if (options.json)
        return printJson(cli.io, { payment: paymentToJson(payment), balance: formatMinor(balance), session });
      printLine(cli.io, `reversed ${payment.number}; the balance is ${formatAmount(balance)}`);
      if (session !== undefined) printLine(cli.io, String(session));
    });
}

function paymentNamed(db: Db, by: Actor, named: string): Payment {
  const id = parseId(named);
  if (id !== undefined) return paymentById(db, by, id);
  return onlyOne(listPayments(db, by, { number: named }, firstPage("2")), "payment", named);
}
