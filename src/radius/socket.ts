import { tune } from "./udp-options.ts";

/** Where a socket listens; port 0 asks the system for a free one. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/** A datagram's sender, and the local address at which it arrived. */
export interface Peer {
  readonly address: string;
  readonly port: number;
  readonly localAddress: string;
}

export interface UdpSocket {
  readonly port: number;
  /** Sends soon, up to BATCH datagrams by one system call; at the end of this turn of the event loop at the latest. */
  readonly send: (datagram: Uint8Array, peer: Peer) => void;
  /** Sends at once, so that `failed` has heard of an error when it returns. */
  readonly sendNow: (datagram: Uint8Array, peer: Peer) => void;
  /** Sends what waits, then closes. */
  readonly close: () => void;
}

export interface SocketHandlers {
  readonly receive: (datagram: Buffer, peer: Peer, socket: UdpSocket) => void;
  /** Hears of errors in `receive`, and of replies that could not be sent. */
  readonly failed: (error: unknown) => void;
}

/** Binds a UDP socket to one local address. Neither an error of a peer nor one in `receive` ever closes it. */
export async function openSocket(
  { host, port }: Endpoint,
  { receive, failed }: SocketHandlers,
): Promise<UdpSocket> {
  const bound = await Bun.udpSocket({
    hostname: host,
    port,
    binaryType: "buffer",
    socket: {
      data: (_socket, datagram, peerPort, address) => {
        try {
          receive(datagram, { address, port: peerPort, localAddress: host }, socket);
        } catch (error) {
          failed(error);
        }
      },
      // without a handler, the first ICMP error ends the process
      error: () => {},
    },
  });
  tune(bound);
  const outbox = new Outbox(bound, failed);
  const socket: UdpSocket = {
    port: bound.port,
    sendNow: (datagram, { address, port: peerPort }) => sendNow(bound, [datagram, peerPort, address], failed),
    send: (datagram, peer) => outbox.add(datagram, peer),
    close: () => {
      outbox.flush();
      bound.close();
    },
  };
  return socket;
}

/**
 * Datagrams of one system call: enough that it costs little each, and no more, because under load a turn of the event loop
 * takes thousands of packets and the first ones would wait for the last.
 */
const BATCH = 16;

/** As sendMany takes them: datagram, port, address, datagram, ... */
type Outgoing = (Uint8Array | number | string)[];

/** What waits to be sent together. */
class Outbox {
  readonly #socket: Bun.udp.Socket<"buffer">;
  readonly #failed: (error: unknown) => void;
  #waiting: Outgoing = [];
  #isFlushing = false;

  constructor(socket: Bun.udp.Socket<"buffer">, failed: (error: unknown) => void) {
    this.#socket = socket;
    this.#failed = failed;
  }

  add(datagram: Uint8Array, { address, port }: Peer): void {
    this.#waiting.push(datagram, port, address);
    if (this.#waiting.length === 3 * BATCH) this.flush();
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    setImmediate(() => {
      this.#isFlushing = false;
      this.flush();
    });
  }

  flush(): void {
    const waiting = this.#waiting;
    if (waiting.length === 0 || this.#socket.closed) return;
    this.#waiting = [];
    let sent = 0;
    try {
      sent = this.#socket.sendMany(waiting);
    } catch {
      // the error of one peer, even of an earlier send; a reply that is sent twice does no harm
    }
    for (let at = 3 * sent; at < waiting.length; at += 3)
      sendNow(this.#socket, waiting.slice(at, at + 3), this.#failed);
  }
}

/** The error of an earlier peer that closed its port can surface at this send, so one try more. */
function sendNow(
  socket: Bun.udp.Socket<"buffer">,
  datagram: Outgoing,
  failed: (error: unknown) => void,
): void {
  if (socket.closed) return;
  try {
    socket.sendMany(datagram);
  } catch {
    try {
      socket.sendMany(datagram);
    } catch (error) {
      failed(error);
    }
  }
}
