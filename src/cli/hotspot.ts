import { verbatim } from "../domain/core/errors/phrase.ts";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Command, Option } from "commander";
import { languages } from "../http/words/languages.ts";
import type { Cli } from "./cli.ts";
import { makeWhole, requireNew } from "./export-files.ts";
import { CommandError, printLine, printTable } from "./io.ts";
import { chooseIsp } from "./nas.ts";

interface PagesOptions {
  isp?: string;
  language: string;
}

export function addHotspotCommands(program: Command, cli: Cli): void {
  const hotspot = program.command("hotspot").description("what a MikroTik hotspot serves");
  hotspot
    .command("pages")
    .description(
      "write the pages of a MikroTik hotspot (login by card or name, what is left, logout) in the ISP's branding and all languages, to copy to the router",
    )
    .argument(
      "<folder>",
      "must not exist yet; upload it and name it as html-directory of the hotspot's profile",
    )
    .option("--isp <id>", "its ISP (may be left out when there is one)")
    .addOption(
      new Option("--language <tag>", "what a browser without JavaScript is told in")
        .choices(languages.map(({ tag }) => tag))
        .default(languages[0].tag),
    )
    .action(async (folder: string, { isp, language }: PagesOptions) => {
      requireNew(folder, "folder");
      const { hotspotFiles, weighPages } = await import("../http/hotspot/files.ts"); // pages cost the other commands no start
      const files = await cli.readStore((db) => {
        const ispId = Number(chooseIsp(db, cli, isp, verbatim("whose pages they are")));
        return Number.isSafeInteger(ispId) ? hotspotFiles(db, { ispId, tag: language }) : undefined;
      });
      if (!files) throw new CommandError(`--isp is ${isp}; it must be the id of an ISP`);
      makeWhole(folder, (unfinished) => {
        mkdirSync(unfinished);
        for (const { name, content } of files) writeFileSync(join(unfinished, name), content);
      });
      printTable(
        cli.io,
        ["FILE", "BYTES"],
        files.map(({ name, content }) => [name, content.length]),
      );
      const { login, logo } = weighPages(files);
      printLine(
        cli.io,
        `a phone loads ${kilobytes(login)} to log in${logo ? `, ${kilobytes(logo)} of it the logo` : ""}`,
      );
      printLine(
        cli.io,
        `upload ${folder} to the router, and let its hotspot serve it: ${setCommand(folder)}`,
      );
    });
}

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;

const setCommand = (folder: string) =>
  `/ip hotspot profile set [find] html-directory=${folder.replace(/\/+$/, "").replace(/^.*\//, "")}`;
