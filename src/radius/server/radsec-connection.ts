import type { TLSSocket } from "node:tls";
import { PacketStream } from "./radsec-stream.ts";

export interface RadsecConnectionOptions {
  readonly number: number;
  readonly fingerprint: string;
  readonly address: string;
  readonly nasId: number;
  /** Returns whether there was room. */
  readonly pass: (packet: Buffer) => boolean;
  /** There was no room: `goOn` is to be called soon. */
  readonly waits: () => void;
  /** The stream is broken. */
  readonly spoilt: (words: string) => void;
  readonly closed: () => void;
}

/** Most reply bytes queued for a router that does not read. */
const MAX_UNREAD = 1024 * 1024;
/** Milliseconds between TCP keepalives: a dead connection is noticed, an idle one stays. */
const KEEP_ALIVE = 60_000;

export class RadsecConnection {
  readonly number: number;
  readonly fingerprint: string;
  readonly address: string;
  readonly nasId: number;
  readonly #socket: TLSSocket;
  readonly #options: RadsecConnectionOptions;
  readonly #stream = new PacketStream();
  /** Packets without room. While there are any, nothing more is read. */
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

  /** Passes on up to `count` waiting packets: none left and reading resumes, more left, or no room. */
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

  /** False when too much is unread: the router does not read. */
  send(replies: readonly Buffer[]): boolean {
    const [first] = replies;
    if (!first) return true;
    this.#socket.write(replies.length === 1 ? first : Buffer.concat(replies));
    return this.#socket.writableLength <= MAX_UNREAD;
  }

  /** Closes at once. */
  close(): void {
    this.#socket.destroy();
  }

  /** Closes after sending what is queued. */
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
