import { PacketReceiver, PacketSender, Waiting } from "../../os/packet-pair.ts";
import { MAX_PACKET } from "../packet/packet.ts";
import type { Source } from "./gate.ts";

/*
 * How packets come from the thread that ends TLS to those of RADIUS, and back. There by a pair of sockets, because a RADIUS thread waits in a
 * call of the system; back by a channel, because the thread of TLS waits in its event loop. Neither passes through main.
 */

/** What a RADIUS thread is lent: the end of the pair, and the name of the channel for replies. */
export interface RadsecEnd {
  readonly fd: number;
  readonly channel: string;
}

/** A connection and whose it is, before each packet: two words. */
const HEAD = 8;
/** A connection and a length, before each reply. */
const REPLY_HEAD = 8;
/** Packets that are taken at once, so that datagrams have their turn. */
const TAKEN = 64;
/** Bytes of replies after which they leave. */
const FULL = 64 * 1024;

/** A router that asked by RadSec; `connection` is a number of its own above every UDP port. */
export interface RadsecPeer extends Source {
  readonly nasId: number;
}

/** In the thread of TLS: passes packets on. */
export class RadsecForward {
  readonly #sender: PacketSender;
  readonly #bytes = Buffer.from(new ArrayBuffer(HEAD + MAX_PACKET));

  constructor(fd: number) {
    this.#sender = new PacketSender(fd);
  }

  /** Whether there was room. */
  send(packet: Uint8Array, connection: number, nasId: number): boolean {
    this.#bytes.writeUInt32LE(connection, 0);
    this.#bytes.writeUInt32LE(nasId, 4);
    this.#bytes.set(packet, HEAD);
    return this.#sender.send(this.#bytes, HEAD + packet.length);
  }
}

/** In a RADIUS thread: takes packets, and gives replies back. */
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

  /** Hands over what is there, up to a number; how many it was. */
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

  /** Waits for a packet or a datagram, as long as so many milliseconds. */
  wait(milliseconds: number): void {
    this.#waiting.wait(milliseconds);
  }

  /** Leaves soon, together with others; with `flush` at the latest. */
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

/** The replies of a message: all for one connection together, in their order. */
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
