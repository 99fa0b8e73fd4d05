import ipaddr from "ipaddr.js";

export interface Listen {
  readonly host: string;
  readonly port: number;
}

export const LISTEN_FORM = "an IP address and a port such as 0.0.0.0:8080, 127.0.0.1:0 or [::1]:8080";

/** Reads `host:port`, IPv6 addresses in brackets; `localhost` is 127.0.0.1. Undefined for anything else. */
export function parseListen(text: string): Listen | undefined {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text);
  if (!match) return undefined;
  const [, ipv6, ipv4 = "", digits] = match;
  const port = Number(digits);
  if (port > 65535) return undefined;
  if (ipv6 !== undefined) return ipaddr.IPv6.isValid(ipv6) ? { host: ipv6, port } : undefined;
  if (ipv4 === "localhost") return { host: "127.0.0.1", port };
  return ipaddr.IPv4.isValidFourPartDecimal(ipv4) ? { host: ipv4, port } : undefined;
}

export function formatListen({ host, port }: Listen): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}
