import { randomInt } from "node:crypto";
import type { Socket } from "node:net";
import { createServer, type Server, type TLSSocket } from "node:tls";
import type { Identity } from "../../domain/goods/radsec/identities.ts";
import type { ServerKeys } from "../../domain/goods/radsec/keys.ts";
import type { Clock } from "../../domain/core/time/time.ts";
import type { Endpoint } from "../../os/client-socket.ts";
import type { Role } from "../packet/authenticator.ts";
import { Code } from "../packet/numbers.ts";
import { RadsecConnection } from "./radsec-connection.ts";

/** Why a connection was refused or closed. */
export interface RadsecRefusal {
  readonly address: string;
  /** null: an unknown router. */
  readonly nasId: number | null;
  readonly reason: string;
}

export interface RadsecServerOptions {
  readonly clock: Clock;
  /** The current certificates and their routers. */
  readonly identities: () => ReadonlyMap<string, Identity>;
  /** Passes a packet to a RADIUS thread; returns whether there was room. */
  readonly forward: (role: Role, packet: Uint8Array, connection: number, nasId: number) => boolean;
  readonly refused: (refusal: RadsecRefusal) => void;
  /** Most connections; 5000 by default. */
  readonly most?: number;
  /** Most unauthenticated connections besides; 500 by default. */
  readonly strangers?: number;
}

/** Milliseconds for a handshake, which anybody may start. */
const HANDSHAKE = 10_000;
const MAX_CONNECTIONS = 5000;
const MAX_STRANGERS = 500;
/** Numbers above every UDP port, so that a connection never equals a port of the same address. */
const FIRST_NUMBER = 65_536;
const LAST_NUMBER = 0x7fff_ffff;
/** Milliseconds until packets without room are retried, and how many of one connection before the next one's turn. */
const PAUSE = 2;
const TURN = 16;

/** Ends TLS of routers (RFC 6614), each identified by its certificate. No connection holds up another. */
export class RadsecServer {
  readonly #options: RadsecServerOptions;
  readonly #connections = new Map<number, RadsecConnection>();
  #server: Server | undefined;
  #shown = "";
  /** Starts at random: replies of a dead thread's connections must not reach those of the next. */
  #next = randomInt(FIRST_NUMBER, LAST_NUMBER);
  /** Connections with waiting packets, in the order of their turns. */
  readonly #waiting = new Set<RadsecConnection>();
  #retry: Timer | undefined;

  readonly #most: number;
  readonly #mostStrangers: number;
  /** Unauthenticated connections and their addresses, oldest first. */
  readonly #strangers = new Map<Socket, string>();
  readonly #putOut = new WeakSet<Socket>();

  constructor(options: RadsecServerOptions) {
    this.#options = options;
    this.#most = options.most ?? MAX_CONNECTIONS;
    this.#mostStrangers = options.strangers ?? MAX_STRANGERS;
  }

