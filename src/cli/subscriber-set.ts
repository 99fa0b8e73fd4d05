import type { Command } from "commander";
import { only } from "../domain/core/fields/fields.ts";
import { profileFields } from "../domain/goods/subscribers/fields.ts";
import { subscriberByUsername } from "../domain/goods/subscribers/find.ts";
import { subscriberRecord } from "../domain/goods/subscribers/record.ts";
import { updateSubscriber } from "../domain/goods/subscribers/update.ts";
import { subscriberToJson } from "../wire/subscriber.ts";
import type { Cli } from "./cli.ts";
import { CommandError, printJson, printLine } from "./io.ts";
import { buildOptions } from "./record-options.ts";
import { SEE_LIST } from "./see-list.ts";

/** Options for a line's fields that are set here; the console and the API set the rest. */
const options = only(profileFields, [
  "circuit_id",
  "remote_id",
  "mac_login",
  "reply_attributes",
  "static_ip",
  "framed_ipv6_prefix",
  "delegated_ipv6_prefix",
]);
const entries = buildOptions(options, profileFields);

export function addSubscriberSet(subscriber: Command, cli: Cli): void {
  const set = subscriber
    .command("set")
    .description("change the line of a subscriber; what is not named stays, and an empty value clears")
    .argument("<username>");
  for (const { option } of entries) set.addOption(option);
  set
    .option("--json", "print JSON")
    .action(async (username: string, options: Readonly<Record<string, unknown>>) => {
      const values = entries.map(({ field, option }) => [field, options[option.attributeName()]] as const);
      if (values.every(([, value]) => value === undefined))
        throw new CommandError("say what to change; see: gatehouse subscriber set --help");
      const { by } = cli;
      const now = cli.now();
      const record = await cli.withStore((db) => {
        const { id } = subscriberByUsername(db, by.scope, username, SEE_LIST);
        const input = { ...Object.fromEntries(values), username };
        updateSubscriber(db, by, input, { now, toJson: subscriberToJson });
        return subscriberRecord(db, by, id, { now });
      });
      if (options["json"]) printJson(cli.io, subscriberToJson(record));
      else printLine(cli.io, `changed ${username}; it counts from the next login`);
    });
}
