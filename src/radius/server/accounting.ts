import type { AccountingReport } from "../../domain/service/accounting/accounting.ts";
import type { SessionReport } from "../../domain/service/sessions/advance.ts";
import { readLease } from "../../domain/service/sessions/session-class.ts";
import { networkOf } from "../../domain/core/networks/networks.ts";
import { parseMac } from "../../domain/core/fields/text.ts";
import type { Seconds } from "../../domain/core/time/time.ts";
import { type Request, printable } from "./gate.ts";
import { Attribute, type AttributeType, Code } from "../packet/numbers.ts";
import { has, integer, ipv4, ipv6, type Packet, text, value } from "../packet/packet.ts";
import { readStation } from "./station.ts";
import { PacketWriter } from "../packet/writer.ts";

const StatusType = { start: 1, stop: 2, interim: 3, on: 7, off: 8 } as const;
/** A router that was cut off may send records that are days old; a larger Acct-Delay-Time is bogus. */
const MAX_DELAY = 30 * 86_400;

/** Acct-Terminate-Cause in words (RFC 2866 section 5.10). */
const terminateCauses = [
  "",
  "User-Request",
  "Lost-Carrier",
  "Lost-Service",
  "Idle-Timeout",
  "Session-Timeout",
  "Admin-Reset",
  "Admin-Reboot",
  "Port-Error",
  "NAS-Error",
  "NAS-Request",
  "NAS-Reboot",
  "Port-Unneeded",
  "Port-Preempted",
  "Port-Suspended",
  "Service-Unavailable",
  "Callback",
  "User-Error",
  "Host-Request",
];

/**
 * What an Accounting-Request reports, `arrival` in UTC seconds. Undefined when there is nothing to book: an unsupported
 * Acct-Status-Type, or no Acct-Session-Id.
 */
export function readAccounting(
  { packet, client, nasAddress }: Request,
  { arrival, localAddress }: { arrival: Seconds; localAddress: string | null },
): AccountingReport | undefined {
  const delay = integer(packet, Attribute["Acct-Delay-Time"]) ?? 0;
  const at = arrival - (delay <= MAX_DELAY ? delay : 0);
  const status = integer(packet, Attribute["Acct-Status-Type"]);
  if (status === StatusType.on || status === StatusType.off) {
    return { kind: "restart", restart: { status: status === StatusType.on ? "on" : "off", at, nasAddress } };
  }
  const session = sessionStatus(status);
  if (!session || !has(packet, Attribute["Acct-Session-Id"])) return undefined;

  const login = text(packet, Attribute["User-Name"]);
  const sessionClass = value(packet, Attribute.Class);
  // a delegated prefix of a session has no counters of its own
  const lease = readLease(sessionClass ?? null);
  if (lease?.isPrefix) return undefined;
  const terminateCause = integer(packet, Attribute["Acct-Terminate-Cause"]);
  // Input is from the subscriber unless this NAS counts the other way round
  const input = counter(packet, Attribute["Acct-Input-Octets"], Attribute["Acct-Input-Gigawords"]);
  const output = counter(packet, Attribute["Acct-Output-Octets"], Attribute["Acct-Output-Gigawords"]);
  const report: SessionReport = {
    status: session,
    at,
    acctSessionId: printable(packet, Attribute["Acct-Session-Id"]),
    username: printable(packet, Attribute["User-Name"], login),
    nasAddress,
    localAddress,
    nasId: client.id,
    class: sessionClass ?? null,
    nasPort: integer(packet, Attribute["NAS-Port"]) ?? null,
    nasPortId: text(packet, Attribute["NAS-Port-Id"]) ?? null,
    nasPortType: integer(packet, Attribute["NAS-Port-Type"]) ?? null,
    nasIp: ipv4(packet, Attribute["NAS-IP-Address"]) ?? ipv6(packet, Attribute["NAS-IPv6-Address"]) ?? null,
    nasIdentifier: text(packet, Attribute["NAS-Identifier"]) ?? null,
    calledStationId: text(packet, Attribute["Called-Station-Id"]) ?? null,
    // a DHCP server identifies a device by its client id, which is mostly its MAC address; the User-Name always is
    mac: (lease && parseMac(login ?? "")) ?? readStation(packet).mac ?? null,
    framedIp: ipv4(packet, Attribute["Framed-IP-Address"]) ?? null,
    framedIpv6Prefix: prefix(packet, Attribute["Framed-IPv6-Prefix"]) ?? address(packet),
    delegatedIpv6Prefix: prefix(packet, Attribute["Delegated-IPv6-Prefix"]),
    sessionTime: integer(packet, Attribute["Acct-Session-Time"]),
    inputOctets: client.swapOctets ? output : input,
    outputOctets: client.swapOctets ? input : output,
    octetsAre32Bit:
      !has(packet, Attribute["Acct-Input-Gigawords"]) && !has(packet, Attribute["Acct-Output-Gigawords"]),
    terminateCause:
      terminateCause === undefined
        ? undefined
        : (terminateCauses[terminateCause] ?? `cause ${terminateCause}`),
    viaBox: null,
  };
  return { kind: "session", report, login, ispId: client.ispId, arrival };
}

/** Seconds by which a router's clock is ahead of ours, from Event-Timestamp (RFC 2869 section 5.3) and Acct-Delay-Time; null without them. */
export function clockAhead(packet: Packet, arrival: Seconds): number | null {
  const happened = integer(packet, Attribute["Event-Timestamp"]);
  if (happened === undefined) return null;
  return happened + (integer(packet, Attribute["Acct-Delay-Time"]) ?? 0) - arrival;
}

/** The Accounting-Response: never with a Message-Authenticator. */
export function acknowledge({ packet, client }: Request): Buffer {
  return PacketWriter.reply(Code["Accounting-Response"], packet).finish(client.secret);
}

function sessionStatus(status: number | undefined): SessionReport["status"] | undefined {
  switch (status) {
    case StatusType.start:
      return "start";
    case StatusType.interim:
      return "interim";
    case StatusType.stop:
      return "stop";
    default:
      return undefined;
  }
}

/** Octets and Gigawords (RFC 2869 section 5.1); a count beyond exact integers is bogus. */
function counter(
  packet: Packet,
  low: AttributeType<"integer">,
  high: AttributeType<"integer">,
): number | undefined {
  const octets = integer(packet, low);
  if (octets === undefined) return undefined;
  const total = (integer(packet, high) ?? 0) * 2 ** 32 + octets;
  return Number.isSafeInteger(total) ? total : undefined;
}

/** RFC 3162 section 2.3: reserved, length, and up to 16 bytes of prefix; bits beyond the length are ignored. */
function prefix(packet: Packet, type: AttributeType<"ipv6prefix">): string | null {
  const bytes = value(packet, type);
  const length = bytes?.[1];
  if (!bytes || length === undefined || length > 128 || bytes.length > 18) return null;
  const network = Buffer.alloc(16);
  bytes.copy(network, 0, 2);
  return networkOf(network, length);
}

/** A single address (RFC 6911 section 3.1), as a /128 prefix. */
function address(packet: Packet): string | null {
  const single = value(packet, Attribute["Framed-IPv6-Address"]);
  return single?.length === 16 ? networkOf(single, 128) : null;
}
