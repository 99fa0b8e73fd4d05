import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Command } from "commander";
import { findLanguage } from "../http/words/languages.ts";
import type { Cli } from "./cli.ts";
import { makeWhole, requireNew } from "./export-files.ts";
import { CommandError, printLine } from "./io.ts";

export function addWordsCommands(program: Command, cli: Cli): void {
  const words = program
    .command("words")
    .description("texts of the pages: further translations, and words of your own");
  words
    .command("export")
    .description(
      "write what a translator needs of a language into a folder: a file a chapter, each message with its English, what is told of it, and its translation so far",
    )
    .argument("<language>", "its tag, such as fr: one of ours, or a further one")
    .argument("<folder>", "must not exist yet; LANGUAGE of the folder words, to be read by the server")
    .action(async (language: string, folder: string) => {
      if (!findLanguage(language))
        throw new CommandError(`${language} is no language; name it by its tag, such as fr or tr`);
      requireNew(folder, "folder");
      const { toTranslate, findOwnWords } = await translating();
      const files = Object.entries(toTranslate(language, await findOwnWords(cli.config.dataDir)));
      makeWhole(folder, (unfinished) => {
        mkdirSync(unfinished);
        for (const [name, entries] of files)
          writeFileSync(join(unfinished, name), `${JSON.stringify(entries, null, 2)}\n`);
      });
      const entries = files.flatMap(([, messages]) => Object.values(messages));
      const without = entries.filter(({ translation }) => translation === "").length;
      printLine(
        cli.io,
        `${entries.length} messages in ${files.length} files, ${without} without a translation`,
      );
      printLine(cli.io, `fill in each translation, then: gatehouse words check ${folder}/*.json`);
    });
  words
    .command("check")
    .description(
      "say what is wrong with files of words: what is missing, what English does not have any more, values that do not fit, texts that are too long; exit code 1 when there is anything",
    )
    .argument("[file...]", "LANGUAGE/CHAPTER.json; none: those in the folder words of the data folder")
    .action(async (named: string[]) => {
      const { checkFile, inEnglish, ownFiles, wordsFolder } = await translating();
      const files = named.length > 0 ? named : ownFiles(wordsFolder(cli.config.dataDir));
      const checked = files.map((file) => ({ file, ...checkFile(resolve(file), file) }));
      for (const { file, faults, missing } of checked) {
        for (const fault of faults) printLine(cli.io, inEnglish(fault));
        for (const key of missing) printLine(cli.io, `${file}, ${key}: It has no translation`);
      }
      const sum = (of: (one: (typeof checked)[number]) => number) =>
        checked.reduce((all, one) => all + of(one), 0);
      const [faults, missing] = [sum((one) => one.faults.length), sum((one) => one.missing.length)];
      if (faults + missing > 0)
        throw new CommandError(
          `${faults} faults, ${missing} messages without a translation; correct them and run this again`,
        );
      printLine(
        cli.io,
        `${sum(({ messages }) => messages)} messages in ${files.length} files: nothing is wrong`,
      );
    });
}

/** What parses messages costs the other commands no start. */
const translating = async () => ({
  ...(await import("../http/words/translation.ts")),
  ...(await import("../http/words/own-faults.ts")),
  ...(await import("../http/words/own.ts")),
});
