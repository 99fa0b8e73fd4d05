import type { Sample } from "./rounds.ts";

export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** What the rounds measured of a server under a load. */
export function spread(
  samples: readonly Sample[],
  target: string,
  load: string,
  of: (sample: Sample) => number,
): Spread | undefined {
  const values = samples.filter((one) => one.target === target && one.case === load).map(of);
  if (values.length === 0) return undefined;
  values.sort((a, b) => a - b);
  const at = (index: number) => values[index] ?? 0;
  const last = values.length - 1;
  return { median: (at(Math.floor(last / 2)) + at(Math.ceil(last / 2))) / 2, low: at(0), high: at(last) };
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

export function range({ median, low, high }: Spread): string {
  return low === high ? count(median) : `${count(median)} (${count(low)} to ${count(high)})`;
}

export function count(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

export function milliseconds(microseconds: number): string {
  return (microseconds / 1000).toFixed(2);
}

export function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}
