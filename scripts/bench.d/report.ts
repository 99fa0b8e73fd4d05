import { cpus, totalmem } from "node:os";
import { comparisons } from "./against.ts";
import { threadsTable } from "./access-threads.ts";
import type { ApiFigure } from "./api.ts";
import type { CardFigures } from "./cards.ts";
import type { Growth } from "./growth.ts";
import type { ConsoleFigures } from "./console.ts";
import type { MessageFigures } from "./messages.ts";
import type { OfficeFigures } from "./office.ts";
import type { RadsecFigure } from "./radsec.ts";
import { againstTable, isPeer, latencyTable, ratesTable } from "./radius-report.ts";
import type { Sample } from "./rounds.ts";
import type { StormFigures } from "./storm.ts";
import { count, megabytes, milliseconds, table } from "./tables.ts";

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
  readonly storm: StormFigures | null;
  readonly threads: readonly Sample[];
}

export function machine(): string {
  const [first] = cpus();
  return `${cpus().length} x ${first?.model.trim() ?? "?"}, ${Math.round(totalmem() / 2 ** 30)} GB`;
}

/** The results as Markdown, as README.md here has them. */
export function markdown(results: Results): string {
  const measured = `On ${results.machine}, ${results.date}, by \`scripts/bench\`:`;
  return [measured, ...Object.values(sections(results))].join("\n\n");
}

/** What was measured, by the names that READMEs have for it. */
export function sections(results: Results): Record<string, string> {
  const { samples, api, growth, footprint, office, cards, messages, radsec } = results;
  const compared = samples.some(({ target }) => isPeer(target)) ? [] : comparisons(samples);
  const all = {
    peers: samples.length > 0 ? [ratesTable(samples), latencyTable(samples)].join("\n\n") : "",
    against: compared.length > 0 ? againstTable(compared) : "",
    api: api.length > 0 ? apiTable(api) : "",
    growth: growth.length > 0 ? growthTable(growth) : "",
    footprint: footprint ? footprintTable(footprint) : "",
    office: office ? officeTable(office) : "",
    console: results.console ? consoleTable(results.console) : "",
    cards: cards ? cardsTable(cards) : "",
    messages: messages ? messagesTable(messages) : "",
    radsec: radsec.length > 0 ? radsecTable(radsec) : "",
    storm: results.storm ? stormTable(results.storm) : "",
    threads: results.threads.length > 0 ? threadsTable(results.threads) : "",
  };
  return Object.fromEntries(Object.entries(all).filter(([, text]) => text !== ""));
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
    rows.map(({ what, times }) => [what, ...times.map(timeText)]),
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

/** What misses its bound is in bold. */
function stormTable(storm: StormFigures): string {
  const { lines, routers, online, seconds, refused, lost, unacknowledged, repeated, dropped, late, booked } =
    storm;
  const held = (value: string, isHeld: boolean) => (isHeld ? value : `**${value}**`);
  return table(
    [`${count(lines)} lines of ${routers} routers at once`, "measured", "wanted"],
    [
      ["all online after", held(`${seconds.toFixed(1)} s`, seconds < 10), "10 s"],
      ["online, and open in the books", held(`${count(online)}, ${count(booked)}`, online === lines), "all"],
      [
        "refused; not answered in three tries: logins, Starts",
        held(
          `${count(refused)}; ${count(lost)}, ${count(unacknowledged)}`,
          refused + lost + unacknowledged === 0,
        ),
        "none",
      ],
      [
        "sent once more; dropped by the kernel, as too late",
        `${count(repeated)}; ${count(dropped)}, ${count(late)}`,
        "",
      ],
      ["a login, median and p99", `${milliseconds(storm.p50)}, ${milliseconds(storm.p99)} ms`, ""],
      ["the slowest login", held(`${milliseconds(storm.max)} ms`, storm.max < 500_000), "500 ms"],
      ["pages of the console, median", held(`${storm.page50.toFixed(1)} ms`, storm.page50 < 50), "50 ms"],
      ["the slowest page", `${storm.pageMax.toFixed(1)} ms`, ""],
      ["processors busy, memory", `${storm.busy.toFixed(1)}, ${megabytes(storm.memory)}`, ""],
    ],
  );
}

function messagesTable({ sizes, rows, whole, logins }: MessageFigures): string {
  const heads = sizes.map(({ rows: of }) => `${count(of)} of each`);
  const format = ([p50, p99]: readonly [number, number]) => `${p50.toFixed(2)}, ${p99.toFixed(2)} ms`;
  return [
    table(
      ["processor time, median", ...heads],
      rows.map(({ what, times }) => [what, ...times.map(timeText)]),
    ),
    table(
      ["as a whole, and the longest without a pause", ...heads],
      whole.map(({ what, runs }) => [
        what,
        ...runs.map(({ seconds, longest }) => `${seconds.toFixed(2)} s, ${Math.round(longest)} ms`),
      ]),
    ),
    `p50, p99 of 1,000 logins a second: ${format(logins.quiet)} before, ${format(logins.planning)} while ${count(logins.subscribers)} reminders are planned, ${format(logins.sending)} while they are sent, ${count(logins.rate)} a second; ${logins.lost} logins lost, ${logins.twice} reminders sent twice.`,
  ].join("\n\n");
}

/** Microseconds. */
function timeText(value: number): string {
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
