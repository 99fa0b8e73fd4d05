import { type Comparison, SLOWER } from "./against.ts";
import type { Sample } from "./rounds.ts";
import { count, milliseconds, range, type Spread, spread, table } from "./tables.ts";

export const isPeer = (target: string) => target.startsWith("freeradius-");

/** The loads that the front page tells of, by what they are called there. */
const SUMMARY = { PAP: "pap", "MS-CHAPv2": "mschapv2", accounting: "accounting" };
const PEERS = { "users in files": "files", "with SQLite": "sqlite", "with PostgreSQL": "postgresql" };

/** Answers a second at 32 in flight beside FreeRADIUS, for the front page. */
export function summary(samples: readonly Sample[]): string {
  const findRate = (target: string, work: string) =>
    spread(samples, target, `${work}, 32 in flight`, ({ rate }) => rate)?.median;
  const rows = Object.entries(SUMMARY).map(([name, work]) => {
    const own = findRate("gatehouse", work) ?? 0;
    const theirs = Object.values(PEERS).map((kind) => {
      const rate = findRate(`freeradius-${kind}`, work);
      if (rate !== undefined) return `${count(rate)} (${(own / rate).toFixed(1)}x)`;
      return kind === "files" && work === "accounting" ? "does not keep it" : "not measured";
    });
    return [name, count(own)].concat(theirs);
  });
  const [first = "", ...others] = Object.keys(PEERS);
  return table(["answers a second", "gatehouse", `FreeRADIUS, ${first}`, ...others], rows);
}

export function againstTable(compared: readonly Comparison[]): string {
  const format = (ratio: number) => (ratio < SLOWER ? `**${ratio.toFixed(2)}x**` : `${ratio.toFixed(2)}x`);
  const other = compared[0]?.other ?? "";
  return table(
    ["medians", "answers a second", other, "ratio", "processor, a request", other, "ratio"],
    compared.map(({ load, rates, costs, speed, thrift }) => [
      load,
      ...rates.map(count),
      format(speed),
      ...costs.map((cost) => `${cost.toFixed(1)} µs`),
      format(thrift),
    ]),
  );
}

export function ratesTable(samples: readonly Sample[]): string {
  const targets = [...new Set(samples.map(({ target }) => target))];
  const others = targets.filter((target) => target !== "gatehouse");
  const rows = [...new Set(samples.map((one) => one.case))]
    .filter((load) => !load.includes("/s"))
    .map((load) => {
      const own = spread(samples, "gatehouse", load, ({ rate }) => rate);
      const cells = others.map((target) => {
        const theirs = spread(samples, target, load, ({ rate }) => rate);
        return own && theirs ? `${range(theirs)}, **${(own.median / theirs.median).toFixed(1)}x**` : "";
      });
      return [load, own ? range(own) : ""].concat(cells);
    });
  return table(
    ["answers a second, median (range)", "gatehouse", ...others.map((name) => `${name}, ratio`)],
    rows,
  );
}

/** The share of requests without an answer in time. */
function lostShare({ sent, lost, unsent }: Sample): number {
  return (lost + unsent) / (sent + unsent);
}

/** Percentiles of all requests: where more are lost than a percentile leaves out, there is none. */
export function latencyTable(samples: readonly Sample[]): string {
  const targets = [...new Set(samples.map(({ target }) => target))];
  const rows = [...new Set(samples.map((one) => one.case))].map((load) => {
    const cells = targets.map((target) => {
      const p50 = spread(samples, target, load, (one) => one.p50);
      const p99 = spread(samples, target, load, (one) => one.p99);
      const lost = spread(samples, target, load, lostShare);
      const cpu = spread(samples, target, load, (one) => one.busy);
      if (!p50 || !p99 || !lost || !cpu) return "";
      const format = (share: number, { median }: Spread) =>
        lost.median > 1 - share ? "none" : milliseconds(median);
      const missing = lost.median > 0 ? `, ${(100 * lost.median).toFixed(1)} % lost` : "";
      return `${format(0.5, p50)} / ${format(0.99, p99)}, ${cpu.median.toFixed(1)}${missing}`;
    });
    return [load].concat(cells);
  });
  return table(["p50 / p99 in ms, processors busy", ...targets], rows);
}
