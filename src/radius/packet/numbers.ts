/** Packet codes (RFC 2865 section 4, RFC 2866 section 4, RFC 5176 section 2.3, RFC 5997). */
export const Code = {
  "Access-Request": 1,
  "Access-Accept": 2,
  "Access-Reject": 3,
  "Accounting-Request": 4,
  "Accounting-Response": 5,
  "Access-Challenge": 11,
  "Status-Server": 12,
  "Disconnect-Request": 40,
  "Disconnect-ACK": 41,
  "Disconnect-NAK": 42,
  "CoA-Request": 43,
  "CoA-ACK": 44,
  "CoA-NAK": 45,
} as const;

const codeNames = new Map<number, string>(Object.entries(Code).map(([name, code]) => [code, name]));

/** The RFC's name of a packet code, for people. */
export function codeName(code: number): string {
  return codeNames.get(code) ?? `code ${code}`;
}

export type Kind = "text" | "integer" | "ipv4" | "ipv6" | "ipv6prefix" | "bytes";

declare const brand: unique symbol;

/**
 * An attribute number that carries its value type and vendor (0: RFCs) for the compiler, so that reading a text as an integer,
 * or with another vendor, does not compile.
 */
export type AttributeType<K extends Kind = Kind, V extends number = 0> = number & {
  readonly [brand]: readonly [kind: K, vendor: V];
};

const of = <K extends Kind>(type: number) => type as AttributeType<K>;

/** Attribute types that this program reads or writes by number (RFC 2865, 2866, 2869, 3162, 4818, 5176, 6911). */
export const Attribute = {
  "User-Name": of<"text">(1),
  "User-Password": of<"bytes">(2),
  "CHAP-Password": of<"bytes">(3),
  "NAS-IP-Address": of<"ipv4">(4),
  "NAS-Port": of<"integer">(5),
  "Service-Type": of<"integer">(6),
  "Framed-Protocol": of<"integer">(7),
  "Framed-IP-Address": of<"ipv4">(8),
  "Filter-Id": of<"text">(11),
  "Reply-Message": of<"text">(18),
  State: of<"bytes">(24),
  Class: of<"bytes">(25),
  "Vendor-Specific": of<"bytes">(26),
  "Session-Timeout": of<"integer">(27),
  "Idle-Timeout": of<"integer">(28),
  "Called-Station-Id": of<"text">(30),
  "Calling-Station-Id": of<"text">(31),
  "NAS-Identifier": of<"text">(32),
  "Proxy-State": of<"bytes">(33),
  "Acct-Status-Type": of<"integer">(40),
  "Acct-Delay-Time": of<"integer">(41),
  "Acct-Input-Octets": of<"integer">(42),
  "Acct-Output-Octets": of<"integer">(43),
  "Acct-Session-Id": of<"text">(44),
  "Acct-Authentic": of<"integer">(45),
  "Acct-Session-Time": of<"integer">(46),
  "Acct-Input-Packets": of<"integer">(47),
  "Acct-Output-Packets": of<"integer">(48),
  "Acct-Terminate-Cause": of<"integer">(49),
  "Acct-Input-Gigawords": of<"integer">(52),
  "Acct-Output-Gigawords": of<"integer">(53),
  "Event-Timestamp": of<"integer">(55),
  "CHAP-Challenge": of<"bytes">(60),
  "NAS-Port-Type": of<"integer">(61),
  "Port-Limit": of<"integer">(62),
  "EAP-Message": of<"bytes">(79),
  "Message-Authenticator": of<"bytes">(80),
  "Acct-Interim-Interval": of<"integer">(85),
  "NAS-Port-Id": of<"text">(87),
  "Framed-Pool": of<"text">(88),
  "NAS-IPv6-Address": of<"ipv6">(95),
  "Framed-IPv6-Prefix": of<"ipv6prefix">(97),
  "Framed-IPv6-Pool": of<"text">(100),
  "Error-Cause": of<"integer">(101),
  "Delegated-IPv6-Prefix": of<"ipv6prefix">(123),
  "Framed-IPv6-Address": of<"ipv6">(168),
};

/** Vendor ids (RFC 2865 section 5.26). */
export const Vendor = {
  Cisco: 9,
  Microsoft: 311,
  Huawei: 2011,
  Redback: 2352,
  ERX: 4874,
  WISPr: 14122,
  Mikrotik: 14988,
  "Accel-PPP": 55999,
} as const;

const microsoft = <K extends Kind>(type: number) => type as AttributeType<K, typeof Vendor.Microsoft>;
const cisco = <K extends Kind>(type: number) => type as AttributeType<K, typeof Vendor.Cisco>;
const huawei = <K extends Kind>(type: number) => type as AttributeType<K, typeof Vendor.Huawei>;
const erx = <K extends Kind>(type: number) => type as AttributeType<K, typeof Vendor.ERX>;
const mikrotik = <K extends Kind>(type: number) => type as AttributeType<K, typeof Vendor.Mikrotik>;

/** Microsoft attributes (RFC 2548 section 2). */
export const Microsoft = {
  "MS-CHAP-Response": microsoft<"bytes">(1),
  "MS-CHAP-Error": microsoft<"bytes">(2),
  "MS-MPPE-Encryption-Policy": microsoft<"integer">(7),
  "MS-MPPE-Encryption-Types": microsoft<"integer">(8),
  "MS-CHAP-Domain": microsoft<"text">(10),
  "MS-CHAP-Challenge": microsoft<"bytes">(11),
  "MS-CHAP-MPPE-Keys": microsoft<"bytes">(12),
  "MS-MPPE-Send-Key": microsoft<"bytes">(16),
  "MS-MPPE-Recv-Key": microsoft<"bytes">(17),
  "MS-CHAP2-Response": microsoft<"bytes">(25),
  "MS-CHAP2-Success": microsoft<"bytes">(26),
};

/** What other access servers say about the client device; what they are sent is in domain/goods/attributes/. */
export const Cisco = { "Cisco-AVPair": cisco<"text">(1) };
export const Huawei = { "Huawei-User-Mac": huawei<"text">(153) };
export const Erx = { "ERX-Pppoe-Description": erx<"text">(24), "ERX-Dhcp-Mac-Addr": erx<"text">(56) };

const redback = <K extends Kind>(type: number) => type as AttributeType<K, typeof Vendor.Redback>;

/** Option 82 as RouterOS passes it on (RouterOS manual, "DHCP"; Redback's numbers). */
export const Redback = {
  "Agent-Remote-Id": redback<"bytes">(96),
  "Agent-Circuit-Id": redback<"bytes">(97),
};

/** MikroTik attributes (RouterOS manual, "RADIUS Client"). */
export const Mikrotik = {
  "Mikrotik-Recv-Limit": mikrotik<"integer">(1),
  "Mikrotik-Xmit-Limit": mikrotik<"integer">(2),
  "Mikrotik-Group": mikrotik<"text">(3),
  "Mikrotik-Rate-Limit": mikrotik<"text">(8),
  "Mikrotik-Realm": mikrotik<"text">(9),
  "Mikrotik-Host-IP": mikrotik<"ipv4">(10),
  "Mikrotik-Recv-Limit-Gigawords": mikrotik<"integer">(14),
  "Mikrotik-Xmit-Limit-Gigawords": mikrotik<"integer">(15),
  "Mikrotik-Total-Limit": mikrotik<"integer">(17),
  "Mikrotik-Total-Limit-Gigawords": mikrotik<"integer">(18),
  "Mikrotik-Address-List": mikrotik<"text">(19),
  "Mikrotik-Delegated-IPv6-Pool": mikrotik<"text">(22),
};
