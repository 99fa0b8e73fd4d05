import { networkInterfaces } from "node:os";
import { codeOf } from "../listen-error.ts";
import { type Endpoint, openSocket, type SocketHandlers, type UdpSocket } from "./socket.ts";

/** A RADIUS port, on one address or on every address of the machine. */
export interface Listener {
  readonly endpoint: Endpoint;
  /** Follows the machine's addresses: opens the new ones, closes those that are gone. A fixed address follows nothing. */
  readonly rescan: () => Promise<void>;
  readonly close: () => void;
}

/** Milliseconds between two looks at the machine's addresses. */
const RESCAN_EVERY = 2000;
/** Tries to find a port that is free on every address. */
const PORT_TRIES = 50;

/**
 * Listens on an endpoint. A wildcard (0.0.0.0: IPv4; ::: both) gets a socket per local address, because a reply from a
 * wildcard socket leaves from an address of the kernel's choice and the router drops it; port 0 is then the same free port
 * on all. Rejects when an address is in use.
 */
export async function listenUdp(
  endpoint: Endpoint,
  handlers: SocketHandlers,
  localAddresses: (host: string) => string[] = addressesOf,
): Promise<Listener> {
  if (!isWildcard(endpoint.host)) {
    const socket = await openSocket(endpoint, handlers);
    const close = () => socket.close();
    return { endpoint: { host: endpoint.host, port: socket.port }, rescan: async () => {}, close };
  }
  const sockets = await openAll(endpoint.port, localAddresses(endpoint.host), handlers);
  return new WildcardListener(endpoint, sockets, handlers, localAddresses);
}

type Sockets = Map<string, UdpSocket>;

class WildcardListener implements Listener {
  readonly endpoint: Endpoint;
  readonly #sockets: Sockets;
  readonly #handlers: SocketHandlers;
  readonly #localAddresses: (host: string) => string[];
  readonly #timer: Timer;
  /** Addresses that could not be bound at the last look, so that each is reported once. */
  #refused = new Set<string>();
  #isScanning = false;
  #isClosed = false;

  constructor(
    { host, port }: Endpoint,
    sockets: Sockets,
    handlers: SocketHandlers,
    localAddresses: (host: string) => string[],
  ) {
    this.endpoint = { host, port: sockets.values().next().value?.port ?? port };
    this.#sockets = sockets;
    this.#handlers = handlers;
    this.#localAddresses = localAddresses;
    this.#timer = setInterval(() => void this.rescan(), RESCAN_EVERY);
  }

  async rescan(): Promise<void> {
    if (this.#isScanning || this.#isClosed) return;
    this.#isScanning = true;
    try {
      const addresses = new Set(this.#localAddresses(this.endpoint.host));
      for (const [address, socket] of this.#sockets) {
        if (addresses.has(address)) continue;
        socket.close();
        this.#sockets.delete(address);
      }
      const added = [...addresses].filter((address) => !this.#sockets.has(address));
      const refused = new Set<string>();
      for (const address of added) if (!(await this.#open(address))) refused.add(address);
      this.#refused = refused;
    } finally {
      this.#isScanning = false;
    }
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    for (const socket of this.#sockets.values()) socket.close();
  }

  async #open(address: string): Promise<boolean> {
    try {
      const socket = await openSocket({ host: address, port: this.endpoint.port }, this.#handlers);
      if (this.#isClosed) socket.close();
      else this.#sockets.set(address, socket);
      return true;
    } catch (error) {
      if (!this.#refused.has(address)) this.#handlers.failed(error);
      return false;
    }
  }
}

async function openAll(
  port: number,
  addresses: readonly string[],
  handlers: SocketHandlers,
): Promise<Sockets> {
  for (let tries = 1; ; tries++) {
    const sockets: Sockets = new Map();
    try {
      let common = port;
      for (const host of addresses) {
        const socket = await openUnlessAway({ host, port: common }, handlers);
        if (!socket) continue;
        common = socket.port;
        sockets.set(host, socket);
      }
      if (common === 0) throw new Error("this machine has no address to listen on");
      return sockets;
    } catch (error) {
      for (const socket of sockets.values()) socket.close();
      // the port that one address had free may be taken on another
      if (port !== 0 || codeOf(error) !== "EADDRINUSE" || tries === PORT_TRIES) throw error;
    }
  }
}

/** undefined for an address that went away meanwhile, or that the kernel still tests; the next look tries again. */
async function openUnlessAway(endpoint: Endpoint, handlers: SocketHandlers): Promise<UdpSocket | undefined> {
  try {
    return await openSocket(endpoint, handlers);
  } catch (error) {
    if (codeOf(error) === "EADDRNOTAVAIL") return undefined;
    throw error;
  }
}

function isWildcard(host: string): boolean {
  return host === "0.0.0.0" || /^[0:]+$/.test(host);
}

/** Every address of this machine that `host` stands for; link-local ones of IPv6 are no way to reach a server. */
function addressesOf(host: string): string[] {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all
    .filter(({ family, scopeid }) => family === "IPv4" || (host !== "0.0.0.0" && !scopeid))
    .map(({ address }) => address);
}
