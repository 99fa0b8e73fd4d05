import { ReportTally } from "../../domain/service/live/reported.ts";
import { CarriedTally } from "../../domain/money/sums/carried.ts";
import { type Clock, systemClock } from "../../domain/core/time/time.ts";
import type { AccessPlace } from "./access-memory.ts";
import { ArrivalTally } from "./arrival-tally.ts";
import { Counters } from "./counters.ts";
import type { GateEvents } from "./gate.ts";
import { DropJournal, FailureJournal } from "./journal.ts";
import { type ServerPeer, ServerSocket } from "../../os/server-socket.ts";
import { MAX_PACKET } from "../packet/packet.ts";
import { RadsecLink, type RadsecPeer } from "./radsec-link.ts";
import type { Notice, Order } from "./threads.ts";
import { Timings } from "./timings.ts";

declare const self: Worker;

export interface Handlers {
  /** `datagram` stands until the next one; `waited` as in ServerSocket, 0 by RadSec. */
  readonly receive: (datagram: Buffer, peer: AnyPeer, uptime: number, reply: Reply, waited: number) => void;
  /** After them, and after each wait without any. */
  readonly endBatch: () => void;
  /** Whether there is work besides datagrams. */
  readonly work: () => "none" | "soon" | "now";
  readonly finish: () => Promise<void>;
}

/** A UDP or RadSec peer. */
export type AnyPeer = ServerPeer | RadsecPeer;
export type Reply = (answer: Buffer, peer: AnyPeer) => void;

export interface Tools {
  readonly folder: string;
  readonly turns: SharedArrayBuffer | undefined;
  /** Undefined: no access thread. */
  readonly place: AccessPlace | undefined;
  /** The arrival time of the packets of the batch. */
  readonly clock: Clock;
  readonly counters: Counters;
  readonly timings: Timings;
  readonly carried: CarriedTally;
  readonly reports: ReportTally;
  readonly arrivals: ArrivalTally;
  readonly post: (notice: Notice) => void;
  readonly dropped: GateEvents["dropped"];
  readonly failed: (error: unknown, records?: number) => void;
}

/** Milliseconds between two posts of counters. */
const COUNTS_EVERY = 1000;
/** Milliseconds between two checks of the clock: an idle thread must notice a jump as soon as the others. */
const LOOK_AT_CLOCK_EVERY = 10_000;
/** Milliseconds of a wait for datagrams; timers and orders of main wait as long. */
const SLEEP = 50;
/** The same while there is other work. */
const NAP = 3;
/** Milliseconds to wait for datagrams. */
const PATIENCE = { none: SLEEP, soon: NAP, now: 0 };
/** Datagrams of a batch, or a few more, unless a turn is over first. */
const BATCH = 2048;
/** Milliseconds of datagrams without a pause after which timers and orders get a turn. */
const LONGEST_TURN = 10;

/** Seconds since this thread started, from a monotonic clock. */
export const uptime = () => performance.now() / 1000;

