import type { Command } from "commander";
import { changeSetting, listSettings, settingByName } from "../domain/settings/settings.ts";
import type { Cli } from "./cli.ts";
import { type Io, printJson, printLine, printTable } from "./io.ts";

interface Output {
  json?: boolean;
}

export function addSettingsCommands(program: Command, cli: Cli): void {
  const { io, by } = cli;
  const settings = program.command("settings").description("what can change while serving");

  settings
    .command("list")
    .description("print every setting, its value and what it does")
    .option("--json", "print JSON")
    .action(async ({ json }: Output) => {
      const all = await cli.withStore(listSettings);
      if (json) printJson(io, Object.fromEntries(all.map(({ key, value }) => [key, value])));
      else
        printTable(
          io,
          ["KEY", "VALUE", "DEFAULT", "MEANING"],
          all.map(({ key, value, initially, meaning }) => [key, String(value), String(initially), meaning]),
        );
    });

  settings
    .command("get")
    .description("print the value of one setting")
    .argument("<key>")
    .option("--json", "print JSON")
    .action(async (key: string, { json }: Output) => {
      printValue(io, await cli.withStore((db) => settingByName(db, key)), json);
    });

  settings
    .command("set")
    .description("change a setting; a running server takes it up at once")
    .argument("<key>")
    .argument("<value>")
    .option("--json", "print JSON")
    .action(async (key: string, value: string, { json }: Output) => {
      const now = cli.now();
      const changed = await cli.withStore((db) => {
        changeSetting(db, { key, value, now, by });
        return settingByName(db, key);
      });
      printValue(io, changed, json);
    });
}

function printValue(io: Io, value: unknown, json: boolean | undefined): void {
  if (json) printJson(io, value);
  else printLine(io, String(value));
}
