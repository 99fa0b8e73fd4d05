import { cpus, totalmem } from "node:os";
import type { ApiFigure } from "./api.ts";
import type { CardFigures } from "./cards.ts";
import type { Growth } from "./growth.ts";
import type { ConsoleFigures } from "./console.ts";
import type { MessageFigures } from "./messages.ts";
import type { OfficeFigures } from "./office.ts";
import type { RadsecFigure } from "./radsec.ts";
import type { Sample } from "./rounds.ts";

export interface Footprint {
  readonly subscribers: number;
  /** Seconds from the start of the program to its ready line. */
  readonly readyAfter: number;
  /** Bytes. */
  readonly memoryIdle: number;
  readonly memoryLoaded: number;
  readonly executable: number;
  readonly bytesPerSubscriber: number;
  readonly bytesPerSession: number;
}

export interface Results {
  readonly machine: string;
  readonly date: string;
  readonly samples: readonly Sample[];
  readonly api: readonly ApiFigure[];
  readonly growth: readonly Growth[];
  readonly footprint: Footprint | null;
  readonly office: OfficeFigures | null;
  readonly console: ConsoleFigures | null;
  readonly cards: CardFigures | null;
  readonly messages: MessageFigures | null;
  readonly radsec: readonly RadsecFigure[];
}

export function machine(): string {
  const [first] = cpus();
  return `${cpus().length} x ${first?.model.trim() ?? "?"}, ${Math.round(totalmem() / 2 ** 30)} GB`;
}

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

