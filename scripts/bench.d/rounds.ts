import type { Load, Outcome } from "./load.ts";
import { usedBy } from "./processes.ts";
import type { Target } from "./target.ts";
import type { Work } from "./templates.ts";

/** One kind of load; `rate` makes it an open loop. */
export type Case = { work: Work; inflight: number } | { work: Work; rate: number };

/** A server under one kind of load, in one round. */
export interface Sample extends Outcome {
  readonly target: string;
  readonly case: string;
  /** Processor seconds of the server for a second of load; generator the same. */
  readonly busy: number;
  readonly generator: number;
  /** Microseconds of the server's processors for a request. */
  readonly cost: number;
  readonly round: number;
  /** Bytes. */
  readonly memory: number;
}

export function caseName(one: Case): string {
  return "rate" in one ? `${one.work} at ${one.rate}/s` : `${one.work}, ${one.inflight} in flight`;
}

export interface Plan {
  readonly targets: readonly Target[];
  readonly cases: readonly Case[];
  readonly rounds: number;
  readonly seconds: number;
  readonly templates: Record<Work, string>;
  /** As of Load. */
  readonly sources?: number;
  readonly load: (load: Load) => Promise<Outcome>;
  readonly log: (line: string) => void;
}

/** Every server under every load in turn, round after round, so that a change of the machine meets them all: an even number is fair. */
export async function runRounds(plan: Plan): Promise<Sample[]> {
  const { targets, cases, rounds, log } = plan;
  const samples: Sample[] = [];
  const numbers = new Map<string, number>();
  for (const target of targets)
    for (const work of new Set(cases.map((one) => one.work)))
      await drive(plan, { target, numbers, one: { work, inflight: 32 }, round: 0 });
  for (let round = 1; round <= rounds; round++) {
    for (const one of cases) {
      // each is asked first in every other round, for what the first one meets is not what the second one does
      for (const target of round % 2 === 1 ? targets : targets.toReversed()) {
        const sample = await drive(plan, { target, numbers, one, round });
        if (!sample) continue;
        samples.push(sample);
        log(`round ${round}  ${target.name.padEnd(22)} ${caseName(one).padEnd(28)} ${format(sample)}`);
      }
    }
  }
  return samples;
}

/** Milliseconds of one look whether servers are at rest, and looks at the most. */
const LOOK = 200;
const MAX_LOOKS = 150;
/** Processor seconds of one look that are rest. */
const AT_REST = 0.02;

/**
 * Waits until every server is at rest: one that was asked for more than it can do works on its queue for many seconds, and the
 * next one would be measured beside that.
 */
async function settle(targets: readonly Target[]): Promise<void> {
  const pids = targets.flatMap((target) => target.pids);
  for (let looks = 0; looks < MAX_LOOKS; looks++) {
    const before = usedBy(pids).cpu;
    await Bun.sleep(LOOK);
    if (usedBy(pids).cpu - before <= AT_REST) return;
  }
}

async function drive(
  { targets, seconds, templates, sources = 0, load }: Plan,
  { target, numbers, one, round }: { target: Target; numbers: Map<string, number>; one: Case; round: number },
): Promise<Sample | undefined> {
  const { work } = one;
  const port = work === "accounting" ? target.acctPort : target.port;
  if (port === null) return undefined;
  await settle(targets);
  const key = `${target.name} ${work}`;
  const first = numbers.get(key) ?? 0;
  const before = usedBy(target.pids);
  const began = performance.now();
  const outcome = await load({
    port,
    templates: templates[work],
    seconds,
    warmup: 0.3,
    drive: "rate" in one ? { rate: one.rate } : { inflight: one.inflight },
    first,
    sources,
  });
  const took = (performance.now() - began) / 1000;
  const after = usedBy(target.pids);
  numbers.set(key, outcome.next);
  return {
    ...outcome,
    target: target.name,
    case: caseName(one),
    busy: (after.cpu - before.cpu) / took,
    generator: outcome.cpu / took,
    cost: ((after.cpu - before.cpu) * 1e6) / Math.max(1, outcome.next - first),
    round,
    memory: after.memory,
  };
}

function format({ rate, p50, p99, lost, refused, forged, busy, generator }: Sample): string {
  const bad = lost + refused + forged > 0 ? `  lost ${lost} refused ${refused} forged ${forged}` : "";
  return `${Math.round(rate)}/s  p50 ${ms(p50)}  p99 ${ms(p99)}  cpu ${busy.toFixed(2)}+${generator.toFixed(2)}${bad}`;
}

function ms(microseconds: number): string {
  return `${(microseconds / 1000).toFixed(2)} ms`;
}
