import { systemClock } from "../domain/time.ts";
import { codeOf } from "../listen-error.ts";
import { Counters } from "./counters.ts";
import type { GateEvents } from "./gate.ts";
import { DropJournal, FailureJournal } from "./journal.ts";
import { type Listener, listenUdp } from "./listener.ts";
import type { Peer } from "./socket.ts";
import type { Notice, Order } from "./threads.ts";
import { Timings } from "./timings.ts";

declare const self: Worker;

/** What a RADIUS thread does with a datagram, and at the end. */
export interface Handlers {
  readonly receive: (datagram: Buffer, peer: Peer, uptime: number, reply: (answer: Buffer) => void) => void;
  readonly finish: () => Promise<void>;
}

/** What a RADIUS thread tells main with. */
export interface Tools {
  readonly folder: string;
  readonly counters: Counters;
  readonly timings: Timings;
  readonly post: (notice: Notice) => void;
  readonly dropped: GateEvents["dropped"];
  readonly failed: (error: unknown, records?: number) => void;
}

/** Milliseconds between two posts of what was counted. */
const COUNTS_EVERY = 1000;
/** Milliseconds between two looks at the clock: a thread without packets must notice a leap of it as soon as the others. */
const LOOK_AT_CLOCK_EVERY = 10_000;

/** Seconds since this thread began, from a clock that never goes back. */
export const uptime = () => performance.now() / 1000;

/** Runs one RADIUS port in this thread: obeys main's orders, posts notices. */
export function serveThread(start: (tools: Tools) => Handlers): void {
  const counters = new Counters();
  const timings = new Timings();
  const drops = new DropJournal();
  const failures = new FailureJournal();
  const post = (notice: Notice) => self.postMessage(notice);
  const failed = (error: unknown, records = 1) => {
    const line = failures.note(messageOf(error), records, uptime());
    if (line) post({ kind: "failed", ...line });
  };
  const dropped: GateEvents["dropped"] = (reason, address, client) => {
    const line = drops.note(reason, address, client, uptime());
    if (line) post({ kind: "dropped", line });
  };
  const postCounts = () => {
    const counts = counters.take();
    if (counts.length > 0) post({ kind: "counted", counts });
    post({ kind: "measured", timings: timings.take() });
  };
  let running: { listener: Listener; handlers: Handlers } | undefined;

  const serve = async ({ folder, listen }: Order & { kind: "serve" }) => {
    const handlers = start({ folder, counters, timings, post, dropped, failed });
    const listener = await listenUdp(listen, {
      failed,
      receive: (datagram, peer, socket) => {
        handlers.receive(datagram, peer, uptime(), (answer) => socket.send(answer, peer));
      },
    });
    running = { listener, handlers };
    setInterval(postCounts, COUNTS_EVERY);
    setInterval(systemClock, LOOK_AT_CLOCK_EVERY);
    post({ kind: "listening", endpoint: listener.endpoint });
  };
  const stop = async () => {
    await running?.handlers.finish();
    running?.listener.close();
    postCounts();
    post({ kind: "stopped" });
  };

  self.addEventListener("message", ({ data }: MessageEvent<Order>) => {
    if (data.kind === "stop") stop().catch(failed);
    else serve(data).catch((error: unknown) => post(refusalOf(error)));
  });
  // a bug in one packet must not end the thread
  process.on("uncaughtException", (error) => failed(error));
  process.on("unhandledRejection", (reason) => failed(reason));
}

function refusalOf(error: unknown): Notice {
  return {
    kind: "refused",
    code: String(codeOf(error)),
    message: error instanceof Error ? error.message : String(error),
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
