import { addressOf, libc, SOL_SOCKET } from "./libc.ts";

// <asm-generic/socket.h>; <linux/sock_diag.h>: indexes of the answer
const SO_MEMINFO = 55;
const RCVBUF = 1;
const DROPS = 8;
const WORDS = 9;

export interface ReceiveBuffer {
  readonly size: number;
  /** Datagrams the kernel has dropped since the port was bound because the buffer was full: RcvbufErrors of this port alone. */
  readonly dropped: number;
}

/** Undefined where the system does not report it. */
export function receiveBuffer({ fd }: { readonly fd: number }): ReceiveBuffer | undefined {
  const words = new Uint32Array(WORDS);
  const length = new Uint32Array([words.byteLength]);
  const failed = libc().getsockopt(fd, SOL_SOCKET, SO_MEMINFO, addressOf(words), addressOf(length)) !== 0;
  if (failed || length[0] !== words.byteLength) return undefined;
  const size = (words[RCVBUF] ?? 0) / 2; // the kernel doubles what it is asked for, for what it keeps beside
  return { size, dropped: words[DROPS] ?? 0 };
}
