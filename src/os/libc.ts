import { dlopen, FFIType, type Pointer, ptr, read } from "bun:ffi";
import { constants } from "node:os";

const { i32, u32, i64, u64, ptr: pointer } = FFIType;

/** Socket functions of the C library that Bun does not offer. Linux, 64 bit. */
const functions = {
  socket: { args: [i32, i32, i32], returns: i32 },
  getsockopt: { args: [i32, i32, i32, pointer, pointer], returns: i32 },
  setsockopt: { args: [i32, i32, i32, pointer, u32], returns: i32 },
  bind: { args: [i32, pointer, u32], returns: i32 },
  getsockname: { args: [i32, pointer, pointer], returns: i32 },
  recvmmsg: { args: [i32, pointer, u32, i32, pointer], returns: i32 },
  sendmmsg: { args: [i32, pointer, u32, i32], returns: i32 },
  sendto: { args: [i32, pointer, u64, i32, pointer, u32], returns: i64 },
  socketpair: { args: [i32, i32, i32, pointer], returns: i32 },
  send: { args: [i32, pointer, u64, i32], returns: i64 },
  recv: { args: [i32, pointer, u64, i32], returns: i64 },
  poll: { args: [pointer, u64, i32], returns: i32 },
  close: { args: [i32], returns: i32 },
  __errno_location: { args: [], returns: pointer },
} as const;

type Libc = ReturnType<typeof open>["symbols"];

let opened: Libc | undefined;

export function libc(): Libc {
  return (opened ??= open().symbols);
}

function open() {
  try {
    return dlopen("libc.so.6", functions);
  } catch {
    // musl
    return dlopen("libc.so", functions);
  }
}

/** errno of the last failed call; read it before any other call. */
export function lastError(): number {
  const location = libc().__errno_location();
  return location === null ? 0 : read.i32(location);
}

export function systemError(call: string, errno = lastError()): Error & { code: string } {
  const [code] = Object.entries(constants.errno).find(([, number]) => number === errno) ?? [`errno ${errno}`];
  return Object.assign(new Error(`${code}: ${call} failed`), { code });
}

/** The address of a buffer, which must not move: it has its own ArrayBuffer. */
export function addressOf(buffer: NodeJS.TypedArray): Pointer {
  return ptr(buffer);
}

/** Whether the system accepted a socket option. */
export function setOption(fd: number, level: number, option: number, ...value: number[]): boolean {
  const words = new Int32Array(value);
  return libc().setsockopt(fd, level, option, ptr(words), words.byteLength) === 0;
}

/** Receive and send buffer in bytes: room for a storm of 4,000 requests. */
export const FULL_BUFFER = 8 * 1024 * 1024;

// <bits/in.h>, <asm-generic/socket.h>
export const SOL_IP = 0;
export const SOL_IPV6 = 41;
export const SOL_SOCKET = 1;
const SO_SNDBUF = 7;
const SO_RCVBUF = 8;
const SO_RCVTIMEO = 20;
const SO_SNDBUFFORCE = 32;
const SO_RCVBUFFORCE = 33;

/** FORCE needs CAP_NET_ADMIN; otherwise net.core.rmem_max and wmem_max are the limit. */
export function growBuffers(fd: number): void {
  if (!setOption(fd, SOL_SOCKET, SO_RCVBUFFORCE, FULL_BUFFER))
    setOption(fd, SOL_SOCKET, SO_RCVBUF, FULL_BUFFER);
  if (!setOption(fd, SOL_SOCKET, SO_SNDBUFFORCE, FULL_BUFFER))
    setOption(fd, SOL_SOCKET, SO_SNDBUF, FULL_BUFFER);
}

/** Receive timeout in milliseconds, passed as a struct timeval of 64-bit seconds and microseconds. */
export function limitWaiting(fd: number, milliseconds: number): void {
  const seconds = Math.floor(milliseconds / 1000);
  setOption(fd, SOL_SOCKET, SO_RCVTIMEO, seconds, 0, (milliseconds % 1000) * 1000, 0);
}
