import type { Command } from "commander";
import { activate, quote } from "../domain/service/activation/activate.ts";
import { topUp } from "../domain/service/activation/top-up.ts";
import { extend } from "../domain/service/activation/extend.ts";
import { applyExtension, applySale } from "../domain/service/control/apply-change.ts";
import { applyTopUp } from "../domain/service/control/apply-top-up.ts";
import { freezeSubscriber } from "../domain/desk/subscriber-page/freeze.ts";
import { packageNamed } from "../domain/goods/packages/terms.ts";
import { subscriberByUsername } from "../domain/goods/subscribers/find.ts";
import { thawSubscriber } from "../domain/desk/subscriber-page/freeze-service.ts";
import { parseTime, type Seconds } from "../domain/core/time/time.ts";
import { volume } from "../domain/core/fields/volume.ts";
import { activationToJson } from "../wire/activation.ts";
import { extensionToJson, freezeToJson, quoteToJson, thawToJson } from "../wire/term.ts";
import { topUpToJson } from "../wire/top-up.ts";
import type { Db } from "../../db/open.ts";
import type { Actor } from "../domain/core/actor/actor.ts";
import type { Cli } from "./cli.ts";
import { SEE_LIST } from "./see-list.ts";
import { CommandError, printJson, printLine, printRecord } from "./io.ts";
import { withRouters } from "./with-routers.ts";

export function addSubscriberTermCommands(subscriber: Command, cli: Cli): void {
  addQuote(subscriber, cli);
  addActivate(subscriber, cli);
  addTopUp(subscriber, cli);
  addExtend(subscriber, cli);
  addFreeze(subscriber, cli);
  addThaw(subscriber, cli);
}

const PACKAGE = "its name or id (that of the profile)";
const CREDIT_UNUSED = "give back what is left of what was paid for";

interface Sale {
  package?: string;
  creditUnused?: boolean;
  json?: boolean;
}

/** The packages on sale to a subscriber. Throws `not_found`. */
function soldTo(db: Db, by: Actor, username: string, { package: named, creditUnused }: Sale) {
  const found = subscriberByUsername(db, by.scope, username, SEE_LIST);
  const packageId = named === undefined ? found.packageId : packageNamed(db, by, named).id;
  return { subscriberId: found.id, packageId, creditUnused };
}

function addQuote(subscriber: Command, cli: Cli): void {
  subscriber
    .command("quote")
    .description("print what an activation would do now, or why it would be refused")
    .argument("<username>")
    .option("--package <package>", PACKAGE)
    .option("--credit-unused", CREDIT_UNUSED)
    .option("--json", "print JSON")
    .action(async (username: string, options: Sale) => {
      const { by } = cli;
      const quoted = await cli.readStore((db) =>
        quote(db, by, soldTo(db, by, username, options), { now: cli.now() }),
      );
      const { paid, ...json } = quoteToJson(quoted);
      if (options.json) return printJson(cli.io, { ...json, paid });
      const shares = paid.map(
        ({ name, amount, when }) => `${name} ${amount.toFixed(2)}${when === "now" ? "" : " when it is paid"}`,
      );
      printRecord(cli.io, { ...json, paid: shares.join(", ") });
    });
}

function addActivate(subscriber: Command, cli: Cli): void {
  subscriber
    .command("activate")
    .description("activate or renew a subscriber with what is in the wallet, or give it another package")
    .argument("<username>")
    .option("--package <package>", PACKAGE)
    .option("--credit-unused", CREDIT_UNUSED)
    .option("--json", "print JSON")
    .action(async (username: string, options: Sale) => {
      const { by, now: clock } = cli;
      const { done, session } = await withRouters(cli, async (db, routers) => {
        const done = activate(db, by, soldTo(db, by, username, options), { now: clock() });
        return { done, session: await applySale(db, done, { clock, routers }) };
      });
      const { creditUnused: isCreditRequested = false } = options;
      const { note: _, success: __, ...json } = activationToJson(done, { isCreditRequested });
      if (options.json) return printJson(cli.io, { ...json, session });
      const credited = json.credited ? `, after ${json.credited.toFixed(2)} were given back` : "";
      const charged = `${json.amount_charged.toFixed(2)} were charged${credited}`;
      printLine(cli.io, `activated ${username} until ${json.new_expiration}; ${charged}`);
      printLine(cli.io, String(session));
    });
}

