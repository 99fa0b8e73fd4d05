import { parseArgs } from "node:util";
import { booted } from "./booted.ts";
import { CannotBoot } from "./guest.ts";
import { argumentsOf } from "../usage.ts";

const HELP = `scripts/lab booted [options]

  installs the release archive in a booted Debian and tries what an administrator and the years do with it

  --archive FILE   an archive that is there, instead of making one of this checkout
  --markdown FILE  write the table as the handbook has it
`;

/** This machine cannot boot a system; nothing was tried. */
const NOT_TRIED = 3;

async function main(): Promise<number> {
  const { values, positionals } = argumentsOf(HELP, () =>
    parseArgs({
      allowPositionals: true,
      options: { help: { type: "boolean" }, archive: { type: "string" }, markdown: { type: "string" } },
    }),
  );
  if (values.help || positionals.length !== 1 || positionals[0] !== "booted") {
    process[values.help ? "stdout" : "stderr"].write(HELP);
    return values.help ? 0 : 2;
  }
  try {
    const { table, faults } = await booted({
      archive: values.archive,
      say: (line) => process.stderr.write(`lab: ${line}\n`),
    });
    process.stdout.write(table);
    if (values.markdown) await Bun.write(values.markdown, table);
    return faults.length > 0 ? 1 : 0;
  } catch (error) {
    if (!(error instanceof CannotBoot)) throw error;
    process.stderr.write(`lab: NOT TRIED HERE: ${error.message}\n`);
    return NOT_TRIED;
  }
}

process.exitCode = await main();
