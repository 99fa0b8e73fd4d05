import { type Phrase, phrase } from "../../domain/core/errors/phrase.ts";
import { isIPv4, isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";
import { rateAttribute } from "../../domain/service/access/grant-attributes.ts";
import { ReplyAttributes } from "../../domain/goods/attributes/reply.ts";
import type {
  CoaNas,
  RateChange,
  RouterAnswer,
  RouterProtocols,
} from "../../domain/service/control/routers.ts";
import { seemsRouteros } from "../../domain/goods/nas/kind.ts";
import { type Identification, kindTraits, type NasKind } from "../../domain/goods/nas/kinds.ts";
import type { Session } from "../../domain/service/sessions/advance.ts";
import type { CoaClient, CoaReply } from "./coa.ts";
import { errorCauseWords, SESSION_CONTEXT_NOT_FOUND, UNSUPPORTED_ATTRIBUTE } from "./coa-words.ts";
import { Attribute, Code, Mikrotik, Vendor } from "../packet/numbers.ts";
import type { PacketWriter } from "../packet/writer.ts";

type Identity = Pick<Session, "username" | "acctSessionId" | "framedIp" | "nasIp">;

/** RFC 5176 requests for the domain. */
export function coaRequests(client: CoaClient): RouterProtocols["coa"] {
  return {
    disconnect: (router, session) => ask(client, { router, session, name: "Disconnect-Request" }),
    changeRate: (router, session, rate) => ask(client, { router, session, name: "CoA-Request", rate }),
    changeTimeout: (router, session, sessionTimeout) =>
      ask(client, { router, session, name: "CoA-Request", sessionTimeout }),
  };
}

/** Identifies a session as its NAS reported it, with the attributes that its kind is matched by and no others. */
export function writeIdentity(
  packet: PacketWriter,
  { username, acctSessionId, framedIp, nasIp }: Identity,
  by: readonly Identification[] = kindTraits.mikrotik.identifiedBy,
): void {
  if (by.includes("User-Name") && username !== "") packet.text(Attribute["User-Name"], username);
  if (acctSessionId !== "") packet.attribute(Attribute["Acct-Session-Id"], reportedBytes(acctSessionId));
  if (by.includes("Framed-IP-Address") && framedIp !== null && isIPv4(framedIp))
    packet.ipv4(Attribute["Framed-IP-Address"], framedIp);
  if (nasIp === null || !by.includes("NAS-IP-Address")) return;
  if (isIPv4(nasIp)) packet.ipv4(Attribute["NAS-IP-Address"], nasIp);
  else if (isIPv6(nasIp))
    packet.attribute(Attribute["NAS-IPv6-Address"], Buffer.from(ipaddr.parse(nasIp).toByteArray()));
}

/** The store writes an id that is not UTF-8 with its bytes as \xNN (gate.ts, printable). */
function reportedBytes(hex: string): Buffer {
  if (!/\\x(?:[01][0-9a-f]|7f|[89a-f][0-9a-f])/.test(hex)) return Buffer.from(hex, "utf8");
  const text = hex.replace(/\\x([0-9a-f]{2})/g, (_, byte: string) =>
    String.fromCharCode(Number.parseInt(byte, 16)),
  );
  return Buffer.from(text, "latin1");
}

const GIGAWORD = 2 ** 32;

interface Question {
  readonly router: CoaNas;
  readonly session: Identity & Parameters<typeof seemsRouteros>[0];
  readonly name: "Disconnect-Request" | "CoA-Request";
  readonly rate?: RateChange;
  /** Seconds from the session's start. */
  readonly sessionTimeout?: number;
}

async function ask(client: CoaClient, question: Question): Promise<RouterAnswer> {
  const { router, session } = question;
  const end = performance.now() + router.wait * 1000;
  const first = await send(client, question, session, end);
  const isTooMuch = first.kind === "nak" && first.errorCause === UNSUPPORTED_ATTRIBUTE;
  if (!isTooMuch || !namesMore(question)) return toRouterAnswer(first, question);
  // some support no other attributes than these two (hostapd, for one, does not know Framed-IP-Address)
  const second = await send(client, question, { ...session, framedIp: null, nasIp: null }, end);
  return toRouterAnswer(second.kind === "silence" ? first : second, question);
}

/** Whether more than name and id identifies it. */
function namesMore({ router, session: { framedIp, nasIp } }: Question): boolean {
  const { identifiedBy } = kindTraits[router.kind];
  return (
    (framedIp !== null && identifiedBy.includes("Framed-IP-Address")) ||
    (nasIp !== null && identifiedBy.includes("NAS-IP-Address"))
  );
}

function send(
  client: CoaClient,
  { router, name, rate, sessionTimeout }: Question,
  identity: Identity,
  end: number,
): Promise<CoaReply> {
  const write = (packet: PacketWriter) => {
    writeIdentity(packet, identity, kindTraits[router.kind].identifiedBy);
    for (const { bytes } of rate ? newRate(router.kind, rate) : []) packet.encoded(bytes);
    const { totalLimit } = rate ?? {};
    if (totalLimit !== undefined && kindTraits[router.kind].takesTotalLimit) {
      packet.vendorInteger(Vendor.Mikrotik, Mikrotik["Mikrotik-Total-Limit"], totalLimit % GIGAWORD);
      packet.vendorInteger(
        Vendor.Mikrotik,
        Mikrotik["Mikrotik-Total-Limit-Gigawords"],
        Math.floor(totalLimit / GIGAWORD),
      );
    }
    if (sessionTimeout !== undefined) packet.integer(Attribute["Session-Timeout"], sessionTimeout);
  };
  return client.request(Code[name], write, { ...router, wait: Math.max(0, end - performance.now()) });
}

function newRate(kind: NasKind, { rateLimit, added }: RateChange) {
  if (rateLimit === "") return [];
  return rateAttribute(kind, { rateLimit, replyAttributes: ReplyAttributes.of(added ?? null, null) });
}

function toRouterAnswer(reply: CoaReply, question: Question): RouterAnswer {
  const { router, name } = question;
  if (reply.kind === "ack") return { kind: "acknowledged" };
  if (reply.kind === "nak") {
    if (reply.errorCause === SESSION_CONTEXT_NOT_FOUND) return { kind: "gone" };
    const reason = phrase`the router ${router.name} (${router.address} port ${router.port}) refused the ${name}: ${errorCauseWords(reply.errorCause)}`;
    return { kind: "failed", reason: reason.toString() };
  }
  return { kind: "failed", reason: silence(reply, question).toString(), isSilent: true };
}

function silence(
  { forged, fault }: CoaReply & { kind: "silence" },
  { router, session, name }: Question,
): Phrase {
  const { name: at, address, port, wait } = router;
  if (fault !== undefined)
    return phrase`the ${name} could not be sent to the router ${at} (${address} port ${port}): ${fault}`;
  if (forged)
    return phrase`the router ${at} (${address} port ${port}) answered the ${name} with another RADIUS secret; set the same secret on both sides`;
  return router.kind === "mikrotik" && seemsRouteros(session)
    ? phrase`the router ${at} (${address} port ${port}) did not answer the ${name} within ${wait} s; let it answer with: /radius/incoming/set accept=yes port=${port}`
    : phrase`the router ${at} (${address} port ${port}) did not answer the ${name} within ${wait} s; let it take dynamic authorization (RFC 5176) from this server on UDP port ${port}, with our secret`;
}
