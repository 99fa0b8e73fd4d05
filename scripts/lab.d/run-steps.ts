/** A row of a lab's table. */
export interface StepOf<World> {
  readonly what: string;
  /** One of those that the short form of a lab takes, which stand on each other alone. */
  readonly isInShort?: true;
  /** What was seen; throws what was not as it should be. */
  readonly run: (world: World) => Promise<string>;
}

/** What steps came to, in Markdown. */
export interface Outcome {
  readonly table: string;
  readonly faults: readonly string[];
}

/** Throws the fault unless `holds`. */
export function must(holds: boolean, fault: string): asserts holds {
  if (!holds) throw new Error(fault);
}

/** Step after step, until one fails, because each stands on those before. `lately` is what is shown of the world then. */
export async function runSteps<World>(
  steps: readonly StepOf<World>[],
  world: World,
  { log, lately }: { log: (line: string) => void; lately: () => Promise<string> },
): Promise<Outcome> {
  const faults: string[] = [];
  const rows: string[][] = [];
  for (const { what, run } of steps) {
    const began = performance.now();
    try {
      const seen = await run(world);
      rows.push([what, seen, `${((performance.now() - began) / 1000).toFixed(1)} s`]);
      log(`${what}: ${seen}`);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      faults.push(`${what}: ${reason}`);
      rows.push([what, `**fault**: ${reason.split("\n")[0]}`, ""]);
      log(`FAULT: ${what}: ${reason}\n${await lately()}`);
      break;
    }
  }
  const table = [["step", "seen", "after"], ["---", "---", "---"], ...rows];
  return { table: table.map((row) => `| ${row.join(" | ")} |\n`).join(""), faults };
}
