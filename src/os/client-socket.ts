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
  /** Sends at once: `failed` has been called with an error before it returns. */
  readonly send: (datagram: Uint8Array, to: Pick<Peer, "address" | "port">) => void;
  readonly close: () => void;
}

export interface SocketHandlers {
  readonly receive: (datagram: Buffer, peer: Peer) => void;
  /** Called with errors in `receive`, and with those of datagrams that could not be sent. */
  readonly failed: (error: unknown) => void;
}

/** Binds a UDP socket of a client to one local address. Neither an error of a peer nor one in `receive` ever closes it. */
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
          receive(datagram, { address, port: peerPort, localAddress: host });
        } catch (error) {
          failed(error);
        }
      },
      // without a handler, the first ICMP error ends the process
      error: () => {},
    },
  });
  tune(bound);
  return {
    send: (datagram, to) => send(bound, datagram, to, failed),
    close: () => bound.close(),
  };
}

/** The error of an earlier peer that closed its port can surface at this send, so one try more. */
function send(
  socket: Bun.udp.Socket<"buffer">,
  datagram: Uint8Array,
  { address, port }: Pick<Peer, "address" | "port">,
  failed: (error: unknown) => void,
): void {
  if (socket.closed) return;
  try {
    socket.send(datagram, port, address);
  } catch {
    try {
      socket.send(datagram, port, address);
    } catch (error) {
      failed(error);
    }
  }
}
