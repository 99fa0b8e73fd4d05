import type { Command } from "commander";
import type { Db } from "../../db/open.ts";
import { batchFields } from "../domain/service/cards/batch-fields.ts";
import { cardBatchById, findBatch, listCardBatches } from "../domain/service/cards/batch-list.ts";
import { createCardBatch } from "../domain/service/cards/batches.ts";
import { voidCardBatch } from "../domain/desk/card-sales/void.ts";
import { type Input, without } from "../domain/core/fields/fields.ts";
import { formatAmount, formatMinor } from "../domain/core/amounts/money.ts";
import { packageNamed } from "../domain/goods/packages/terms.ts";
import { formatTime } from "../domain/core/time/time.ts";
import { batchToJson } from "../wire/card.ts";
import { money } from "./cells.ts";
import type { Cli } from "./cli.ts";
import { CommandError, printJson, printLine, printRecord, printTable } from "./io.ts";
import { chooseIsp } from "./nas.ts";
import { buildOptions } from "./record-options.ts";
import { firstPage, parseId, walletNamed } from "./wallet-names.ts";

/** Kind, quantity and the named references have options of their own. */
const entries = buildOptions(
  without(batchFields, ["kind", "quantity", "isp_id", "package_id", "reseller_id"]),
  batchFields,
);

interface CreateOptions {
  isp?: string;
  package?: string;
  reseller?: string;
  json?: boolean;
}

export function addCardBatchCommands(card: Command, cli: Cli): void {
  const batch = card.command("batch").description("prepaid cards as they are made, many at once");
  addCreate(batch, cli);
  addList(batch, cli);
  addShow(batch, cli);
  addVoid(batch, cli);
}

function addCreate(batch: Command, cli: Cli): void {
  const create = batch
    .command("create")
    .description("make cards with codes that nobody guesses; gatehouse card csv writes them for printing")
    .argument("<kind>", "access: logs in; refill: money into a wallet; package: activates it")
    .argument("<quantity>", "how many, 1 to 10000")
    .option("--isp <isp>", "its id, where there are several")
    .option("--package <package>", "whose terms they have, or which they activate; name or id")
    .option("--reseller <username>", "who gets the batch and sells it");
  for (const { option } of entries) create.addOption(option);
  create
    .option("--json", "print JSON")
    .action(async (kind: string, quantity: string, options: CreateOptions & Record<string, unknown>) => {
      const { by } = cli;
      const now = cli.now();
      const chosen = Object.fromEntries(
        entries.map(({ field, option }) => [field, options[option.attributeName()]]),
      );
      const { made, shown: json } = await cli.withStore((db) => {
        const named = { isp_id: chooseIsp(db, cli, options.isp), ...findIds(db, cli, options) };
        const input: Input = { ...chosen, ...named, kind, quantity };
        const done = createCardBatch(db, by, input, { now });
        return { made: done, shown: batchToJson(findBatch(db, by.scope, done.batch.id, now)) };
      });
      const { first, last } = made;
      if (options.json) return printJson(cli.io, { first, last, batch: json });
      printLine(cli.io, `made ${json.quantity} cards, ${first} to ${last}: batch ${json.number}`);
    });
}

function findIds(db: Db, { by }: Cli, { package: sold, reseller }: CreateOptions): Input {
  return {
    ...(sold !== undefined && { package_id: packageNamed(db, by, sold).id }),
    ...(reseller !== undefined && { reseller_id: walletNamed(db, by, reseller, true).staffId }),
  };
}

function addList(batch: Command, cli: Cli): void {
  batch
    .command("list")
    .description("print batches, the newest first, and how many of their cards are worth what")
    .option("--search <text>", "a number, or a part of the note, the prefix or the package's name")
    .option("--limit <number>", "at most so many", "100")
    .option("--json", "print JSON")
    .action(async ({ search, limit, json }: { search?: string; limit: string; json?: boolean }) => {
      const page = { search, limit: firstPage(limit).limit, offset: 0 };
      const { records } = await cli.readStore((db) => listCardBatches(db, cli.by, page, { now: cli.now() }));
      if (json) return printJson(cli.io, records.map(batchToJson));
      printTable(
        cli.io,
        [
          "BATCH",
          "MADE",
          "KIND",
          "PACKAGE",
          "PRICE",
          "NEW",
          "SOLD",
          "IN USE",
          "USED UP",
          "EXPIRED",
          "VOID",
          "HELD BY",
        ],
        records.map((one) => [
          batchToJson(one).number,
          formatTime(one.createdAt),
          one.kind,
          one.packageName,
          money(one.price),
          one.counts.new,
          one.counts.sold,
          one.counts.active,
          one.counts.used_up,
          one.counts.expired,
          one.counts.void,
          one.resellerName,
        ]),
      );
    });
}

function addShow(batch: Command, cli: Cli): void {
  batch
    .command("show")
    .description("print everything about a batch but its codes")
    .argument("<batch>", "its number")
    .option("--json", "print JSON")
    .action(async (named: string, { json }: { json?: boolean }) => {
      const record = await cli.readStore((db) =>
        batchToJson(cardBatchById(db, cli.by, parseBatchId(named), { now: cli.now() })),
      );
      if (json) printJson(cli.io, record);
      else printRecord(cli.io, record);
    });
}

function addVoid(batch: Command, cli: Cli): void {
  batch
    .command("void")
    .description("make the cards void that are still new; their reseller gets back what was charged for them")
    .argument("<batch>", "its number")
    .requiredOption("--reason <text>", "why; people read it later")
    .option("--json", "print JSON")
    .action(async (named: string, { reason, json }: { reason: string; json?: boolean }) => {
      const id = parseBatchId(named);
      const { voided, givenBack, batch } = await cli.withStore((db) =>
        voidCardBatch(db, cli.by, { id, reason }, { now: cli.now() }),
      );
      if (json)
        return printJson(cli.io, { voided, given_back: formatMinor(givenBack), batch: batchToJson(batch) });
      const back = givenBack === 0 ? "" : `; ${formatAmount(givenBack)} went back to ${batch.resellerName}`;
      printLine(cli.io, `${voided} cards of batch ${batchToJson(batch).number} are void${back}`);
    });
}

export function parseBatchId(named: string): number {
  const id = parseId(named);
  if (id === undefined)
    throw new CommandError(`${named} is no number of a batch, such as 0117; see: gatehouse card batch list`);
  return id;
}
