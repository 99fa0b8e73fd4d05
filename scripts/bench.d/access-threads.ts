import { availableParallelism } from "node:os";
import { startGatehouse } from "./gatehouse.ts";
import type { Load, Outcome } from "./load.ts";
import { type Case, runRounds, type Sample } from "./rounds.ts";
import type { Target } from "./target.ts";
import { count, milliseconds, spread, table } from "./tables.ts";
import type { Work } from "./templates.ts";

/** Routers that ask: each comes to one thread. */
const ROUTERS = 32;
const cases: readonly Case[] = (["pap", "chap", "mschapv2"] as const).flatMap((work) =>
  [32, 256].map((inflight) => ({ work, inflight })),
);

interface Plan {
  readonly load: (load: Load) => Promise<Outcome>;
  readonly templates: Record<Work, string>;
  readonly isQuick: boolean;
  readonly rounds: number;
  readonly subscribers: number;
  readonly log: (line: string) => void;
}

/** The same logins answered by one access thread, by two and, where there are the cores, by four, in turn. */
export async function measureThreads(plan: Plan): Promise<Sample[]> {
  const { isQuick, subscribers } = plan;
  const counts = [1, 2, 4].filter((threads) => threads <= Math.max(2, availableParallelism()));
  const targets: Target[] = [];
  try {
    for (const accessThreads of counts) {
      const options = { routers: ROUTERS, accessThreads };
      const started = await startGatehouse(subscribers, undefined, undefined, undefined, options);
      targets.push({ ...started, name: String(accessThreads) });
    }
    return await runRounds({ ...plan, targets, cases, sources: ROUTERS, seconds: isQuick ? 1.2 : 1.5 });
  } finally {
    await Promise.all(targets.map((target) => target.stop()));
  }
}

/** What the server and the generator cost stand apart, for they share the processors. */
export function threadsTable(samples: readonly Sample[]): string {
  const rows = [...new Set(samples.map((one) => one.case))].flatMap((load) =>
    [...new Set(samples.map(({ target }) => target))].map((threads) => {
      const median = (of: (sample: Sample) => number) => spread(samples, threads, load, of)?.median ?? 0;
      return [
        load,
        threads,
        count(median(({ rate }) => rate)),
        `${median(({ cost }) => cost).toFixed(1)} µs`,
        `${median(({ cpu, sent }) => (cpu * 1e6) / sent).toFixed(1)} µs`,
        `${median(({ busy }) => busy).toFixed(2)} + ${median(({ generator }) => generator).toFixed(2)}`,
        `${milliseconds(median(({ p50 }) => p50))} / ${milliseconds(median(({ p99 }) => p99))}`,
      ];
    }),
  );
  return table(
    [
      "logins",
      "access threads",
      "answers a second",
      "server, a request",
      "generator, a request",
      "processors busy",
      "p50 / p99 in ms",
    ],
    rows,
  );
}
