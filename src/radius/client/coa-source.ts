import { verifyResponse } from "../packet/authenticator.ts";
import { canonicalAddress } from "../server/clients.ts";
import { type Packet, parsePacket } from "../packet/packet.ts";
import { openSocket, type Peer, type UdpSocket } from "../../os/client-socket.ts";

export interface Pending {
  readonly bytes: Buffer;
  readonly secret: Uint8Array;
  readonly answer: (reply: Packet) => void;
  /** Replies to its identifier that do not verify. */
  forged: number;
}

const IDENTIFIERS = 256;

/** One source port: up to 256 requests at once to every router (RFC 5176 section 2.3, Identifier). */
export class CoaSource {
  readonly localAddress: string;
  readonly #opening: Promise<UdpSocket>;
  #socket: UdpSocket | undefined;
  #isClosed = false;
  /** By router, then identifier; undefined until the request is sent. */
  readonly #routers = new Map<string, { next: number; pending: Map<number, Pending | undefined> }>();
  #fault: string | undefined;

  constructor(localAddress: string) {
    this.localAddress = localAddress;
    this.#opening = openSocket(
      { host: localAddress, port: 0 },
      {
        receive: (datagram, peer) => this.#receive(datagram, peer),
        failed: (error) => (this.#fault = error instanceof Error ? error.message : String(error)),
      },
    );
    this.#opening.catch(() => {}); // open() rejects with it
  }

  get hasOpened(): boolean {
    return this.#socket !== undefined;
  }

  get isIdle(): boolean {
    return this.#routers.size === 0;
  }

  /** A free identifier for this router; undefined when all are taken. */
  reserve(router: string): number | undefined {
    const { pending, next } = this.#routers.get(router) ?? { next: 0, pending: new Map() };
    if (pending.size >= IDENTIFIERS) return undefined;
    let identifier = next;
    while (pending.has(identifier)) identifier = (identifier + 1) % IDENTIFIERS;
    pending.set(identifier, undefined);
    // round-robin, so that a router does not take a new request for a retransmission
    this.#routers.set(router, { next: (identifier + 1) % IDENTIFIERS, pending });
    return identifier;
  }

  release(router: string, identifier: number): void {
    const known = this.#routers.get(router);
    known?.pending.delete(identifier);
    if (known?.pending.size === 0) this.#routers.delete(router);
  }

  expect(router: string, identifier: number, pending: Pending): void {
    this.#routers.get(router)?.pending.set(identifier, pending);
  }

  /** Rejects when the local address does not exist (any more). */
  async open(): Promise<void> {
    this.#socket = await this.#opening;
    if (this.#isClosed) this.#socket.close();
  }

  /** Sends, and returns the system's error if any. */
  send(datagram: Buffer, address: string, port: number): string | undefined {
    this.#fault = undefined;
    this.#socket?.send(datagram, { address, port });
    return this.#fault;
  }

  close(): void {
    this.#isClosed = true;
    this.#socket?.close();
  }

  /** Only a verified packet from the router's address and port is an answer; anything else is ignored. */
  #receive(datagram: Buffer, peer: Peer): void {
    const reply = parsePacket(datagram);
    if (typeof reply === "string") return;
    const router = routerKey(peer.address, peer.port);
    const pending = this.#routers.get(router)?.pending.get(reply.identifier);
    if (!pending) return;
    const verdict = verifyResponse(reply, pending.bytes, pending.secret, {
      requireMessageAuthenticator: false,
    });
    if (verdict === "ok") pending.answer(reply);
    else if (verdict === "bad_authenticator" || verdict === "bad_message_authenticator") pending.forged++;
  }
}

export function routerKey(address: string, port: number): string {
  return `${canonicalAddress(address)} ${port}`;
}
