import { type Command, InvalidArgumentError, Option } from "commander";
import type { Db } from "../../db/open.ts";
import { amount, from, type Field, wholeNumber } from "../domain/core/fields/fields.ts";
import { namesById } from "../domain/core/references/names.ts";
import { packageNamed } from "../domain/goods/packages/terms.ts";
import { placeNamed } from "../domain/people/places/places.ts";
import { currenciesByIsp } from "../domain/machine/settings/change.ts";
import { everyListed } from "../domain/goods/subscribers/list.ts";
import { sorts } from "../domain/goods/subscribers/list-order.ts";
import { formatTime } from "../domain/core/time/time.ts";
import { subscriberToJson } from "../wire/subscriber.ts";
import { money, state } from "./cells.ts";
import type { Cli } from "./cli.ts";
import { printJson, printTable, printTotal } from "./io.ts";
import { reader, warnAboutDamage } from "./printed-passwords.ts";
import { describeSubscribers } from "./subscriber-total.ts";

interface Options {
  status?: (typeof statuses)[number];
  package?: string;
  area?: string;
  box?: string;
  expiresBefore?: number;
  balanceBelow?: number;
  absent?: number;
  sort: (typeof orders)[number];
  archived?: boolean;
  secrets?: boolean;
  json?: boolean;
}

export function addSubscriberList(subscriber: Command, cli: Cli): void {
  subscriber
    .command("list")
    .description("print subscribers: every one, or those to whom all of this applies")
    .addOption(new Option("--status <status>", "of this status").choices(statuses))
    .option("--package <package>", "with this package, by name or id")
    .option("--area <area>", "of this area, by name or id")
    .option("--box <number>", "on this distribution box")
    .option("--expires-before <time>", "with a service that ends before this day or time", read(from))
    .option("--balance-below <amount>", "with less in the wallet; 0: who owes", read(amount))
    .option("--absent <days>", "without a login for so many days", read(wholeNumber(1, 3650)))
    .addOption(new Option("--sort <order>", "- before it is backwards").choices(orders).default("id"))
    .option("--archived", "those who left instead")
    .option("--secrets", "passwords too (in the JSON)")
    .option("--json", "print JSON")
    .action(async (options: Options) => {
      const { secrets, json } = options;
      const { records, names, currencies } = await cli.withStore((db) => ({
        records: [
          ...everyListed(db, reader(cli, secrets), readFilters(db, cli, options), { now: cli.now() }),
        ].flat(),
        names: namesById(db, cli.by),
        currencies: currenciesByIsp(db, cli.by),
      }));
      if (secrets && json) warnAboutDamage(cli.io, records);
      if (json) return printJson(cli.io, records.map(subscriberToJson));
      printTable(
        cli.io,
        ["ID", "USERNAME", "NAME", "PACKAGE", "STATUS", "CONNECTION", "EXPIRES", "BALANCE"],
        records.map((record) => [
          record.id,
          record.username,
          record.name,
          names.packages.get(record.package_id),
          state(record.profile_status),
          state(record.connection_status),
          record.current_expiration_date && formatTime(record.current_expiration_date),
          money(record.balance),
        ]),
      );
      printTotal(cli.io, describeSubscribers(records, currencies));
    });
}

const statuses = ["active", "expired", "inactive", "disabled"] as const;
const orders = sorts.flatMap((name) => [name, `-${name}`] as const);

function readFilters(db: Db, { by }: Cli, options: Options) {
  const { expiresBefore, package: packageName, area } = options;
  return {
    profile_status: options.status ?? null,
    package_id: packageName === undefined ? null : packageNamed(db, by, packageName).id,
    area_id: area === undefined ? null : placeNamed(db, by, "area", area).id,
    box_number: options.box ?? null,
    expires_to: expiresBefore === undefined ? null : expiresBefore - 1,
    balance_lt: options.balanceBelow ?? null,
    no_login_for: options.absent ?? null,
    archived: options.archived ? (1 as const) : null,
    sort: options.sort,
  };
}

/** Reads an option as the API reads its parameter. */
function read({ read, message }: Field<number>) {
  return (text: string): number => {
    const value = read(text);
    if (value === undefined) throw new InvalidArgumentError(`It ${message}.`);
    return value;
  };
}
