import type { Pointer } from "bun:ffi";
import ipaddr from "ipaddr.js";
import { constants } from "node:os";
import { ArrivalClock, type Clocks } from "./arrival-clock.ts";
import {
  addressOf,
  growBuffers,
  lastError,
  libc,
  limitWaiting,
  setOption,
  SOL_IP,
  SOL_IPV6,
  SOL_SOCKET,
  systemError,
} from "./libc.ts";
import type { Endpoint, Peer } from "./client-socket.ts";
import { sharePort, spreadBySource } from "./reuseport.ts";

/** Most datagrams received by one call. */
const RECEIVED = 64;
/** Most datagrams sent by one call: enough to be cheap per datagram, few enough that the first ones do not wait long. */
const SENT = 16;
const MAX_PEERS = 10_000;

// <bits/socket.h>, <bits/in.h>, <asm-generic/socket.h>
const AF_INET = 2;
const AF_INET6 = 10;
const SOCK_DGRAM = 2;
const SOCK_CLOEXEC = 0o2000000;
const MSG_DONTWAIT = 0x40;
const MSG_WAITFORONE = 0x10000;
const IP_PKTINFO = 8;
const IPV6_V6ONLY = 26;
const IPV6_RECVPKTINFO = 49;
const SO_TIMESTAMPNS = 35;

/** Layout of an address family's structures, in bytes. */
interface Family {
  readonly number: number;
  /** struct sockaddr_in, struct sockaddr_in6 */
  readonly name: number;
  readonly addressAt: number;
  readonly addressLength: number;
  /** A struct cmsghdr with a struct in_pktinfo or in6_pktinfo, padded; offsets of the interface and our address. */
  readonly control: number;
  readonly interfaceAt: number;
  readonly localAt: number;
}
const IPV4: Family = {
  number: AF_INET,
  name: 16,
  addressAt: 4,
  addressLength: 4,
  control: 32,
  interfaceAt: 16,
  localAt: 20,
};
const IPV6: Family = {
  number: AF_INET6,
  name: 28,
  addressAt: 8,
  addressLength: 16,
  control: 40,
  interfaceAt: 32,
  localAt: 16,
};

// struct mmsghdr
const MESSAGE = 64;
// What the system tells of a datagram: a struct cmsghdr with the struct timespec of its arrival, and its route.
const STAMP = 32;
const STAMP_AT = 16;
// A route: the control message with our address, and the peer's name.
const NAME_AT = IPV6.control;
const ROUTE = NAME_AT + 32;
const TOLD = STAMP + ROUTE;

/** A bound UDP port. It outlives the thread that serves it; datagrams that arrive meanwhile wait in its buffer. */
export interface BoundPort {
  readonly fd: number;
  readonly endpoint: Endpoint;
  /** Whether the system says when a datagram came. */
  readonly isStamped: boolean;
}

/**
 * Binds a server port; 0 lets the system choose. A wildcard (0.0.0.0: IPv4; ::: both) covers every address of the machine,
 * later ones too. Throws an error with the system's code, such as EADDRINUSE.
 */
export function bindPort(
  { host, port }: Endpoint,
  { wantsStamps = true, isShared = false }: { wantsStamps?: boolean; isShared?: boolean } = {},
): BoundPort {
  const family = hostFamily(host);
  const fd = libc().socket(family.number, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) throw systemError("socket");
  try {
    tellLocalAddresses(fd, family);
    const isStamped = wantsStamps && setOption(fd, SOL_SOCKET, SO_TIMESTAMPNS, 1);
    growBuffers(fd);
    if (isShared && !sharePort(fd, true)) throw systemError("setsockopt");
    const name = Buffer.from(new ArrayBuffer(family.name));
    name.writeUInt16LE(family.number, 0);
    name.writeUInt16BE(port, 2);
    name.set(ipaddr.parse(host).toByteArray(), family.addressAt);
    if (libc().bind(fd, addressOf(name), name.length) !== 0) throw systemError("bind");
    const room = new Uint32Array([name.length]);
    if (libc().getsockname(fd, addressOf(name), addressOf(room)) !== 0) throw systemError("getsockname");
    return { fd, endpoint: { host, port: name.readUInt16BE(2) }, isStamped };
  } catch (error) {
    closePort({ fd });
    throw error;
  }
}

/**
 * Binds a port so many times, for as many threads: all that one peer sends comes to the same. Once where the system does not spread
 * datagrams by their source. Throws as `bindPort` does, also where another program shares the port.
 */
