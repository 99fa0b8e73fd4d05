/* Rules of a RouterOS firewall as it comes from the factory, and of which others are made. */

export const established = { "connection-state": "established,related,untracked" };
export const fasttrack = { action: "fasttrack-connection", "connection-state": "established,related" };
/** What a router has from the factory. */
export const factory = [
  { chain: "input", action: "accept", ...established },
  { chain: "input", action: "drop", "connection-state": "invalid" },
  { chain: "input", action: "accept", protocol: "icmp" },
  { chain: "input", action: "drop", "in-interface-list": "!LAN" },
  { chain: "forward", action: "accept", "ipsec-policy": "in,ipsec" },
  { chain: "forward", ...fasttrack, "hw-offload": "yes" },
  { chain: "forward", action: "accept", ...established },
  { chain: "forward", action: "drop", "connection-state": "invalid" },
  {
    chain: "forward",
    action: "drop",
    "connection-state": "new",
    "connection-nat-state": "!dstnat",
    "in-interface-list": "WAN",
  },
];
export const factory6 = [
  { chain: "input", action: "accept", ...established },
  { chain: "forward", action: "accept", ...established },
  { chain: "forward", action: "accept", protocol: "icmpv6" },
  { chain: "forward", action: "drop", "in-interface-list": "WAN" },
];
