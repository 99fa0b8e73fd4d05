import { randomBytes } from "node:crypto";
import type { Db } from "../../../db/open.ts";
import { decide, type Decision, type ServiceKind } from "../../domain/service/access/decide.ts";
import { type AccessReason, findRejection, type RejectReason } from "../../domain/service/access/outcomes.ts";
import { grantedTo } from "../../domain/service/access/granted.ts";
import {
  contradicts,
  type Found,
  LeaseReader,
  ofLease,
  ofPrefix,
  PrefixHolders,
} from "../../domain/service/access/leases.ts";
import { type Accepted, PendingAccepts } from "../../domain/service/access/pending.ts";
import { AccessReader, type Candidate, StoredPassword } from "../../domain/service/access/reader.ts";
import { kindTraits } from "../../domain/goods/nas/kinds.ts";
import { ntPasswordHash } from "../../domain/goods/subscribers/password.ts";
import { fold, macName, parseMac } from "../../domain/core/fields/text.ts";
import type { Seconds } from "../../domain/core/time/time.ts";
import type { Configuration } from "../server/configuration.ts";
import { type AccessPlace, alone } from "../server/access-memory.ts";
import { CardLogins } from "./card-logins.ts";
import { ClearPassword, EMPTY } from "./card-proof.ts";
import { makeClass } from "./class-of.ts";
import { type Credentials, type Method, readCredentials, rejectUnreadMsChap } from "./credentials.ts";
import { type Dhcp, readDhcp } from "./dhcp.ts";
import type { Judged, Login, LoginNotice } from "./login.ts";
import { isRepeated, type Request } from "../server/gate.ts";
import { Spared, writeGrant } from "./grant.ts";
import { MsChapFailure } from "./mschap.ts";
import { Attribute, Code } from "../packet/numbers.ts";
import { integer, type Packet, text, value } from "../packet/packet.ts";
import type { Client } from "../server/clients.ts";
import { readStation } from "../server/station.ts";
import { PacketFull, PacketWriter } from "../packet/writer.ts";

export interface AccessEvent {
  at: Seconds;
  /** null: our own test login. */
  nasId: number | null;
  nasAddress: string;
  /** As sent; a card's number for a card, and only the first characters of what may be a code. */
  username: string;
  subscriberId: number | null;
  cardId: number | null;
  /** Whether main has to store the card's first use or its device. */
  isCardUse: boolean;
  accepted: boolean;
  reason: AccessReason;
  /** `garbled`: the PAP password is no text, so the shared secret is probably wrong. */
  detail: "garbled" | null;
  method: Method | null;
  mac: string | null;
  class: Uint8Array | null;
}

export interface Answer {
  reply: Buffer;
  event: AccessEvent;
  tells: LoginNotice | undefined;
}

const FRAMED = 2;
const LOGIN = 1;
const PPP = 1;
/** Administrative, NAS Prompt, Callback NAS Prompt, Callback Administrative: a shell on the router (RFC 2865 section 5.6). */
const SHELLS = new Set([6, 7, 9, 11]);

/** Answers Access-Requests from a read-only connection; what it has to record it returns. */
export class AccessService {
  readonly #reader: AccessReader;
  readonly #cards: CardLogins;
  readonly #leases: LeaseReader;
  readonly #pending: PendingAccepts;
  readonly #holders: PrefixHolders;
  /** Stands in for the password of a name that does not exist, so that it costs the same to refuse. */
  readonly #dummy: StoredPassword;