  /** Listens with these keys; open connections stay, whichever keys they used. Rejects when the port is taken. */
  async listen({ server: pair, authority }: ServerKeys, { host, port }: Endpoint): Promise<Endpoint> {
    const files = pair.certificate + authority;
    const at = this.#server?.address();
    if (this.#server?.listening && this.#shown === files && typeof at === "object" && at)
      return { host, port: at.port };
    const again = typeof at === "object" && at ? at.port : port;
    this.#server?.close();
    const server = createServer({
      key: pair.key,
      cert: pair.certificate,
      ca: [authority],
      requestCert: true,
      rejectUnauthorized: true,
      minVersion: "TLSv1.2",
      handshakeTimeout: HANDSHAKE,
    });
    server.on("connection", (socket) => this.#admit(socket));
    server.on("secureConnection", (socket) => {
      this.#strangers.delete(socket);
      this.#greet(socket);
    });
    server.on("tlsClientError", (error, socket) => {
      if (this.#putOut.has(socket)) return;
      const address = socket.remoteAddress ?? "";
      socket.on("error", () => {});
      socket.destroy();
      this.#options.refused({ address, nasId: null, reason: handshakeWords(error.message) });
    });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    server.once("error", reject);
    server.listen(again, host, resolve);
    await promise;
    server.on("error", () => {}); // of one connection that could not be taken
    this.#server = server;
    this.#shown = files;
    const bound = server.address();
    return { host, port: typeof bound === "object" && bound ? bound.port : port };
  }

  /** Closes connections whose certificate has expired or was revoked. */
  lookAgain(): void {
    for (const connection of this.#connections.values()) {
      const reason = this.#findFault(connection.fingerprint, connection.nasId);
      if (reason !== undefined) this.#refuse(connection, reason);
    }
  }

  /** Sends replies to the connection that asked, if still open. */
  reply(connection: number, replies: readonly Buffer[]): void {
    const known = this.#connections.get(connection);
    if (known && !known.send(replies)) this.#refuse(known, "it does not read its replies");
  }

  counts(): ReadonlyMap<number, number> {
    const counts = new Map<number, number>();
    for (const { nasId } of this.#connections.values()) counts.set(nasId, (counts.get(nasId) ?? 0) + 1);
    return counts;
  }

  close(): void {
    clearTimeout(this.#retry);
    this.#server?.close();
    for (const connection of this.#connections.values()) connection.end();
    this.#connections.clear();
    this.#waiting.clear();
  }

  /** Among too many unauthenticated connections the address with the most loses its oldest: a router shows its certificate at once. */
  #admit(socket: Socket): void {
    this.#strangers.set(socket, socket.remoteAddress ?? "");
    socket.once("close", () => this.#strangers.delete(socket));
    if (this.#strangers.size <= this.#mostStrangers) return;
    const address = mostFrequent(this.#strangers.values());
    const [oldest] = this.#strangers.entries().find(([, from]) => from === address) ?? [];
    if (!oldest) return;
    this.#strangers.delete(oldest);
    this.#putOut.add(oldest);
    oldest.on("error", () => {});
    oldest.destroy();
    const reason = `there are ${this.#mostStrangers} connections that show no certificate, and no address has more of them; its oldest ends`;
    this.#options.refused({ address: address ?? "", nasId: null, reason });
  }

  #greet(socket: TLSSocket): void {
    const fingerprint = (socket.getPeerCertificate().fingerprint256 ?? "").replaceAll(":", "").toLowerCase();
    const identity = this.#options.identities().get(fingerprint);
    const address = socket.remoteAddress ?? "";
    const reason = this.#findFault(fingerprint, identity?.nasId);
    if (reason !== undefined || !identity) {
      socket.on("error", () => {});
      socket.destroy();
      this.#options.refused({ address, nasId: identity?.nasId ?? null, reason: reason ?? "" });
      return;
    }
    if (this.#connections.size >= this.#most) this.#makeRoom();
    const number = this.#newNumber();
    const connection: RadsecConnection = new RadsecConnection(socket, {
      number,
      fingerprint,
      address,
      nasId: identity.nasId,
      pass: (packet) => {
        const role = packet[0] === Code["Accounting-Request"] ? "acct" : "auth";
        return this.#options.forward(role, packet, number, identity.nasId);
      },
      waits: () => this.#retrySoon(connection),
      spoilt: (words) => this.#refuse(connection, words),
      closed: () => this.#forget(connection),
    });
    this.#connections.set(number, connection);
  }

  #findFault(fingerprint: string, nasId: number | undefined): string | undefined {
    const identity = this.#options.identities().get(fingerprint);
    if (!identity || identity.nasId !== nasId)
      return "its certificate is none that counts here: revoked, of a router that is gone or has another address, or made by another appliance";
    return identity.notAfter <= this.#options.clock() ? "its certificate has expired" : undefined;
  }

  #refuse(connection: RadsecConnection, reason: string): void {
    const { address, nasId } = connection;
    this.#forget(connection);
    connection.close();
    this.#options.refused({ address, nasId, reason });
  }

  #newNumber(): number {
    do this.#next = this.#next >= LAST_NUMBER ? FIRST_NUMBER : this.#next + 1;
    while (this.#connections.has(this.#next));
    return this.#next;
  }

  #forget(connection: RadsecConnection): void {
    this.#connections.delete(connection.number);
    this.#waiting.delete(connection);
  }

  /** The router with the most connections loses its oldest, so that one cannot keep out the others. */
  #makeRoom(): void {
    const most = mostFrequent(this.#connections.values().map(({ nasId }) => nasId));
    const oldest = this.#connections.values().find(({ nasId }) => nasId === most);
    const words = `there are ${this.#most} connections, and no router has more of them; its oldest ends`;
    if (oldest) this.#refuse(oldest, words);
  }

  /** A few packets of each connection in turn; one that found no room is first the next time. */
  #retrySoon(connection?: RadsecConnection): void {
    if (connection) this.#waiting.add(connection);
    this.#retry ??= setTimeout(() => {
      this.#retry = undefined;
      for (const one of this.#waiting) {
        const came = one.goOn(TURN);
        if (came === "full") continue;
        this.#waiting.delete(one);
        if (came === "more") this.#waiting.add(one);
      }
      if (this.#waiting.size > 0) this.#retrySoon();
    }, PAUSE);
  }
}

/** The most frequent value; undefined for none. */
function mostFrequent<T>(values: Iterable<T>): T | undefined {
  const counts = new Map<T, number>();
  let most: T | undefined;
  for (const value of values) {
    const count = (counts.get(value) ?? 0) + 1;
    counts.set(value, count);
    if (count > (most === undefined ? 0 : (counts.get(most) ?? 0))) most = value;
  }
  return most;
}

/** What failed in the handshake, for people. */
function handshakeWords(message: string): string {
  const known = handshakeFaults.find(([pattern]) => pattern.test(message));
  return known ? known[1] : message;
}

const handshakeFaults = [
  [/DID_NOT_RETURN_A_CERTIFICATE/, "it shows no certificate; see: gatehouse nas radsec"],
  [/expired/i, "its certificate has expired; make another one: gatehouse nas radsec"],
  [/not yet valid/i, "its certificate does not count yet: the clock of this machine is behind"],
  [/signature failure|self.signed|issuer/i, "its certificate was not made by this appliance"],
  [/VERSION|PROTOCOL|HTTP_REQUEST/, "it does not speak TLS 1.2 or 1.3"],
  [/timeout/i, "it did not finish the handshake in time"],
] as const;
