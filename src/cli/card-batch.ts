import { type Command, Option } from "commander";
import type { Db } from "../../db/open.ts";
import { type batchFields } from "../domain/service/cards/batch-fields.ts";
import { cardBatchById, findBatch, listCardBatches } from "../domain/service/cards/batch-list.ts";
import { createCardBatch } from "../domain/service/cards/batches.ts";
import { voidCardBatch } from "../domain/desk/card-sales/void.ts";
import type { Input } from "../domain/core/fields/fields.ts";
import { formatAmount } from "../domain/core/amounts/money.ts";
import { packageNamed } from "../domain/goods/packages/terms.ts";
import { formatTime } from "../domain/core/time/time.ts";
import { shownBatch } from "../wire/card.ts";
import { money } from "./cells.ts";
import type { Cli } from "./cli.ts";
import { CommandError, printJson, printLine, printRecord, printTable } from "./io.ts";
import { ispOf } from "./nas.ts";
import { firstPage, idOf, walletNamed } from "./wallet-names.ts";

/** What each option gives, by the field; kind, quantity and those that name something have options of their own. */
const options: Record<
  Exclude<keyof typeof batchFields, "kind" | "quantity" | "isp_id" | "package_id" | "reseller_id">,
  readonly [value: string, says: string]
> = {
  branch_id: [
    "id",
    "of the branch whose staff sell them and whose subscribers redeem them; logins do not ask for it",
  ],
  price: ["amount", "what a buyer pays, and what a refill brings"],
  prefix: ["text", "what every code begins with"],
  length: ["count", "symbols after the prefix; by itself as many as it takes"],
  alphabet: ["symbols", "of the codes; by itself those that nobody mistakes for another"],
  reseller_price: ["amount", "what the reseller pays for a card"],
  charge_on: ["when", "handover: all when they are made; use: each when it is first used"],
  needs_sale: ["0|1", "1: a card opens nothing before it is sold"],
  sell_by: ["time", "when new cards end, such as '2031-01-01 00:00:00'"],
  use_by: ["time", "when sold cards end that nobody used"],
  by_clock: ["0|1", "0: they end by time online or volume alone"],
  duration: ["count", "how many units they last from the first use; by itself as the package"],
  duration_unit: ["unit", "hour, day or month"],
  uptime_seconds: ["seconds", "time online, over all sessions"],
  data_quota_bytes: ["bytes", "volume, up plus down"],
  devices: ["count", "at a time"],
  lock_first_device: ["0|1", "1: a card serves the device that used it first"],
  offline: ["0|1", "0: an access box that is cut off lets no new card in; nothing else reads it"],
  note: ["text", "a remark"],
};
const entries = Object.entries(options).map(([field, [value, says]]) => ({
  field,
  option: new Option(`--${field.replaceAll("_", "-")} <${value}>`, says),
}));

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
    .action(async (kind: string, quantity: string, given: CreateOptions & Record<string, unknown>) => {
      const { by } = cli;
      const now = cli.now();
      const said = Object.fromEntries(
        entries.map(({ field, option }) => [field, given[option.attributeName()]]),
      );
      const { made, shown } = await cli.withStore((db) => {
        const named = { isp_id: ispOf(db, cli, given.isp), ...idsOf(db, cli, given) };
        const input: Input = { ...said, ...named, kind, quantity };
        const done = createCardBatch(db, by, input, { now });
        return { made: done, shown: shownBatch(findBatch(db, by.scope, done.batch.id, now)) };
      });
      const { first, last } = made;
      if (given.json) return printJson(cli.io, { first, last, batch: shown });
      printLine(cli.io, `made ${shown.quantity} cards, ${first} to ${last}: batch ${shown.number}`);
    });
}

function idsOf(db: Db, { by }: Cli, { package: sold, reseller }: CreateOptions): Input {
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
      if (json) return printJson(cli.io, records.map(shownBatch));
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
          shownBatch(one).number,
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
      const shown = await cli.readStore((db) =>
        shownBatch(cardBatchById(db, cli.by, batchIdOf(named), { now: cli.now() })),
      );
      if (json) printJson(cli.io, shown);
      else printRecord(cli.io, shown);
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
      const id = batchIdOf(named);
      const { voided, givenBack, batch } = await cli.withStore((db) =>
        voidCardBatch(db, cli.by, { id, reason }, { now: cli.now() }),
      );
      if (json) return printJson(cli.io, { voided, given_back: givenBack / 100, batch: shownBatch(batch) });
      const back = givenBack === 0 ? "" : `; ${formatAmount(givenBack)} went back to ${batch.resellerName}`;
      printLine(cli.io, `${voided} cards of batch ${shownBatch(batch).number} are void${back}`);
    });
}

/** The id in a batch's number as somebody types it. */
export function batchIdOf(named: string): number {
  const id = idOf(named);
  if (id === undefined)
    throw new CommandError(`${named} is no number of a batch, such as 0117; see: gatehouse card batch list`);
  return id;
}
