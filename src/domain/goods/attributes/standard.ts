import type { AttributeTable } from "./table.ts";

/** Attributes of the RFCs, by RFC. */
export const standardAttributes: readonly AttributeTable[] = [
  {
    source: "RFC 2865",
    vendor: 0,
    attributes: `
      1 User-Name, 2 User-Password secret, 3 CHAP-Password bytes, 4 NAS-IP-Address ip, 5 NAS-Port int,
      6 Service-Type int, 7 Framed-Protocol int, 8 Framed-IP-Address ip, 9 Framed-IP-Netmask ip,
      10 Framed-Routing int, 11 Filter-Id, 12 Framed-MTU int, 13 Framed-Compression int, 14 Login-IP-Host ip,
      15 Login-Service int, 16 Login-TCP-Port int, 18 Reply-Message, 19 Callback-Number, 20 Callback-Id,
      22 Framed-Route, 24 State bytes, 25 Class bytes, 27 Session-Timeout int, 28 Idle-Timeout int,
      29 Termination-Action int, 30 Called-Station-Id, 31 Calling-Station-Id, 32 NAS-Identifier,
      33 Proxy-State bytes, 60 CHAP-Challenge bytes, 61 NAS-Port-Type int, 62 Port-Limit int`,
  },
  {
    source: "RFC 2866",
    vendor: 0,
    attributes: `
      40 Acct-Status-Type int, 41 Acct-Delay-Time int, 42 Acct-Input-Octets int, 43 Acct-Output-Octets int,
      44 Acct-Session-Id, 45 Acct-Authentic int, 46 Acct-Session-Time int, 47 Acct-Input-Packets int,
      48 Acct-Output-Packets int, 49 Acct-Terminate-Cause int, 50 Acct-Multi-Session-Id,
      51 Acct-Link-Count int`,
  },
  {
    source: "RFC 2868",
    vendor: 0,
    attributes: `
      64 Tunnel-Type int tag, 65 Tunnel-Medium-Type int tag, 66 Tunnel-Client-Endpoint tag,
      67 Tunnel-Server-Endpoint tag, 69 Tunnel-Password tag secret, 81 Tunnel-Private-Group-Id tag,
      82 Tunnel-Assignment-Id tag, 83 Tunnel-Preference int tag, 90 Tunnel-Client-Auth-Id tag,
      91 Tunnel-Server-Auth-Id tag`,
  },
  {
    source: "RFC 2869",
    vendor: 0,
    attributes: `
      52 Acct-Input-Gigawords int, 53 Acct-Output-Gigawords int, 55 Event-Timestamp int,
      75 Password-Retry int, 76 Prompt int, 77 Connect-Info, 78 Configuration-Token, 79 EAP-Message bytes,
      80 Message-Authenticator bytes, 85 Acct-Interim-Interval int, 87 NAS-Port-Id, 88 Framed-Pool`,
  },
  {
    source: "RFC 3162",
    vendor: 0,
    attributes: `
      95 NAS-IPv6-Address ip6, 96 Framed-Interface-Id ifid, 97 Framed-IPv6-Prefix prefix,
      98 Login-IPv6-Host ip6, 99 Framed-IPv6-Route, 100 Framed-IPv6-Pool`,
  },
  {
    source: "RFC 4372",
    vendor: 0,
    attributes: `
      89 Chargeable-User-Identity bytes`,
  },
  {
    source: "RFC 4675",
    vendor: 0,
    attributes: `
      56 Egress-VLANID int, 57 Ingress-Filters int, 58 Egress-VLAN-Name, 59 User-Priority-Table bytes`,
  },
  {
    source: "RFC 4818",
    vendor: 0,
    attributes: `
      123 Delegated-IPv6-Prefix prefix`,
  },
  {
    source: "RFC 4849",
    vendor: 0,
    attributes: `
      92 NAS-Filter-Rule`,
  },
  {
    source: "RFC 5176",
    vendor: 0,
    attributes: `
      101 Error-Cause int`,
  },
  {
    source: "RFC 6911",
    vendor: 0,
    attributes: `
      168 Framed-IPv6-Address ip6, 169 DNS-Server-IPv6-Address ip6, 170 Route-IPv6-Information prefix,
      171 Delegated-IPv6-Prefix-Pool, 172 Stateful-IPv6-Address-Pool`,
  },
];
