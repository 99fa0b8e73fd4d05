import ipaddr from "ipaddr.js";

export interface Server {
  requestIP(request: Request): { address: string } | null;
}
type Address = ipaddr.IPv4 | ipaddr.IPv6;
/** Tells whether an address is a proxy whose X-Forwarded-For counts. */
export type TrustedProxies = (address: Address) => boolean;

/** From CIDRs or single addresses. */
export function trustedProxies(cidrs: readonly string[]): TrustedProxies {
  const networks = cidrs.map((cidr) =>
    ipaddr.parseCIDR(cidr.includes("/") ? cidr : `${cidr}/${cidr.includes(":") ? 128 : 32}`),
  );
  return (address) =>
    networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
}

/**
 * Whose request it is: the peer of the socket or, when that is a trusted proxy, the last untrusted address of
 * X-Forwarded-For. `unknown` where there is no socket.
 */
export function clientAddress(request: Request, server: Server | null, trusted: TrustedProxies): string {
  const peer = parse(server?.requestIP(request)?.address ?? "");
  if (!peer) return "unknown";
  const forwardedFor = request.headers.get("x-forwarded-for");
  if (forwardedFor === null || !trusted(peer)) return peer.toString();
  for (const hop of forwardedFor.split(",").toReversed()) {
    const address = parse(hop.trim());
    if (!address) break; // what is before it in the list cannot be trusted either
    if (!trusted(address)) return address.toString();
  }
  return peer.toString();
}

/** What proxies add to say whom they speak for, in words that are not read here, or what they were asked. */
const OTHER_PROXIES = [
  "forwarded",
  "via",
  "x-real-ip",
  "x-forwarded-host",
  "x-forwarded-port",
  "x-forwarded-proto",
];

/**
 * Whether the client is this box itself: the peer of the socket is, and so is everybody whom a proxy says it speaks for. Trust
 * plays no part: an address of elsewhere is one whoever names it.
 */
export function isThisBox(request: Request, server: Server | null): boolean {
  const { headers } = request;
  if (OTHER_PROXIES.some((name) => headers.has(name))) return false;
  const hops = headers.get("x-forwarded-for")?.split(",") ?? [];
  const peer = server?.requestIP(request)?.address ?? "";
  return [peer, ...hops].every((hop) => parse(hop.trim())?.range() === "loopback");
}

/** Whether the client speaks TLS, to this socket or to the trusted proxy before it. */
export function isSecure(request: Request, server: Server | null, trusted: TrustedProxies): boolean {
  if (request.url.startsWith("https:")) return true;
  return forwarded("x-forwarded-proto", request, server, trusted) === "https";
}

/** The host, perhaps with a port, that the client asked: of this socket or of the trusted proxies before it. */
export function requestedHost(request: Request, server: Server | null, trusted: TrustedProxies): string {
  const [first = ""] = forwarded("x-forwarded-host", request, server, trusted)?.split(",") ?? [];
  return first.trim() || (request.headers.get("host") ?? URL.parse(request.url)?.host ?? "");
}

/** A header that counts where the peer is a trusted proxy. */
function forwarded(name: string, request: Request, server: Server | null, trusted: TrustedProxies) {
  const value = request.headers.get(name);
  if (value === null) return undefined;
  const peer = parse(server?.requestIP(request)?.address ?? "");
  return peer && trusted(peer) ? value : undefined;
}

/** An address as proxies write it, perhaps with a port or in brackets; IPv4 in IPv6 is the IPv4 address. */
function parse(text: string): Address | undefined {
  const bare = /^\[(.*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(bare) || ipaddr.IPv6.isValid(bare);
  return isAddress ? ipaddr.process(bare) : undefined;
}
