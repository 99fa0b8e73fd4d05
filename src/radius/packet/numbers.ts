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

/** Attribute types that this program reads or writes by number (RFC 2865, 2866, 2869, 3162, 4818, 5176, 6911). */
export const Attribute = {
  "User-Name": 1,
  "User-Password": 2,
  "CHAP-Password": 3,
  "NAS-IP-Address": 4,
  "NAS-Port": 5,
  "Service-Type": 6,
  "Framed-Protocol": 7,
  "Framed-IP-Address": 8,
  "Filter-Id": 11,
  "Reply-Message": 18,
  State: 24,
  Class: 25,
  "Vendor-Specific": 26,
  "Session-Timeout": 27,
  "Idle-Timeout": 28,
  "Called-Station-Id": 30,
  "Calling-Station-Id": 31,
  "NAS-Identifier": 32,
  "Proxy-State": 33,
  "Acct-Status-Type": 40,
  "Acct-Delay-Time": 41,
  "Acct-Input-Octets": 42,
  "Acct-Output-Octets": 43,
  "Acct-Session-Id": 44,
  "Acct-Authentic": 45,
  "Acct-Session-Time": 46,
  "Acct-Input-Packets": 47,
  "Acct-Output-Packets": 48,
  "Acct-Terminate-Cause": 49,
  "Acct-Input-Gigawords": 52,
  "Acct-Output-Gigawords": 53,
  "Event-Timestamp": 55,
  "CHAP-Challenge": 60,
  "NAS-Port-Type": 61,
  "Port-Limit": 62,
  "EAP-Message": 79,
  "Message-Authenticator": 80,
  "Acct-Interim-Interval": 85,
  "NAS-Port-Id": 87,
  "Framed-Pool": 88,
  "NAS-IPv6-Address": 95,
  "Framed-IPv6-Prefix": 97,
  "Framed-IPv6-Pool": 100,
  "Error-Cause": 101,
  "Delegated-IPv6-Prefix": 123,
  "Framed-IPv6-Address": 168,
} as const;

/** Vendor ids (RFC 2865 section 5.26). */
export const Vendor = { Microsoft: 311, WISPr: 14122, Mikrotik: 14988 } as const;

/** Microsoft attributes (RFC 2548 section 2). */
export const Microsoft = {
  "MS-CHAP-Response": 1,
  "MS-CHAP-Error": 2,
  "MS-MPPE-Encryption-Policy": 7,
  "MS-MPPE-Encryption-Types": 8,
  "MS-CHAP-Domain": 10,
  "MS-CHAP-Challenge": 11,
  "MS-CHAP-MPPE-Keys": 12,
  "MS-MPPE-Send-Key": 16,
  "MS-MPPE-Recv-Key": 17,
  "MS-CHAP2-Response": 25,
  "MS-CHAP2-Success": 26,
} as const;

/** MikroTik attributes (RouterOS manual, "RADIUS Client"). */
export const Mikrotik = {
  "Mikrotik-Recv-Limit": 1,
  "Mikrotik-Xmit-Limit": 2,
  "Mikrotik-Group": 3,
  "Mikrotik-Rate-Limit": 8,
  "Mikrotik-Realm": 9,
  "Mikrotik-Host-IP": 10,
  "Mikrotik-Recv-Limit-Gigawords": 14,
  "Mikrotik-Xmit-Limit-Gigawords": 15,
  "Mikrotik-Total-Limit": 17,
  "Mikrotik-Total-Limit-Gigawords": 18,
  "Mikrotik-Address-List": 19,
  "Mikrotik-Delegated-IPv6-Pool": 22,
} as const;
