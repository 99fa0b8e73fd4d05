import { type Command, Option } from "commander";
import { subscriberByUsername } from "../domain/goods/subscribers/find.ts";
import { subscriberRecord } from "../domain/goods/subscribers/record.ts";
import { updateSubscriber } from "../domain/goods/subscribers/update.ts";
import { shownSubscriber } from "../wire/subscriber.ts";
import type { Cli } from "./cli.ts";
import { CommandError, printJson, printLine } from "./io.ts";
import { SEE_LIST } from "./see-list.ts";

/** What of a line is set here; the rest of a profile is the console's and the API's. */
const options: Readonly<Record<string, readonly [value: string, says: string]>> = {
  circuit_id: ["id", "the line that DHCP comes from (option 82), as text or as 0x and its bytes"],
  remote_id: ["id", "the switch that DHCP comes from (option 82)"],
  mac_login: ["0|1", "whether the MAC address alone logs in, without a password"],
  reply_attributes: ["lines", "further RADIUS attributes of this line alone, a Name=value on each line"],
  static_ip: ["address", "an IPv4 address of its own, in place of one of a pool"],
  framed_ipv6_prefix: ["prefix", "an IPv6 prefix of its own for the link"],
  delegated_ipv6_prefix: ["prefix", "an IPv6 prefix of its own behind it, in place of one of a pool"],
};
const entries = Object.entries(options).map(([field, [value, says]]) => ({
  field,
  option: new Option(`--${field.replaceAll("_", "-")} <${value}>`, says),
}));

/** Sets by what a line without a dial-in is known, which addresses it has, and what else its router is told. */
export function addSubscriberSet(subscriber: Command, cli: Cli): void {
  const set = subscriber
    .command("set")
    .description("change the line of a subscriber; what is not named stays, and an empty value clears")
    .argument("<username>");
  for (const { option } of entries) set.addOption(option);
  set
    .option("--json", "print JSON")
    .action(async (username: string, given: Readonly<Record<string, unknown>>) => {
      const values = entries.map(({ field, option }) => [field, given[option.attributeName()]] as const);
      if (values.every(([, value]) => value === undefined))
        throw new CommandError("say what to change; see: gatehouse subscriber set --help");
      const { by } = cli;
      const now = cli.now();
      const record = await cli.withStore((db) => {
        const { id } = subscriberByUsername(db, by.scope, username, SEE_LIST);
        const input = { ...Object.fromEntries(values), username };
        updateSubscriber(db, by, input, { now, shown: shownSubscriber });
        return subscriberRecord(db, by, id, { now });
      });
      if (given["json"]) printJson(cli.io, shownSubscriber(record));
      else printLine(cli.io, `changed ${username}; it counts from the next login`);
    });
}
