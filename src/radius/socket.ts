import { dlopen, FFIType, ptr } from "bun:ffi";

/** Where a socket listens; port 0 asks the system for a free one. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/** A datagram's sender, and the local address at which it arrived. */
export interface Peer {
  readonly address: string;
  readonly port: number;
  readonly localAddress: string | null;
}

export interface UdpSocket {
  readonly endpoint: Endpoint;
  readonly send: (datagram: Uint8Array, peer: Peer) => void;
  readonly close: () => void;
}

/** Bytes that the kernel keeps for us while we work: a storm of 4,000 requests fits. */
const RECEIVE_BUFFER = 8 * 1024 * 1024;

/** Binds a UDP socket. Neither an error of a peer nor one in `receive` ever closes it; `failed` hears of both. */
export async function openSocket(
  { host, port }: Endpoint,
  { receive, failed }: { receive: (datagram: Buffer, peer: Peer) => void; failed: (error: unknown) => void },
): Promise<UdpSocket> {
  const localAddress = host === "0.0.0.0" || host === "::" ? null : host;
  const socket = await Bun.udpSocket({
    hostname: host,
    port,
    binaryType: "buffer",
    socket: {
      data: (_socket, datagram, port, address) => {
        try {
          receive(datagram, { address, port, localAddress });
        } catch (error) {
          failed(error);
        }
      },
      // without a handler, the first ICMP error ends the process
      error: () => {},
    },
  });
  tune(socket);
  return {
    endpoint: { host, port: socket.port },
    send: (datagram, peer) => send(socket, datagram, peer, failed),
    close: () => socket.close(),
  };
}

type BunSocket = Bun.udp.Socket<"buffer">;

/** The error of an earlier peer that closed its port can surface at this send, so one try more. */
function send(
  socket: BunSocket,
  datagram: Uint8Array,
  { address, port }: Peer,
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

const SOL_IP = 0;
const IP_RECVERR = 11;
const SOL_SOCKET = 1;
const SO_RCVBUF = 8;
const SO_RCVBUFFORCE = 33;

/** Options that Bun does not offer, set with the C library's setsockopt where there is one (Linux). */
function tune(socket: BunSocket): void {
  const fd: unknown = Reflect.get(socket, "fd");
  if (process.platform !== "linux" || typeof fd !== "number" || fd < 0) return;
  const libc = openLibc();
  if (!libc) return;
  const set = (level: number, option: number, value: number) =>
    libc.symbols.setsockopt(fd, level, option, ptr(new Int32Array([value])), 4) === 0;
  // ICMP errors of one router must not make sends to another one fail
  set(SOL_IP, IP_RECVERR, 0);
  // FORCE needs CAP_NET_ADMIN; without it the system's net.core.rmem_max is the limit
  if (!set(SOL_SOCKET, SO_RCVBUFFORCE, RECEIVE_BUFFER)) set(SOL_SOCKET, SO_RCVBUF, RECEIVE_BUFFER);
  libc.close();
}

function openLibc() {
  const args = [FFIType.i32, FFIType.i32, FFIType.i32, FFIType.ptr, FFIType.u32] as const;
  for (const name of ["libc.so.6", "libc.so"]) {
    try {
      return dlopen(name, { setsockopt: { args, returns: FFIType.i32 } });
    } catch {
      // the other C library
    }
  }
  return undefined;
}
