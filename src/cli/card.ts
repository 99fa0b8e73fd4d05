import type { Command } from "commander";
import type { Db } from "../../db/open.ts";
import { writePieces } from "../domain/core/files/files.ts";
import { endAllCardSessions } from "../domain/service/enforcement/end-sessions.ts";
import { findCard } from "../domain/service/cards/find.ts";
import { type CardRecord, listCards } from "../domain/service/cards/list.ts";
import { cardBatchById } from "../domain/service/cards/batch-list.ts";
import { printedNumber, printCards } from "../domain/service/cards/print.ts";
import { cardNumber, codeInFile, printedCode } from "../domain/goods/codes/codes.ts";
import { unlockCard } from "../domain/service/cards/unlock.ts";
import { voidCard } from "../domain/desk/card-sales/void.ts";
import { DomainError } from "../domain/core/errors/errors.ts";
import { verbatim } from "../domain/core/errors/phrase.ts";
import { BYTE_ORDER_MARK, csvLine } from "../domain/machine/imports/data-set/csv.ts";
import { formatAmount, formatMinor } from "../domain/core/amounts/money.ts";
import { oneOf, wholeNumber } from "../domain/core/fields/fields.ts";
import { cardToJson, cardRecordToJson, standings } from "../wire/card.ts";
import { addCardBatchCommands, parseBatchId } from "./card-batch.ts";
import { money } from "./cells.ts";
import type { Cli } from "./cli.ts";
import { makeWhole, requireNew } from "./export-files.ts";
import { CommandError, printJson, printLine, printRecord, printTable } from "./io.ts";
import { askSecrets, readSecretFromStdin } from "./secrets.ts";
import { firstPage } from "./wallet-names.ts";
import { withRouters } from "./with-routers.ts";

const CARD = "its number, such as C-000123, or batch and serial as on paper, such as 0117-034";

export function addCardCommands(program: Command, cli: Cli): void {
  const card = program.command("card").description("prepaid cards: codes for the hotspot, refills, packages");
  addCardBatchCommands(card, cli);
  addList(card, cli);
  addFind(card, cli);
  addVoid(card, cli);
  addUnlock(card, cli);
  addCsv(card, cli);
}

interface ListOptions {
  batch?: string;
  standing?: string;
  limit: string;
  json?: boolean;
}

function addList(card: Command, cli: Cli): void {
  card
    .command("list")
    .description("print cards in the order of their batches and serials, never with a code")
    .option("--batch <batch>", "of this batch, by its number")
    .option("--standing <standing>", standings.join(", "))
    .option("--limit <number>", "at most so many", "100")
    .option("--json", "print JSON")
    .action(async ({ batch, standing: text, limit, json }: ListOptions) => {
      const standing = text === undefined ? undefined : parseStanding(text);
      const filters = { standing, batchId: batch === undefined ? undefined : parseBatchId(batch) };
      const page = { limit: firstPage(limit).limit, offset: 0, now: cli.now() };
      const { records } = await cli.readStore((db) => listCards(db, cli.by, filters, page));
      if (json) return printJson(cli.io, records.map(cardToJson));
      printTable(
        cli.io,
        ["NUMBER", "ON PAPER", "STANDING", "PACKAGE", "PRICE", "SOLD", "SOLD BY", "FIRST USED", "ENDS"],
        records.map((one) => {
          const card = cardToJson(one);
          return [
            card.number,
            card.paper_number,
            card.standing,
            card.package_name,
            money(one.price),
            card.sold_at,
            card.sold_by_name,
            card.first_used_at,
            card.ends_at,
          ];
        }),
      );
    });
}

function parseStanding(text: string): (typeof standings)[number] {
  const field = oneOf(...standings);
  const standing = field.read(text);
  if (standing === undefined)
    throw new DomainError("invalid", verbatim(`--standing ${text} ${field.message}`));
  return standing;
}

function addFind(card: Command, cli: Cli): void {
  card
    .command("find")
    .description("print everything about a card but its code, which is asked for where no number is named")
    .argument("[card]", CARD)
    .option("--code-stdin", "read the code from standard input")
    .option("--json", "print JSON")
    .action(async (named: string | undefined, options: { codeStdin?: boolean; json?: boolean }) => {
      const text = named === undefined ? await readCode(cli, options.codeStdin) : parseCardNumber(named);
      const json = await cli.readStore((db) =>
        cardRecordToJson(findCard(db, cli.by, text, { now: cli.now() })),
      );
      if (options.json) printJson(cli.io, json);
      else printRecord(cli.io, json);
    });
}

