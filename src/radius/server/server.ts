import type { Logger } from "pino";
import type { Arrived } from "../../domain/goods/nas/arrivals.ts";
import type { QuotaCrossed } from "../../domain/service/accounting/accounting.ts";
import type { Carried } from "../../domain/money/sums/carried.ts";
import type { AccessEvent } from "../auth/access.ts";
import type { Role } from "../packet/authenticator.ts";
import { errorCode, ListenError } from "../../listen-error.ts";
import { bindPorts, closePort } from "../../os/server-socket.ts";
import { accessMemory } from "./access-memory.ts";
import { Counters, type PacketCount } from "./counters.ts";
import { unpackEvents } from "./events.ts";
import type { DropLine } from "./journal.ts";
import type { Endpoint } from "../../os/client-socket.ts";
import { type Distribution, Timings } from "./timings.ts";
import { type RadsecOptions, RadsecThread } from "./radsec-thread.ts";
import { type DomainNotice, type PortBuffer, RadiusThread } from "./thread.ts";

export interface RadiusOptions {
  folder: string;
  auth: Endpoint;
  acct: Endpoint;
  /** Access threads, at the most; one where the system does not spread datagrams by their source. */
  accessThreads?: number;
  /** As of `shareTurns`. */
  turns?: SharedArrayBuffer;
  log: Logger;
  /** Decisions to store, in batches. */
  decided: (events: AccessEvent[]) => void;
  authenticatorSeen: (source: { nasId: number; address: string }) => void;
  /** Requests of a known NAS were dropped for lack of a Message-Authenticator; at most once a minute and address. */
  unauthenticated: (source: { nasId: number; address: string }) => void;
  quotaCrossed: (crossed: QuotaCrossed) => void;
  /** Bytes booked by accounting in the last second. */
  carried: (sums: readonly Carried[]) => void;
  /** Accounting reports of the last second, packed by a ReportTally. */
  reported: (packed: Float64Array) => void;
  /** RadSec (RFC 6614), opened as soon as it is wanted; undefined: never. */
  radsec?: Pick<RadsecOptions, "listen" | "isWanted" | "findName"> | undefined;
  arrived?: (arrived: readonly Arrived[]) => void;
}

export interface RadiusServer {
  readonly auth: Endpoint;
  readonly acct: Endpoint;
  /** Whether all threads listen. */
  readonly isListening: () => boolean;
  /** Packets by NAS, kind and outcome since the start; at most a second old. Costs the threads nothing. */
  readonly counts: (role: Role) => readonly PacketCount[];
  /** Measured times since the start; at most a second old. */
  readonly timings: () => readonly Distribution[];
  /** The kernel's receive buffers of a port: the smallest size, and drops of all; undefined where the system does not report it. */
  readonly buffer: (role: Role) => PortBuffer | undefined;
  /** Logins that were dropped since the start because they had waited too long at the port; at most a second old. */
  readonly lateLogins: () => RadiusThread["late"];
  /** Seconds since packets of a NAS arrived; undefined when none did since the start. */
  readonly measureSilence: (nas: string) => number | undefined;
  /** The RadSec address and the connections of each router; undefined: not running. */
  readonly radsec: () => { endpoint: Endpoint; connections: ReadonlyMap<number, number> } | undefined;
  /** Seconds since the quietest thread's last sign of life. */
  readonly silence: () => number;
  /** Of each thread: whether it listens, and the seconds since its last sign of life. */
  readonly threads: () => readonly { role: Role; isListening: boolean; silence: number }[];
  /** Commits what has arrived, then closes. */
  readonly stop: () => Promise<void>;
}

