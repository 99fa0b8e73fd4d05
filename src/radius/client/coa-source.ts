import { verifyResponse } from "../packet/authenticator.ts";
import { canonicalAddress } from "../server/clients.ts";
import { type Packet, parsePacket } from "../packet/packet.ts";
import { openSocket, type Peer, type UdpSocket } from "../../os/client-socket.ts";

/** A request on its way. */
export interface Pending {
  readonly bytes: Buffer;
  readonly secret: Uint8Array;
  readonly answer: (reply: Packet) => void;
  /** Replies under its identifier that do not verify. */
  forged: number;
}

const IDENTIFIERS = 256;

/** One source port of ours: up to 256 requests at once to every router (RFC 5176 section 2.3, Identifier). */
export class CoaSource {
  readonly localAddress: string;
  readonly #opening: Promise<UdpSocket>;
  #socket: UdpSocket | undefined;
  #isClosed = false;
  /** By router, then identifier; undefined while the request is not sent yet. */
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

  /** An identifier that no request to this router has at the moment; undefined when all are taken. */
  reserve(router: string): number | undefined {
    const { pending, next } = this.#routers.get(router) ?? { next: 0, pending: new Map() };
    if (pending.size >= IDENTIFIERS) return undefined;
    let identifier = next;
    while (pending.has(identifier)) identifier = (identifier + 1) % IDENTIFIERS;
    pending.set(identifier, undefined);
    // in turn, so that a router does not take a new request for a repeated one
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

  /** Rejects when there is no such local address (any more). */
  async open(): Promise<void> {
    this.#socket = await this.#opening;
    if (this.#isClosed) this.#socket.close();
  }

  /** Sends, and returns what the system says against it. */
  send(datagram: Buffer, address: string, port: number): string | undefined {
    this.#fault = undefined;
    this.#socket?.send(datagram, { address, port });
    return this.#fault;
  }

  close(): void {
    this.#isClosed = true;
    this.#socket?.close();
  }

  /** Only what comes from the router's address and port and verifies is an answer; all else is as if it had not come. */
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
