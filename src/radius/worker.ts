import type { Client } from "./clients.ts";
import type { DropReason } from "./gate.ts";
import { DropJournal } from "./journal.ts";
import { openSocket, type Peer, type UdpSocket } from "./socket.ts";
import type { Notice, Order } from "./threads.ts";

declare const self: Worker;

/** What a RADIUS thread does with a datagram, and at the end. */
export interface Handlers {
  receive: (datagram: Buffer, peer: Peer, uptime: number, reply: (answer: Buffer) => void) => void;
  finish: () => Promise<void>;
}

type Start = (
  folder: string,
  post: (notice: Notice) => void,
  reportDrop: (reason: DropReason, address: string, client: Client | undefined) => void,
) => Handlers;

/** Seconds since this thread began, from a clock that never goes back. */
const uptime = () => performance.now() / 1000;

/** Runs one RADIUS port in this thread: obeys main's orders, posts notices. */
export function serveThread(start: Start): void {
  const post = (notice: Notice) => self.postMessage(notice);
  const failed = (error: unknown) => post({ kind: "failed", message: messageOf(error), records: 1 });
  const journal = new DropJournal();
  const reportDrop = (reason: DropReason, address: string, client: Client | undefined) => {
    const line = journal.note(reason, address, client, uptime());
    if (line) post({ kind: "dropped", line });
  };
  let running: { socket: UdpSocket; handlers: Handlers } | undefined;

  const serve = async ({ folder, listen }: Order & { kind: "serve" }) => {
    const handlers = start(folder, post, reportDrop);
    const socket = await openSocket(listen, {
      failed,
      receive: (datagram, peer) => {
        handlers.receive(datagram, peer, uptime(), (answer) => socket.send(answer, peer));
      },
    });
    running = { socket, handlers };
    post({ kind: "listening", endpoint: socket.endpoint });
  };
  const stop = async () => {
    await running?.handlers.finish();
    running?.socket.close();
    post({ kind: "stopped" });
  };

  self.addEventListener("message", ({ data }: MessageEvent<Order>) => {
    if (data.kind === "stop") stop().catch(failed);
    else serve(data).catch((error: unknown) => post({ kind: "refused", message: messageOf(error) }));
  });
  // a bug in one packet must not end the thread
  process.on("uncaughtException", failed);
  process.on("unhandledRejection", failed);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
