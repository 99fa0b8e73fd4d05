import ipaddr from "ipaddr.js";

interface Server {
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
    if (!address) break; // what stands before it cannot be trusted either
    if (!trusted(address)) return address.toString();
  }
  return peer.toString();
}

/** Whether the client speaks TLS, to this socket or to the trusted proxy before it. */
export function isSecure(request: Request, server: Server | null, trusted: TrustedProxies): boolean {
  if (new URL(request.url).protocol === "https:") return true;
  const peer = parse(server?.requestIP(request)?.address ?? "");
  return peer !== undefined && trusted(peer) && request.headers.get("x-forwarded-proto") === "https";
}

/** An address as proxies write it, perhaps with a port or in brackets; IPv4 in IPv6 is the IPv4 address. */
function parse(text: string): Address | undefined {
  const bare = /^\[(.*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(bare) || ipaddr.IPv6.isValid(bare);
  return isAddress ? ipaddr.process(bare) : undefined;
}