  constructor(db: Db, { memory, who }: AccessPlace = alone()) {
    this.#reader = new AccessReader(db);
    this.#cards = new CardLogins(db, { memory, who });
    this.#leases = new LeaseReader(db);
    this.#pending = new PendingAccepts(memory.accepts, who);
    this.#holders = new PrefixHolders(memory.holders, who);
    const password = randomBytes(8).toString("hex");
    this.#dummy = new StoredPassword(db.vault, {
      passwordSealed: db.vault.seal(password),
      ntHashSealed: db.vault.seal(ntPasswordHash(password)),
    });
  }

  answer(request: Request, configuration: Configuration, now: Seconds): Answer {
    try {
      return this.#answer(request, configuration, now);
    } finally {
      this.#pending.settle();
      this.#cards.settle();
    }
  }

  #answer(request: Request, configuration: Configuration, now: Seconds): Answer {
    const login = readLogin(request, configuration, now);
    const dhcp = readDhcp(request.packet);
    const found = dhcp && request.client.dhcp ? this.#ofLease(dhcp, request) : undefined;
    const candidate = this.#candidate(login, dhcp, found);
    const judged = candidate
      ? this.#subscriber(login, candidate, dhcp, found)
      : this.#cards.judge(login, this.#dummy);
    const { decision } = judged;
    const { client, nasAddress } = request;
    const { mac, device, credentials } = login;
    const sessionClass = makeClass(judged, now);
    const reply = signedReply(login, judged, sessionClass);
    // an Accept that never reaches the router must not occupy a session slot; a test login opens no session at all
    if (decision.accept && client.id !== null && judged.lease?.isPrefix !== true)
      this.#addPending(judged, { class: sessionClass, station: device, nasAddress, at: now });

    const event: AccessEvent = {
      at: now,
      nasId: client.id,
      nasAddress,
      username: judged.username,
      subscriberId: judged.subscriberId,
      cardId: judged.cardId,
      isCardUse: judged.isCardUse,
      accepted: decision.accept,
      reason: decision.reason,
      detail: !decision.accept && credentials?.isGarbled() ? "garbled" : null,
      method: credentials?.method ?? null,
      mac: dhcp?.mac ?? mac ?? null,
      class: decision.accept ? sessionClass : null,
    };
    return { reply, event, tells: judged.tells };
  }

  /** Who the line or device belongs to; nobody, for a router whose DHCP servers may not ask. */
  #ofLease(dhcp: Dhcp, { client, nasAddress }: Request): Found | undefined {
    const { mac, isPrefix, interfaceName: name } = dhcp;
    // the source interface is said by the router; the DUID by the device, which could be another's
    if (name !== undefined) return this.#leases.ofInterface(name, mac, nasAddress);
    const ofLine = this.#leases.ofLine(dhcp, client.ispId);
    if (ofLine || mac === undefined) return ofLine;
    return (
      (isPrefix ? this.#leases.ofSession(mac, dhcp, nasAddress) : undefined) ??
      this.#leases.ofMac(mac, dhcp, client.ispId)
    );
  }

  /**
   * A name goes before a device whose owner also logs in otherwise, but after a line or a PPP interface; another ISP's
   * subscriber goes after everything.
   */
  #candidate(
    { name, request }: Login,
    dhcp: Dhcp | undefined,
    found: Found | undefined,
  ): Candidate | undefined {
    const { ispId } = request.client;
    const isPlaced = found?.by === "line" || found?.by === "session" || dhcp?.interfaceName !== undefined;
    const named = isPlaced ? undefined : this.#find(name);
    const isOther = named && found && ispId !== null && named.ispId !== ispId;
    if (named && !isOther && !(dhcp && contradicts(named, dhcp))) return named;
    return found && this.#reader.candidate(found.usernameKey);
  }

  /**
   * The name as sent, else what follows its backslash, else the subscriber whose MAC address it is in another notation and who
   * may log in by it. Bytes that are not UTF-8 match nobody.
   */
  #find(name: string | undefined): Candidate | undefined {
    if (name === undefined) return undefined;
    const backslash = name.indexOf("\\");
    return (
      this.#reader.candidate(fold(name)) ??
      (backslash < 0 ? this.#byMac(name) : this.#reader.candidate(fold(name.slice(backslash + 1))))
    );
  }

  #byMac(name: string): Candidate | undefined {
    const written = macName(name);
    const candidate = written === undefined ? undefined : this.#reader.candidate(written);
    return candidate?.macLogin === 1 ? candidate : undefined;
  }

  #subscriber(login: Login, candidate: Candidate, dhcp: Dhcp | undefined, found: Found | undefined): Judged {
    const { request, configuration, device, credentials, unread, now, name = "" } = login;
    const { packet, client, nasAddress } = request;
    const { id, password } = candidate;
    const isProven =
      !unread && credentials !== undefined && proves(credentials, candidate, login, { dhcp, found });
    const isPrefix = dhcp?.isPrefix === true;
    const mac = found?.by === "session" ? (found.mac ?? undefined) : (dhcp?.mac ?? login.mac);
    const decided =
      unread ??
      decide(candidate, {
        ispId: client.ispId,
        nasAddress,
        mac,
        now,
        kind: serviceKind(packet),
        passwordIsRight: isProven,
        // a prefix delegated to a session is part of it
        sessions: () => (isPrefix ? [] : this.#reader.openSessions(id)),
        pending: (open) =>
          isPrefix ? 0 : this.#pending.others(this.#reader, id, open, { station: device, nasAddress, now }),
        replacesAtNasPort: () =>
          found?.by === "line" ||
          (mac === undefined &&
            this.#reader.replacesAtNasPort(id, {
              nasAddress,
              nasPort: integer(packet, Attribute["NAS-Port"]) ?? null,
              nasPortId: text(packet, Attribute["NAS-Port-Id"]) ?? null,
            })),
        takesLists: kindTraits[client.kind].list !== null,
        expiredSessionTimeout: configuration.garden.expiredSessionTimeout,
        gardenRate: configuration.garden.gardenRate,
      });
    const decision = dhcp ? this.#leased(decided, dhcp, { subscriberId: id, login }) : decided;
    return {
      decision,
      password,
      isProven,
      lease: dhcp && decision.accept ? { subscriberId: id, isPrefix } : undefined,
      // a prefix is granted with its line, whose grant is stored
      granted: decision.accept && decided.accept ? grantedTo(candidate, decided) : undefined,
      subscriberId: id,
      cardId: null,
      username: name,
      isCardUse: false,
      tells: undefined,
    };
  }

  /** Where a line has separate IPv4 and IPv6 queues each gets half the rate; a PPP session has one queue on its interface. */
  #leased(
    decided: Decision,
    { isPrefix, interfaceName }: Dhcp,
    { subscriberId, login }: { subscriberId: number; login: Login },
  ): Decision {
    const { request, configuration, now } = login;
    const { id, isHalfEach } = request.client;
    const seconds = configuration.dhcpLease;
    const isLine = isHalfEach && interfaceName === undefined;
    if (!isPrefix)
      return ofLease(decided, { seconds, isHalf: isLine && this.#holders.has(subscriberId, id, now) });
    const decision = ofPrefix(decided, { seconds, isHalf: isLine });
    if (isLine && decision.accept && id !== null)
      this.#holders.add(subscriberId, id, { now, until: now + decision.grant.sessionTimeout });
    return decision;
  }

  #addPending({ subscriberId, cardId }: Judged, accept: Accepted): void {
    if (subscriberId !== null) this.#pending.add(subscriberId, accept);
    else if (cardId !== null) this.#cards.addPending(cardId, accept);
  }
}

