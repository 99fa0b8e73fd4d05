import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import {
  handbookFiles,
  packedPicture,
  pictureNames,
  readPicture,
  writtenLanguages,
} from "../src/handbook/files.ts";

/*
 * Compresses what the executable carries of texts that are seldom read, for `packed` of src/os/packed.ts: scripts/pack.ts NOTICES FOLDER.
 */

const [, , notices = "", folder = ""] = process.argv;
const compiled = "src/http/words/compiled";

const texts: Readonly<Record<string, string>> = {
  notices: readFileSync(notices, "utf8"),
  handbook: JSON.stringify(writtenLanguages()),
  ...Object.fromEntries(
    writtenLanguages().map((tag) => [`handbook-${tag}`, JSON.stringify(handbookFiles(tag))]),
  ),
  ...Object.fromEntries(
    readdirSync(compiled)
      .filter((file) => file.endsWith(".words"))
      .sort()
      .map((file) => [basename(file, ".words"), readFileSync(join(compiled, file), "utf8")]),
  ),
};

mkdirSync(folder, { recursive: true });
for (const [name, text] of Object.entries(texts))
  writeFileSync(join(folder, `${name}.zst`), Bun.zstdCompressSync(text, { level: 22 }));
for (const tag of writtenLanguages())
  for (const name of pictureNames(tag))
    writeFileSync(join(folder, packedPicture(name, tag)), readPicture(name, tag) ?? "");
