import { parseArgs } from "node:util";
import { machine } from "../../scripts/bench.d/report.ts";
import { numberOption, parseArguments, wrongUsage } from "../../scripts/usage.ts";
import { type Outcome, trialNames } from "./trial.ts";

const HELP = `scripts/torture [options]

  --short          the short form of each, as the tests run it
  --long           the hostile datagrams of attack for ten minutes, the life of soak for an hour,
                   hundreds of kills of money, a year of outages, dumps of 20 GB
  --only NAME      of ${trialNames.join(", ")}; may be repeated
  --seed N         draw the same moments again
  --json FILE      write figures and faults
  --markdown FILE  write the table as test/torture/README.md has it
`;

const log = (line: string) => process.stderr.write(`${line}\n`);

async function main(): Promise<number> {
  const { values } = parseArguments(HELP, () =>
    parseArgs({
      options: {
        help: { type: "boolean" },
        short: { type: "boolean" },
        long: { type: "boolean" },
        only: { type: "string", multiple: true },
        seed: { type: "string" },
        json: { type: "string" },
        markdown: { type: "string" },
      },
    }),
  );
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const unknown = values.only?.find((name) => !trialNames.some((known) => known === name));
  if (unknown !== undefined) wrongUsage(`no trial is called ${unknown}`, HELP);
  const seed = numberOption("seed", values.seed, HELP) ?? Date.now() % 2 ** 31;
  const { trials } = await import("./trials.ts"); // loads most of the product, which wrong usage need not wait for
  log(`seed ${seed}`);
  const outcomes: Record<string, Outcome> = {};
  for (const { name, run } of trials) {
    if (values.only && !values.only.includes(name)) continue;
    const began = performance.now();
    const outcome = await run({
      isShort: values.short ?? false,
      isLong: values.long ?? false,
      seed,
      log: (line) => log(`${name}: ${line}`),
    });
    outcomes[name] = outcome;
    log(`${name}: ${Math.round((performance.now() - began) / 1000)} s, ${outcome.faults.length} faults`);
    for (const fault of outcome.faults) log(`${name}: FAULT: ${fault}`);
  }
  const text = markdown(outcomes);
  process.stdout.write(text);
  if (values.markdown) await Bun.write(values.markdown, text);
  if (values.json) await Bun.write(values.json, `${JSON.stringify({ seed, outcomes }, null, 1)}\n`);
  return Object.values(outcomes).some(({ faults }) => faults.length > 0) ? 1 : 0;
}

function markdown(outcomes: Record<string, Outcome>): string {
  const rows: string[][] = [];
  for (const [name, { figures, faults }] of Object.entries(outcomes)) {
    const command = `\`scripts/torture --only ${name}\``;
    for (const { what, figure } of figures) rows.push([what, figure, command]);
    for (const fault of faults) rows.push([`**fault**: ${fault}`, "", command]);
  }
  const table = [["what", "figure", "by"], ["---", "---", "---"], ...rows];
  const date = new Date().toISOString().slice(0, 10);
  return `On ${machine()}, ${date}, by \`scripts/torture\`:\n\n${table.map((row) => `| ${row.join(" | ")} |`).join("\n")}\n`;
}

process.exitCode = await main();