/** The results as Markdown, as README.md here has them. */
export function markdown(results: Results): string {
  return [
    `On ${results.machine}, ${results.date}, by \`scripts/bench\`:`,
    ...(results.samples.length > 0 ? [ratesTable(results.samples), latencyTable(results.samples)] : []),
    ...(results.api.length > 0 ? [apiTable(results.api)] : []),
    ...(results.growth.length > 0 ? [growthTable(results.growth)] : []),
    ...(results.footprint ? [footprintTable(results.footprint)] : []),
    ...(results.office ? [officeTable(results.office)] : []),
    ...(results.console ? [consoleTable(results.console)] : []),
    ...(results.cards ? [cardsTable(results.cards)] : []),
    ...(results.messages ? [messagesTable(results.messages)] : []),
    ...(results.radsec.length > 0 ? [radsecTable(results.radsec)] : []),
  ].join("\n\n");
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function ratesTable(samples: readonly Sample[]): string {
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
function latencyTable(samples: readonly Sample[]): string {
  const targets = [...new Set(samples.map(({ target }) => target))];
  const rows = [...new Set(samples.map((one) => one.case))].map((load) => {
    const cells = targets.map((target) => {
      const p50 = spread(samples, target, load, (one) => one.p50);
      const p99 = spread(samples, target, load, (one) => one.p99);
      const lost = spread(samples, target, load, lostShare);
      const cpu = spread(samples, target, load, (one) => one.busy);
      if (!p50 || !p99 || !lost || !cpu) return "";
      const shown = (share: number, { median }: Spread) =>
        lost.median > 1 - share ? "none" : milliseconds(median);
      const missing = lost.median > 0 ? `, ${(100 * lost.median).toFixed(1)} % lost` : "";
      return `${shown(0.5, p50)} / ${shown(0.99, p99)}, ${cpu.median.toFixed(1)}${missing}`;
    });
    return [load].concat(cells);
  });
  return table(["p50 / p99 in ms, processors busy", ...targets], rows);
}

function apiTable(figures: readonly ApiFigure[]): string {
  return table(
    ["API, 8 calls at a time", "subscribers", "calls/s", "p50, p99 in ms", "p99 of 1,000 logins/s meanwhile"],
    figures.map(({ call, subscribers, rate, p50, p99, failed, login99 }) => [
      failed > 0 ? `${call} (${failed} failed)` : call,
      count(subscribers),
      call === "nothing" ? "" : count(rate),
      call === "nothing" ? "" : `${p50.toFixed(1)}, ${p99.toFixed(1)}`,
      `${login99.toFixed(2)} ms`,
    ]),
  );
}

function officeTable({ subscribers, entries, sessions, calls, migration }: OfficeFigures): string {
  const rows = calls.map(({ call, p50, p99, failed, login99 }) => [
    failed > 0 ? `${call} (${failed} failed)` : call,
    call === "nothing" ? "" : `${p50.toFixed(1)}, ${p99.toFixed(1)}`,
    `${login99.toFixed(2)} ms`,
  ]);
  const head = `${count(subscribers)} subscribers, ${count(entries)} entries, ${count(sessions)} sessions`;
  return [
    table([head, "p50, p99 in ms", "p99 of 1,000 logins/s meanwhile"], rows),
    `A store of the version before with as many subscribers and entries migrates in ${migration.toFixed(1)} s, with its copy.`,
  ].join("\n\n");
}

function consoleTable({ subscribers, entries, sessions, open, pages, ...watched }: ConsoleFigures): string {
  const rows = pages.map(({ page, p50, p99, failed, login99, bytes, whole }) => [
    failed > 0 ? `${page} (${failed} failed)` : page,
    `${p50.toFixed(1)}, ${p99.toFixed(1)}`,
    `${login99.toFixed(2)} ms`,
    `${(bytes / 1000).toFixed(1)}, ${(whole / 1000).toFixed(1)} kB`,
  ]);
  const head = `${count(subscribers)} subscribers, ${count(entries)} entries, ${count(sessions)} sessions, ${count(open)} open`;
  return [
    table([head, "p50, p99 in ms", "p99 of 1,000 logins/s meanwhile", "compressed: page, first visit"], rows),
    `p99 of 1,000 logins a second: ${watched.quiet99.toFixed(2)} ms while nobody watches, ${watched.watched99.toFixed(2)} ms while ${watched.watching} browsers watch who logs in and who is online.`,
  ].join("\n\n");
}

function cardsTable({ sizes, rows }: CardFigures): string {
  return table(
    [
      "processor time, median",
      ...sizes.map(({ cards, perBatch }) => `${count(cards)} in ${count(cards / perBatch)} batches`),
    ],
    rows.map(({ what, times }) => [what, ...times.map(shownTime)]),
  );
}

function radsecTable(figures: readonly RadsecFigure[]): string {
  return table(
    [
      "work, 32 in flight",
      "answers a second",
      "RADIUS thread, for a request",
      "TLS thread",
      "p50 / p99 in ms",
    ],
    figures.map(({ work, way, rate, radius, tls, p50, p99 }) => [
      `${work} by ${way}`,
      count(rate),
      `${radius.toFixed(1)} µs`,
      way === "UDP" ? "" : `${tls.toFixed(1)} µs`,
      `${milliseconds(p50)} / ${milliseconds(p99)}`,
    ]),
  );
}

function messagesTable({ sizes, rows, whole, logins }: MessageFigures): string {
  const heads = sizes.map(({ rows: of }) => `${count(of)} of each`);
  const shown = ([p50, p99]: readonly [number, number]) => `${p50.toFixed(2)}, ${p99.toFixed(2)} ms`;
  return [
    table(
      ["processor time, median", ...heads],
      rows.map(({ what, times }) => [what, ...times.map(shownTime)]),
    ),
    table(
      ["as a whole, and the longest without a pause", ...heads],
      whole.map(({ what, runs }) => [
        what,
        ...runs.map(({ seconds, longest }) => `${seconds.toFixed(2)} s, ${Math.round(longest)} ms`),
      ]),
    ),
    `p50, p99 of 1,000 logins a second: ${shown(logins.quiet)} before, ${shown(logins.planning)} while ${count(logins.subscribers)} reminders are planned, ${shown(logins.sending)} while they are sent, ${count(logins.rate)} a second; ${logins.lost} logins lost, ${logins.twice} reminders sent twice.`,
  ].join("\n\n");
}

/** Microseconds. */
function shownTime(value: number): string {
  return value < 1000 ? `${Math.round(value)} µs` : `${(value / 1000).toFixed(value < 100_000 ? 1 : 0)} ms`;
}

function growthTable(growth: readonly Growth[]): string {
  return table(
    ["subscribers", "session rows", "PAP/s", "accounting/s", "list of 100/s", "activate/s", "database"],
    growth.map((one) => [
      ...[one.subscribers, one.sessions, one.pap, one.accounting, one.list, one.activate].map(count),
      megabytes(one.bytes),
    ]),
  );
}

function footprintTable(footprint: Footprint): string {
  return table(
    ["footprint", `with ${count(footprint.subscribers)} subscribers`],
    [
      ["start to ready", `${Math.round(footprint.readyAfter * 1000)} ms`],
      ["memory idle", megabytes(footprint.memoryIdle)],
      ["memory after the load above", megabytes(footprint.memoryLoaded)],
      ["executable", megabytes(footprint.executable)],
      ["database, bytes a subscriber", count(footprint.bytesPerSubscriber)],
      ["database, bytes a session", count(footprint.bytesPerSession)],
    ],
  );
}

function range({ median, low, high }: Spread): string {
  return low === high ? count(median) : `${count(median)} (${count(low)} to ${count(high)})`;
}

function count(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

function milliseconds(microseconds: number): string {
  return (microseconds / 1000).toFixed(2);
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}
