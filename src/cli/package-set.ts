import { verbatim } from "../domain/core/errors/phrase.ts";
import type { Command } from "commander";
import { namesById } from "../domain/core/references/names.ts";
import {
  createPackage,
  deletePackage,
  listPackages,
  packageById,
  type PricedPackage,
  setPackageStatus,
  updatePackage,
} from "../domain/goods/packages/packages.ts";
import { packageNamed } from "../domain/goods/packages/terms.ts";
import { volume } from "../domain/core/fields/volume.ts";
import { packageToJson } from "../wire/package.ts";
import { counted, money, state } from "./cells.ts";
import type { Cli } from "./cli.ts";
import { CommandError, printJson, printLine, printRecord, printTable } from "./io.ts";
import { chooseIsp } from "./nas.ts";
import { explainOldTerms } from "./old-terms.ts";
import { addPackageOptions, packageFieldsIn } from "./package-options.ts";

interface Options extends Readonly<Record<string, unknown>> {
  readonly isp?: string;
  readonly name?: string;
  readonly json?: boolean;
}

const EVERY = { sort: "name", descending: false, limit: Number.MAX_SAFE_INTEGER, offset: 0 } as const;

export function addPackageChanges(command: Command, cli: Cli): void {
  addList(command, cli);
  addShow(command, cli);
  addAdd(command, cli);
  addSet(command, cli);
  addStatus(command, cli, "enable", 1, "let a package be sold");
  addStatus(command, cli, "disable", 0, "sell a package to nobody any more; who has it keeps it");
  command
    .command("remove")
    .description("remove a package that was never sold")
    .argument("<package>", "its name or id")
    .action(async (named: string) => {
      const { by } = cli;
      const { name } = await cli.withStore((db) =>
        deletePackage(db, by, packageNamed(db, by, named), { now: cli.now() }),
      );
      printLine(cli.io, `removed ${name}`);
    });
}

function addList(command: Command, cli: Cli): void {
  command
    .command("list")
    .description("print every package")
    .option("--json", "print JSON")
    .action(async ({ json }: Options) => {
      const { packages, isps } = await cli.withStore((db) => ({
        packages: listPackages(db, cli.by, EVERY).records,
        isps: namesById(db, cli.by).isps,
      }));
      if (json) return printJson(cli.io, packages.map(packageToJson));
      printTable(
        cli.io,
        [
          "ID",
          "ISP",
          "NAME",
          "PRICE",
          "TAX IN IT",
          "RESELLER PAYS",
          "TYPE",
          "PERIOD",
          "RATE",
          "VOLUME",
          "STATUS",
        ],
        packages.map((row) => [
          row.id,
          isps.get(row.ispId),
          row.name,
          money(row.price),
          money(row.tax),
          row.resellerPrice === null ? null : money(row.resellerPrice),
          row.billingType,
          counted(row.duration, row.durationUnit),
          row.rateLimit,
          row.dataQuotaBytes === 0 ? null : volume(row.dataQuotaBytes),
          state(row.status === 1 ? "enabled" : "disabled"),
        ]),
      );
    });
}

function addShow(command: Command, cli: Cli): void {
  command
    .command("show")
    .description("print all of a package")
    .argument("<package>", "its name or id")
    .option("--json", "print JSON")
    .action(async (named: string, { json }: Options) => {
      const { by } = cli;
      const row = await cli.withStore((db) => packageById(db, by, packageNamed(db, by, named).id));
      const record = packageToJson(row);
      if (json) return printJson(cli.io, record);
      printRecord(cli.io, {
        ...record,
        price: money(row.price),
        net: money(row.net),
        tax: money(row.tax),
        reseller_price: row.resellerPrice === null ? null : money(row.resellerPrice),
        reply_attributes: row.replyAttributes?.replaceAll("\n", ", ") ?? null,
        status: state(row.status === 1 ? "enabled" : "disabled"),
      });
    });
}

function addAdd(command: Command, cli: Cli): void {
  const add = command
    .command("add")
    .description("add a package, at a price with tax or without; prepaid and for a month unless it is said")
    .argument("<name>")
    .option("--isp <id>", "its ISP (may be left out when there is one)");
  addPackageOptions(add)
    .option("--json", "print JSON")
    .action(async (name: string, options: Options) => {
      const {
        billing_type = "prepaid",
        duration = 1,
        duration_unit = "month",
        ...values
      } = packageFieldsIn(options);
      const added = await cli.withStore((db) => {
        const isp_id = chooseIsp(db, cli, options.isp, verbatim("who sells it"));
        const input = { isp_id, name, billing_type, duration, duration_unit, ...values };
        return createPackage(db, cli.by, input, { now: cli.now() });
      });
      if (options.json) return printJson(cli.io, packageToJson(added));
      printLine(cli.io, `added ${added.name} with the id ${added.id}, ${priceInWords(added)}`);
      printRate(cli, added);
    });
}

/** Warns of a package without a rate: at a hotspot its line gets no queue of its own. */
function printRate({ io }: Cli, { rateLimit }: PricedPackage): void {
  if (rateLimit === null || rateLimit === "")
    printLine(
      io,
      "it has no rate: guests of a hotspot who have it share the one queue of the router's user profile; give it one with --rate-limit",
    );
}

function addSet(command: Command, cli: Cli): void {
  const set = command
    .command("set")
    .description("change a package; what is not named stays, and an empty value clears")
    .argument("<package>", "its name or id")
    .option("--name <name>", "a new name");
  addPackageOptions(set)
    .option("--json", "print JSON")
    .action(async (named: string, options: Options) => {
      const input = { name: options.name, ...packageFieldsIn(options) };
      if (Object.values(input).every((value) => value === undefined))
        throw new CommandError("say what to change; see: gatehouse package set --help");
      const { by } = cli;
      const { changed, holders } = await cli.withStore((db) =>
        updatePackage(db, by, { id: packageNamed(db, by, named).id, input }, { now: cli.now() }),
      );
      if (options.json)
        return printJson(cli.io, { ...packageToJson(changed), holders_on_old_terms: holders });
      printLine(cli.io, `changed ${changed.name}, ${priceInWords(changed)}`);
      if (packageFieldsIn(options)["rate_limit"] !== undefined) printRate(cli, changed);
      if (holders === 0) return;
      const oldTerms = [{ package_id: changed.id, name: changed.name, subscribers: holders }];
      for (const line of explainOldTerms(oldTerms)) printLine(cli.io, line);
    });
}

function addStatus(command: Command, cli: Cli, name: string, status: 0 | 1, description: string): void {
  command
    .command(name)
    .description(description)
    .argument("<package>", "its name or id")
    .action(async (named: string) => {
      const { by } = cli;
      const changed = await cli.withStore((db) =>
        setPackageStatus(db, by, { id: packageNamed(db, by, named).id, status }, { now: cli.now() }),
      );
      printLine(cli.io, `${name}d ${changed.name}`);
    });
}

function priceInWords({ price, tax }: PricedPackage): string {
  return `which costs ${money(price).text}${tax === 0 ? "" : `, ${money(tax).text} of it tax`}`;
}
