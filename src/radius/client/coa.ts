import { isIPv6 } from "node:net";
import { type Clock, systemClock } from "../../domain/core/time/time.ts";
import { CoaSource, type Pending, routerKey } from "./coa-source.ts";
import { Attribute, Code } from "../packet/numbers.ts";
import { integer, type Packet } from "../packet/packet.ts";
import { PacketWriter } from "../packet/writer.ts";

/** The target of a request: the source address of the session's packets, and the local address they arrived at. */
export interface CoaTarget {
  readonly address: string;
  readonly port: number;
  readonly secret: Uint8Array;
  /** null or a wildcard: the system's choice. */
  readonly localAddress: string | null;
  readonly wait: number;
  readonly messageAuthenticator: boolean;
  /** Whether to send Event-Timestamp, which some routers require (RFC 5176 section 3.3) and others do not know. */
  readonly eventTimestamp?: boolean;
}

export type CoaReply =
  | { readonly kind: "ack"; readonly packet: Packet }
  | { readonly kind: "nak"; readonly errorCause: number | undefined; readonly packet: Packet }
  /** `forged`: replies came, and none verified; `fault`: why nothing could be sent or awaited. */
  | { readonly kind: "silence"; readonly forged: boolean; readonly fault: string | undefined };

type RequestCode = (typeof Code)["Disconnect-Request" | "CoA-Request" | "Accounting-Request"];

/** Milliseconds after the first transmission at which the same bytes are sent again. */
const RETRANSMIT_AT = [1000, 2000];
const IDLE = 10_000;
const STOPPING = "the program is stopping";
const WILDCARDS = new Set(["", "0.0.0.0", "::"]);

/** The client of RFC 5176 and RFC 2866: any number of requests at once, over as many source ports as their identifiers need. */
export class CoaClient {
  readonly #idle: number;
  readonly #clock: Clock;
  #sources: CoaSource[] = [];
  /** Each cancels a pending request, with the reason if the router is not to blame. */
  readonly #waiting = new Set<(fault?: string) => void>();
  #timer: Timer | undefined;
  #isClosed = false;

  /** `idle`: milliseconds after which unused sockets are closed. */
  constructor({ idle = IDLE, clock = systemClock }: { idle?: number; clock?: Clock } = {}) {
    this.#idle = idle;
    this.#clock = clock;
  }

  /** Open sockets and pending requests. */
  get open(): { sockets: number; requests: number } {
    return { sockets: this.#sources.length, requests: this.#waiting.size };
  }

  /** Sends a request and awaits its answer. Rejects only for attributes that do not fit a packet. */
  async request(
    code: RequestCode,
    write: (packet: PacketWriter) => void,
    target: CoaTarget,
  ): Promise<CoaReply> {
    if (this.#isClosed) return silence(STOPPING);
    clearTimeout(this.#timer);
    const wildcard = isIPv6(target.address) ? "::" : "0.0.0.0";
    const address = sourceAddress(target) ?? wildcard;
    const router = routerKey(target.address, target.port);
    const { source, identifier } = this.#reserve(address, router);
    try {
      await source.open();
      if (this.#isClosed) return silence(STOPPING);
      const packet = PacketWriter.request(code, identifier, target);
      write(packet);
      if (target.eventTimestamp) packet.integer(Attribute["Event-Timestamp"], this.#clock());
      return await this.#exchange(source, router, packet.sign(target.secret), target);
    } catch (error) {
      if (source.hasOpened) throw error;
      this.#sources = this.#sources.filter((one) => one !== source);
      if (address === wildcard) return silence(errorMessage(error));
      // the address is no longer ours: let the system choose
      return this.request(code, write, { ...target, localAddress: null });
    } finally {
      source.release(router, identifier);
      this.#rest();
    }
  }

  /** Cancels pending requests and closes the sockets. */
  close(): void {
    this.#isClosed = true;
    for (const giveUp of [...this.#waiting]) giveUp(STOPPING);
    this.#closeSources();
  }

  #reserve(localAddress: string, router: string): { source: CoaSource; identifier: number } {
    for (const source of this.#sources) {
      if (source.localAddress !== localAddress) continue;
      const identifier = source.reserve(router);
      if (identifier !== undefined) return { source, identifier };
    }
    this.#sources.push(new CoaSource(localAddress));
    return this.#reserve(localAddress, router);
  }

  #exchange(source: CoaSource, router: string, bytes: Buffer, target: CoaTarget): Promise<CoaReply> {
    const { promise, resolve } = Promise.withResolvers<CoaReply>();
    let fault: string | undefined;
    const send = () => {
      fault = source.send(bytes, target.address, target.port);
    };
    const settle = (reply: CoaReply) => {
      for (const timer of timers) clearTimeout(timer);
      this.#waiting.delete(giveUp);
      resolve(reply);
    };
    const pending: Pending = {
      bytes,
      secret: target.secret,
      forged: 0,
      answer: (reply) => settle(judge(reply)),
    };
    const giveUp = (why = fault) => settle({ kind: "silence", forged: pending.forged > 0, fault: why });
    const timers = [
      ...RETRANSMIT_AT.filter((at) => at < target.wait).map((at) => setTimeout(send, at)),
      setTimeout(giveUp, target.wait),
    ];
    this.#waiting.add(giveUp);
    source.expect(router, bytes.readUInt8(1), pending);
    send();
    return promise;
  }

  /** Closes the sockets after a while without requests. */
  #rest(): void {
    if (this.#isClosed || this.#sources.some((source) => !source.isIdle)) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#closeSources(), this.#idle);
    this.#timer.unref();
  }

  #closeSources(): void {
    clearTimeout(this.#timer);
    for (const source of this.#sources) source.close();
    this.#sources = [];
  }
}

const acks = new Set<number>([Code["Disconnect-ACK"], Code["CoA-ACK"], Code["Accounting-Response"]]);

function judge(packet: Packet): CoaReply {
  const isAck = acks.has(packet.code);
  return isAck
    ? { kind: "ack", packet }
    : { kind: "nak", errorCause: integer(packet, Attribute["Error-Cause"]), packet };
}

function sourceAddress({ address, localAddress }: CoaTarget): string | undefined {
  if (localAddress === null || WILDCARDS.has(localAddress)) return undefined;
  return isIPv6(localAddress) === isIPv6(address) ? localAddress : undefined;
}

function silence(fault: string): CoaReply {
  return { kind: "silence", forged: false, fault };
}

function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