/** Starts all threads. Rejects when one cannot listen. */
export async function startRadius(options: RadiusOptions): Promise<RadiusServer> {
  const { folder, log, turns } = options;
  const onNotice = (notice: DomainNotice) => {
    if (notice.kind === "decided") options.decided(unpackEvents(notice.events));
    else if (notice.kind === "authenticator_seen") options.authenticatorSeen(notice);
    else if (notice.kind === "dropped") onDrop(notice.line, options);
    else if (notice.kind === "carried") options.carried(notice.sums);
    else if (notice.kind === "reported") options.reported(notice.packed);
    else if (notice.kind === "arrived") options.arrived?.(notice.arrived);
    else options.quotaCrossed(notice.crossed);
  };
  const ports = bindAll(options);
  const count = { auth: ports.auth.length, acct: ports.acct.length };
  const radsec =
    options.radsec &&
    new RadsecThread({ folder, log, spawn: spawnRadsec, threads: count, ...options.radsec });
  const memory = accessMemory(count.auth);
  const startThreads = (role: Role) => {
    const ends = radsec?.listEnds(role) ?? [];
    return ports[role].map((port, index) => {
      const place = role === "auth" ? { memory, who: index + 1 } : undefined;
      const common = { folder, log, onNotice, spawn: spawn[role], radsec: ends[index], turns, place };
      return new RadiusThread(role, port, common);
    });
  };
  const threads = { auth: startThreads("auth"), acct: startThreads("acct") };
  const all = [...threads.auth, ...threads.acct];
  const stop = async () => {
    await Promise.all(all.map((thread) => thread.stop()));
    await radsec?.stop(); // after what they have committed was acknowledged
    if (all.every((thread) => thread.isClosed)) radsec?.close();
  };
  try {
    await Promise.all(all.map((thread) => thread.start()));
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    auth: ports.auth[0].endpoint,
    acct: ports.acct[0].endpoint,
    isListening: () => all.every((thread) => thread.isListening),
    counts: (role) => sumCounts(threads[role]),
    timings: () => sumTimings(all),
    buffer: (role) => joinBuffers(threads[role]),
    lateLogins: () => sumLate(threads.auth),
    measureSilence: (nas) => {
      const lastSeen = Math.max(...all.map((thread) => thread.lastSeen.get(nas) ?? -Infinity));
      return Number.isFinite(lastSeen) ? (performance.now() - lastSeen) / 1000 : undefined;
    },
    radsec: () => radsec?.endpoint && { endpoint: radsec.endpoint, connections: radsec.connections },
    silence: () => Math.max(...all.map((thread) => thread.silence)),
    threads: () =>
      (["auth", "acct"] as const).flatMap((role) =>
        threads[role].map(({ isListening, silence }) => ({ role, isListening, silence })),
      ),
    stop,
  };
}

/** Throws ListenError, and then nothing is bound. */
function bindAll({ auth, acct, accessThreads = 1 }: RadiusOptions) {
  const bound = bindRole("auth", auth, accessThreads);
  try {
    return { auth: bound, acct: bindRole("acct", acct, 1) };
  } catch (error) {
    for (const port of bound) closePort(port);
    throw error;
  }
}

function bindRole(role: Role, endpoint: Endpoint, threads: number) {
  try {
    // accounting is booked however late it is
    return bindPorts(endpoint, threads, { wantsStamps: role === "auth" });
  } catch (error) {
    const { message } = error as Error;
    throw new ListenError(role, endpoint, { code: errorCode(error), message });
  }
}

type Threads = readonly RadiusThread[];

function sumCounts(threads: Threads): readonly PacketCount[] {
  const counters = new Counters();
  for (const thread of threads)
    for (const { nas, kind, outcome, count } of thread.counters.all())
      counters.add(nas, kind, outcome, count);
  return counters.all();
}

function sumTimings(threads: Threads): readonly Distribution[] {
  const timings = new Timings();
  for (const thread of threads) timings.add(thread.timings.all());
  return timings.all();
}

/** Each thread has a buffer of its own. */
function joinBuffers(threads: Threads): PortBuffer | undefined {
  const buffers = threads.flatMap((thread) => thread.lookAtBuffer() ?? []);
  if (buffers.length === 0) return undefined;
  return { size: Math.min(...buffers.map(({ size }) => size)), ...sumDrops(buffers) };
}

function sumLate(threads: Threads): RadiusThread["late"] {
  return sumDrops(threads.map(({ late }) => late));
}

function sumDrops(all: readonly RadiusThread["late"][]): RadiusThread["late"] {
  const times = all.flatMap(({ droppedAt }) => droppedAt ?? []);
  return {
    dropped: all.reduce((sum, { dropped }) => sum + dropped, 0),
    droppedAt: times.length === 0 ? null : Math.max(...times),
  };
}

function onDrop({ reason, nasId, address }: DropLine, { unauthenticated }: RadiusOptions): void {
  if (reason === "message_authenticator_missing" && nasId !== null) unauthenticated({ nasId, address });
}

// in the executable this module is part of main's file, two folders above
const here = new URL(Bun.isStandaloneExecutable ? "./radius/server/" : "./", import.meta.url);
const spawn: Record<Role, () => Worker> = {
  auth: () => new Worker(new URL("access-worker.ts", here)),
  acct: () => new Worker(new URL("accounting-worker.ts", here)),
};
const spawnRadsec = () => new Worker(new URL("radsec-worker.ts", here));
