import { PacketReceiver, PacketSender, Waiting } from "../../os/packet-pair.ts";
import { MAX_PACKET } from "../packet/packet.ts";
import type { Source } from "./gate.ts";

/*
 * Passes packets between the TLS thread and the RADIUS threads, without main. Requests go through a socket pair, because a
 * RADIUS thread waits in a system call; replies through a channel, because the TLS thread waits in its event loop.
 */

/** A RADIUS thread's end: its descriptor of the pair, and the channel of replies. */
export interface RadsecEnd {
  readonly fd: number;
  readonly channel: string;
}

/** Header of a packet: connection and router, two words. */
const HEAD = 8;
/** Header of a reply: connection and length. */
const REPLY_HEAD = 8;
/** Packets taken at once, so that UDP datagrams get their turn. */
const TAKEN = 64;
/** Reply bytes after which they are sent. */
const FULL = 64 * 1024;

/** A RadSec router; `connection` is its own number, above every UDP port. */
export interface RadsecPeer extends Source {
  readonly nasId: number;
}

/** The TLS thread's end, which passes packets on. */
export class RadsecForward {
  readonly #sender: PacketSender;
  readonly #bytes = Buffer.from(new ArrayBuffer(HEAD + MAX_PACKET));

  constructor(fd: number) {
    this.#sender = new PacketSender(fd);
  }

  /** Returns whether there was room. */
  send(packet: Uint8Array, connection: number, nasId: number): boolean {
    this.#bytes.writeUInt32LE(connection, 0);
    this.#bytes.writeUInt32LE(nasId, 4);
    this.#bytes.set(packet, HEAD);
    return this.#sender.send(this.#bytes, HEAD + packet.length);
  }
}

/** A RADIUS thread's end, which takes packets and returns replies. */
export class RadsecLink {
  readonly #receiver: PacketReceiver;
  readonly #waiting: Waiting;
  readonly #channel: BroadcastChannel;
  #replies: Buffer[] = [];
  #length = 0;

  constructor({ fd, channel }: RadsecEnd, port: number) {
    this.#receiver = new PacketReceiver(fd, HEAD + MAX_PACKET);
    this.#waiting = new Waiting(port, fd);
    this.#channel = new BroadcastChannel(channel);
  }

  /** Hands over up to a number of packets, and returns how many. */
  take(receive: (packet: Buffer, peer: RadsecPeer) => void): number {
    let count = 0;
    while (count < TAKEN) {
      const bytes = this.#receiver.receive();
      if (!bytes) break;
      count++;
      const port = bytes.readUInt32LE(0);
      receive(bytes.subarray(HEAD), { address: "", port, localAddress: null, nasId: bytes.readUInt32LE(4) });
    }
    return count;
  }

  /** Waits up to so many milliseconds for a packet or datagram. */
  wait(milliseconds: number): void {
    this.#waiting.wait(milliseconds);
  }

  /** Queues a reply; `flush` sends it at the latest. */
  send(reply: Buffer, { port }: RadsecPeer): void {
    const head = Buffer.alloc(REPLY_HEAD);
    head.writeUInt32LE(port, 0);
    head.writeUInt32LE(reply.length, 4);
    this.#replies.push(head, reply);
    this.#length += REPLY_HEAD + reply.length;
    if (this.#length >= FULL) this.flush();
  }

  flush(): void {
    if (this.#length === 0) return;
    const bytes = new Uint8Array(this.#length);
    let at = 0;
    for (const part of this.#replies) {
      bytes.set(part, at);
      at += part.length;
    }
    this.#replies = [];
    this.#length = 0;
    this.#channel.postMessage(bytes);
  }

  close(): void {
    this.#channel.close();
  }
}

/** A message's replies by connection, in order. */
export function repliesIn(message: Uint8Array): Map<number, Buffer[]> {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.length);
  const replies = new Map<number, Buffer[]>();
  for (let at = 0; at + REPLY_HEAD <= bytes.length;) {
    const connection = bytes.readUInt32LE(at);
    const end = at + REPLY_HEAD + bytes.readUInt32LE(at + 4);
    const reply = bytes.subarray(at + REPLY_HEAD, end);
    const known = replies.get(connection);
    if (known) known.push(reply);
    else replies.set(connection, [reply]);
    at = end;
  }
  return replies;
}
