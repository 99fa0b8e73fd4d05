import { MAX_SOURCES } from "../../domain/goods/nas/sources.ts";
import { type Refusal, type Role, type Verified, verifyRequest } from "../packet/authenticator.ts";
import type { ArrivalKind } from "../../domain/goods/nas/arrivals.ts";
import type { ArrivalTally } from "./arrival-tally.ts";
import { withZone } from "../../domain/core/networks/zone.ts";
import { canonicalAddress, type Client, type Clients, type RadsecClient } from "./clients.ts";
import type { Configuration } from "./configuration.ts";
import type { Counters } from "./counters.ts";
import { Duplicates } from "./duplicates.ts";
import { LateLogins } from "./late-logins.ts";
import { type AttributeType, Code, codeName } from "../packet/numbers.ts";
import {
  count,
  type Malformed,
  type Packet,
  packetArrays,
  parsePacket,
  text,
  value,
} from "../packet/packet.ts";
import { PacketWriter } from "../packet/writer.ts";

export type DropReason =
  | Malformed
  | Refusal
  | "unknown_nas"
  | "duplicate_in_progress"
  | "duplicate_conflict"
  | "reply_too_long"
  | "late";

/**
 * Where a datagram came from, and the local address it arrived at. With RadSec also the router of the certificate (`nasId`),
 * and as port the connection's number, by which duplicates are detected.
 */
export interface Source {
  readonly address: string;
  readonly port: number;
  readonly localAddress: string | null;
  readonly nasId?: number;
}

export interface GateEvents {
  dropped: (reason: DropReason, address: string, client: Client | undefined) => void;
  /** The first valid Message-Authenticator of an address of a NAS in "auto": from now on it is required. */
  authenticatorSeen: (nasId: number, address: string) => void;
}

/** A genuine, new request of a known NAS. `settle` stores its reply for retransmissions, or forgets a request without one. */
export interface Request {
  readonly packet: Packet;
  readonly client: Client;
  readonly nasAddress: string;
  readonly settle: (reply: Buffer | undefined) => void;
}

export type Admission =
  | { kind: "request"; request: Request }
  | { kind: "reply"; reply: Buffer }
  | { kind: "drop"; reason: DropReason };

/** Checks every packet before anything is decided: source, framing, authenticators, duplicates. */
export class Gate {
  readonly #role: Role;
  readonly #events: GateEvents;
  readonly #counters: Counters;
  readonly #arrivals: ArrivalTally | undefined;
  readonly #duplicates = new Duplicates();
  readonly #lateLogins = new LateLogins();
  /** Of the packet that was admitted last. */
  readonly #arrays = packetArrays();

  constructor(
    role: Role,
    {
      events,
      counters,
      arrivals,
    }: { events: GateEvents; counters: Counters; arrivals?: ArrivalTally | undefined },
  ) {
    this.#role = role;
    this.#events = events;
    this.#counters = counters;
    this.#arrivals = arrivals;
  }

  /**
   * The packet of a request stands until the next one is admitted. `uptime` in seconds of a clock that never goes back; `waited`:
   * milliseconds that it stood at a port where more wait (`ServerSocket`), by which logins may be dropped.
   */
  admit(
    datagram: Uint8Array,
    source: Source,
    { clients }: Configuration,
    uptime: number,
    waited?: number,
  ): Admission {
    if (source.nasId !== undefined)
      return this.#admitKnown(datagram, clients.ofCertificate(source.nasId), source.port, uptime);
    const isLate = waited !== undefined && this.#lateLogins.isLate(waited);
    const address = canonicalAddress(source.address);
    const router = clients.find(source.address);
    if (!router && !isLoopback(address)) return this.#drop("unknown_nas", address, router);
    const nasAddress = router ? withZone(address, router.zone) : address;
    if (isLate && router && datagram[0] === Code["Access-Request"])
      return this.#drop("late", nasAddress, router);
    const packet = parsePacket(datagram, this.#arrays);
    if (typeof packet === "string") return this.#drop(router ? packet : "unknown_nas", nasAddress, router);

    const verified = router && this.#verify(packet, router, nasAddress);
    const isGenuine = verified?.ok === true;
    const client = isGenuine ? router : this.#self(packet, address, clients);
    if (!client)
      return this.#drop(verified?.ok === false ? verified.reason : "unknown_nas", nasAddress, router);
    if (isGenuine && verified.messageAuthenticator) this.#latch(packet, client, nasAddress);
    const isSigned = isGenuine && verified.messageAuthenticator;
    return this.#admitOnce(packet, client, { nasAddress, port: source.port, uptime, isSigned });
  }

  /** By RadSec, from the router of the certificate; a deleted one is disconnected soon. */
  #admitKnown(
    datagram: Uint8Array,
    router: RadsecClient | undefined,
    port: number,
    uptime: number,
  ): Admission {
    if (!router) return { kind: "drop", reason: "unknown_nas" };
    const { client, address: nasAddress } = router;
    const packet = parsePacket(datagram, this.#arrays);
    if (typeof packet === "string") return this.#drop(packet, nasAddress, client);
    const verified = this.#verify(packet, client, nasAddress);
    if (!verified.ok) return this.#drop(verified.reason, nasAddress, client);
    const isSigned = verified.messageAuthenticator;
    return this.#admitOnce(packet, client, { nasAddress, port, uptime, isSigned });
  }

  #verify(packet: Packet, client: Client, nasAddress: string): Verified {
    const { requireMessageAuthenticator: required, latched } = client;
    return verifyRequest(packet, client.secret, {
      role: this.#role,
      requireMessageAuthenticator: required === "auto" ? latched.has(nasAddress) : required === "yes",
    });
  }

