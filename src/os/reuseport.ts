import { ptr } from "bun:ffi";
import { readdirSync } from "node:fs";
import { libc, SOL_SOCKET } from "./libc.ts";

// Linux, <asm-generic/socket.h> and <linux/bpf_common.h>
const SO_ACCEPTCONN = 30;
const SO_ATTACH_REUSEPORT_CBPF = 51;
const BPF_RET_K = 0x06;
/** struct sockaddr_in6, the larger one. */
const ADDRESS = 28;

/**
 * Lets one of the sockets that share a port (SO_REUSEPORT) take all new connections: the one with that index, in the order they
 * were opened. Connections already taken, or queued, stay with theirs. False where the system refuses: it then spreads new
 * connections over all of them.
 */
export function steer(port: number, index: number): boolean {
  if (process.platform !== "linux") return false;
  const socket = findListening(port);
  if (socket === undefined) return false;
  // one BPF instruction: return the index (struct sock_filter, struct sock_fprog)
  const instruction = Buffer.alloc(8);
  instruction.writeUInt16LE(BPF_RET_K, 0);
  instruction.writeUInt32LE(index, 4);
  const program = Buffer.alloc(16);
  program.writeUInt16LE(1, 0);
  program.writeBigUInt64LE(BigInt(ptr(instruction)), 8);
  const { setsockopt } = libc();
  return setsockopt(socket, SOL_SOCKET, SO_ATTACH_REUSEPORT_CBPF, ptr(program), program.length) === 0;
}

/** The descriptor of our listener on a port, which Bun does not expose. */
function findListening(port: number): number | undefined {
  const { getsockopt, getsockname } = libc();
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
