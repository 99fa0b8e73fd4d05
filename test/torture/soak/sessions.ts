import type { Card } from "./cards/terms.ts";
import type { Grant, Granted, Subscriber } from "./model.ts";

/** A session as its router knows it. */
export interface RouterSession {
  readonly key: string;
  readonly id: string;
  readonly router: string;
  /** Of whom it is in the books: user7, or C-000003. */
  readonly holder: string;
  readonly subscriber: Subscriber | undefined;
  readonly card: Card | undefined;
  readonly username: string;
  readonly class: Uint8Array | undefined;
  readonly mac: string;
  readonly port: string;
  readonly ip: string;
  readonly start: number;
  readonly grant: Grant;
}

/** A record: what it says, and when that was by the router's word. */
export interface Report {
  readonly kind: "Start" | "Interim-Update" | "Stop";
  readonly session: RouterSession;
  readonly at: number;
  readonly time: number;
  readonly input: number;
  readonly output: number;
  readonly cause?: string | undefined;
}

/** A row of the books. */
export interface Row {
  readonly session: RouterSession;
  readonly holder: string;
  readonly router: string;
  readonly mac: string;
  readonly port: string;
  readonly ip: string;
  started: number;
  updated: number;
  stopped: number | null;
  closedBy: "stop" | "accounting_on" | "lost_stop" | "lost" | "disconnect" | null;
  cause: string | null;
  time: number;
  input: number;
  output: number;
  /** What the router said last. */
  counters: { input: number; output: number };
  /** What its router was granted last; null while no Class said so. */
  granted: Granted | null;
  /** The end of the service that its router was told after the login. */
  announced: number | null;
}

/** An update may be so late behind news that its session is over. */
export const UNDER_WAY = 60;

export function rowOf(report: Report): Row {
  const { session, kind, at, time } = report;
  const { input, output } = kind === "Start" ? { input: 0, output: 0 } : report;
  const row: Row = {
    session,
    holder: session.holder,
    router: session.router,
    mac: session.mac,
    port: session.port,
    ip: session.ip,
    started: kind === "Start" ? at : at - time,
    updated: at,
    stopped: null,
    closedBy: null,
    cause: null,
    time: kind === "Start" ? 0 : time,
    input,
    output,
    counters: { input, output },
    granted: session.class ? session.grant.granted : null,
    announced: null,
  };
  if (kind === "Stop") stop(row, report);
  return row;
}

/** Whether the router has given the key out again. */
export function isReused({ stopped, closedBy }: Row, { kind, at, time }: Report): boolean {
  if (stopped === null) return false;
  const start = kind === "Start" ? at : at - time;
  if (closedBy === "stop") return at > stopped + 300 && start > stopped;
  if (closedBy === "accounting_on") return start >= stopped;
  return start > stopped + (kind === "Start" ? 0 : UNDER_WAY);
}

/** One more record of a session that is known. Returns the octets that it adds. */
export function reported(row: Row, report: Report): { input: number; output: number } {
  const { kind, at, time } = report;
  if (kind === "Start") {
    row.started = Math.min(row.started, at);
    return { input: 0, output: 0 };
  }
  if (row.closedBy === "stop") return { input: 0, output: 0 };
  const isLate = time < row.time;
  const added = isLate ? { input: 0, output: 0 } : count(row, report);
  if (kind === "Stop") stop(row, report);
  else if (!isLate && isAlive(row, at)) Object.assign(row, { stopped: null, closedBy: null, cause: null });
  return added;
}

/** An update from later than what closed a session says that it is still there. */
function isAlive({ stopped, closedBy }: Row, at: number): boolean {
  const patience = closedBy === "lost" ? 0 : closedBy === "disconnect" ? 5 : UNDER_WAY;
  return stopped !== null && at > stopped + patience;
}

/** Counters never decrease, but a router may begin again from zero. */
function count(row: Row, report: Report): { input: number; output: number } {
  const added = { input: 0, output: 0 };
  for (const way of ["input", "output"] as const) {
    const last = row.counters[way];
    const counter = report[way];
    if (counter > last) added[way] = counter - last;
    else if (counter < last && report.time > row.time) added[way] = counter;
    else continue;
    row.counters[way] = counter;
    row[way] += added[way];
  }
  row.time = report.time;
  row.updated = Math.max(row.updated, report.at);
  return added;
}

function stop(row: Row, { at, cause }: Report): void {
  row.updated = Math.max(row.updated, at);
  row.stopped = Math.max(at, row.started);
  row.closedBy = "stop";
  row.cause = cause ?? null;
}