function readLogin(request: Request, configuration: Configuration, now: Seconds): Login {
  const { packet, client } = request;
  const { station, mac } = readStation(packet);
  const credentials = readCredentials(packet, client.secret);
  return {
    request,
    configuration,
    now,
    name: text(packet, Attribute["User-Name"]),
    mac,
    device: mac ?? station,
    credentials,
    unread: refuseUnread(packet, credentials),
  };
}

/** Rejects that need no subscriber: the router's own logins, and packets without exactly one kind of credential. */
function refuseUnread(packet: Packet, credentials: Credentials | undefined): Decision | undefined {
  const serviceType = integer(packet, Attribute["Service-Type"]) ?? 0;
  const isRouterLogin = serviceType === LOGIN && integer(packet, Attribute["NAS-Port-Type"]) === undefined;
  if (isRouterLogin || SHELLS.has(serviceType)) return { accept: false, reason: "router_login" };
  const isAmbiguous =
    isRepeated(packet, Attribute["User-Name"]) || isRepeated(packet, Attribute["Calling-Station-Id"]);
  return !credentials || isAmbiguous ? { accept: false, reason: "no_credentials" } : undefined;
}

/** Checks the password; none is needed by a subscriber who may log in by MAC address alone. */
function proves(
  credentials: Credentials,
  candidate: Candidate,
  { name, mac, request, configuration }: Login,
  { dhcp, found }: { dhcp: Dhcp | undefined; found: Found | undefined },
): boolean {
  const isRight = credentials.verify(candidate.password);
  if (isRight) return true;
  const kind = serviceKind(request.packet);
  if (!request.client.dhcp && kind !== "hotspot") return false;
  const device = dhcp?.mac ?? mac;
  // a dial-in user types the name, and a remote device's address is not seen
  if (kind === "ppp" && device === undefined) return false;
  const isKnown = found?.by === "line" || found?.by === "session" || isMacLogin(candidate, name, device);
  return isKnown && isBlank(credentials, dhcp, { name, configuration });
}

