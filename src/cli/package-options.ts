import { type Command, Option } from "commander";
import type { Input } from "../domain/core/fields/fields.ts";
import type { packageInput } from "../domain/goods/packages/packages.ts";

type Given = Readonly<Record<string, unknown>>;

/** What each option gives, by the field; the name is the argument of `add`, the status has commands of its own. */
const options: Record<
  Exclude<keyof typeof packageInput, "name" | "status">,
  readonly [value: string, says: string]
> = {
  price: ["amount", "of a period, tax included"],
  net_price: ["amount", "of a period, to which the tax of the ISP is added; in place of --price"],
  reseller_price: ["amount", "what a reseller pays of it; the rest is its commission"],
  billing_type: ["type", "prepaid or postpaid"],
  duration: ["count", "how many units a period has"],
  duration_unit: ["unit", "hour, day or month"],
  rate_limit: ["rate", "in RouterOS syntax, such as 10M/10M"],
  data_quota_bytes: ["bytes", "volume of a period; 0 is none"],
  quota_exceeded: ["what", "after the volume: reject, or a slower rate"],
  framed_pool: ["pool", "of the router, for addresses"],
  framed_ipv6_pool: ["pool", "of the router, for the prefix of the link"],
  delegated_ipv6_pool: ["pool", "of the router, for the prefix behind it"],
  address_list: ["list", "of the router, which the address is put into"],
  expired_pool: ["pool", "of the router, for expired subscribers"],
  expired_address_list: ["list", "of the router, for expired subscribers"],
  simultaneous_use: ["count", "sessions that may be open at once"],
  address_pool: ["pool", "of ours, of which each holder has an address for good"],
  delegated_ipv6_from: ["pool", "of ours, of which each holder has a prefix for good"],
  idle_timeout: ["seconds", "without traffic after which a session ends"],
  reply_attributes: ["lines", "further RADIUS attributes, a Name=value on each line"],
  tiers: ["tiers", "slower rates after so many bytes of the window, such as '50GB 5M/5M; 100GB 1M/1M'"],
  fair_window: ["window", "what the volume and the tiers are of: period, month, week or day"],
  hours: [
    "hours",
    "other rates by the clock, such as 'mon-fri 22:00-06:00 free 20M/20M'; of free hours no byte counts",
  ],
  top_up_bytes: [
    "bytes",
    "that it adds to a service that runs: it is a top-up then, and no package of its own",
  ],
  top_up_days: ["days", "that it adds to a service that runs"],
  top_up_rolls: ["0|1", "whether what is left of its bytes at the end of the window stays"],
};

const entries = Object.entries(options).map(([field, [value, says]]) => ({
  field,
  option: new Option(`--${field.replaceAll("_", "-")} <${value}>`, says),
}));

/** The options that `package add` and `package set` have in common. */
export function addPackageOptions(command: Command): Command {
  for (const { option } of entries) command.addOption(option);
  return command;
}

/** What the options say, as fields of a package; an empty one clears. */
export function packageFieldsGiven(given: Given): Input {
  return Object.fromEntries(entries.map(({ field, option }) => [field, given[option.attributeName()]]));
}