export function bindPorts(
  endpoint: Endpoint,
  count: number,
  options: { wantsStamps?: boolean } = {},
): [BoundPort, ...BoundPort[]] {
  const first = bindPort(endpoint, options); // alone
  if (count === 1 || !sharePort(first.fd, true)) return [first];
  const others: BoundPort[] = [];
  try {
    while (others.length < count - 1) others.push(bindPort(first.endpoint, { ...options, isShared: true }));
    const isIpv6 = hostFamily(endpoint.host) === IPV6;
    if (spreadBySource(first.fd, { sockets: count, isIpv6 })) return [first, ...others];
  } catch (error) {
    for (const port of [first, ...others]) closePort(port);
    throw error;
  }
  for (const port of others) closePort(port);
  sharePort(first.fd, false);
  return [first];
}

export function closePort({ fd }: Pick<BoundPort, "fd">): void {
  libc().close(fd);
}

/** Makes each datagram come with the local address it was sent to. */
function tellLocalAddresses(fd: number, { number }: Family): void {
  const isKnown =
    number === AF_INET
      ? setOption(fd, SOL_IP, IP_PKTINFO, 1)
      : setOption(fd, SOL_IPV6, IPV6_V6ONLY, 0) && setOption(fd, SOL_IPV6, IPV6_RECVPKTINFO, 1);
  if (!isKnown) throw systemError("setsockopt");
}

function hostFamily(host: string): Family {
  return host.includes(":") ? IPV6 : IPV4;
}

/** A peer, and the route of a reply: from the address that it asked. */
export interface ServerPeer extends Peer {
  readonly route: Buffer;
}

/**
 * A UDP port of a server, read and written in batches by recvmmsg and sendmmsg: a packet costs half of what it does through the
 * event loop. A receive blocks its thread. A reply leaves from the address that was asked: a router drops any other.
 */
export class ServerSocket {
  readonly #fd: number;
  readonly #failed: (error: unknown) => void;
  readonly #family: Family;
  readonly #isStamped: boolean;
  readonly #arrivals: ArrivalClock;
  readonly #received: Messages;
  readonly #toSend: Messages;
  readonly #peers = new Map<string, ServerPeer>();
  readonly #calls = libc();
  #waiting = 0;
  #patience = 0;
  #isFull = false;

  /** `longest`: most bytes of a datagram either way; `failed` is called for replies that could not be sent. */
  constructor(
    { fd, endpoint, isStamped }: BoundPort,
    { longest, failed, clocks }: { longest: number; failed: (error: unknown) => void; clocks?: Clocks },
  ) {
    this.#fd = fd;
    this.#failed = failed;
    this.#family = hostFamily(endpoint.host);
    this.#isStamped = isStamped;
    this.#arrivals = new ArrivalClock(clocks);
    this.#received = new Messages(RECEIVED, longest, this.#family, isStamped ? STAMP : 0);
    this.#toSend = new Messages(SENT, longest, this.#family);
  }

