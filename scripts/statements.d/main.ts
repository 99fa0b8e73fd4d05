import { join } from "node:path";
import { findFaults } from "./faults.ts";
import { readNoted } from "./noted.ts";
import { Plans } from "./plans.ts";
import { listSites } from "./sites.ts";

/*
 * Beside the tests and after them (scripts/test): holds the statements of src and db against what the tests had compiled, which is so
 * when its input ends. With `whole` the folder has the notes of every test, and what no test ran is a fault too.
 */

const [folder, extent] = process.argv.slice(2);
if (!folder) throw new Error("usage: scripts/bun scripts/statements.d/main.ts FOLDER whole|some");
const isWhole = extent === "whole";
const sites = listSites(join(import.meta.dir, "../.."));
await Bun.stdin.text();
const noted = readNoted(folder);
using plans = new Plans();
const faults = findFaults(sites, noted, { isWhole, plans });
const { user, system } = process.cpuUsage();
const seconds = ((user + system) / 1e6).toFixed(1);
const what = `${sites.length} calls, ${new Set(noted.map(({ text }) => text)).size} texts`;
const left = isWhole ? "" : "; not every test ran, so nothing is said of what none of them ran";
process.stdout.write(`statements: ${what}, ${faults.length} faults (${seconds} s of processor)${left}\n`);
for (const fault of faults) process.stdout.write(`  ${fault}\n`);
if (faults.length > 0) process.exitCode = 1;
