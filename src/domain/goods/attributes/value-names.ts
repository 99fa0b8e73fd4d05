/** Named values (RFC 2865, 2868, 3580, 4675; IANA). */
export const valueNames: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  "Service-Type": {
    "Login-User": 1,
    "Framed-User": 2,
    "Callback-Login-User": 3,
    "Callback-Framed-User": 4,
    "Outbound-User": 5,
    "Administrative-User": 6,
    "NAS-Prompt-User": 7,
    "Authenticate-Only": 8,
    "Callback-NAS-Prompt": 9,
    "Call-Check": 10,
    "Callback-Administrative": 11,
  },
  "Framed-Protocol": { PPP: 1, SLIP: 2 },
  "Framed-Routing": { None: 0, Broadcast: 1, Listen: 2, "Broadcast-Listen": 3 },
  "Framed-Compression": { None: 0, "Van-Jacobson-TCP-IP": 1, "Stac-LZS": 3 },
  "Termination-Action": { Default: 0, "RADIUS-Request": 1 },
  "Tunnel-Type": { PPTP: 1, L2F: 2, L2TP: 3, ESP: 9, GRE: 10, VLAN: 13 },
  "Tunnel-Medium-Type": { IPv4: 1, IPv6: 2, "IEEE-802": 6 },
  "Ingress-Filters": { Enabled: 1, Disabled: 2 },
};
