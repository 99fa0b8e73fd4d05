import { type Command, InvalidArgumentError } from "commander";
import { changeSetting, listSettings, settingByName, trySetting } from "../domain/machine/settings/change.ts";
import { narrow } from "../domain/core/actor/actor.ts";
import { cut } from "./cells.ts";
import type { Cli } from "./cli.ts";
import { awaitTry } from "./setting-files.ts";
import { type Io, printJson, printLine, printTable } from "./io.ts";

interface Output {
  json?: boolean;
}
interface OfIsp extends Output {
  isp?: number;
}

const ISP = "--isp <id>";
const ROOM = 40;

export function addSettingsCommands(program: Command, cli: Cli): void {
  const { io, by } = cli;
  const settings = program.command("settings").description("what can change while serving");

  settings
    .command("list")
    .description("print every setting, its value and what it does")
    .option(ISP, "those of one ISP, with their values for it", ispId)
    .option("--json", "print JSON")
    .action(async ({ isp, json }: OfIsp) => {
      const within = { ...by, scope: narrow(by.scope, isp, null) };
      const all = await cli.withStore((db) => listSettings(db, within));
      if (json) printJson(io, Object.fromEntries(all.map(({ key, value }) => [key, value])));
      else
        printTable(
          io,
          ["KEY", "VALUE", "DEFAULT", "MEANING"],
          all.map(({ key, value, initially, meaning }) => [
            key,
            { text: cut(String(value), ROOM), tone: value === initially ? undefined : "strong" },
            String(initially),
            meaning,
          ]),
        );
    });

  settings
    .command("get")
    .description("print the value of one setting")
    .argument("<key>")
    .option(ISP, "the value for one ISP", ispId)
    .option("--json", "print JSON")
    .action(async (key: string, { isp, json }: OfIsp) => {
      printValue(io, await cli.withStore((db) => settingByName(db, by, { key, ispId: isp })), json);
    });

  settings
    .command("set")
    .description("change a setting; a running server takes it up at once")
    .argument("<key>")
    .argument("<value>")
    .option(
      ISP,
      "for one ISP only: its currency, portal, invoices, tax, ways to pay, and the days that staff may give",
      ispId,
    )
    .option("--json", "print JSON")
    .action(async (key: string, value: string, { isp, json }: OfIsp) => {
      const now = cli.now();
      const changed = await cli.withStore(async (db) => {
        await trySetting(db, by, { key, value, ispId: isp });
        changeSetting(db, by, { key, value, ispId: isp }, { now });
        return settingByName(db, by, { key, ispId: isp });
      });
      printValue(io, changed, json);
      await awaitTry(cli, { key, value: changed, since: now });
    });
}

function ispId(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be the id of an ISP.");
}

function printValue(io: Io, value: unknown, json: boolean | undefined): void {
  if (json) printJson(io, value);
  else printLine(io, String(value));
}
