import { dlopen, FFIType, ptr } from "bun:ffi";
import { readdirSync } from "node:fs";

// Linux, <asm-generic/socket.h> and <linux/bpf_common.h>
const SOL_SOCKET = 1;
const SO_ACCEPTCONN = 30;
const SO_ATTACH_REUSEPORT_CBPF = 51;
const BPF_RET_K = 0x06;
/** struct sockaddr_in6, the larger one. */
const ADDRESS = 28;

/**
 * Lets one of the sockets that listen on a port together (SO_REUSEPORT) take every new connection: the one of that index, in the
 * order in which they began. Connections that the others have taken, or are about to, stay theirs. False where that is not
 * possible: the system then spreads new connections over all of them.
 */
export function steer(port: number, index: number): boolean {
  if (process.platform !== "linux") return false;
  const libc = dlopen("libc.so.6", symbols);
  try {
    const socket = findListening(libc.symbols, port);
    if (socket === undefined) return false;
    // a program of one instruction: return the index (struct sock_filter, struct sock_fprog)
    const instruction = Buffer.alloc(8);
    instruction.writeUInt16LE(BPF_RET_K, 0);
    instruction.writeUInt32LE(index, 4);
    const program = Buffer.alloc(16);
    program.writeUInt16LE(1, 0);
    program.writeBigUInt64LE(BigInt(ptr(instruction)), 8);
    const { setsockopt } = libc.symbols;
    return setsockopt(socket, SOL_SOCKET, SO_ATTACH_REUSEPORT_CBPF, ptr(program), program.length) === 0;
  } finally {
    libc.close();
  }
}

const { i32, u32, ptr: pointer } = FFIType;
const symbols = {
  setsockopt: { args: [i32, i32, i32, pointer, u32], returns: i32 },
  getsockopt: { args: [i32, i32, i32, pointer, pointer], returns: i32 },
  getsockname: { args: [i32, pointer, pointer], returns: i32 },
} as const;
type Libc = ReturnType<typeof dlopen<typeof symbols>>["symbols"];

/** A descriptor of ours that listens on a port, which Bun does not tell. */
function findListening({ getsockopt, getsockname }: Libc, port: number): number | undefined {
  return readdirSync("/proc/self/fd")
    .map(Number)
    .find((descriptor) => {
      const listens = new Int32Array(1);
      const size = new Uint32Array([listens.byteLength]);
      if (getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, ptr(listens), ptr(size)) !== 0) return false;
      if (listens[0] !== 1) return false;
      const address = Buffer.alloc(ADDRESS);
      getsockname(descriptor, ptr(address), ptr(new Uint32Array([ADDRESS])));
      return address.readUInt16BE(2) === port;
    });
}
