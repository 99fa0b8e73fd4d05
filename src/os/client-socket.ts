import { tune } from "./udp-options.ts";

export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

export interface Peer {
  readonly address: string;
  readonly port: number;
  readonly localAddress: string;
}

export interface UdpSocket {
  /** Sends at once; an error is passed to `failed` before it returns. */
  readonly send: (datagram: Uint8Array, to: Pick<Peer, "address" | "port">) => void;
  readonly close: () => void;
}

export interface SocketHandlers {
  readonly receive: (datagram: Buffer, peer: Peer) => void;
  /** Called with errors of `receive`, and of datagrams that could not be sent. */
  readonly failed: (error: unknown) => void;
}

/** Binds a client UDP socket to one local address. No error of a peer or in `receive` closes it. */
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

/** An ICMP error of an earlier peer can surface at this send, so it is tried once more. */
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