/** What a DHCP server sends as the password: none, the User-Name, or its `radius-password`, the same for everybody. */
function isBlank(
  credentials: Credentials,
  dhcp: Dhcp | undefined,
  { name = "", configuration: { dhcpPassword } }: Pick<Login, "name" | "configuration">,
): boolean {
  if (credentials.verify(EMPTY)) return true;
  if (!dhcp) return false;
  return [name, dhcpPassword].some((sent) => sent !== "" && credentials.verify(new ClearPassword(sent)));
}

/** A login by MAC address: the User-Name or the subscriber's stored address matches the device's. */
function isMacLogin(candidate: Candidate, name: string | undefined, mac: string | undefined): boolean {
  if (candidate.macLogin !== 1) return false;
  const named = name === undefined ? undefined : parseMac(name);
  return named !== undefined
    ? mac === undefined || mac === named
    : mac !== undefined && mac === candidate.macAddress;
}

function serviceKind(packet: Packet): ServiceKind {
  const serviceType = integer(packet, Attribute["Service-Type"]);
  if (serviceType === FRAMED || integer(packet, Attribute["Framed-Protocol"]) === PPP) return "ppp";
  return serviceType === LOGIN ? "hotspot" : "other";
}

/** Throws PacketFull when the Proxy-States leave no room for mandatory attributes. */
function signedReply(
  { request: { packet, client }, credentials, configuration }: Login,
  { decision, password, isProven }: Judged,
  sessionClass: Buffer,
): Buffer {
  const { interimInterval } = configuration;
  const options = {
    interimInterval,
    router: client.kind,
    service: serviceKind(packet),
    gardenProfile: gardenProfileFor(client, packet),
  };
  const code = decision.accept ? Code["Access-Accept"] : Code["Access-Reject"];
  for (let spared: number = Spared.nothing; ; spared++) {
    const reply = PacketWriter.reply(code, packet);
    try {
      if (decision.accept) {
        writeGrant(reply, decision.grant, options, spared);
        reply.attribute(Attribute.Class, sessionClass);
        credentials?.accept(reply, password, client.mppe);
      } else {
        writeRejection(reply, packet, decision.reason, { credentials, isProven }, spared);
      }
      return reply.finish(client.secret);
    } catch (error) {
      if (!(error instanceof PacketFull) || spared === Spared.most) throw error;
    }
  }
}

const ETHERNET = 15;
const VIRTUAL = 5;

/** The garden's profile by PPPoE service, or L2TP for a tunnel; a router that says neither gets none. */
function gardenProfileFor({ gardenProfiles }: Client, packet: Packet): string | undefined {
  const port = gardenProfiles ? integer(packet, Attribute["NAS-Port-Type"]) : undefined;
  if (port === VIRTUAL) return gardenProfiles?.tunnel ?? undefined;
  const service = port === ETHERNET ? text(packet, Attribute["Called-Station-Id"]) : undefined;
  return service === undefined ? undefined : gardenProfiles?.pppoe[service];
}

const EAP_FAILURE = 4;

function writeRejection(
  reply: PacketWriter,
  packet: Packet,
  reason: RejectReason,
  { credentials, isProven }: { credentials: Credentials | undefined; isProven: boolean },
  spared: number,
): void {
  const { forSubscriber: words, msChapError } = findRejection(reason, isProven);
  // RFC 3579 section 2.6.3: the peer learns it from an EAP-Failure, and Reply-Message must not accompany it
  const eap = value(packet, Attribute["EAP-Message"]);
  if (eap) {
    reply.attribute(Attribute["EAP-Message"], Buffer.from([EAP_FAILURE, eap[1] ?? 0, 0, 4]));
    return;
  }
  if (spared < Spared.comfort) reply.text(Attribute["Reply-Message"], words);
  if (spared >= Spared.most) return;
  if (credentials) credentials.reject(reply, MsChapFailure[msChapError], words);
  else rejectUnreadMsChap(packet, reply, words);
}
