import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packedPicture, pictureNames, writtenLanguages } from "../../src/handbook/files.ts";
import { pages } from "../../src/handbook/pages.ts";
import { languages } from "../../src/http/words/languages.ts";
import { findOwnWords } from "../../src/http/words/own.ts";
import { toTranslate } from "../../src/http/words/translation.ts";
import { Appliance, program } from "../support/appliance.ts";

test("the executable has the words of every language compressed", async () => {
  const executable = readFileSync(program);
  for (const { tag } of languages) expect(executable.includes(`/$bunfs/root/${tag}.zst`)).toBe(true);
  await using appliance = new Appliance();
  const folder = join(appliance.folder, "sw");
  await appliance.run(["words", "export", "sw", folder]);
  const files = Object.entries(toTranslate("sw", await findOwnWords(appliance.folder)));
  for (const [name, entries] of files)
    expect(JSON.parse(readFileSync(join(folder, name), "utf8"))).toEqual(entries);
});

test("the executable has the handbook in each language, with its pictures", async () => {
  await using appliance = new Appliance();
  const { stdout } = await appliance.run(["help", "first-subscriber"]);
  expect(stdout).toContain("At the end a subscriber has paid");
  const executable = readFileSync(program);
  for (const tag of writtenLanguages()) {
    await using own = new Appliance({ LANG: `${tag}.UTF-8` });
    const { title = "" } = pages(tag).find(({ slug }) => slug === "restore") ?? {};
    expect((await own.run(["help", "restore"])).stdout).toStartWith(`${title}\n`);
    for (const name of pictureNames(tag))
      expect([name, executable.includes(`/$bunfs/root/${packedPicture(name, tag)}`)]).toEqual([name, true]);
  }
});
