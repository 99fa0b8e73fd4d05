import { mkdtempSync, rmSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { commandsToCut } from "./cut-commands.ts";
import { compileDisk } from "../disk.ts";
import { buildNextVersion } from "./next-version.ts";
import { cutCommand } from "./power-commands.ts";
import { PowerlessServer, type Served } from "./power-serving.ts";
import type { Extent, Outcome, Trial } from "../trial.ts";
import { diskFolder } from "../../support/disk.ts";

const SLOWEST_START = 2000;
/** More than are used in one. */
const CARDS_A_ROUND = 400;

export const power: Trial = { name: "power", run };

async function run(extent: Extent): Promise<Outcome> {
  const folder = mkdtempSync(join(diskFolder(), "gatehouse-torture-"));
  try {
    const disk = await compileDisk(folder);
    const served = await serving(disk, extent);
    const cut = await commands(disk, folder, extent);
    return {
      faults: [...served.faults, ...lateFaults(served, extent.isShort), ...cut.faults],
      figures: [...servedFigures(served), ...cut.figures],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function serving(disk: string, { isShort, seed, log }: Extent): Promise<Served> {
  await using server = new PowerlessServer(disk, seed);
  const rounds = isShort ? 1 : 50;
  await server.begin({ cards: rounds * CARDS_A_ROUND });
  for (let round = 0; round < rounds; round++) await server.round(round % 2 === 0 ? "power" : "kill");
  const served = await server.end();
  log(`${rounds} cuts of a server at work`);
  return served;
}

/** The starts after a cut that took too long, which may be for what else the machine does. */
function lateFaults({ starts }: Served, isShort: boolean): string[] {
  const limit = isShort ? 10 * SLOWEST_START : SLOWEST_START;
  const late = starts.filter((start) => start > limit).map(Math.round);
  if (late.length === 0) return [];
  return [
    `starts took ${late.join(", ")} ms, ${limit} is the most (the load of the machine is ${loadavg()[0]?.toFixed(1)})`,
  ];
}

async function commands(disk: string, folder: string, { isShort, seed, log }: Extent): Promise<Outcome> {
  // to build one takes longer than all the rest of the short form
  const nextVersion = isShort ? undefined : await buildNextVersion(folder);
  const faults: string[] = [];
  const names: string[] = [];
  let total = 0;
  const all = await commandsToCut(folder, nextVersion);
  for (const command of isShort ? all.filter((_, at) => at % 4 === 0) : all) {
    const cut = await cutCommand(disk, command, { cuts: isShort ? 1 : 12, seed });
    faults.push(...cut.faults);
    names.push(command.name);
    total += cut.cuts;
    log(`${cut.cuts} cuts of ${command.name}`);
  }
  const figure = `${faults.length === 0 ? "none" : faults.length} of ${total} (${names.join(", ")})`;
  return { faults, figures: [{ what: "commands that were cut off and left something broken", figure }] };
}

function servedFigures({ rounds, books, starts, lost, faults }: Served): Outcome["figures"] {
  const { records } = books;
  const promises = `${records} accounting records, ${books.promised("activations")} activations, ${books.promised("credits")} credits, ${books.usedCards} first uses of cards`;
  return [
    {
      what: `acknowledged and lost, or there twice, in ${rounds} cuts of a server at work`,
      figure: `${faults.length === 0 ? "none" : `${faults.length} at the least`} of ${promises}`,
    },
    {
      what: "what the disk had not synced at these cuts, and lost",
      figure: `${lost.sectors} sectors of ${lost.writes} writes`,
    },
    {
      what: "starts after these cuts, until they are ready",
      figure: `half within ${Math.round(starts[starts.length >> 1] ?? 0)} ms, the slowest ${Math.round(starts.at(-1) ?? 0)} ms`,
    },
  ];
}
