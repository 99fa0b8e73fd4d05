import type { TLSSocket } from "node:tls";
import { PacketStream } from "./radsec-stream.ts";

export interface RadsecConnectionOptions {
  readonly number: number;
  readonly fingerprint: string;
  readonly address: string;
  readonly nasId: number;
  /** Whether there was room for a packet. */
  readonly pass: (packet: Buffer) => boolean;
  /** There was none: `goOn` is called soon. */
  readonly waits: () => void;
  /** It cannot be understood any more. */
  readonly spoilt: (words: string) => void;
  readonly closed: () => void;
}

/** Bytes of replies that wait for a router that does not read. */
const MAX_UNREAD = 1024 * 1024;
/** Milliseconds between two signs of life of a connection on which nothing is said: a dead one is noticed, an idle one stays. */
const KEEP_ALIVE = 60_000;

export class RadsecConnection {
  readonly number: number;
  readonly fingerprint: string;
  readonly address: string;
  readonly nasId: number;
  readonly #socket: TLSSocket;
  readonly #options: RadsecConnectionOptions;
  readonly #stream = new PacketStream();
  /** Packets for which there was no room. While there are any, nothing more is read. */
  #waiting: Buffer[] = [];

  constructor(socket: TLSSocket, options: RadsecConnectionOptions) {
    const { number, fingerprint, address, nasId } = options;
    this.number = number;
    this.fingerprint = fingerprint;
    this.address = address;
    this.nasId = nasId;
    this.#socket = socket;
    this.#options = options;
    socket.setNoDelay(true);
    socket.setKeepAlive(true, KEEP_ALIVE);
    socket.setTimeout(0);
    socket.on("data", (bytes: Buffer) => this.#read(bytes));
    socket.on("error", () => {}); // it closes as well
    socket.on("close", options.closed);
  }

  /** Passes on so many of what waits: all is gone and it is read again, more waits, or there was no room. */
  goOn(count: number): "done" | "more" | "full" {
    const rest = this.#waiting.slice(count);
    this.#pass(this.#waiting.slice(0, count));
    const isFull = this.#waiting.length > 0;
    this.#waiting.push(...rest);
    if (isFull) return "full";
    if (rest.length > 0) return "more";
    this.#socket.resume();
    return "done";
  }

  /** False where it has left so much unread that it will read no more. */
  send(replies: readonly Buffer[]): boolean {
    const [first] = replies;
    if (!first) return true;
    this.#socket.write(replies.length === 1 ? first : Buffer.concat(replies));
    return this.#socket.writableLength <= MAX_UNREAD;
  }

  /** At once. */
  close(): void {
    this.#socket.destroy();
  }

  /** After what was sent. */
  end(): void {
    this.#socket.end();
  }

  #read(bytes: Buffer): void {
    const packets = this.#stream.add(bytes);
    if (!packets) {
      this.#options.spoilt("what it sends is no RADIUS");
      return;
    }
    this.#pass([...this.#waiting, ...packets]);
    if (this.#waiting.length === 0) return;
    this.#socket.pause();
    this.#options.waits();
  }

  #pass(packets: Buffer[]): void {
    const at = packets.findIndex((packet) => !this.#options.pass(packet));
    this.#waiting = at < 0 ? [] : packets.slice(at);
  }
}
