import type { Command } from "commander";
import type { Db } from "../../db/open.ts";
import { disableSubscriber } from "../domain/service/control/disable.ts";
import { credit } from "../domain/money/billing/credit.ts";
import { DomainError } from "../domain/core/errors/errors.ts";
import { verbatim } from "../domain/core/errors/phrase.ts";
import { amount as amountField } from "../domain/core/fields/fields.ts";
import { formatAmount, formatMinor } from "../domain/core/amounts/money.ts";
import { namesById } from "../domain/core/references/names.ts";
import type { Actor } from "../domain/core/actor/actor.ts";
import { subscriberByUsername } from "../domain/goods/subscribers/find.ts";
import { subscriberRecord } from "../domain/goods/subscribers/record.ts";
import { setSubscriberStatus } from "../domain/goods/subscribers/status.ts";
import { subscriberToJson } from "../wire/subscriber.ts";
import { money, named, state } from "./cells.ts";
import type { Cli } from "./cli.ts";
import { type Cell, printJson, printLine, printRecord } from "./io.ts";
import { SEE_LIST } from "./see-list.ts";
import { DAMAGED, reader, warnAboutDamage } from "./printed-passwords.ts";
import { addSubscriberList } from "./subscriber-list.ts";
import { addSubscriberOfficeCommands } from "./subscriber-office.ts";
import { addSubscriberSet } from "./subscriber-set.ts";
import { addSubscriberTermCommands } from "./subscriber-term.ts";
import { addWhyCommand } from "./why.ts";
import { withRouters } from "./with-routers.ts";

interface ReadOptions {
  secrets?: boolean;
  json?: boolean;
}

export function addSubscriberCommands(program: Command, cli: Cli): void {
  const subscriber = program.command("subscriber").description("the customers");
  addSubscriberList(subscriber, cli);
  addShow(subscriber, cli);
  addSubscriberSet(subscriber, cli);
  addEnable(subscriber, cli);
  addDisable(subscriber, cli);
  addCredit(subscriber, cli);
  addWhyCommand(subscriber, cli);
  addSubscriberOfficeCommands(subscriber, cli);
  addSubscriberTermCommands(subscriber, cli);
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
      const { record, names } = await cli.withStore((db) => ({
        record: subscriberRecord(db, actor, subscriberId(db, username, actor), { now: cli.now() }),
        names: namesById(db, cli.by),
      }));
      if (secrets && json) warnAboutDamage(cli.io, [record]);
      const listed = subscriberToJson(record);
      if (json) return printJson(cli.io, listed);
      const { area_data, ...plain } = listed;
      printRecord(cli.io, {
        ...plain,
        password: secrets ? (plain.password ?? DAMAGED) : null,
        isp_id: named(names.isps, plain.isp_id),
        branch_id: named(names.branches, plain.branch_id),
        package_id: named(names.packages, plain.package_id),
        salesperson_id: named(names.staff, plain.salesperson_id),
        nas_id: named(names.nas, plain.nas_id),
        balance: money(record.balance),
        profile_status: state(plain.profile_status),
        connection_status: state(plain.connection_status),
        area: area_data.area?.name,
        subarea: area_data.subarea?.name,
        city: area_data.city?.name,
      } satisfies Record<string, Cell>);
    });
}

function addEnable(subscriber: Command, cli: Cli): void {
  subscriber
    .command("enable")
    .description("let a subscriber in again")
    .argument("<username>")
    .action(async (username: string) => {
      const { by } = cli;
      await cli.withStore((db) =>
        setSubscriberStatus(
          db,
          by,
          { subscriberId: subscriberId(db, username, by), enabled: true },
          { now: cli.now() },
        ),
      );
      printLine(cli.io, `enabled ${username}`);
    });
}

function addDisable(subscriber: Command, cli: Cli): void {
  subscriber
    .command("disable")
    .description("keep a subscriber out, end its open session, and revoke its tokens for good")
    .argument("<username>")
    .action(async (username: string) => {
      const { by, now: clock, io } = cli;
      const { ended, failures } = await withRouters(cli, (db, routers) =>
        disableSubscriber(db, by, { subscriberId: subscriberId(db, username, by) }, { clock, routers }),
      );
      const open = ended + failures.length > 0 ? `ended ${countedSessions(ended)}` : "no session was open";
      printLine(io, `disabled ${username}; ${open}`);
      if (failures.length === 0) return;
      printLine(
        io,
        `a session is still open: ${failures.join("; ")}; a running server asks again, and if the router knows it no more: gatehouse sessions end ${username} --books-only`,
      );
    });
}

const countedSessions = (count: number) => (count === 1 ? "1 session" : `${count} sessions`);

function addCredit(subscriber: Command, cli: Cli): void {
  subscriber
    .command("credit")
    .description("add money to a subscriber's wallet; settles its oldest unpaid invoices")
    .argument("<username>")
    .argument("<amount>", "such as 15.00")
    .option("--json", "print JSON")
    .action(async (username: string, value: string, { json }: { json?: boolean }) => {
      const amount = amountField.read(value);
      if (amount === undefined) {
        throw new DomainError("invalid", verbatim(`the amount ${value} ${amountField.message}`));
      }
      const { by } = cli;
      const balance = await cli.withStore((db) =>
        credit(db, by, { subscriberId: subscriberId(db, username, by), amount }, { now: cli.now() }),
      );
      if (json)
        return printJson(cli.io, { username, credited: formatMinor(amount), balance: formatMinor(balance) });
      printLine(cli.io, `credited ${formatAmount(amount)}; the balance is ${formatAmount(balance)}`);
    });
}

function subscriberId(db: Db, username: string, { scope }: Actor): number {
  return subscriberByUsername(db, scope, username, SEE_LIST).id;
}
