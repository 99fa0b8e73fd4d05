import { dlopen, FFIType, ptr } from "bun:ffi";

/** Bytes that the kernel keeps for us in each direction while we work: a storm of 4,000 requests fits. */
const BUFFER = 8 * 1024 * 1024;

// Linux, <bits/in.h> and <asm-generic/socket.h>
const SOL_IP = 0;
const IP_RECVERR = 11;
const SOL_IPV6 = 41;
const IPV6_RECVERR = 25;
const SOL_SOCKET = 1;
const SO_SNDBUF = 7;
const SO_RCVBUF = 8;
const SO_SNDBUFFORCE = 32;
const SO_RCVBUFFORCE = 33;

/** Sets the options that Bun does not offer, with the C library's setsockopt; does nothing where that is not Linux'. */
export function tune(socket: Bun.udp.Socket<"buffer">): void {
  const fd: unknown = Reflect.get(socket, "fd");
  if (process.platform !== "linux" || typeof fd !== "number" || fd < 0) return;
  const libc = openLibc();
  if (!libc) return;
  const set = (level: number, option: number, value: number) =>
    libc.symbols.setsockopt(fd, level, option, ptr(new Int32Array([value])), 4) === 0;
  // ICMP errors of one router must not make sends to another one fail
  if (socket.address.family === "IPv6") set(SOL_IPV6, IPV6_RECVERR, 0);
  else set(SOL_IP, IP_RECVERR, 0);
  // FORCE needs CAP_NET_ADMIN; without it the system's net.core.rmem_max and wmem_max are the limit
  if (!set(SOL_SOCKET, SO_RCVBUFFORCE, BUFFER)) set(SOL_SOCKET, SO_RCVBUF, BUFFER);
  if (!set(SOL_SOCKET, SO_SNDBUFFORCE, BUFFER)) set(SOL_SOCKET, SO_SNDBUF, BUFFER);
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