async function readCode({ io }: Cli, fromStdin: boolean | undefined): Promise<string> {
  if (fromStdin) return readSecretFromStdin(io, "code");
  const [code = ""] = await askSecrets(io, ["Code: "], "--code-stdin");
  return code;
}

/** A number of a card; a code is money, and everybody on the machine sees what is typed here. */
function parseCardNumber(named: string): string {
  if (/^(c-?)?\d{1,15}$/i.test(named)) return named.toLowerCase().startsWith("c") ? named : `C-${named}`;
  if (/^\d{1,15}-\d{1,5}$/.test(named)) return named;
  throw new CommandError(
    // without what was typed, which may be a code, and scripts keep what is said
    "that is no number of a card, which looks like C-000123 or 0117-034; a code is asked for: gatehouse card find",
  );
}

function cardNamed(db: Db, { by, now }: Cli, named: string): CardRecord {
  return findCard(db, by, parseCardNumber(named), { now: now() });
}

function addVoid(card: Command, cli: Cli): void {
  card
    .command("void")
    .description("make a card void for good; one that nobody used gives back what was paid for it")
    .argument("<card>", CARD)
    .requiredOption("--reason <text>", "why; people read it later")
    .option("--json", "print JSON")
    .action(async (named: string, { reason, json }: { reason: string; json?: boolean }) => {
      const { by } = cli;
      const { card, payment, givenBack, ended, failures } = await withRouters(cli, async (db, routers) => {
        const { id } = cardNamed(db, cli, named);
        const voided = voidCard(db, by, { id, reason }, { now: cli.now() });
        const needs = { clock: cli.now, routers };
        return { ...voided, ...(await endAllCardSessions(db, by, { cardId: id }, needs)) };
      });
      const record = cardRecordToJson(card);
      const back = { given_back: formatMinor(givenBack), receipt_number: payment?.number ?? null };
      if (json) return printJson(cli.io, { card: record, ...back, ended, failures });
      printLine(cli.io, `${record.number} is void`);
      if (payment) printLine(cli.io, `reversed ${payment.number}: ${formatAmount(payment.amount)}`);
      if (givenBack > 0) printLine(cli.io, `${formatAmount(givenBack)} went back to ${card.resellerName}`);
      if (ended > 0) printLine(cli.io, `ended ${ended} of its sessions`);
      for (const failure of failures) printLine(cli.io, failure);
    });
}

function addUnlock(card: Command, cli: Cli): void {
  card
    .command("unlock")
    .description("let go of the device that a card is locked to; the next one takes its place")
    .argument("<card>", CARD)
    .action(async (named: string) => {
      const { id } = await cli.withStore((db) =>
        unlockCard(db, cli.by, { id: cardNamed(db, cli, named).id }, { now: cli.now() }),
      );
      printLine(cli.io, `unlocked ${cardNumber(id)}`);
    });
}

interface CsvOptions {
  from?: string;
  to?: string;
}

function addCsv(card: Command, cli: Cli): void {
  card
    .command("csv")
    .description(
      "write the codes of a batch into a new file that you alone can read; the audit trail says so",
    )
    .argument("<batch>", "its number")
    .argument("<file>", "which must not exist yet")
    .option("--from <serial>", "the first card", "1")
    .option("--to <serial>", "the last card; by itself that of the batch")
    .action(async (named: string, file: string, { from, to }: CsvOptions) => {
      requireNew(file, "file");
      const batchId = parseBatchId(named);
      const { cards, leftOut } = await cli.withStore((db) => {
        const now = cli.now();
        const { quantity, price } = cardBatchById(db, cli.by, batchId, { now });
        const range = { from: parseSerial(from ?? "1"), to: to === undefined ? quantity : parseSerial(to) };
        const printing = printCards(db, cli.by, { batchId, ...range, as: "file" }, { now });
        const lines = printing.cards.map(({ number, serial, code }) =>
          csvLine([
            number,
            printedNumber({ id: batchId }, serial),
            codeInFile(code),
            printedCode(code),
            formatMinor(price),
          ]),
        );
        const header = BYTE_ORDER_MARK + csvLine(["number", "paper_number", "code", "code_printed", "price"]);
        makeWhole(file, (unfinished) => writePieces(unfinished, [header, ...lines]));
        return printing;
      });
      const without = leftOut === 0 ? "" : `; ${leftOut} are void and not in it`;
      printLine(
        cli.io,
        `wrote ${cards.length} codes to ${file}${without}. They are money: keep the file to yourself`,
      );
    });
}

function parseSerial(text: string): number {
  const field = wholeNumber(1, 1_000_000);
  const serial = field.read(text);
  if (serial === undefined) throw new DomainError("invalid", verbatim(`the serial ${text} ${field.message}`));
  return serial;
}
