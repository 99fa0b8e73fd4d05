import { constants } from "node:os";
import { addressOf, growBuffers, lastError, libc, systemError } from "./libc.ts";

// <bits/socket.h>, <poll.h>
const AF_UNIX = 1;
const SOCK_SEQPACKET = 5;
const SOCK_CLOEXEC = 0o2000000;
const MSG_DONTWAIT = 0x40;
const MSG_NOSIGNAL = 0x4000;
const POLLIN = 1;

/** A socket pair that passes whole packets in order between two threads of this process, and outlives both. */
export interface PacketPair {
  readonly sender: number;
  readonly receiver: number;
}

/** Throws an error with the system's code. */
export function openPair(): PacketPair {
  const ends = new Int32Array(2);
  if (libc().socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, addressOf(ends)) !== 0)
    throw systemError("socketpair");
  const [sender = -1, receiver = -1] = ends;
  growBuffers(sender);
  growBuffers(receiver);
  return { sender, receiver };
}

export function closePair({ sender, receiver }: PacketPair): void {
  libc().close(sender);
  libc().close(receiver);
}

/** The sending end. */
export class PacketSender {
  readonly #fd: number;
  readonly #calls = libc();

  constructor(fd: number) {
    this.#fd = fd;
  }

  /** Whether there was room; `packet` has its own ArrayBuffer. Throws when the other end is closed. */
  send(packet: Buffer, length: number): boolean {
    const sent = this.#calls.send(this.#fd, addressOf(packet), length, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent >= 0) return true;
    const errno = lastError();
    if (errno === constants.errno.EAGAIN || errno === constants.errno.ENOBUFS) return false;
    throw systemError("passing a packet on", errno);
  }
}

/** The receiving end. */
export class PacketReceiver {
  readonly #fd: number;
  readonly #calls = libc();
  readonly #bytes: Buffer;

  constructor(fd: number, longest: number) {
    this.#fd = fd;
    this.#bytes = Buffer.from(new ArrayBuffer(longest));
  }

  /** The next packet, valid until the following call; undefined: none. */
  receive(): Buffer | undefined {
    const { length } = this.#bytes;
    const count = Number(this.#calls.recv(this.#fd, addressOf(this.#bytes), length, MSG_DONTWAIT));
    if (count > 0) return this.#bytes.subarray(0, count);
    if (count < 0 && lastError() !== constants.errno.EAGAIN) throw systemError("receiving");
    return undefined;
  }
}

/** Waits up to `milliseconds` until one of two descriptors is readable. */
export class Waiting {
  // two of struct pollfd: int, short, short
  readonly #asked = new Int32Array(4);
  readonly #calls = libc();

  constructor(first: number, second: number) {
    this.#asked.set([first, POLLIN, second, POLLIN]);
  }

  wait(milliseconds: number): void {
    this.#calls.poll(addressOf(this.#asked), 2, milliseconds);
  }
}