/** Serves one UDP port in this thread: follows main's orders and posts notices. */
export function serveThread(start: (tools: Tools) => Handlers): void {
  const counters = new Counters();
  const timings = new Timings();
  const carried = new CarriedTally();
  const reports = new ReportTally();
  const lastSeen = { at: 0, now: systemClock() };
  const clock = () => lastSeen.now;
  const arrivals = new ArrivalTally(clock);
  const drops = new DropJournal();
  const failures = new FailureJournal();
  const post = (notice: Notice) => self.postMessage(notice);
  const failed = (error: unknown, records = 1) => {
    const line = failures.note(errorText(error), records, uptime());
    if (line) post({ kind: "failed", ...line });
  };
  const dropped: GateEvents["dropped"] = (reason, address, client) => {
    const line = drops.note(reason, address, client, uptime());
    if (line) post({ kind: "dropped", line });
  };
  const postCounts = () => {
    const counts = counters.take();
    if (counts.length > 0) post({ kind: "counted", counts });
    const sums = carried.take();
    if (sums.length > 0) post({ kind: "carried", sums });
    const packed = reports.take();
    if (packed.length > 0) post({ kind: "reported", packed });
    const arrived = arrivals.take();
    if (arrived.length > 0) post({ kind: "arrived", arrived });
    post({ kind: "measured", timings: timings.take() });
  };
  let running: { ways: Ways; handlers: Handlers } | undefined;

  const serve = ({ folder, port, radsec, turns, place }: Order & { kind: "serve" }) => {
    const { receive, ...handlers } = start({
      folder,
      turns,
      place,
      clock,
      counters,
      timings,
      carried,
      reports,
      arrivals,
      post,
      dropped,
      failed,
    });
    const socket = new ServerSocket(port, { longest: MAX_PACKET, failed });
    const receiveNow: Handlers["receive"] = (packet, peer, at, reply, waited) => {
      // of those that come together it is asked once
      if (lastSeen.at !== at) {
        lastSeen.at = at;
        lastSeen.now = systemClock();
      }
      receive(packet, peer, at, reply, waited);
    };
    running = {
      ways: { socket, radsec: radsec && new RadsecLink(radsec, port.fd) },
      handlers: { ...handlers, receive: receiveNow },
    };
    setInterval(postCounts, COUNTS_EVERY);
    setInterval(systemClock, LOOK_AT_CLOCK_EVERY);
    post({ kind: "listening" });
    setImmediate(takeTurns);
  };
  const takeTurns = () => {
    if (!running) return;
    const { ways, handlers } = running;
    const end = uptime() + LONGEST_TURN / 1000;
    try {
      while (workOnBatch(ways, handlers, failed) > 0 && uptime() < end);
      setImmediate(takeTurns);
    } catch (error) {
      failed(error);
      setTimeout(takeTurns, SLEEP);
    }
  };
  const stop = async () => {
    try {
      await running?.handlers.finish();
    } finally {
      running?.ways.socket.flush();
      running?.ways.radsec?.flush();
      running?.ways.radsec?.close();
      running = undefined;
      postCounts();
      post({ kind: "stopped" });
    }
  };

  self.addEventListener("message", ({ data }: MessageEvent<Order>) => {
    if (data.kind === "stop") stop().catch(failed);
    else
      try {
        serve(data);
      } catch (error) {
        post({ kind: "refused", message: error instanceof Error ? error.message : String(error) });
      }
  });
  // a bug in one packet must not end the thread
  process.on("uncaughtException", (error) => failed(error));
  process.on("unhandledRejection", (reason) => failed(reason));
}

export interface Ways {
  readonly socket: ServerSocket;
  readonly radsec?: RadsecLink | undefined;
}

/** Works on the packets that are there, waiting for the first; returns how many. */
export function workOnBatch(ways: Ways, handlers: Handlers, failed: (error: unknown) => void): number {
  const { socket, radsec } = ways;
  const reply: Reply = (answer, peer) => {
    if ("route" in peer) socket.send(answer, peer);
    else radsec?.send(answer, peer);
  };
  const receive = (packet: Buffer, peer: AnyPeer, at: number, waited = 0) => {
    try {
      handlers.receive(packet, peer, at, reply, waited);
    } catch (error) {
      failed(error);
    }
  };
  const patience = PATIENCE[handlers.work()];
  let all = takeAll(ways, receive, radsec ? 0 : patience);
  if (all === 0 && radsec) {
    radsec.wait(patience);
    all = takeAll(ways, receive, 0);
  }
  handlers.endBatch();
  socket.flush();
  radsec?.flush();
  return all;
}

/** A batch of UDP and RadSec in turns. */
function takeAll(
  { socket, radsec }: Ways,
  receive: (packet: Buffer, peer: AnyPeer, at: number, waited?: number) => void,
  patience: number,
): number {
  let all = 0;
  let end = Infinity;
  for (let at = 0; all < BATCH && at < end;) {
    const count = socket.receive(all === 0 ? patience : 0);
    at = uptime();
    if (all === 0) end = at + LONGEST_TURN / 1000;
    for (let i = 0; i < count; i++) receive(socket.datagram(i), socket.peer(i), at, socket.waited(i));
    socket.flush();
    const drained = radsec?.take((packet, peer) => receive(packet, peer, at)) ?? 0;
    if (count + drained === 0) break;
    all += count + drained;
  }
  return all;
}

function errorText(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