  /**
   * Receives what is there and returns the count, waiting up to `patience` milliseconds for the first, or not at all. The
   * datagrams are valid until the next call. Throws when the port cannot be read.
   */
  receive(patience: number): number {
    if (patience > 0 && patience !== this.#patience) {
      this.#patience = patience;
      limitWaiting(this.#fd, patience);
    }
    const flags = patience > 0 ? MSG_WAITFORONE : MSG_DONTWAIT;
    const count = this.#calls.recvmmsg(this.#fd, this.#received.pointer, RECEIVED, flags, null);
    this.#isFull = this.#isStamped && count === RECEIVED;
    if (this.#isFull) this.#arrivals.look();
    if (count >= 0) return count;
    const errno = lastError();
    if (errno !== constants.errno.EAGAIN && errno !== constants.errno.EINTR)
      throw systemError("receiving", errno);
    return 0;
  }

  /** A received datagram, valid until the next is asked for; truncated to `longest`. */
  datagram(index: number): Buffer {
    return this.#received.datagram(index);
  }

  /** Milliseconds that a received datagram had waited at the port, where more were there than one call takes; else 0, without a look at a clock. */
  waited(index: number): number {
    return this.#isFull ? this.#arrivals.since(this.#received.stamp(index)) : 0;
  }

  /** Who sent a received datagram. */
  peer(index: number): ServerPeer {
    const route = this.#received.route(index);
    const key = route.toString("latin1");
    const known = this.#peers.get(key);
    if (known) return known;
    const peer = readPeer(Buffer.from(route), this.#family);
    if (this.#peers.size >= MAX_PEERS) this.#peers.clear();
    this.#peers.set(key, peer);
    return peer;
  }

  /** Queues a datagram; `flush` sends it at the latest. */
  send(datagram: Buffer, { route }: ServerPeer): void {
    this.#toSend.set(this.#waiting++, datagram, route);
    if (this.#waiting === SENT) this.flush();
  }

  /** Sends what is queued. What the system does not take is lost as on the wire; the router retransmits. */
  flush(): void {
    const count = this.#waiting;
    this.#waiting = 0;
    for (let at = 0; at < count;) {
      const sent = this.#calls.sendmmsg(this.#fd, this.#toSend.messagePointer(at), count - at, MSG_DONTWAIT);
      if (sent < 0) this.#failed(systemError("sending a reply"));
      at += Math.max(sent, 1);
    }
  }
}

/** An array of struct mmsghdr and its buffers; never moved, because it holds pointers. */
class Messages {
  readonly #longest: number;
  readonly #headers: Uint32Array;
  readonly #vectors: Uint32Array;
  readonly #bytes: Buffer;
  /** The last datagram returned, and views of it by length, to save the garbage collector an array each. */
  readonly #datagram: Buffer;
  readonly #views: (Buffer | undefined)[] = [];
  readonly #told: Buffer;
  readonly #toldWords: Uint32Array;
  readonly #routeViews: readonly Buffer[];
  readonly pointer: Pointer;

  /** `stamp`: bytes of the control message before that of the family. */
  constructor(count: number, longest: number, family: Family, stamp = 0) {
    this.#longest = longest;
    const headers = new BigUint64Array(new ArrayBuffer(count * MESSAGE));
    const vectors = new BigUint64Array(new ArrayBuffer(count * 16));
    this.#headers = new Uint32Array(headers.buffer);
    this.#vectors = new Uint32Array(vectors.buffer);
    this.#bytes = Buffer.from(new ArrayBuffer(count * longest));
    this.#datagram = Buffer.from(new ArrayBuffer(longest));
    this.#told = Buffer.from(new ArrayBuffer(count * TOLD));
    this.#toldWords = new Uint32Array(this.#told.buffer);
    this.#routeViews = Array.from({ length: count }, (_, i) =>
      this.#told.subarray(i * TOLD + STAMP, (i + 1) * TOLD),
    );
    this.pointer = addressOf(headers);
    for (let i = 0; i < count; i++) {
      const route = addressOf(this.#told) + i * TOLD + STAMP;
      // struct iovec: where, how long
      vectors[2 * i] = BigInt(addressOf(this.#bytes) + i * longest);
      vectors[2 * i + 1] = BigInt(longest);
      // struct msghdr: name and length, vectors and count, control and length, flags; then the bytes received
      headers.set(
        [
          BigInt(route + NAME_AT),
          BigInt(family.name),
          BigInt(addressOf(vectors) + i * 16),
          1n,
          BigInt(route - stamp),
          BigInt(stamp + family.control),
        ],
        8 * i,
      );
    }
  }

  messagePointer(index: number): Pointer {
    return (this.pointer + index * MESSAGE) as Pointer;
  }

  datagram(index: number): Buffer {
    const length = this.#headers[16 * index + 14] ?? 0;
    const datagram = (this.#views[length] ??= this.#datagram.subarray(0, length));
    this.#bytes.copy(datagram, 0, index * this.#longest, index * this.#longest + length);
    return datagram;
  }

  /** The route of a received message. Its lengths need no reset: within a family they are constant. */
  route(index: number): Buffer {
    return this.#routeViews[index] ?? this.#told;
  }

  /** When a received message came, in milliseconds of the wall's clock. */
  stamp(index: number): number {
    const words = this.#toldWords;
    const at = (index * TOLD + STAMP_AT) / 4;
    const seconds = (words[at] ?? 0) + (words[at + 1] ?? 0) * 2 ** 32;
    return seconds * 1000 + (words[at + 2] ?? 0) / 1e6;
  }

  set(index: number, datagram: Buffer, route: Buffer): void {
    datagram.copy(this.#bytes, index * this.#longest);
    route.copy(this.#told, index * TOLD + STAMP);
    this.#vectors[4 * index + 2] = datagram.length;
  }
}

function readPeer(route: Buffer, { addressAt, addressLength, interfaceAt, localAt }: Family): ServerPeer {
  const text = (at: number) => formatAddress(route.subarray(at, at + addressLength));
  const peer = {
    address: text(NAME_AT + addressAt),
    port: route.readUInt16BE(NAME_AT + 2),
    localAddress: text(localAt),
    route,
  };
  // the way back may lead out by another interface than the one by which it came
  route.writeUInt32LE(0, interfaceAt);
  return peer;
}

function formatAddress(bytes: Uint8Array): string {
  const address = ipaddr.fromByteArray([...bytes]);
  if (address instanceof ipaddr.IPv4) return address.toString();
  return address.isIPv4MappedAddress() ? address.toIPv4Address().toString() : address.toRFC5952String();
}