  /** This appliance's test logins. */
  #self(packet: Packet, address: string, { own }: Clients): Client | undefined {
    return this.#role === "auth" && isLoopback(address) && this.#verify(packet, own, address).ok
      ? own
      : undefined;
  }

  #admitOnce(
    packet: Packet,
    client: Client,
    {
      nasAddress,
      port,
      uptime,
      isSigned,
    }: { nasAddress: string; port: number; uptime: number; isSigned: boolean },
  ): Admission {
    const seen = this.#duplicates.check(packet, { address: nasAddress, port }, uptime);
    this.#lateLogins.answered(seen.kind === "repeat");
    if (seen.kind === "conflict") return this.#drop("duplicate_conflict", nasAddress, client);
    if (seen.kind === "repeat") {
      if (!seen.reply) return this.#drop("duplicate_in_progress", nasAddress, client);
      this.#counters.add(client.name, codeName(packet.code), "repeated");
      this.#arrivals?.add("repeated", nasAddress, client);
      return { kind: "reply", reply: seen.reply };
    }
    const settle = (reply: Buffer | undefined) => {
      if (reply) this.#duplicates.answer(seen.entry, reply);
      else this.#duplicates.forget(seen.entry);
    };
    if (packet.code === Code["Status-Server"]) {
      const reply = statusReply(packet, client, this.#role);
      settle(reply);
      this.#counters.add(client.name, "Status-Server", "answered");
      this.#arrivals?.add("status", nasAddress, client);
      return { kind: "reply", reply };
    }
    if (this.#role === "auth") this.#arrivals?.add(isSigned ? "signed" : "unsigned", nasAddress, client);
    return { kind: "request", request: { packet, client, nasAddress, settle } };
  }

  /** Counts a request whose reply has no room for the Proxy-States: RFC 2865 section 3 allows only silence. */
  refuseTooLong({ nasAddress, client }: Request): void {
    this.#drop("reply_too_long", nasAddress, client);
  }

  #drop(reason: DropReason, address: string, client: Client | undefined): Admission {
    this.#counters.add(client?.name ?? null, "dropped", reason);
    this.#events.dropped(reason, address, client);
    const kind = dropKinds[reason];
    if (kind) this.#arrivals?.add(kind, address, client);
    return { kind: "drop", reason };
  }

  /** Each router of a network has its own latch, so that an updated one does not lock out its neighbours. */
  #latch(packet: Packet, { id, requireMessageAuthenticator, latched }: Client, address: string): void {
    if (requireMessageAuthenticator !== "auto" || packet.code !== Code["Access-Request"]) return;
    if (id === null || latched.has(address) || latched.size >= MAX_SOURCES) return;
    latched.add(address);
    this.#events.authenticatorSeen(id, address);
  }
}

/** Drops that count as arrivals; a duplicate's request has been counted already. */
const dropKinds: { readonly [R in DropReason]?: ArrivalKind } = {
  unknown_nas: "unknown",
  bad_authenticator: "wrong_secret",
  bad_message_authenticator: "wrong_secret",
  message_authenticator_missing: "unsigned_dropped",
  code_not_served: "wrong_port",
  too_short: "malformed",
  bad_length: "malformed",
  bad_attribute: "malformed",
};

function isLoopback(address: string): boolean {
  return address.startsWith("127.") || address === "::1";
}

/** Alive (RFC 5997 section 3). */
function statusReply(packet: Packet, { secret }: Client, role: Role): Buffer {
  const code = role === "auth" ? Code["Access-Accept"] : Code["Accounting-Response"];
  return PacketWriter.reply(code, packet).sign(secret);
}

/** Whether an attribute that may occur once occurs more often. */
export function isRepeated(packet: Packet, type: AttributeType): boolean {
  return count(packet, type) > 1;
}

/** User-Name and Acct-Session-Id as stored text: UTF-8, or bytes above ASCII as \xNN. */
export function printable(packet: Packet, type: AttributeType<"text">, known = text(packet, type)): string {
  return (
    known ??
    value(packet, type)
      ?.toString("latin1")
      .replace(/[^\x20-\x7e]/g, escaped) ??
    ""
  );
}

function escaped(character: string): string {
  return `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
}
