import type { Command } from "commander";
import { type Input, without } from "../domain/core/fields/fields.ts";
import { packageInput } from "../domain/goods/packages/packages.ts";
import { buildOptions } from "./record-options.ts";

type Options = Readonly<Record<string, unknown>>;

const { price, net_price, ...others } = without(packageInput, ["name", "status"]);
/** The name is the argument of `add`, the status has commands of its own. */
const entries = buildOptions({ price, net_price, ...others }, packageInput);

export function addPackageOptions(command: Command): Command {
  for (const { option } of entries) command.addOption(option);
  return command;
}

export function packageFieldsIn(options: Options): Input {
  return Object.fromEntries(entries.map(({ field, option }) => [field, options[option.attributeName()]]));
}
