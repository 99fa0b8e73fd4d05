import type { Logger } from "pino";
import type { Arrived } from "../../domain/goods/nas/arrivals.ts";
import type { QuotaCrossed } from "../../domain/service/accounting/accounting.ts";
import type { Carried } from "../../domain/money/sums/carried.ts";
import type { AccessEvent } from "../auth/access.ts";
import type { Role } from "../packet/authenticator.ts";
import type { PacketCount } from "./counters.ts";
import { unpackEvents } from "./events.ts";
import type { DropLine } from "./journal.ts";
import type { Endpoint } from "../../os/client-socket.ts";
import type { Distribution } from "./timings.ts";
import { type RadsecOptions, RadsecThread } from "./radsec-thread.ts";
import { type DomainNotice, type PortBuffer, RadiusThread } from "./thread.ts";

export interface RadiusOptions {
  folder: string;
  auth: Endpoint;
  acct: Endpoint;
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
  radsec?: Pick<RadsecOptions, "listen" | "isWanted" | "nameOf"> | undefined;
  arrived?: (arrived: readonly Arrived[]) => void;
}

export interface RadiusServer {
  readonly auth: Endpoint;
  readonly acct: Endpoint;
  /** Whether both threads listen. */
  readonly isListening: () => boolean;
  /** Packets by NAS, kind and outcome since the start; at most a second old. Costs the threads nothing. */
  readonly counts: (role: Role) => readonly PacketCount[];
  /** Measured times since the start; at most a second old. */
  readonly timings: () => readonly Distribution[];
  /** The kernel's receive buffer of a port; undefined where the system does not report it. */
  readonly buffer: (role: Role) => PortBuffer | undefined;
  /** Logins that were dropped since the start because they had waited too long at the port; at most a second old. */
  readonly lateLogins: () => RadiusThread["late"];
  /** Seconds since packets of a NAS arrived; undefined when none did since the start. */
  readonly silenceOf: (nas: string) => number | undefined;
  /** The RadSec address and the connections of each router; undefined: not running. */
  readonly radsec: () => { endpoint: Endpoint; connections: ReadonlyMap<number, number> } | undefined;
  /** Seconds since the quieter thread's last sign of life. */
  readonly silence: () => number;
  /** Of each thread: whether it listens, and the seconds since its last sign of life. */
  readonly threads: () => readonly { role: Role; isListening: boolean; silence: number }[];
  /** Commits what has arrived, then closes. */
  readonly stop: () => Promise<void>;
}

/** Starts both threads. Rejects when one cannot listen. */
export async function startRadius(options: RadiusOptions): Promise<RadiusServer> {
  const { folder, log } = options;
  const onNotice = (notice: DomainNotice) => {
    if (notice.kind === "decided") options.decided(unpackEvents(notice.events));
    else if (notice.kind === "authenticator_seen") options.authenticatorSeen(notice);
    else if (notice.kind === "dropped") onDrop(notice.line, options);
    else if (notice.kind === "carried") options.carried(notice.sums);
    else if (notice.kind === "reported") options.reported(notice.packed);
    else if (notice.kind === "arrived") options.arrived?.(notice.arrived);
    else options.quotaCrossed(notice.crossed);
  };
  const radsec = options.radsec && new RadsecThread({ folder, log, spawn: spawnRadsec, ...options.radsec });
  const threadOf = (role: Role) =>
    new RadiusThread(role, options[role], {
      folder,
      log,
      onNotice,
      spawn: spawn[role],
      radsec: radsec?.endOf(role),
      turns: options.turns,
    });
  const threads = { auth: threadOf("auth"), acct: threadOf("acct") };
  const both = [threads.auth, threads.acct];
  const stop = async () => {
    await Promise.all(both.map((thread) => thread.stop()));
    await radsec?.stop(); // after what they have committed was acknowledged
    if (both.every((thread) => thread.isClosed)) radsec?.close();
  };
  try {
    for (const thread of both) thread.bind();
    await Promise.all(both.map((thread) => thread.start()));
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    auth: threads.auth.endpoint,
    acct: threads.acct.endpoint,
    isListening: () => both.every((thread) => thread.isListening),
    counts: (role) => threads[role].counters.all(),
    timings: () => both.flatMap((thread) => thread.timings.all()),
    buffer: (role) => threads[role].lookAtBuffer(),
    lateLogins: () => threads.auth.late,
    silenceOf: (nas) => {
      const lastSeen = Math.max(...both.map((thread) => thread.lastSeen.get(nas) ?? -Infinity));
      return Number.isFinite(lastSeen) ? (performance.now() - lastSeen) / 1000 : undefined;
    },
    radsec: () => radsec?.endpoint && { endpoint: radsec.endpoint, connections: radsec.connections },
    silence: () => Math.max(...both.map((thread) => thread.silence)),
    threads: () =>
      (["auth", "acct"] as const).map((role) => {
        const { isListening, silence } = threads[role];
        return { role, isListening, silence };
      }),
    stop,
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
