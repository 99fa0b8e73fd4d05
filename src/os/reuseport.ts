import { ptr } from "bun:ffi";
import { readdirSync } from "node:fs";
import { libc, setOption, SOL_SOCKET } from "./libc.ts";

// Linux, <asm-generic/socket.h>, <linux/bpf_common.h> and <linux/filter.h>
const SO_REUSEPORT = 15;
const SO_ACCEPTCONN = 30;
const SO_ATTACH_REUSEPORT_CBPF = 51;
const LD_WORD = 0x20;
const LD_BYTE = 0x30;
const RSH = 0x74;
const MUL = 0x24;
const MOD = 0x94;
const XOR_X = 0xac;
const TAX = 0x07;
const JUMP_IF_EQUAL = 0x15;
const JUMP = 0x05;
const RETURN = 0x06;
const RETURN_A = 0x16;
/** Where the header of IP begins, whatever of the datagram the program is given. */
const HEADER = 0xfff0_0000;
const IPV4_SOURCE = HEADER + 12;
const IPV6_SOURCE = HEADER + 8;
/** struct sockaddr_in6, the larger one. */
const ADDRESS = 28;

/** A struct sock_filter; `over`: instructions to leave out where a comparison says no. */
type Instruction = readonly [code: number, operand?: number, over?: number];

/** Lets sockets bind to a port together, each of which says so; false where the system refuses. */
export function sharePort(fd: number, isShared: boolean): boolean {
  return setOption(fd, SOL_SOCKET, SO_REUSEPORT, isShared ? 1 : 0);
}

/**
 * Spreads the datagrams of a port over the sockets that share it by their source address alone, so that all of one peer come to the same
 * socket, whichever ports it uses. `fd` is one of them, and `isIpv6` whether it takes both. False where the system refuses.
 */
export function spreadBySource(
  fd: number,
  { sockets, isIpv6 }: { sockets: number; isIpv6: boolean },
): boolean {
  const source: Instruction[] = isIpv6
    ? [
        [LD_BYTE, HEADER],
        [RSH, 4],
        [JUMP_IF_EQUAL, 4, 2],
        [LD_WORD, IPV4_SOURCE],
        [JUMP, 10],
        [LD_WORD, IPV6_SOURCE],
        ...[4, 8, 12].flatMap((at): Instruction[] => [[TAX], [LD_WORD, IPV6_SOURCE + at], [XOR_X]]),
      ]
    : [[LD_WORD, IPV4_SOURCE]];
  return attach(fd, [...source, ...mixed, [MOD, sockets], [RETURN_A]]);
}

const folded = (bits: number): Instruction[] => [[TAX], [RSH, bits], [XOR_X]];

/** The end of MurmurHash3: addresses of routers have a pattern, such as each fourth one. */
const mixed: readonly Instruction[] = [
  ...folded(16),
  [MUL, 0x85eb_ca6b],
  ...folded(13),
  [MUL, 0xc2b2_ae35],
  ...folded(16),
];

/**
 * Lets one of the sockets that share a port (SO_REUSEPORT) take all new connections: the one with that index, in the order they
 * were opened. Connections already taken, or queued, stay with theirs. False where the system refuses: it then spreads new
 * connections over all of them.
 */
export function steer(port: number, index: number): boolean {
  if (process.platform !== "linux") return false;
  const socket = findListening(port);
  return socket !== undefined && attach(socket, [[RETURN, index]]);
}

/** Has the sockets of a port chosen by a program: its result is the index of one, in the order they were opened. */
function attach(fd: number, instructions: readonly Instruction[]): boolean {
  const filter = Buffer.alloc(8 * instructions.length);
  for (const [i, [code, operand = 0, over = 0]] of instructions.entries()) {
    filter.writeUInt16LE(code, 8 * i);
    filter.writeUInt8(over, 8 * i + 3);
    filter.writeUInt32LE(operand, 8 * i + 4);
  }
  // struct sock_fprog
  const program = Buffer.alloc(16);
  program.writeUInt16LE(instructions.length, 0);
  program.writeBigUInt64LE(BigInt(ptr(filter)), 8);
  return libc().setsockopt(fd, SOL_SOCKET, SO_ATTACH_REUSEPORT_CBPF, ptr(program), program.length) === 0;
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
