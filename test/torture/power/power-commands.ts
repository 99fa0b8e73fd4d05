import { cpSync } from "node:fs";
import { Appliance, type Outcome, program } from "../../support/appliance.ts";
import { type CutCommand } from "./cut-command.ts";
import { Disk } from "../disk.ts";
import { drawing } from "../trial.ts";

const KEEPS = [0, 100, 50, 0, 90];

/** What the cuts of one command have come to. */
export interface Cuts {
  readonly faults: readonly string[];
  readonly cuts: number;
}

/** The first calls of a command, where files get their names. */
const FIRST = 20;

/** Cuts the power of a command as often as said: at moments spread over all its calls and over the first, and after its end. */
export async function cutCommand(
  disk: string,
  command: CutCommand,
  { cuts, seed }: { cuts: number; seed: number },
): Promise<Cuts> {
  const draw = drawing(seed);
  // one cut is after its end, whatever it calls
  const all = cuts > 1 ? await callsOf(disk, command) : 0;
  const faults: string[] = [];
  for (let cut = 0; cut < cuts; cut++) {
    const calls = cut % 2 === 1 ? Math.min(FIRST, all) : all;
    const call = cut === cuts - 1 ? Infinity : Math.floor(((cut + draw()) / (cuts - 1)) * calls);
    const keep = (call < Infinity && KEEPS[cut % KEEPS.length]) || 0;
    const place = call === Infinity ? "after its end" : `before call ${call} of ${all}`;
    const found = await cutOnce(disk, command, { call, keep, seed: seed + cut });
    faults.push(
      ...found.slice(0, 3).map((fault) => `${command.name}, cut ${place}, ${keep} % kept: ${fault}`),
    );
  }
  return { faults, cuts };
}

async function callsOf(program_: string, command: CutCommand): Promise<number> {
  await using appliance = laidOut(command);
  await using disk = await new Disk(program_, appliance.folder, 0).ready();
  appliance.command = disk.command(command.program ?? program);
  const { code, stderr } = await perform(appliance, command);
  if (code !== 0) throw new Error(`${command.name} failed without a cut: ${stderr}`);
  return disk.calls();
}

async function cutOnce(
  program_: string,
  command: CutCommand,
  { call, keep, seed }: { call: number; keep: number; seed: number },
): Promise<string[]> {
  await using appliance = laidOut(command);
  let outcome: Outcome;
  {
    await using disk = await new Disk(program_, appliance.folder, seed).ready();
    appliance.command = disk.command(command.program ?? program);
    if (call !== Infinity) await disk.arm(call, keep);
    outcome = await perform(appliance, command);
    // one that came to its end before that call loses its power now
    await Promise.race([disk.gone, disk.cut(keep)]);
  }
  appliance.command = [program];
  try {
    return await command.faultsAfter(appliance, outcome);
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

function laidOut({ template }: CutCommand): Appliance {
  const appliance = new Appliance();
  if (template !== undefined) cpSync(template, appliance.folder, { recursive: true });
  return appliance;
}

/** A server counts as done when it is ready. */
async function perform(appliance: Appliance, { args }: CutCommand): Promise<Outcome> {
  if (args[0] !== "serve") return appliance.run([...args]);
  try {
    await appliance.serve();
    return { code: 0, stdout: "", stderr: "" };
  } catch (error) {
    return { code: 1, stdout: "", stderr: String(error) };
  }
}