function addTopUp(subscriber: Command, cli: Cli): void {
  subscriber
    .command("top-up")
    .description("sell bytes or days on top of a service that runs, from what is in the wallet")
    .argument("<username>")
    .argument("<top-up>", "its name or id, of a package that adds bytes or days")
    .option("--json", "print JSON")
    .action(async (username: string, named: string, { json }: { json?: boolean }) => {
      const { by, now: clock } = cli;
      const { done, session } = await withRouters(cli, async (db, routers) => {
        const { subscriberId, packageId } = soldTo(db, by, username, { package: named });
        const done = topUp(db, by, { subscriberId, packageId }, { now: clock() });
        return { done, session: await applyTopUp(db, done, { clock, routers }) };
      });
      const { success: _, ...record } = topUpToJson(done);
      if (json) return printJson(cli.io, { ...record, session });
      const left = record.bytes_left === null ? "" : `, ${volume(record.bytes_left)} left`;
      const charged = `${record.amount_charged.toFixed(2)} were charged`;
      printLine(cli.io, `topped up ${username} until ${record.new_expiration}${left}; ${charged}`);
      printLine(cli.io, String(session));
    });
}

interface ExtendOptions {
  hours?: string;
  until?: string;
  reason: string;
  trust?: boolean;
  json?: boolean;
}

function addExtend(subscriber: Command, cli: Cli): void {
  subscriber
    .command("extend")
    .description("give a subscriber time free of charge, from now or from the end that is still ahead")
    .argument("<username>")
    .option("--hours <hours>", "so long")
    .option("--until <time>", "to this time, as 2030-01-31 12:00:00 in server time")
    .requiredOption("--reason <text>", "why, for the report of what was given away")
    .option("--trust", "to be paid later: the next renewal takes it off")
    .option("--json", "print JSON")
    .action(async (username: string, { hours, until, reason, trust = false, json }: ExtendOptions) => {
      const { by, now: clock } = cli;
      const length = { hours: parseHours(hours), until: parseUntil(until) };
      const { extended, session } = await withRouters(cli, async (db, routers) => {
        const { id: subscriberId } = subscriberByUsername(db, by.scope, username, SEE_LIST);
        const extended = extend(db, by, { subscriberId, ...length, reason, trust }, { now: clock() });
        const quoted = await applyExtension(db, { subscriberId }, { clock, routers });
        return { extended: extensionToJson(extended), session: quoted };
      });
      if (json) return printJson(cli.io, { ...extended, session });
      printLine(cli.io, `extended ${username} to ${extended.new_expiration}`);
      printLine(cli.io, String(session));
    });
}

function parseHours(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,4}$/.test(text))
    throw new CommandError(`--hours is ${text}; it must be a whole number from 1 to 99999`);
  return Number(text);
}

function parseUntil(text: string | undefined): Seconds | undefined {
  if (text === undefined) return undefined;
  const time = parseTime(text.replace("T", " "));
  if (time === undefined)
    throw new CommandError(`--until is ${text}; it must be a time such as "2030-01-31 12:00:00"`);
  return time;
}

function addFreeze(subscriber: Command, cli: Cli): void {
  subscriber
    .command("freeze")
    .description("let the service of a subscriber who travels stand still, and end its open session")
    .argument("<username>")
    .option("--json", "print JSON")
    .action(async (username: string, { json }: { json?: boolean }) => {
      const { by, now: clock } = cli;
      const frozen = await withRouters(cli, (db, routers) => {
        const { id: subscriberId } = subscriberByUsername(db, by.scope, username, SEE_LIST);
        return freezeSubscriber(db, by, { subscriberId }, { clock, routers });
      });
      const record = freezeToJson(frozen);
      if (json) return printJson(cli.io, record);
      printLine(cli.io, `froze ${username}; it thaws by itself at ${record.thaws_at}`);
      for (const failure of record.failures)
        printLine(cli.io, `a session is still open: ${failure}; a running server asks again`);
    });
}

function addThaw(subscriber: Command, cli: Cli): void {
  subscriber
    .command("thaw")
    .description("let a frozen service go on: what was left of it is left from now")
    .argument("<username>")
    .option("--json", "print JSON")
    .action(async (username: string, { json }: { json?: boolean }) => {
      const { by } = cli;
      const thawed = await cli.withStore((db) => {
        const { id: subscriberId } = subscriberByUsername(db, by.scope, username, SEE_LIST);
        return thawSubscriber(db, by, { subscriberId }, { now: cli.now() });
      });
      const record = thawToJson(thawed);
      if (json) return printJson(cli.io, record);
      printLine(cli.io, `thawed ${username}; it ends ${record.new_expiration}`);
    });
}
