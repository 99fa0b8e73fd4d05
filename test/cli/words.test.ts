import { expect, test } from "bun:test";
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { languages } from "../../src/http/words/languages.ts";
import { readCompiled } from "../../src/http/words/messages.ts";
import { readModels } from "../../src/http/words/models.ts";
import { findOwnWords } from "../../src/http/words/own.ts";
import { fitted } from "../../src/http/words/parse.ts";
import { messageText } from "../../src/http/words/translation.ts";
import { CommandLine } from "./harness.ts";

test("the text of each message is written as it is read", () => {
  for (const { tag } of languages)
    for (const [chapter, messages] of Object.entries(readCompiled(tag)))
      for (const [key, said] of Object.entries(messages)) {
        const model = readModels()[chapter]?.[key] ?? {};
        const text = messageText(said, Object.keys(model.arguments ?? {}));
        expect([tag, chapter, key, fitted(text, model)]).toEqual([tag, chapter, key, said]);
      }
});

test("a translator gets each message with its English and its translation so far, in files that check and the server read", async () => {
  using cli = new CommandLine();
  const folder = join(cli.folder, "es");
  const { code, stdout, stderr } = await cli.run(["words", "export", "es", folder]);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/^\d{4} messages in \d\d files, 0 without a translation$/m);
  expect(readdirSync(folder)).not.toContain("box.json");
  const cards = join(folder, "cards.json");
  const entries = JSON.parse(readFileSync(cards, "utf8")) as Record<string, object>;
  const spanish = JSON.parse(readFileSync("src/http/words/es/cards.json", "utf8")) as Record<string, string>;
  const plural = "batch.voidDone";
  expect(entries[plural]).toEqual({
    defaultMessage: "{count, plural, one {1 card is void} other {# cards are void}}",
    arguments: ["count"],
    translation: spanish[plural] ?? "",
  });
  const files = readdirSync(folder).map((name) => join(folder, name));
  expect(await cli.run(["words", "check", ...files])).toMatchObject({ code: 0, stderr: "" });

  writeFileSync(cards, JSON.stringify({ ...entries, [plural]: "{count} anuladas" }));
  cpSync(folder, join(cli.data, "words/es"), { recursive: true });
  const { messages, faults } = await findOwnWords(cli.data);
  expect([Object.values(messages.get("es") ?? {}).flatMap(Object.keys), faults]).toEqual([[plural], []]);
  const again = join(cli.folder, "again");
  await cli.run(["words", "export", "es", again]);
  expect(readFileSync(join(again, "cards.json"), "utf8")).toContain('"{count} anuladas"');
});

test("a text bears as much as its place does", () => {
  expect(fitted("enough", { max: 6 })).toBe("enough");
  expect(() => fitted("too much", { max: 6 })).toThrow("long: 6");
});

test("check names what is missing, what there is not and what does not fit, and fails", async () => {
  using cli = new CommandLine();
  const folder = join(cli.folder, "fr");
  await cli.run(["words", "export", "fr", folder]);
  const of = (name: string) => JSON.parse(readFileSync(join(folder, name), "utf8")) as object;
  writeFileSync(
    join(folder, "packages.json"),
    JSON.stringify({ ...of("packages.json"), gone: "x", created: "Voici" }),
  );
  const box = join(folder, "box.json"); // whose words no other language has
  writeFileSync(box, "{}");
  const file = join(folder, "packages.json");
  const { code, stdout, stderr } = await cli.run(["words", "check", file, box]);
  expect(code).toBe(1);
  expect(stdout).toContain(`${file}, gone: English has no message of this name\n`);
  expect(stdout).toContain(`${file}, created: The value name is missing in it\n`);
  expect(stdout).toContain(`${box}, accounting: It has no translation\n`);
  expect(stderr).toMatch(/^gatehouse: 2 faults, \d+ messages without a translation; correct them/);
});
