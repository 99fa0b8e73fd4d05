import { isIPv4, isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";
import type { SessionNews } from "../../domain/around/feeds/due.ts";
import type { Seconds } from "../../domain/core/time/time.ts";
import { Attribute, Mikrotik, Vendor } from "../packet/numbers.ts";
import { encodePrefix } from "../packet/prefix.ts";
import type { PacketWriter } from "../packet/writer.ts";

export const Status = { start: 1, stop: 2, interim: 3 } as const;

const GIGAWORD = 2 ** 32;
const MOST_TEXT = 253;

/**
 * An Accounting-Request (RFC 2866) that tells a shaper about a session: under our own session number, as routers reuse theirs
 * after a reboot, and with the current rate in RouterOS notation.
 */
export function writeNews(
  packet: PacketWriter,
  news: SessionNews,
  { status, rate, now }: { status: number; rate: string | null; now: Seconds },
): void {
  const { framedIp, framedIpv6Prefix, delegatedIpv6Prefix } = news;
  packet.integer(Attribute["Acct-Status-Type"], status);
  packet.text(Attribute["Acct-Session-Id"], String(news.id));
  if (news.username !== "") packet.text(Attribute["User-Name"], shortened(news.username));
  if (news.mac !== null) packet.text(Attribute["Calling-Station-Id"], news.mac);
  writeNas(packet, news);
  if (framedIp !== null && isIPv4(framedIp)) packet.ipv4(Attribute["Framed-IP-Address"], framedIp);
  if (framedIpv6Prefix !== null)
    packet.attribute(Attribute["Framed-IPv6-Prefix"], encodePrefix(framedIpv6Prefix));
  if (delegatedIpv6Prefix !== null)
    packet.attribute(Attribute["Delegated-IPv6-Prefix"], encodePrefix(delegatedIpv6Prefix));
  packet.integer(Attribute["Event-Timestamp"], now);
  packet.integer(Attribute["Acct-Delay-Time"], 0);
  const end = news.stoppedAt ?? now;
  packet.integer(Attribute["Acct-Session-Time"], Math.max(0, news.sessionTime, end - news.startedAt));
  packet.integer(Attribute["Acct-Input-Octets"], news.inputOctets % GIGAWORD);
  packet.integer(Attribute["Acct-Output-Octets"], news.outputOctets % GIGAWORD);
  packet.integer(Attribute["Acct-Input-Gigawords"], Math.floor(news.inputOctets / GIGAWORD));
  packet.integer(Attribute["Acct-Output-Gigawords"], Math.floor(news.outputOctets / GIGAWORD));
  if (rate !== null) packet.vendorText(Vendor.Mikrotik, Mikrotik["Mikrotik-Rate-Limit"], rate);
}

function writeNas(packet: PacketWriter, { nasIp, nasAddress }: SessionNews): void {
  const address = nasIp ?? nasAddress;
  if (isIPv4(address)) packet.ipv4(Attribute["NAS-IP-Address"], address);
  else if (isIPv6(address))
    packet.attribute(Attribute["NAS-IPv6-Address"], Buffer.from(ipaddr.parse(address).toByteArray()));
}

/** The text cut to the length of an attribute, without splitting a character. */
function shortened(text: string): string {
  const bytes = Buffer.from(text);
  return bytes.length <= MOST_TEXT ? text : bytes.toString("utf8", 0, MOST_TEXT).replace(/\uFFFD$/, "");
}
