import type { Command } from "commander";
import type { Db } from "../../db/open.ts";
import { credit } from "../domain/billing/credit.ts";
import { DomainError } from "../domain/errors.ts";
import { amount as amountField } from "../domain/fields.ts";
import { formatAmount, shownAmount } from "../domain/money.ts";
import type { Actor } from "../domain/staff/actor.ts";
import { subscriberByUsername } from "../domain/subscribers/find.ts";
import { subscriberRecord, subscriberRecords } from "../domain/subscribers/record.ts";
import { setSubscriberStatus } from "../domain/subscribers/status.ts";
import type { Cli } from "./cli.ts";
import { type Cell, printJson, printLine, printRecord, printTable } from "./io.ts";

interface ReadOptions {
  secrets?: boolean;
  json?: boolean;
}

export function addSubscriberCommands(program: Command, cli: Cli): void {
  const subscriber = program.command("subscriber").description("the customers");
  addList(subscriber, cli);
  addShow(subscriber, cli);
  addStatus(subscriber, cli, "enable", true, "let a subscriber in again");
  addStatus(subscriber, cli, "disable", false, "keep a subscriber out and revoke its tokens for good");
  addCredit(subscriber, cli);
}

function addList(subscriber: Command, cli: Cli): void {
  subscriber
    .command("list")
    .description("print every subscriber")
    .option("--secrets", "passwords too (in the JSON)")
    .option("--json", "print JSON")
    .action(async ({ secrets, json }: ReadOptions) => {
      const all = { limit: -1, offset: 0, now: cli.now() };
      const records = await cli.withStore((db) =>
        subscriberRecords(db, reader(cli, secrets), undefined, all),
      );
      if (json) return printJson(cli.io, records);
      printTable(
        cli.io,
        ["ID", "USERNAME", "NAME", "PACKAGE", "STATUS", "CONNECTION", "EXPIRES", "BALANCE"],
        records.map((record) => [
          record.id,
          record.username,
          record.name,
          record.package_id,
          record.profile_status,
          record.connection_status,
          record.current_expiration_date,
          record.balance.toFixed(2),
        ]),
      );
    });
}

function addShow(subscriber: Command, cli: Cli): void {
  subscriber
    .command("show")
    .description("print everything about a subscriber")
    .argument("<username>")
    .option("--secrets", "the password too")
    .option("--json", "print JSON")
    .action(async (username: string, { secrets, json }: ReadOptions) => {
      const actor = reader(cli, secrets);
      const record = await cli.withStore((db) =>
        subscriberRecord(db, actor, subscriberId(db, username, actor), cli.now()),
      );
      if (json) return printJson(cli.io, record);
      const { area_data, ...plain } = record;
      const names = {
        area: area_data.area?.name,
        subarea: area_data.subarea?.name,
        city: area_data.city?.name,
      };
      printRecord(cli.io, { ...plain, ...names } satisfies Record<string, Cell>);
    });
}

function addStatus(
  subscriber: Command,
  cli: Cli,
  name: "enable" | "disable",
  enabled: boolean,
  description: string,
): void {
  subscriber
    .command(name)
    .description(description)
    .argument("<username>")
    .action(async (username: string) => {
      const { by } = cli;
      await cli.withStore((db) =>
        setSubscriberStatus(db, {
          subscriberId: subscriberId(db, username, by),
          enabled,
          now: cli.now(),
          by,
        }),
      );
      printLine(cli.io, `${name}d ${username}`);
    });
}

function addCredit(subscriber: Command, cli: Cli): void {
  subscriber
    .command("credit")
    .description("add money to a subscriber's wallet; settles its oldest unpaid invoices")
    .argument("<username>")
    .argument("<amount>", "such as 15.00")
    .option("--json", "print JSON")
    .action(async (username: string, given: string, { json }: { json?: boolean }) => {
      const amount = amountField.read(given);
      if (amount === undefined) {
        throw new DomainError("invalid", `the amount ${given} ${amountField.message}`);
      }
      const { by } = cli;
      const balance = await cli.withStore((db) =>
        credit(db, { subscriberId: subscriberId(db, username, by), amount, now: cli.now(), by }),
      );
      if (json)
        return printJson(cli.io, { username, credited: shownAmount(amount), balance: shownAmount(balance) });
      printLine(cli.io, `credited ${formatAmount(amount)}; the balance is ${formatAmount(balance)}`);
    });
}

/** Who reads: passwords are shown to those who ask for them only, for terminals are logged and looked over. */
function reader({ by }: Cli, secrets: boolean | undefined): Actor {
  return secrets ? by : { ...by, admin: false };
}

function subscriberId(db: Db, username: string, { scope }: Actor): number {
  return subscriberByUsername(db, scope, username).id;
}
